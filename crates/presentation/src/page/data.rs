//! The data that the script draws.

use ats_documents::{finding::VISITS, page as document};
use ats_model::WaitState;

use super::{
    Found, Page, Program, causes, comparison, experiments, explanation, names, picture, profile, rows::rows,
};
use crate::{timeline::Kind, words};

/// Everything that the script draws.
pub(super) fn data(page: &Page<'_>) -> document::Page {
    let states = WaitState::ALL.into_iter().map(|state| (state.name(), state.parents()));
    let others = [(words::BLOCKED, &["Waiting"] as &[_]), (VISITS, &["Counts"])];
    let known = page.programs.iter().flat_map(|program| {
        let truth = program.truth.into_iter().flat_map(|truth| truth.findings.iter().chain(&truth.ambient));
        truth.chain(program.found.iter().flat_map(|found| found.findings))
    });
    let counted = known.filter_map(|finding| finding.unit().metric()).map(|name| (name, &["Counts"] as &[_]));
    let property = |name: &str, parents: &[&str]| document::Property {
        title: words::title(name),
        groups: parents.iter().map(ToString::to_string).collect(),
        definition: words::definition(name).to_owned(),
        held: is_held(name),
        reference: page.explained(name),
    };
    let properties = states.chain(others).chain(counted);
    let kind = |of| document::Kind { kind: picture::kind(of), title: words::kind(of).to_owned() };
    document::Page {
        schema: document::Page::SCHEMA.to_owned(),
        properties: properties.map(|(name, parents)| (name.to_owned(), property(name, parents))).collect(),
        kinds: Kind::ALL.map(kind).to_vec(),
        short: names::short_names(page),
        experiments: page.experiments.map(experiments::data),
        programs: page.programs.iter().map(program).collect(),
    }
}

/// Whether the awaited location holds something, rather than comes late.
fn is_held(name: &str) -> bool {
    use WaitState::{OmpCriticalContention, OmpLockContention};
    matches!(WaitState::from_name(name), Some(OmpCriticalContention | OmpLockContention))
}

fn program(program: &Program<'_>) -> document::Program {
    let found = || program.found.iter();
    let basis = program.truth.map(|truth| &truth.basis).or_else(|| found().find_map(|found| found.basis));
    let formulas = program.truth.iter().flat_map(|truth| &truth.findings);
    let rows = rows(program);
    let kept = program.profile.map(|spent| profile::Kept::new(spent, program.timeline));
    document::Program {
        name: program.name.to_owned(),
        size: size(program),
        parameters: program.truth.map(|truth| truth.parameters.clone()).unwrap_or_default(),
        formulas: formulas.filter_map(|finding| finding.formula.clone()).collect(),
        wall_time: basis.map(|basis| basis.wall_time),
        location_seconds: basis.map(|basis| basis.location_seconds),
        known: program.truth.is_some(),
        tools: found().map(|found| found.tool.to_owned()).collect(),
        not_analyzed: found().map(not_analyzed).collect(),
        warnings: found().map(|found| found.warnings.to_vec()).collect(),
        rows: rows.iter().map(|row| row.shown()).collect(),
        timeline: program.timeline.map(|timeline| picture::data(timeline, &rows)),
        profile: kept.as_ref().map(|kept| profile::data(kept, program.sources)),
        causes: program.causes.map(|causes| causes::data(causes, &rows, kept.as_ref())),
        explanation: program.explanation.map(|of| explanation::data(of, program)),
        communication: program.communication.cloned(),
        comparison: program.comparison.as_ref().map(|of| comparison::data(of, &rows)),
    }
}

/// Ranks and threads; of two runs, the numbers of their locations.
pub(super) fn size(program: &Program<'_>) -> String {
    match &program.comparison {
        Some(of) => format!("{} and {} locations", of.document.a.locations, of.document.b.locations),
        None => words::size(program.ranks, program.threads),
    }
}

fn not_analyzed(found: &Found<'_>) -> Vec<String> {
    found.not_analyzed.iter().map(ToString::to_string).collect()
}
