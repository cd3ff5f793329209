//! Time and speed-up of compared experiments.

use serde::{Deserialize, Serialize};

/// Compared experiments.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Experiments {
    /// Experiments that differ only in ranks and threads are one curve.
    pub curves: Vec<Curve>,
    /// The regions, the longest first.
    pub regions: Vec<ComparedRegion>,
    /// The number of regions that are not shown.
    pub omitted: u64,
}

/// Experiments that differ only in ranks and threads.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Curve {
    /// Application, version, and parameters of the run.
    pub name: String,
    /// The runs that the others are compared with, in words.
    pub against: String,
    /// The sequential runs, then the others by the number of locations.
    pub points: Vec<Point>,
}

/// Experiments with the same ranks and threads.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Point {
    /// Ranks times threads.
    pub locations: u64,
    /// Ranks and threads, in words: `4×2`, `sequential`.
    pub size: String,
    /// The number of runs.
    pub runs: u64,
    /// The point that it is compared with: an index into `points`.
    pub base: u32,
    /// Whether these are sequential runs.
    pub sequential: bool,
}

/// A region, and its amounts by curve and point.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ComparedRegion {
    /// Its name.
    pub name: String,
    /// Seconds of the slowest location in the region and all that is inside it, the mean over the runs; null if no run
    /// has them.
    pub times: Vec<Vec<Option<f64>>>,
    /// Speed-up over the base of the point; null if one of them has no time.
    pub speed_ups: Vec<Vec<Option<f64>>>,
}
