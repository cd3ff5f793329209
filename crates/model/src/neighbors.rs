//! Neighbours of a process in the topology of a communicator.
//!
//! OTF2 has no definition of them. In a trace they are a property of the process, `ATS::NEIGHBORS::3` for the communicator
//! with the id 3, whose value lists the sources and the destinations: `0,2;0,2`. Readers that do not know it pass it over.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The neighbours of a process, as ranks in the communicator, in MPI's order. One may be listed several times.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Neighbors {
    /// Those that it receives from.
    pub sources: Vec<u32>,
    /// Those that it sends to.
    pub destinations: Vec<u32>,
}

/// The name of the property, before the communicator's id.
const PROPERTY: &str = "ATS::NEIGHBORS::";

impl Neighbors {
    /// The name of the property of a communicator with this id.
    ///
    /// ```
    /// use ats_model::neighbors::Neighbors;
    /// assert_eq!(Neighbors::communicator(&Neighbors::property(3)), Some(3));
    /// assert_eq!(Neighbors::communicator("CPU_MASK"), None);
    /// ```
    pub fn property(communicator: u32) -> String {
        format!("{PROPERTY}{communicator}")
    }

    /// The id of the communicator that a property of this name is about.
    pub fn communicator(property: &str) -> Option<u32> {
        property.strip_prefix(PROPERTY)?.parse().ok()
    }
}

/// The value of the property.
///
/// ```
/// use ats_model::neighbors::Neighbors;
/// let neighbors = Neighbors { sources: vec![], destinations: vec![4, 1] };
/// assert_eq!(neighbors.to_string(), ";4,1");
/// assert_eq!(";4,1".parse(), Ok(neighbors));
/// assert!("1,2".parse::<Neighbors>().is_err() && "1;x".parse::<Neighbors>().is_err());
/// ```
impl fmt::Display for Neighbors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |ranks: &[u32]| ranks.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        write!(f, "{};{}", list(&self.sources), list(&self.destinations))
    }
}

/// A text that is no value of the property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected the ranks of sources and destinations, such as `0,2;0,2`")]
pub struct NotNeighbors;

impl FromStr for Neighbors {
    type Err = NotNeighbors;

    fn from_str(text: &str) -> Result<Self, NotNeighbors> {
        let list = |text: &str| {
            let ranks = text.split(',').filter(|_| !text.is_empty()).map(str::parse);
            ranks.collect::<Result<Vec<u32>, _>>().map_err(|_| NotNeighbors)
        };
        let (sources, destinations) = text.split_once(';').ok_or(NotNeighbors)?;
        Ok(Neighbors { sources: list(sources)?, destinations: list(destinations)? })
    }
}
