//! `ats schema`.

use std::process::ExitCode;

use ats_experiment::Plan;
use ats_launch::tool::Tool;
use ats_model::mistakes::nearest;
use ats_truth::Experiment;
use clap::Args;
use schemars::{JsonSchema, schema_for};
use serde::Serialize;
use serde_json::Value;

use crate::completions::one_of;
use crate::failure::Failure;
use crate::output::{Output, Written};
use crate::{calibrate, doctor, generate, install, list, record, rows, run, show, trace, waits};

/// Print the JSON schema of a document, or list the documents.
///
/// A schema is always printed as JSON (JSON Schema, draft 2020-12).
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  ats schema\n  ats schema ats-truth/1")]
pub(crate) struct Schema {
    /// The document's name, with or without its version.
    #[arg(add = one_of(|| names().collect()))]
    name: Option<String>,
}

/// The documents that only this command writes or reads.
type Own = (&'static str, fn() -> schemars::Schema);

const OWN: [Own; 17] = [
    (Plan::SCHEMA, ats_experiment::plan::schema),
    (ats_compose::Composition::SCHEMA, ats_compose::schema),
    (list::Document::SCHEMA, || schema_for!(list::Document)),
    (rows::Document::SCHEMA, || schema_for!(rows::Document)),
    (waits::Document::SCHEMA, || schema_for!(waits::Document)),
    (show::Document::SCHEMA, || schema_for!(show::Document)),
    (trace::Document::SCHEMA, || schema_for!(trace::Document)),
    (generate::Document::SCHEMA, || schema_for!(generate::Document)),
    (run::Document::SCHEMA, || schema_for!(run::Document)),
    (record::Document::SCHEMA, || schema_for!(record::Document)),
    (calibrate::Document::SCHEMA, || schema_for!(calibrate::Document)),
    (install::Document::SCHEMA, || schema_for!(install::Document)),
    (doctor::Document::SCHEMA, || schema_for!(doctor::Document)),
    (Experiment::SCHEMA, || schema_for!(Experiment)),
    (Tool::SCHEMA, || schema_for!(Tool)),
    (Written::SCHEMA, || schema_for!(Written)),
    (Document::SCHEMA, || schema_for!(Document)),
];

/// `ats-schemas/1`: the documents that have a schema.
#[derive(Debug, JsonSchema, Serialize)]
struct Document {
    /// The schema: `ats-schemas/1`.
    schema: &'static str,
    /// The names of all documents that have a schema, with their versions.
    documents: Vec<&'static str>,
}

impl Document {
    const SCHEMA: &str = "ats-schemas/1";
}

/// All documents that have one.
fn names() -> impl Iterator<Item = &'static str> {
    ats_documents::schema::NAMES.into_iter().chain(OWN.map(|(name, _)| name))
}

impl Schema {
    pub(crate) fn run(&self, output: Output) -> Result<ExitCode, Failure> {
        let Some(wanted) = &self.name else {
            let document = Document { schema: Document::SCHEMA, documents: names().collect() };
            output.document(&document, || document.documents.join("\n") + "\n")?;
            return Ok(ExitCode::SUCCESS);
        };
        let unversioned = |name: &str| name.split('/').next() == Some(wanted.as_str());
        let Some(name) = names().find(|&name| name == wanted || unversioned(name)) else {
            let question = |near| format!("did you mean {near}? ");
            let question = nearest(wanted, names()).map(question).unwrap_or_default();
            return Err(Failure::Input(format!(
                "there is no schema `{wanted}`; {question}`ats schema` shows all"
            )));
        };
        let own = || OWN.iter().find(|(own, _)| *own == name).map(|(_, schema)| schema().to_value());
        let schema: Value =
            ats_documents::schema::schema(name).or_else(own).expect("every name has a schema");
        output.text(&format!("{schema:#}\n"))?;
        Ok(ExitCode::SUCCESS)
    }
}
