//! `ats show`.

use std::path::Path;
use std::process::ExitCode;

use ats_compose::{Composition, Row, Step};
use ats_model::WaitState;
use ats_props::{Catalogue, Property, What};
use ats_truth::Size;
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use crate::draw;
use crate::failure::Failure;
use crate::findings::{lines, plain};
use crate::output::{Format, Output};
use crate::program::{ProgramArgs, is_file};

/// Explain a property: parameters, expected findings, a drawing.
///
/// The drawing uses the given parameters. The file of a composition is shown step by step.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ats show late_sender
  ats show late_sender extrawork=5ms --np 2
  ats show late_sender --format json
  ats show examples/hybrid.toml")]
pub(crate) struct Show {
    #[command(flatten)]
    program: ProgramArgs,
}

/// `ats-property/1`: the facts about a property.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct Document {
    /// The schema: `ats-property/1`.
    schema: &'static str,
    /// Its name.
    property: &'static str,
    /// The name of its balanced twin; its own where there is nothing to find, and so no twin.
    twin: &'static str,
    /// In Markdown.
    doc: &'static str,
    /// `function`, `program` where it initialises and finalizes MPI itself, `experiment` where its truth
    /// is told over several runs, or `trace` where no program can show it.
    kind: &'static str,
    /// The rows of the catalogue that it is, or shows.
    rows: Vec<String>,
    /// The kind of knowledge about it: `wait` or `count`, by what it is named for, or `silent`.
    truth: &'static str,
    /// Its paradigm: `mpi`, `openmp`, `hybrid` or `sequential`.
    paradigm: &'static str,
    /// Its parameters, in the order of the function's signature.
    parameters: Vec<Parameter>,
    /// The wait state that it is named for; none where that is a number, or nothing.
    finds: Option<WaitState>,
    /// The call or construct whose number it is named for; none where that is a wait state, or nothing.
    counts: Option<&'static str>,
    /// The Score-P/Scalasca unique name of what it is named for.
    metric: Option<&'static str>,
    /// Other metrics under which a tool may rightly report it.
    accept: &'static [&'static str],
    /// Its amount as a closed form; P is the number of ranks, T that of the threads of each.
    formula: String,
    /// All that is to be found; the first is what it is named for.
    shows: Vec<Shown>,
    /// Wait states that are not there, though a careless rule might report them.
    tempts: &'static [WaitState],
    /// Fewest ranks that it shows anything with.
    min_ranks: usize,
    /// Fewest threads a process that it shows anything with.
    min_threads: usize,
    /// The send mode of its messages, if it depends on it.
    send_mode: Option<String>,
    /// The source file.
    file: &'static str,
}

/// A parameter.
#[derive(Debug, JsonSchema, Serialize)]
struct Parameter {
    /// Its name.
    name: &'static str,
    /// Its meaning.
    doc: &'static str,
    /// The kind of value that it takes.
    kind: &'static str,
    /// Its unit; empty where it has none.
    unit: &'static str,
    /// The range of its values, in words.
    range: &'static str,
    /// Its value where none is given.
    default: String,
}

/// Something that is to be found.
#[derive(Debug, JsonSchema, Serialize)]
struct Shown {
    /// The wait state; none where it is a number.
    property: Option<WaitState>,
    /// The call or construct that the number belongs to; none where it is a wait state.
    call: Option<&'static str>,
    /// The Score-P/Scalasca unique name.
    metric: &'static str,
    /// Its amount as a closed form.
    formula: &'static str,
}

impl Document {
    pub(crate) const SCHEMA: &str = "ats-property/1";

