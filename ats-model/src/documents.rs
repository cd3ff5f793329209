//! The published documents, the schema of each, and how those are read that people write.
//!
//! Programs and the recorder write none, and are built without: their witness is in [`crate::witness`].

pub mod analysis;
pub mod experiment;
pub mod finding;
pub mod profile;
pub mod region_graph;
pub mod report;
pub mod schema;
pub mod score;
pub mod scoreboard;
mod short;
pub mod summaries;
pub mod truth;
pub mod validation;
pub mod written;

pub use analysis::{Analysis, Wait};
pub use experiment::{Experiment, Experiments, PlannedRuns};
pub use finding::{Basis, Finding};
pub use profile::Profile;
pub use region_graph::RegionGraphs;
pub use report::Report;
pub use score::Score;
pub use scoreboard::Scoreboard;
pub use summaries::Summaries;
pub use truth::Truth;
pub use validation::Validation;
