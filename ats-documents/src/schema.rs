//! The published JSON schemas.

use schemars::schema_for;

use super::experiment::FailedRun;
use super::short::with_short_forms;
use crate::scoreboard::Causes;
use crate::{
    Analysis, Experiment, Experiments, PlannedRuns, Profile, RegionGraphs, Report, Score, Scoreboard,
    Summaries, Truth, Validation,
};
use ats_model::Witness;

/// Every document that has a schema, by the name that `ats schema` takes.
pub const NAMES: [&str; 15] = [
    Truth::SCHEMA,
    Analysis::SCHEMA,
    Profile::SCHEMA,
    Summaries::SCHEMA,
    RegionGraphs::SCHEMA,
    Experiment::SCHEMA,
    Experiments::SCHEMA,
    FailedRun::SCHEMA,
    PlannedRuns::SCHEMA,
    Report::SCHEMA,
    Validation::SCHEMA,
    Score::SCHEMA,
    Scoreboard::SCHEMA,
    Causes::SCHEMA,
    Witness::SCHEMA,
];

/// The JSON schema of a document.
pub fn schema(name: &str) -> Option<serde_json::Value> {
    let schema = match name {
        Truth::SCHEMA => return Some(with_short_forms(schema_for!(Truth).to_value())),
        Analysis::SCHEMA => schema_for!(Analysis),
        Profile::SCHEMA => schema_for!(Profile),
        Summaries::SCHEMA => schema_for!(Summaries),
        RegionGraphs::SCHEMA => schema_for!(RegionGraphs),
        Experiment::SCHEMA => schema_for!(Experiment),
        Experiments::SCHEMA => schema_for!(Experiments),
        FailedRun::SCHEMA => schema_for!(FailedRun),
        PlannedRuns::SCHEMA => schema_for!(PlannedRuns),
        Report::SCHEMA => return Some(with_short_forms(schema_for!(Report).to_value())),
        Score::SCHEMA => schema_for!(Score),
        Scoreboard::SCHEMA => schema_for!(Scoreboard),
        Causes::SCHEMA => schema_for!(Causes),
        Validation::SCHEMA => schema_for!(Validation),
        Witness::SCHEMA => schema_for!(Witness),
        _ => return None,
    };
    Some(schema.to_value())
}