    fn of(property: &Property) -> Self {
        let parameter = |parameter: &ats_props::Parameter| Parameter {
            name: parameter.name,
            doc: parameter.doc,
            kind: parameter.kind.name,
            unit: parameter.kind.unit,
            range: parameter.kind.range,
            default: (parameter.default)().to_string(),
        };
        let shown = |&ats_props::Shown { what, formula }: &ats_props::Shown| Shown {
            property: what.wait_state(),
            call: what.counted(),
            metric: what.metric(),
            formula,
        };
        let first = property.finds.first();
        Document {
            schema: Self::SCHEMA,
            property: property.name,
            twin: property.twin,
            doc: property.doc,
            kind: property.entry.name(),
            rows: Row::of(&Row::all(), property.name),
            truth: property.finds.truth().name(),
            paradigm: property.needs.paradigm(),
            parameters: property.parameters.iter().map(parameter).collect(),
            finds: first.and_then(What::wait_state),
            counts: first.and_then(What::counted),
            metric: first.map(What::metric),
            accept: property.finds.wait_state().map_or(&[], WaitState::accept),
            formula: property.finds.formula(),
            shows: property.finds.shown.iter().map(shown).collect(),
            tempts: property.finds.tempts,
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
        let twin = if self.twin == self.property {
            String::new()
        } else {
            format!("; balanced twin: {}", self.twin)
        };
        let sends = self.send_mode.as_ref().map(|mode| format!("sends         {mode}\n")).unwrap_or_default();
        format!(
            "{} ({}{least}{twin})\n\n{}\n\n{}\n{}{sends}file          {}\n",
            self.property,
            self.paradigm,
            without_fences(self.doc),
            lines(&parameters),
            self.to_be_found(),
            self.file,
        )
    }

    fn to_be_found(&self) -> String {
        let tempts: Vec<_> = self.tempts.iter().map(|state| state.name()).collect();
        let tempting =
            if tempts.is_empty() { String::new() } else { format!("tempts        {}\n", tempts.join(", ")) };
        if self.shows.is_empty() {
            return format!("to be found   nothing\n{tempting}");
        }
        let shown = self.shows.iter().map(|Shown { property, call, metric, formula }| {
            let name = property.map_or_else(|| call.unwrap_or_default(), WaitState::name);
            let accept = match property.map_or(&[][..], WaitState::accept) {
                [] => String::new(),
                accept => format!(", also as {}", accept.join(", ")),
            };
            format!("to be found   {name} ({metric}){accept}\nformula       {formula}\n")
        });
        shown.collect::<String>() + &tempting
    }
}

/// Markdown as plain text: pictures stand for themselves.
fn without_fences(doc: &str) -> String {
    let lines = doc.lines().filter(|line| !line.trim_start().starts_with("```"));
    lines.collect::<Vec<_>>().join("\n")
}

/// A composition, step by step.
fn consists_of(composition: &Composition) -> String {
    let mut steps = plain(&["phase", "times", "ranks", "threads", "regions", "program", "parameters"], &[]);
    for (number, phase) in composition.phases().iter().enumerate() {
        for group in &phase.groups {
            let of_all = group.steps.iter().map(|step| (None, step));
            let of_teams =
                group.teams.iter().flat_map(|team| team.steps.iter().map(|step| (Some(team.threads), step)));
            for (threads, step) in of_all.chain(of_teams) {
                steps.add_row([
                    (number + 1).to_string(),
                    (phase.repeat * step.repeat).to_string(),
                    group.ranks.as_ref().map_or_else(|| "all".to_owned(), ToString::to_string),
                    threads.map_or_else(|| "all".to_owned(), |threads| threads.to_string()),
                    step.regions.join("/"),
                    step.program.name().to_owned(),
                    parameters(step),
                ]);
            }
        }
    }
    let size = Size { ranks: composition.ranks(), threads: composition.threads() };
    let description = match composition.description() {
        "" => String::new(),
        text => format!("{}\n\n", text.trim_end()),
    };
    let (name, paradigm) = (composition.name(), composition.needs().paradigm());
    format!("{name} ({paradigm}, made for {size})\n\n{description}{}", lines(&steps))
}

/// The parameters of a step; for those that vary from run to run, the first value.
fn parameters(step: &Step) -> String {
    let first = step.arguments(0).to_map();
    let given = step.parameters.iter().map(|(name, value)| {
        let more = if value.is_constant() { "" } else { " …" };
        format!("{name}={}{more}", first.get(*name).map_or("", String::as_str))
    });
    given.collect::<Vec<_>>().join(" ")
}

impl Show {
    pub(crate) fn run(&self, catalogue: &Catalogue, output: Output) -> Result<ExitCode, Failure> {
        let name = &self.program.program;
        if is_file(name) {
            if !self.program.is_plain() {
                return Err(Failure::Input(format!(
                    "a composition is shown as its file says; `ats draw {name}` draws it with another size"
                )));
            }
            let path = Path::new(name);
            let composition = Composition::read(path, catalogue).map_err(Failure::input)?;
            output.document(&composition.to_json(), || consists_of(&composition))?;
            return Ok(ExitCode::SUCCESS);
        }
        let program = catalogue.program(name).map_err(Failure::input)?;
        let document = Document::of(program.property);
        let drawing = match output.format {
            Format::Text => draw::of_property(&self.program, catalogue)?,
            Format::Json if self.program.is_plain() => None,
            Format::Json => {
                return Err(Failure::Input(
                    "what is known of a property is the same with any parameters; omit them".to_owned(),
                ));
            }
        };
        output.document(&document, || {
            drawing.iter().fold(document.text(), |text, drawing| format!("{text}\n{drawing}"))
        })?;
        Ok(ExitCode::SUCCESS)
    }
}
