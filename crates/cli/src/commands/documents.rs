//! The registry of published documents: name, commands that write it, and the JSON schema of their types.

use ats_compose::Composition;
use ats_documents::answer::{Doctor, Done};
use ats_documents::catalogue::ListedDocument;
#[cfg(test)]
use ats_documents::schema::{self, of};
use ats_documents::scoreboard::Causes;
use ats_documents::{
    Analysis, Diagnosis, Efficiencies, Experiment, Experiments, Explanation, Overheads, Page, PlannedRuns,
    Profile, RegionGraphs, Report, Score, Scoreboard, Summaries, Truth,
};
use ats_experiment::Plan;
use ats_launch::tool::Tool;
use ats_model::Witness;

use crate::commands::catalogue::Entries;

/// A published document.
pub(crate) struct Published {
    /// Name and version.
    pub(crate) name: &'static str,
    /// Commands that write it; empty for a document that is written by hand.
    pub(crate) written_by: &'static [&'static str],
    /// Makes its JSON schema, which is kept in a file.
    #[cfg(test)]
    schema: fn() -> serde_json::Value,
}

macro_rules! published {
    ($name:expr, $written_by:expr, $schema:expr $(,)?) => {
        Published {
            name: $name,
            written_by: $written_by,
            #[cfg(test)]
            schema: $schema,
        }
    };
}

/// All published documents.
pub(crate) const DOCUMENTS: &[Published] = &[
    published!(Truth::SCHEMA, &["truth"], schema::truth),
    published!(Composition::SCHEMA, &["compose", "show"], || ats_compose::schema().to_value()),
    published!(Entries::SCHEMA, &["list", "show", "schema"], of::<Entries<'_>>),
    published!(Witness::SCHEMA, &["run"], of::<Witness>),
    published!(Analysis::SCHEMA, &["analyze"], of::<Analysis>),
    published!(Explanation::SCHEMA, &["explain"], of::<Explanation>),
    published!(Profile::SCHEMA, &["profile"], of::<Profile>),
    published!(Summaries::SCHEMA, &["profile --summaries"], of::<Summaries>),
    published!(RegionGraphs::SCHEMA, &["profile --graph"], of::<RegionGraphs>),
    published!(Experiment::SCHEMA, &["experiment show"], of::<Experiment>),
    published!(
        Experiments::SCHEMA,
        &["experiment list", "experiment add", "experiment run", "experiment remove"],
        of::<Experiments>,
    ),
    published!(PlannedRuns::SCHEMA, &["experiment run --dry-run"], of::<PlannedRuns>),
    published!(Plan::SCHEMA, &[], || ats_experiment::plan::schema().to_value()),
    published!(Diagnosis::SCHEMA, &["diagnose"], of::<Diagnosis>),
    published!(ats_diagnosis::properties::SCHEMA, &[], || ats_diagnosis::properties::schema().to_value()),
    published!(Efficiencies::SCHEMA, &["efficiency"], of::<Efficiencies>),
    published!(Overheads::SCHEMA, &["overheads"], of::<Overheads>),
    published!(Score::SCHEMA, &["validate", "score"], of::<Score>),
    published!(Scoreboard::SCHEMA, &["scoreboard"], of::<Scoreboard>),
    published!(Causes::SCHEMA, &[], of::<Causes>),
    published!(
        Page::SCHEMA,
        &["export", "validate --html", "report", "scoreboard --html", "experiment export"],
        of::<Page>,
    ),
    published!(Report::SCHEMA, &["convert", "template report"], schema::report),
    published!(Tool::SCHEMA, &["template tool"], of::<Tool>),
    published!(Doctor::SCHEMA, &["doctor", "calibrate"], of::<Doctor>),
    published!(
        Done::SCHEMA,
        &[
            "trace",
            "generate",
            "run",
            "record",
            "install",
            "truth -o",
            "analyze -o",
            "profile -o",
            "draw -o",
            "export",
            "scoreboard -o",
            "report -o",
            "convert -o",
            "experiment export -o",
            "man",
        ],
        of::<Done>,
    ),
];

/// The list of all published documents.
pub(crate) fn list() -> Vec<ListedDocument> {
    let listed = |one: &Published| ListedDocument {
        name: one.name,
        written_by: one.written_by.iter().map(|verb| format!("ats {verb}")).collect(),
    };
    DOCUMENTS.iter().map(listed).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn the_schemas_are_those_of_the_types() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../documents/schemas");
        let file = |one: &Published| (schema::file_name(one.name), format!("{:#}\n", (one.schema)()));
        ats_testing::assert_current(&folder, DOCUMENTS.iter().map(file));
    }
}
