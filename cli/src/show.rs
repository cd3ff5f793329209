//! `ats show`.

use std::process::ExitCode;

use ats_model::WaitState;
use ats_props::{Catalogue, Property};
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use crate::failure::Failure;
use crate::findings::{lines, plain};
use crate::output::Output;

/// Show what is known of a property: what it does, its parameters, what is to be found.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  ats show late_sender\n  ats show late_sender --format json")]
pub(crate) struct Show {
    /// The property, or its balanced twin.
    property: String,
}

/// `ats-property/1`.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct Document {
    /// `ats-property/1`.
    schema: &'static str,
    /// Its name.
    property: &'static str,
    /// The name of its balanced twin.
    twin: &'static str,
    /// In Markdown.
    doc: &'static str,
    /// What it is written with.
    paradigm: &'static str,
    /// Its parameters, in the order of the function's signature.
    parameters: Vec<Parameter>,
    /// The wait state that is to be found; none where a call is to be counted.
    finds: Option<WaitState>,
    /// The call or construct that is to be counted; none where a wait state is to be found.
    counts: Option<&'static str>,
    /// Its Score-P/Scalasca unique name.
    metric: &'static str,
    /// Other metrics under which a tool may rightly report it.
    accept: &'static [&'static str],
    /// The waiting time, or the count, as a closed form; P is the number of ranks, T that of the threads of each.
    formula: &'static str,
    /// Fewest ranks with which it shows anything.
    min_ranks: usize,
    /// Fewest threads a process with which it shows anything.
    min_threads: usize,
    /// How its messages are sent, where it depends on it.
    send_mode: Option<String>,
    /// The source file.
    file: &'static str,
}

/// A parameter.
#[derive(Debug, JsonSchema, Serialize)]
struct Parameter {
    /// Its name.
    name: &'static str,
    /// What it means.
    doc: &'static str,
    /// What kind of value it takes.
    kind: &'static str,
    /// Its unit; empty where it has none.
    unit: &'static str,
    /// Which values it takes, in words.
    range: &'static str,
    /// Its value where none is given.
    default: String,
}

impl Document {
    pub(crate) const SCHEMA: &str = "ats-property/1";

    fn of(property: &Property) -> Self {
        let parameter = |parameter: &ats_props::Parameter| Parameter {
            name: parameter.name,
            doc: parameter.doc,
            kind: parameter.kind,
            unit: parameter.unit,
            range: parameter.range,
            default: (parameter.default)(),
        };
        Document {
            schema: Self::SCHEMA,
            property: property.name,
            twin: property.twin,
            doc: property.doc,
            paradigm: property.paradigm.name(),
            parameters: property.parameters.iter().map(parameter).collect(),
            finds: property.finds.wait_state(),
            counts: property.finds.counted(),
            metric: property.finds.metric(),
            accept: property.finds.wait_state().map_or(&[], WaitState::accept),
            formula: property.formula,
            min_ranks: property.min_ranks,
            min_threads: property.min_threads,
            send_mode: property.send_mode.map(|mode| format!("{mode:?}").to_lowercase()),
            file: property.file,
        }
    }

    fn text(&self) -> String {
        let mut parameters = plain(&["parameter", "default", "unit", "range", "meaning"], &[]);
        for parameter in &self.parameters {
            let Parameter { name, doc, unit, range, default, .. } = parameter;
            parameters.add_row([name, default.as_str(), unit, range, &doc.replace('\n', " ")]);
        }
        let least = [(self.min_ranks, "ranks"), (self.min_threads, "threads")]
            .map(|(least, what)| if least > 1 { format!(", at least {least} {what}") } else { String::new() })
            .concat();
        let accept = match self.accept {
            [] => String::new(),
            accept => format!(", also as {}", accept.join(", ")),
        };
        let sends = self.send_mode.as_ref().map(|mode| format!("sends         {mode}\n")).unwrap_or_default();
        format!(
            "{} ({}{least}; balanced twin: {})\n\n{}\n\n{}\n\
             to be found   {} ({}){accept}\nformula       {}\n{sends}file          {}\n",
            self.property,
            self.paradigm,
            self.twin,
            self.doc,
            lines(&parameters),
            self.finds.map_or_else(|| self.counts.unwrap_or_default(), WaitState::name),
            self.metric,
            self.formula,
            self.file,
        )
    }
}

impl Show {
    pub(crate) fn run(&self, catalogue: &Catalogue, output: Output) -> Result<ExitCode, Failure> {
        let program = catalogue.program(&self.property).map_err(Failure::input)?;
        let document = Document::of(program.property);
        output.document(&document, || document.text())?;
        Ok(ExitCode::SUCCESS)
    }
}
