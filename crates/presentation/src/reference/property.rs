//! The page of a property.

use ats_documents::catalogue::{ParameterFacts, ShownFact, Term};
use ats_documents::truth::TruthOfRun;
use ats_documents::{Finding, Truth};
use ats_model::WaitState;
use ats_model::locations::{equally_long, in_words, size_in_words};
use minijinja::{Value, context, value::Serde};
use serde::Serialize;

use super::alike::alike;
use super::verdicts::verdicts;
use super::{Described, Reference, index, prose};
use crate::drawing::in_page;
use crate::traits::traits;
use crate::words::{percent, title};

/// The values of the page's template.
pub(super) fn content(of: &Described, reference: &Reference) -> Value {
    let link = |name: &str| {
        let other = reference.property(name).filter(|other| other.name() != of.name());
        other.map(|other| format!("{}.html", other.name()))
    };
    let facts = &of.facts;
    let (summary, rest) = facts.doc.split_once("\n\n").unwrap_or((&facts.doc, ""));
    let states = states(of, reference);
    let board = reference.scoreboard.as_ref();
    let causes: Vec<_> = of
        .causes()
        .into_iter()
        .map(|cause| (cause.name(), title(cause.name()), cause.definition()))
        .collect();
    context! {
        name => of.name(),
        family => context! { id => of.family(), title => index::family_title(of) },
        summary => prose::html(summary, &link),
        doc => prose::html(rest, &link),
        signature => signature(of),
        facts => Value::from(Serde(facts)),
        rows => rows(of, reference),
        shows => facts.shows.iter().map(|shown| shows(shown, of)).collect::<Vec<_>>(),
        drawing => in_page(&of.picture.timeline, &of.picture.title),
        drawn => &of.picture.title,
        remarks => of.picture.timeline.remarks(),
        runs => of.runs.iter().map(run).collect::<Vec<_>>(),
        truth => truth(&of.truth),
        twin => of.twin.as_ref().map(|twin| context! {
            name => twin.program.program, summary => &twin.program.summary, truth => truth(&twin.truth),
        }),
        causes,
        states => Value::from(Serde(states)),
        has_board => board.is_some(),
        said => board.map(|board| Value::from(Serde(verdicts(of, board)))),
        traits => traits(&of.facts).to_vec(),
        alike => Value::from(Serde(alike(of, reference))),
        sources => sources(of),
    }
}

/// Name, parameters, their types and defaults: `late_sender(basework: seconds = 0.01, r: count = 10)`.
fn signature(of: &Described) -> String {
    let parameter = |one: &ParameterFacts| format!("{}: {} = {}", one.name, one.kind, one.default);
    let parameters: Vec<String> = of.facts.parameters.iter().map(parameter).collect();
    match parameters.join(", ") {
        list if list.len() <= 80 => format!("{}({list})", of.name()),
        _ => format!("{}(\n    {},\n)", of.name(), parameters.join(",\n    ")),
    }
}

/// The rows of the catalogue that it is or shows, with their tables.
fn rows(of: &Described, reference: &Reference) -> Vec<(String, u8)> {
    let listed = of.facts.rows.iter();
    let row = |name: &String| reference.rows.iter().find(|row| row.row == *name);
    listed.filter_map(row).map(|row| (row.row.clone(), row.table)).collect()
}

/// A quantity to be found: its formula, and its amount in the truth.
fn shows(shown: &ShownFact, of: &Described) -> Value {
    let is_it = |finding: &&Finding| match shown.property {
        Some(state) => {
            finding.property == Some(state) && shown.call_paths.contains(&finding.call_path.join("/"))
        }
        None => {
            finding.metric.as_deref() == Some(shown.metric)
                && finding.call_path.last().map(String::as_str) == shown.call
        }
    };
    let found: Vec<&Finding> = of.truth.findings.iter().filter(is_it).collect();
    let amount = match found[..] {
        [one] => Some(one.quantity().to_string()),
        [first, ..] => {
            let all = found.iter().map(|one| one.quantity().value).sum();
            Some(first.unit().quantity(all).to_string())
        }
        [] => None,
    };
    context! {
        name => shown.property.map_or(shown.call.unwrap_or_default(), WaitState::name),
        state => shown.property.map(WaitState::name),
        metric => shown.metric,
        formula => shown.formula,
        amount,
        call_paths => &shown.call_paths,
        cause => shown.explained_by,
    }
}

/// A run of an experiment.
fn run(run: &TruthOfRun) -> Value {
    context! {
        size => size_in_words(run.ranks, run.threads),
        wall_time => format!("{:.6} s", run.wall_time),
        waiting_time => format!("{:.6} s", run.waiting_time),
        speedup => format!("{:.3}", run.speedup),
        efficiency => format!("{:.3}", run.efficiency),
    }
}

/// The truth: size, parameters, findings with the waits of each location.
fn truth(truth: &Truth) -> Value {
    let finding = |finding: &Finding| {
        let shares = finding.locations.iter().map(|share| (share.waiting_time, share.place()));
        let each: Vec<(String, String)> = equally_long(shares)
            .into_iter()
            .rev()
            .map(|(seconds, places)| (format!("{seconds:.6} s"), in_words(&places)))
            .collect();
        context! {
            name => finding.name(),
            state => finding.property.map(WaitState::name),
            call_path => finding.call_path.join("/"),
            amount => finding.quantity().to_string(),
            severity => (finding.severity > 0.0).then(|| percent(finding.severity)),
            each,
        }
    };
    let parameters: Vec<String> =
        truth.parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
    context! {
        size => size_in_words(truth.ranks as usize, truth.threads as usize),
        parameters => parameters.join(" "),
        basis => truth.basis.title(),
        wall_time => format!("{:.6} s", truth.basis.wall_time),
        location_seconds => format!("{:.6}", truth.basis.location_seconds),
        findings => truth.findings.iter().map(finding).collect::<Vec<_>>(),
    }
}

/// A wait state of the property.
#[derive(Debug, Serialize)]
struct State<'a> {
    name: &'static str,
    title: &'a str,
    definition: &'a str,
    role: &'static str,
    names: Vec<(&'static str, String)>,
}

/// The wait states that it shows, that come with them, and that it tempts to report.
fn states<'a>(of: &Described, reference: &'a Reference) -> Vec<State<'a>> {
    let term = |state: WaitState| reference.wait_states.iter().find(|term| term.name == state);
    let mut states: Vec<State<'a>> = Vec::new();
    let mut add = |state: WaitState, role: &'static str| {
        let is_there = states.iter().any(|there| there.name == state.name());
        if let (false, Some(term)) = (is_there, term(state)) {
            let Term { title, definition, .. } = term;
            states.push(State { name: state.name(), title, definition, role, names: index::names(term) });
        }
    };
    of.shown().for_each(|state| add(state, "to be found"));
    let findings = of.truth.findings.iter().filter_map(|finding| finding.property);
    findings.for_each(|state| add(state, "comes with it"));
    of.facts.tempts.iter().for_each(|&state| add(state, "tempts to be reported, but is not there"));
    states
}

/// The source texts, with the numbers of their lines.
fn sources(of: &Described) -> Vec<Value> {
    let source = |source: &super::Source| {
        context! {
            language => source.language,
            origin => &source.origin,
            lines => source.text.lines().count(),
            text => source.text.trim_end(),
        }
    };
    of.sources.iter().map(source).collect()
}
