//! READMEs of programs for people who build and run them, in any language.

use ats_compose::{Composition, Subject};
use ats_props::native::without_links;
use ats_props::{Counter, Parameter, Property, SendMode, Shown, What};
use minijinja::{Value, context};

use crate::template::{self, fill, in_comment};
use ats_truth::{Amount, KnownSeverity, severities};

use crate::{GenerateError, Options, Workspace};

const PROPERTY: &str = include_str!("../templates/program.md.j2");
const COMPOSITION: &str = include_str!("../templates/composition.md.j2");
const SET: &str = include_str!("../templates/set.md.j2");

/// The README of a property's program; `build` has the commands that build and run it, if it is not in Rust.
pub(crate) fn of_property(
    property: &'static Property,
    options: &Options,
    build: Option<&str>,
    single: bool,
) -> Result<String, GenerateError> {
    let values = context! {
        twin => property.twin,
        doc => without_links(property.doc),
        paradigm => property.needs.paradigm(),
        counted => property.finds.first().is_some_and(|what| what.wait_state().is_none()),
        shown => property.finds.shown.iter().map(shown).collect::<Vec<_>>(),
        tempts => property.finds.tempts.iter().map(|state| state.name()).collect::<Vec<_>>(),
        min_ranks => property.min_ranks,
        min_threads => property.min_threads,
        send_mode => property.send_mode.map(send_mode),
        parameters => property.parameters.iter().map(parameter).collect::<Vec<_>>(),
        severities => severities(property)?.iter().map(severity).collect::<Vec<_>>(),
        example => example(property),
        build,
        ..template::values(property, options, single)?
    };
    Ok(fill(PROPERTY, values))
}

/// An example of an argument on the command line; empty if there are no parameters.
pub(crate) fn example(property: &Property) -> String {
    let argument = |parameter: &Parameter| format!(" {}={}", parameter.name, (parameter.default)());
    property.parameters.first().map(argument).unwrap_or_default()
}

/// The README of a composition's program; `build` has the commands that build and run it, `bin` is its path then.
pub(crate) fn of_composition(composition: &Composition, build: &str, bin: &str) -> String {
    let summaries: Vec<_> = Subject::from(composition)
        .properties()
        .into_iter()
        .map(|property| context! { name => property.name, summary => property.summary() })
        .collect();
    let needs = composition.needs();
    let values = context! {
        name => composition.name(),
        description => composition.description(),
        ranks => composition.ranks(),
        threads => composition.threads(),
        has_ranks => needs.ranks,
        has_team => needs.team,
        properties => summaries,
        build,
        bin,
    };
    fill(COMPOSITION, values)
}

/// The README of a folder of programs.
pub(crate) fn of_set(subjects: &[Subject], workspaces: &[Workspace], options: &Options) -> String {
    let rows: Vec<_> = subjects
        .iter()
        .map(|subject| {
            let folder = subject.needs().paradigm();
            context! { name => subject.executable(), folder, summary => subject.summary() }
        })
        .collect();
    let folders: Vec<_> = workspaces.iter().map(|workspace| workspace.needs.paradigm()).collect();
    let has_ranks = workspaces.iter().any(|workspace| workspace.needs.ranks);
    let (language, prefix) = (options.language.name(), &options.prefix);
    fill(SET, context! { programs => rows, folders, has_ranks, language, prefix })
}

fn parameter(parameter: &Parameter) -> Value {
    context! {
        name => parameter.name,
        doc => in_comment(&parameter.doc.replace('\n', " ")),
        unit => parameter.kind.unit,
        range => parameter.kind.range,
        default => (parameter.default)().to_string(),
    }
}

/// Something that is to be found.
fn shown(Shown { what, formula, .. }: &Shown) -> Value {
    context! {
        name => what.name(),
        metric => what.metric(),
        counted => what.wait_state().is_none(),
        own => matches!(what, What::Count(Counter::Witness(_), _) | What::Ratio { .. }),
        formula => in_comment(formula),
    }
}

/// The last columns of a known severity's row.
fn severity(known: &KnownSeverity) -> Value {
    let amount = match known.amount {
        Amount::Wait { waiting_time, severity } => {
            let waiting_time = format!("{waiting_time:.6}");
            let waiting_time = waiting_time.trim_end_matches('0').trim_end_matches('.');
            format!("{waiting_time} | {:.1} %", 100.0 * severity)
        }
        Amount::Number(number) => number.to_string(),
    };
    context! { ranks => known.ranks, threads => known.threads, amount }
}

fn send_mode(mode: SendMode) -> &'static str {
    match mode {
        SendMode::Standard => "standard, and have to be eager, which the program probes (`MPI_Send`)",
        SendMode::Synchronous => "synchronous (`MPI_Ssend`)",
        SendMode::Buffered => "buffered (`MPI_Bsend`)",
        SendMode::Ready => "ready (`MPI_Rsend`)",
    }
}
