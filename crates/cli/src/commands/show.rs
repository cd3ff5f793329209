//! `ats show`.

use std::path::Path;
use std::process::ExitCode;
use std::slice;

use ats_compose::{Composition, Row, Step};
use ats_documents::catalogue::{AlsoFact, ParameterFacts, PropertyFacts, ShownFact};
use ats_model::WaitState;
use ats_presentation::text::{self, ComposedStep};
use ats_props::native::without_links;
use ats_props::{Also, Catalogue, Place, Property, What};
use ats_truth::Size;
use clap::Args;

use crate::commands::catalogue::Entries;
use crate::commands::{draw, list};
use crate::failure::Failure;
use crate::options::program::{ProgramArgs, is_file};
use crate::output::{Format, Output, width};

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

/// The facts about a property.
pub(crate) fn facts(property: &Property) -> PropertyFacts {
    let parameter = |parameter: &ats_props::Parameter| ParameterFacts {
        name: parameter.name,
        doc: parameter.doc,
        kind: parameter.kind.name,
        unit: parameter.kind.unit,
        range: parameter.kind.range,
        default: (parameter.default)().to_string(),
    };
    let call_paths = |places: &[Place]| places.iter().map(|place| place.path(property).join("/")).collect();
    let shown = |&ats_props::Shown { what, formula, places, cause, .. }: &ats_props::Shown| ShownFact {
        property: what.wait_state(),
        call: what.region(),
        metric: what.metric(),
        formula,
        call_paths: call_paths(places),
        explained_by: cause,
    };
    let also = |&Also { state, formula, places }: &Also| AlsoFact {
        property: state,
        formula,
        call_paths: call_paths(places),
    };
    let first = property.finds.first();
    PropertyFacts {
        property: property.name,
        twin: property.twin,
        doc: without_links(property.doc),
        kind: property.entry.name(),
        rows: Row::names_for(&Row::list(), property.name),
        truth: property.finds.truth().name(),
        paradigm: property.needs.paradigm(),
        parameters: property.parameters.iter().map(parameter).collect(),
        finds: first.and_then(What::wait_state),
        counts: first.and_then(What::region),
        metric: first.map(What::metric),
        accept: property.finds.wait_state().map_or(&[], WaitState::accept),
        formula: property.finds.formula(),
        shows: property.finds.shown.iter().map(shown).collect(),
        also: property.finds.also.iter().map(also).collect(),
        tempts: property.finds.tempts,
        min_ranks: property.min_ranks,
        min_threads: property.min_threads,
        send_mode: property.send_mode.map(|mode| format!("{mode:?}").to_lowercase()),
        file: property.file,
    }
}

/// The title of a composition, and its steps.
fn consists_of(composition: &Composition) -> (String, Vec<ComposedStep>) {
    let mut steps = Vec::new();
    for (phase, written) in composition.phases().iter().enumerate() {
        for group in &written.groups {
            let of_all = group.steps.iter().map(|step| (None, step));
            let of_teams =
                group.teams.iter().flat_map(|team| team.steps.iter().map(|step| (Some(team.threads), step)));
            steps.extend(of_all.chain(of_teams).map(|(threads, step)| ComposedStep {
                phase: phase + 1,
                times: written.repeat * step.repeat,
                ranks: group.ranks.as_ref().map(ToString::to_string),
                threads,
                regions: step.regions.join("/"),
                program: step.program.name().to_owned(),
                parameters: parameters(step),
            }));
        }
    }
    let size = Size { ranks: composition.ranks(), threads: composition.threads() };
    let (name, paradigm) = (composition.name(), composition.needs().paradigm());
    (format!("{name} ({paradigm}, made for {size})"), steps)
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
            output.document(&composition.to_json(), || {
                let (title, steps) = consists_of(&composition);
                text::composition(&title, composition.description(), &steps, width())
            })?;
            return Ok(ExitCode::SUCCESS);
        }
        let program = catalogue.program(name).map_err(Failure::input)?;
        let facts = facts(program.property);
        let properties = Some(slice::from_ref(&facts));
        let document = Entries { schema: Entries::SCHEMA, properties, ..Entries::default() };
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
            let states: Vec<_> = WaitState::ALL.into_iter().map(list::waits::term).collect();
            let others: Vec<_> = catalogue.properties().map(self::facts).collect();
            let facts = text::property(&facts, &states, &others, width());
            drawing.iter().fold(facts, |text, drawing| format!("{text}\n{drawing}"))
        })?;
        Ok(ExitCode::SUCCESS)
    }
}
