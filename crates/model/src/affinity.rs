//! The processors that a process may run on.
//!
//! OTF2 has no definition of them. In a trace they are a property of the process, `ATS::AFFINITY`, whose value names
//! the machine and lists the processors: `node1:0,2`. Readers that do not know it pass it over.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

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
