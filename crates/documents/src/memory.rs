//! Misses of caches of every size: the document `ats-memory/1`.

use serde::{Deserialize, Serialize};

use ats_model::named;

/// `ats-memory/1`: the misses of caches of every size, from the references to memory that a program makes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Memory {
    /// The schema's name, `ats-memory/1`.
    pub schema: String,
    /// The trace of references, or the command that was traced.
    pub trace: String,
    /// The kind of references that are counted.
    pub references: References,
    /// The bytes of a line.
    pub line: u64,
    /// Whether the trace has its end; of one that is cut, the counts are of the part that is there.
    pub is_complete: bool,
    /// The share of the lines that were sampled, if there were too many for the memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sampled: Option<f64>,
    /// The caches that were asked for.
    pub caches: Vec<Cache>,
    /// The costs of misses that were asked for.
    pub penalties: Vec<Penalty>,
    /// The whole trace.
    pub total: Locality,
    /// The regions of the code, by falling number of references; empty if they are not known.
    pub regions: Vec<Locality>,
    /// Remarks on the trace.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

named! {
    /// The kind of references that are counted.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum References {
        /// Loads and stores.
        #[default]
        Data = "data",
        /// Fetches of instructions.
        Instructions = "instructions",
        /// Both, as caches for both see them.
        All = "all",
    }
}

/// A set-associative cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Cache {
    /// Its capacity in bytes.
    pub bytes: u64,
    /// The lines of a set.
    pub ways: u64,
    /// The number of sets.
    pub sets: u64,
}

/// The cost of a miss.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Penalty {
    /// The capacity of the cache in bytes.
    pub bytes: u64,
    /// The seconds of a miss.
    pub seconds: f64,
}

/// A number with its bounds, which are equal to it if it is exact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// Its lower bound, of 95 %.
    pub least: f64,
    /// Its upper bound, of 95 %.
    pub most: f64,
}

/// The references of the trace or of a region, and their misses.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Locality {
    /// The function; empty for the whole trace.
    pub name: String,
    /// The number of references.
    pub references: u64,
    /// The first references to each line of the trace, which miss in every cache.
    pub cold: Estimate,
    /// The misses of fully associative caches, cold ones included. Where a capacity is not listed, they are those of the next
    /// smaller one if no entry between differs: below 64 lines all are there, above 16 for each doubling.
    pub curve: Vec<Capacity>,
    /// The misses of the caches that were asked for, in their order.
    pub caches: Vec<CacheMisses>,
    /// The seconds of the misses whose costs were given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<Estimate>,
}

/// The misses of a fully associative cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Capacity {
    /// Its capacity in bytes.
    pub bytes: u64,
    /// Its misses.
    pub misses: Estimate,
}

/// The misses of a cache with sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CacheMisses {
    /// The misses of a fully associative cache of this capacity.
    pub fully_associative: Estimate,
    /// The misses if lines go to the sets at random.
    pub set_associative: Estimate,
    /// The misses that a simulation of this cache has counted; they differ from those at random as the addresses are regular.
    pub simulated: u64,
}

impl Memory {
    /// The value of [`Memory::schema`].
    pub const SCHEMA: &str = "ats-memory/1";
}

impl Estimate {
    /// A number that is exact.
    pub fn exact(value: f64) -> Self {
        Estimate { value, least: value, most: value }
    }

    /// Whether it is exact.
    pub fn is_exact(&self) -> bool {
        self.least == self.most
    }
}
