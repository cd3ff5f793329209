//! Root causes of the waits of a program, and its critical path.

use serde::{Deserialize, Serialize};

use super::Locations;

/// Root causes: who makes whom wait.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Causes {
    /// The locations of causes and of the critical path.
    pub units: Locations,
    /// The call paths of causes and of the critical path.
    pub paths: CausePaths,
    /// The findings that have causes, the largest first.
    pub caused: CausedRows,
    /// The seconds that causes cost, the most first.
    pub costs: Costs,
    /// The number of small costs that are not shown.
    pub omitted: u64,
    /// The critical path.
    pub critical: CriticalPath,
}

/// A table of call paths.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CausePaths {
    /// The names of the regions, the outermost first, that of the last with its call site; none outside all regions.
    pub names: Vec<Vec<String>>,
    /// The entries of the profile's `paths` that it is: several, if its call site is not known.
    pub places: Vec<Vec<u32>>,
}

/// A table of findings with causes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CausedRows {
    /// The property and call path: an index into the `rows` of the program.
    pub finding: Vec<u32>,
    /// Seconds that are waited.
    pub total: Vec<f64>,
    /// Seconds that have no cause.
    pub unattributed: Vec<f64>,
}

/// A table of the seconds that a call path of a location makes others wait.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Costs {
    /// The finding: an index into `caused`.
    pub of: Vec<u32>,
    /// The call path: an index into `paths`.
    pub path: Vec<u32>,
    /// The location: an index into `units`; null for several that cost little.
    pub unit: Vec<Option<u32>>,
    /// Seconds that wait for it directly.
    pub direct: Vec<f64>,
    /// Seconds that wait for it through waits of other locations.
    pub indirect: Vec<f64>,
    /// The mean number of waits between it and the indirect seconds.
    pub hops: Vec<f64>,
}

/// The critical path.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CriticalPath {
    /// Its length, in seconds.
    pub length: f64,
    /// Its parts, first to last.
    pub stretches: Stretches,
    /// The call paths on it, the longest first.
    pub profile: OnCriticalPath,
}

/// A table of parts of the critical path.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Stretches {
    /// The location: an index into `units`.
    pub unit: Vec<u32>,
    /// Its begin, in seconds since the first event.
    pub begin: Vec<f64>,
    /// Its end, in seconds since the first event.
    pub end: Vec<f64>,
}

/// A table of the call paths on the critical path.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OnCriticalPath {
    /// The call path: an index into `paths`.
    pub path: Vec<u32>,
    /// Seconds on the critical path.
    pub seconds: Vec<f64>,
    /// Excess of these over the mean of all locations, in seconds.
    pub imbalance: Vec<f64>,
}
