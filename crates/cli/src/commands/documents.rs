//! The registry of published documents: name, commands that write it, and the JSON schema of their types.

use ats_compose::Composition;
use ats_documents::answer::{Doctor, Done};
use ats_documents::catalogue::ListedDocument;
#[cfg(test)]
use ats_documents::schema::{self, document_schema};
use ats_documents::scoreboard::Causes;
use ats_documents::{
    Analysis, Comparison, Diagnosis, Efficiencies, Experiment, Experiments, Explanation, Memory, Models,
    Overheads, Page, PlannedRuns, Prediction, Profile, RegionGraphs, Report, Score, Scoreboard, Summaries,
    Truth, WhatIf, WhatIfScore,
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
    published!(Entries::SCHEMA, &["list", "show", "schema"], document_schema::<Entries<'_>>),
    published!(Witness::SCHEMA, &["run"], document_schema::<Witness>),
    published!(Analysis::SCHEMA, &["analyze"], document_schema::<Analysis>),
    published!(Explanation::SCHEMA, &["explain"], document_schema::<Explanation>),
    published!(Comparison::SCHEMA, &["compare"], document_schema::<Comparison>),
    published!(Profile::SCHEMA, &["profile"], document_schema::<Profile>),
    published!(Summaries::SCHEMA, &["profile --summaries"], document_schema::<Summaries>),
    published!(RegionGraphs::SCHEMA, &["profile --graph"], document_schema::<RegionGraphs>),
    published!(Experiment::SCHEMA, &["experiment show"], document_schema::<Experiment>),
    published!(
        Experiments::SCHEMA,
        &["experiment list", "experiment add", "experiment run", "experiment remove"],
        document_schema::<Experiments>,
    ),
    published!(PlannedRuns::SCHEMA, &["experiment run --dry-run"], document_schema::<PlannedRuns>),
    published!(Plan::SCHEMA, &[], || ats_experiment::plan::schema().to_value()),
    published!(Diagnosis::SCHEMA, &["diagnose"], document_schema::<Diagnosis>),
    published!(ats_diagnosis::properties::SCHEMA, &[], || ats_diagnosis::properties::schema().to_value()),
    published!(Efficiencies::SCHEMA, &["efficiency"], document_schema::<Efficiencies>),
    published!(Memory::SCHEMA, &["memory"], document_schema::<Memory>),
    published!(Overheads::SCHEMA, &["overheads"], document_schema::<Overheads>),
    published!(Models::SCHEMA, &["model"], document_schema::<Models>),
    published!(Prediction::SCHEMA, &["predict"], document_schema::<Prediction>),
    published!(ats_prediction::costs::SCHEMA, &[], || ats_prediction::costs::schema().to_value()),
    published!(WhatIf::SCHEMA, &["what-if"], document_schema::<WhatIf>),
    published!(WhatIfScore::SCHEMA, &["validate --what-if"], document_schema::<WhatIfScore>),
    published!(Score::SCHEMA, &["validate", "score"], document_schema::<Score>),
    published!(Scoreboard::SCHEMA, &["scoreboard"], document_schema::<Scoreboard>),
    published!(Causes::SCHEMA, &[], document_schema::<Causes>),
    published!(
        Page::SCHEMA,
        &["export", "validate --html", "report", "scoreboard --html", "experiment export"],
        document_schema::<Page>,
    ),
    published!(Report::SCHEMA, &["convert", "template report"], schema::report),
    published!(Tool::SCHEMA, &["template tool"], document_schema::<Tool>),
    published!(Doctor::SCHEMA, &["doctor", "calibrate"], document_schema::<Doctor>),
    published!(
        Done::SCHEMA,
        &[
            "reference",
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
            "model -o",
            "man",
        ],
        document_schema::<Done>,
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
