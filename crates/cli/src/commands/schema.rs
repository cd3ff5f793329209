//! `ats schema`.

use std::process::ExitCode;

use ats_documents::schema;
use ats_model::mistakes::nearest;
use ats_presentation::text;
use clap::Args;

use crate::commands::catalogue::Entries;
use crate::commands::completions::one_of;
use crate::commands::documents::{DOCUMENTS, list};
use crate::failure::Failure;
use crate::output::{Output, width};

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

impl Schema {
    pub(crate) fn run(&self, output: Output) -> Result<ExitCode, Failure> {
        let Some(wanted) = &self.name else {
            let documents = list();
            let document =
                Entries { schema: Entries::SCHEMA, documents: Some(&documents), ..Entries::default() };
            output.document(&document, || text::documents(&documents, width()))?;
            return Ok(ExitCode::SUCCESS);
        };
        let is_wanted = |name: &str| name == wanted || name.split('/').next() == Some(wanted.as_str());
        let Some(document) = DOCUMENTS.iter().find(|document| is_wanted(document.name)) else {
            let question = |near| format!("did you mean {near}? ");
            let question = nearest(wanted, names()).map(question).unwrap_or_default();
            return Err(Failure::Input(format!(
                "there is no schema `{wanted}`; {question}`ats schema` shows all"
            )));
        };
        output.text(schema::text(document.name).expect("a published document has a schema"))?;
        Ok(ExitCode::SUCCESS)
    }
}

fn names() -> impl Iterator<Item = &'static str> {
    DOCUMENTS.iter().map(|document| document.name)
}
