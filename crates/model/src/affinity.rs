//! The processors that a process may run on.
//!
//! OTF2 has no definition of them. In a trace they are a property of the process, `ATS::AFFINITY`, whose value names
//! the machine and lists the processors: `node1:0,2`. Readers that do not know it pass it over.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::Definitions;

/// The processors of a machine that a process may run on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Affinity {
    /// The name of the machine.
    pub host: String,
    /// The numbers that its system gives the processors.
    pub processors: BTreeSet<u32>,
}

impl Affinity {
    /// The name of the property.
    pub const PROPERTY: &str = "ATS::AFFINITY";
}

/// The value of the property.
///
/// ```
/// use ats_model::affinity::Affinity;
/// let affinity = Affinity { host: "node1".into(), processors: [0, 2].into() };
/// assert_eq!(affinity.to_string(), "node1:0,2");
/// assert_eq!("node1:0,2".parse(), Ok(affinity));
/// assert!("node1".parse::<Affinity>().is_err() && "node1:x".parse::<Affinity>().is_err());
/// ```
impl fmt::Display for Affinity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let processors: Vec<String> = self.processors.iter().map(u32::to_string).collect();
        write!(f, "{}:{}", self.host, processors.join(","))
    }
}

/// A text that is no value of the property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a machine and the numbers of processors, such as `node1:0,2`")]
pub struct NoAffinity;

impl FromStr for Affinity {
    type Err = NoAffinity;

    fn from_str(text: &str) -> Result<Self, NoAffinity> {
        let (host, list) = text.rsplit_once(':').ok_or(NoAffinity)?;
        let processors = list.split(',').filter(|_| !list.is_empty()).map(str::parse);
        let processors = processors.collect::<Result<_, _>>().map_err(|_| NoAffinity)?;
        Ok(Affinity { host: host.to_owned(), processors })
    }
}

/// A machine with fewer processors than locations of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Oversubscribed {
    /// The name of the machine.
    pub host: String,
    /// The number of locations of its processes.
    pub locations: usize,
    /// The number of processors that one of the processes at least may run on.
    pub processors: usize,
}

/// The machines whose locations have to share processors.
pub fn oversubscribed(definitions: &Definitions) -> Vec<Oversubscribed> {
    let mut machines: BTreeMap<&str, (usize, BTreeSet<u32>)> = BTreeMap::new();
    for location in &definitions.locations {
        let Some(affinity) = definitions.affinities.get(&location.rank) else { continue };
        let (locations, processors) = machines.entry(&affinity.host).or_default();
        *locations += 1;
        processors.extend(&affinity.processors);
    }
    let machine = |(host, (locations, processors)): (&str, (usize, BTreeSet<u32>))| Oversubscribed {
        host: host.to_owned(),
        locations,
        processors: processors.len(),
    };
    machines.into_iter().map(machine).filter(|of| of.locations > of.processors && of.processors > 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definitions::LocationDefinition;

    #[test]
    fn locations_of_a_machine_share_the_processors_of_all_its_processes() {
        let affinity = |host: &str, processors: &[u32]| Affinity {
            host: host.into(),
            processors: processors.iter().copied().collect(),
        };
        let location =
            |rank, thread| LocationDefinition { id: 0, name: String::new(), rank, thread, events: 0 };
        let definitions = Definitions {
            locations: [(0, 0), (0, 1), (1, 0), (2, 0), (3, 0)]
                .map(|(rank, thread)| location(rank, thread))
                .into(),
            // Nothing is known of rank 3.
            affinities: [(0, affinity("a", &[0])), (1, affinity("a", &[0, 1])), (2, affinity("b", &[0]))]
                .into(),
            ..Definitions::default()
        };
        let of_a = Oversubscribed { host: "a".into(), locations: 3, processors: 2 };
        assert_eq!(oversubscribed(&definitions), [of_a]);
    }
}
