//! `ats show`.

use std::path::Path;
use std::process::ExitCode;

use ats_compose::{Composition, Row, Step};
use ats_documents::catalogue::{ParameterFacts, PropertyFacts, ShownFact};
use ats_model::WaitState;
use ats_props::{Catalogue, Property, What};
use ats_truth::Size;
use clap::Args;

use crate::draw;
use crate::failure::Failure;
use crate::output::{Format, Output, grid};
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

fn facts(property: &Property) -> PropertyFacts {
    let parameter = |parameter: &ats_props::Parameter| ParameterFacts {
        name: parameter.name,
        doc: parameter.doc,
        kind: parameter.kind.name,
        unit: parameter.kind.unit,
        range: parameter.kind.range,
        default: (parameter.default)().to_string(),
    };
    let shown = |&ats_props::Shown { what, formula }: &ats_props::Shown| ShownFact {
        property: what.wait_state(),
        call: what.region(),
        metric: what.metric(),
        formula,
    };
    let first = property.finds.first();
    PropertyFacts {
        schema: PropertyFacts::SCHEMA,
        property: property.name,
        twin: property.twin,
        doc: property.doc,
        kind: property.entry.name(),
        rows: Row::of(&Row::all(), property.name),
        truth: property.finds.truth().name(),
        paradigm: property.needs.paradigm(),
        parameters: property.parameters.iter().map(parameter).collect(),
        finds: first.and_then(What::wait_state),
        counts: first.and_then(What::region),
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

fn text(facts: &PropertyFacts) -> String {
    let mut parameters = grid(&["parameter", "default", "unit", "range", "meaning"], &[]);
    for parameter in &facts.parameters {
        let ParameterFacts { name, doc, unit, range, default, .. } = parameter;
        parameters.row([name, default.as_str(), unit, range, &doc.replace('\n', " ")]);
    }
    let least = [(facts.min_ranks, "ranks"), (facts.min_threads, "threads")]
        .map(|(least, what)| if least > 1 { format!(", at least {least} {what}") } else { String::new() })
        .concat();
    let twin =
        if facts.twin == facts.property { String::new() } else { format!("; balanced twin: {}", facts.twin) };
    let sends = facts.send_mode.as_ref().map(|mode| format!("sends         {mode}\n")).unwrap_or_default();
    format!(
        "{} ({}{least}{twin})\n\n{}\n\n{}\n{}{sends}file          {}\n",
        facts.property,
        facts.paradigm,
        without_fences(facts.doc),
        parameters.text(),
        to_be_found(facts),
        facts.file,
    )
}

fn to_be_found(facts: &PropertyFacts) -> String {
    let tempts: Vec<_> = facts.tempts.iter().map(|state| state.name()).collect();
    let tempting =
        if tempts.is_empty() { String::new() } else { format!("tempts        {}\n", tempts.join(", ")) };
    if facts.shows.is_empty() {
        return format!("to be found   nothing\n{tempting}");
    }
    let shown = facts.shows.iter().map(|ShownFact { property, call, metric, formula }| {
        let name = property.map_or_else(|| call.unwrap_or_default(), WaitState::name);
        let accept = match property.map_or(&[][..], WaitState::accept) {
            [] => String::new(),
            accept => format!(", also as {}", accept.join(", ")),
        };
        format!("to be found   {name} ({metric}){accept}\nformula       {formula}\n")
    });
    shown.collect::<String>() + &tempting
}
/// Markdown as plain text: pictures stand for themselves.
fn without_fences(doc: &str) -> String {
    let lines = doc.lines().filter(|line| !line.trim_start().starts_with("```"));
    lines.collect::<Vec<_>>().join("\n")
}

/// A composition, step by step.
fn consists_of(composition: &Composition) -> String {
    let mut steps = grid(&["phase", "times", "ranks", "threads", "regions", "program", "parameters"], &[]);
    for (number, phase) in composition.phases().iter().enumerate() {
        for group in &phase.groups {
            let of_all = group.steps.iter().map(|step| (None, step));
            let of_teams =
                group.teams.iter().flat_map(|team| team.steps.iter().map(|step| (Some(team.threads), step)));
            for (threads, step) in of_all.chain(of_teams) {
                steps.row([
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
    format!("{name} ({paradigm}, made for {size})\n\n{description}{}", steps.text())
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
        let document = facts(program.property);
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
            drawing.iter().fold(text(&document), |text, drawing| format!("{text}\n{drawing}"))
        })?;
        Ok(ExitCode::SUCCESS)
    }
}
