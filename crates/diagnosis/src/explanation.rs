//! Explanations: the problems of a run, their causes, and advice.
//!
//! The method is Kappa-PI's (Espinosa, Margalef and Luque 1998): find the time in which processors idle, match each such
//! interval with a list of causes, and tell the programmer what to change. What makes whom wait is not guessed: it is
//! taken from the root causes of the analysis.
//!
//! 1. `case` joins the waits that the same code makes others wait, by the mechanism of their waiting: a case. `key` says
//!    which code is the same, `joined` which cases are one.
//! 2. `rules` has a file for each cause. A rule looks at a case, and either fits with a confidence or not.
//! 3. `wording` puts the case and the best cause into sentences.

mod case;
mod cases;
mod chains;
pub(crate) mod division;
pub(crate) mod facts;
mod fit;
mod group;
mod held;
mod intervals;
mod joined;
mod key;
mod known;
mod lacking_processors;
mod mechanism;
mod over_time;
mod part;
mod processors;
mod recorder;
mod rules;
mod steps;
mod tasks;
mod transfers;
mod waiting;
pub(crate) mod waits;
mod wording;

use std::collections::BTreeMap;

use ats_analyzer::{AnalysisError, InBasis, Options, analyze_and_divide};
use ats_documents::explanation::{
    Division, Effect, Explanation, FittingCause, NoteKind, Omitted, OmittedAt, Problem,
};
use ats_documents::profile::ProfiledRegion;
use ats_documents::{Analysis, Profile, Wait};
use ats_model::clock_correction::ClockMethod;
use ats_model::delay::Extent;
use ats_model::openmp::without_place;
use ats_model::{Definitions, EventSource};

use case::Case;
use facts::{Facts, Place};
pub(crate) use key::ends_of_segment;
use lacking_processors::Lack;
pub(crate) use lacking_processors::OF_LEAVES_IF_UNEVEN;
use recorder::RecorderWaits;
use waits::SingleWaits;

/// Input of an explanation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recorded<'a> {
    /// The analysis of its trace, with the root causes of all waits.
    pub(crate) analysis: &'a Analysis,
    /// The profile of the same trace.
    pub(crate) profile: &'a Profile,
    /// The single waits of the same analysis.
    pub(crate) waits: &'a SingleWaits,
    /// The definitions of the trace.
    pub(crate) definitions: &'a Definitions,
}

/// The part of an explanation that is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The efficiency that is enough, from 0 to 1: with it, no problem is listed.
    pub required: Option<f64>,
    /// The least share of the location-seconds of a problem, from 0 to 1.
    pub above: f64,
    /// The most problems.
    pub most: usize,
}

impl Default for Limits {
    /// At most five problems, of at least a hundredth of the run.
    fn default() -> Self {
        Limits { required: None, above: Explanation::LEAST_SHARE, most: 5 }
    }
}

impl Limits {
    /// All problems, however small.
    pub const NONE: Limits = Limits { required: None, above: 0.0, most: usize::MAX };
}

/// Analyzes a trace with the root causes of all waits, and explains them; each single wait to `observe`, too.
///
/// # Errors
/// As [`ats_analyzer::analyze`].
pub fn explain_trace<S: EventSource>(
    trace: &S,
    name: &str,
    options: &Options,
    limits: Limits,
    observe: &mut dyn FnMut(Wait),
) -> Result<Explained, AnalysisError<S::Error>> {
    let definitions = trace.definitions();
    let options = Options { causes: Some(Extent::All), messages: true, ..options.clone() };
    let mut waits = SingleWaits::new(definitions.clock);
    let mut of_recorder = RecorderWaits::default();
    let (analysis, profile, in_basis) = analyze_and_divide(trace, name, &options, &mut |basis, wait| {
        observe(wait);
        of_recorder.add(&wait);
        waits.lie_in(basis);
        waits.add(wait);
    })?;
    if has_clocks(&analysis, ClockMethod::Derived) {
        // Each is by the clock of its own process, so they cannot be laid side by side.
        waits = SingleWaits::new(definitions.clock);
    }
    let recorded = Recorded { analysis: &analysis, profile: &profile, waits: &waits, definitions };
    let mut explanation = explain(recorded, &in_basis, limits);
    for note in of_recorder.notes(&analysis, definitions, trace.cost_of_event()) {
        explanation.add_note(NoteKind::Remark, note);
    }
    Ok(Explained { analysis, profile, explanation })
}

/// The results of [`explain_trace`].
#[derive(Clone, Debug)]
pub struct Explained {
    /// The analysis, with the root causes of all waits.
    pub analysis: Analysis,
    /// The profile.
    pub profile: Profile,
    /// The explanation.
    pub explanation: Explanation,
}

/// Explains why the locations of a run wait.
fn explain(recorded: Recorded<'_>, in_basis: &InBasis, limits: Limits) -> Explanation {
    let analysis = recorded.analysis;
    let facts = Facts::new(recorded, in_basis.ticks);
    let mut transfers = transfers::transfers(&facts);
    let division = division::divide(&facts, in_basis).division();
    let lost = division.lost();
    if analysis.messages.is_none() {
        // Part of their time may be waits that the clocks hide.
        transfers.clear();
    }
    transfers.sort_by(|a, b| b.seconds().total_cmp(&a.seconds()));
    let is_listed = |seconds: f64| analysis.basis.severity(seconds) >= limits.above;
    let listed = transfers.iter().filter(|of| is_listed(of.seconds()));
    let (note_kinds, notes) = notes(recorded, &division).into_iter().unzip();
    let mut document = Explanation {
        schema: Explanation::SCHEMA.to_owned(),
        trace: analysis.trace.clone(),
        basis: analysis.basis.clone(),
        division,
        lost,
        unknown: division.unknown(),
        efficiency: analysis.basis.severity(division.computing + division.unknown()),
        required: limits.required,
        over_time: over_time::efficiencies(&facts, lost, in_basis.ticks),
        transfers: listed.map(|of| of.document(&analysis.basis)).collect(),
        locations: recorded.profile.units.len() as u64,
        calls: known::calls(&facts),
        machine: analysis.machine.clone(),
        notes,
        note_kinds,
        ..Explanation::default()
    };
    if document.is_enough() || has_clocks(analysis, ClockMethod::Durations) {
        return document;
    }
    let cases = cases::cases(&facts, transfers);
    let lack = Lack::new(&facts, &cases, division.not_running);
    let (of_machine, mut cases): (Vec<_>, Vec<_>) =
        cases.into_iter().partition(|case| facts.lacks_processors && lack.may_be_reason(case));
    cases = chains::joined(cases);
    document.lacking_processors = omitted(&of_machine);
    document.known = known::problems(&facts, &of_machine, &cases);
    cases.sort_by(|a, b| b.seconds().total_cmp(&a.seconds()));
    let listed = cases.partition_point(|case| is_listed(case.seconds())).min(limits.most);
    let apart = wording::apart(&cases[..listed]);
    document.problems = cases[..listed].iter().zip(apart).map(|(case, apart)| problem(case, apart)).collect();
    document.omitted = omitted(&cases[listed..]);
    document
}

/// Cases that are not listed.
fn omitted(cases: &[Case<'_>]) -> Omitted {
    let mut by_call: BTreeMap<String, OmittedAt> = BTreeMap::new();
    for case in cases {
        let call = case.waiting_call().map_or("", without_place).to_owned();
        let of = by_call.entry(call.clone()).or_insert(OmittedAt { call, problems: 0, seconds: 0.0 });
        of.problems += 1;
        of.seconds += case.seconds();
    }
    let mut by_call: Vec<OmittedAt> = by_call.into_values().collect();
    by_call.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    Omitted {
        problems: cases.len() as u64,
        seconds: cases.iter().map(Case::seconds).fold(0.0, |sum, seconds| sum + seconds),
        largest: cases.iter().map(Case::seconds).fold(0.0, f64::max),
        by_call,
    }
}

/// The problem of a case; `apart` is a sentence that tells it from others of the list.
fn problem(case: &Case<'_>, apart: Option<String>) -> Problem {
    let facts = case.facts;
    let causes = rules::fitting(case);
    let call_path = case.path.map(|path| path.names.to_vec()).unwrap_or_default();
    let functions = case.functions();
    let text = wording::text(case, &causes, &functions, apart);
    let causes = causes.into_iter().map(|fit| FittingCause {
        cause: fit.cause,
        confidence: fit.confidence,
        evidence: std::iter::once(fit.what).chain(fit.evidence).collect(),
        advice: fit.advice,
    });
    Problem {
        seconds: case.seconds(),
        share: facts.analysis.basis.severity(case.seconds()),
        source: case.path.and_then(|path| facts.source(path)),
        is_even: case.path.is_some() && !rules::is_uneven(case),
        call_path,
        other_call_paths: other_call_paths(case),
        culprits: case.culprits(),
        as_late: case.as_late().iter().map(|&unit| facts.location(unit)).collect(),
        functions,
        effects: case
            .effects
            .iter()
            .filter_map(|&(finding, seconds)| effect(facts, finding, seconds))
            .collect(),
        causes: causes.collect(),
        text,
        gain: None,
    }
}

/// The further call paths to the code of a problem.
fn other_call_paths(case: &Case<'_>) -> Vec<Vec<String>> {
    let first = case.path.map_or(&[][..], |path| path.names);
    let mut others: Vec<Vec<String>> = Vec::new();
    for Place { names, .. } in &case.paths {
        if *names != first && others.iter().all(|known| known != names) {
            others.push(names.to_vec());
        }
    }
    others
}

fn effect(facts: &Facts<'_>, finding: usize, seconds: f64) -> Option<Effect> {
    let of = &facts.analysis.findings[finding];
    Some(Effect {
        finding: of.id.clone(),
        property: of.property?,
        call_path: of.call_path.clone(),
        source: facts.source(Place::of_finding(of)),
        seconds,
        waiting: of.locations.iter().map(ats_documents::finding::LocationShare::place).collect(),
        intervals: intervals::intervals(facts, finding),
    })
}

/// Whether the times of different processes were compared in this way.
pub(crate) fn has_clocks(analysis: &Analysis, method: ClockMethod) -> bool {
    analysis.clock_correction.as_ref().is_some_and(|correction| correction.method == method)
}

/// Limits of what the trace tells.
fn notes(
    Recorded { analysis, profile, waits, .. }: Recorded<'_>,
    division: &Division,
) -> Vec<(NoteKind, String)> {
    let remark = |note| (NoteKind::Remark, note);
    let not_known = |note| (NoteKind::NotKnown, note);
    let in_part = analysis.warnings.iter().filter(|warning| warning.contains(Analysis::READ_IN_PART));
    let in_part =
        in_part.map(|warning| (NoteKind::ReadInPart, format!("The trace is not whole: {warning}.")));
    let mut notes: Vec<_> = in_part.collect();
    if profile.units.len() < 2 {
        notes.push(remark("The trace has one location, which waits for no other.".to_owned()));
    }
    let of_clocks = match analysis.clock_correction.as_ref().map(|correction| correction.method) {
        Some(ClockMethod::Derived) => Some(
            "The clocks of the processes were aligned by their messages, so waits may be longer than they seem. \
             How long communication itself takes, chains, turns, intervals and who is last are not known.",
        ),
        Some(ClockMethod::Durations) => {
            Some("The clocks of the processes cannot be compared: who waits for whom is not known.")
        }
        Some(ClockMethod::Recorded) | None => None,
    };
    notes.extend(of_clocks.map(|note| not_known(note.to_owned())));
    if !Facts::has_regions(profile) && profile.samples.is_empty() {
        let unknown = match profile.regions.iter().any(ProfiledRegion::is_segment) {
            true => "which of the functions called between two calls is late is not known",
            false => "which code is late between calls is not known",
        };
        notes.push(not_known(format!("No regions of the program are recorded: {unknown}.")));
    }
    if waits.one_of() > 1 {
        notes.push(remark(format!(
            "There are many waits: chains, turns, intervals and who is last are of 1 in {} stretches of the run.",
            waits.one_of()
        )));
    }
    let warnings = |begin| analysis.warnings.iter().filter_map(move |warning| warning.strip_prefix(begin));
    let off = warnings(Analysis::RECORDING_OFF).map(|off| format!("Recording was off{off}."));
    let written = warnings(Analysis::BUFFERS_WRITTEN)
        .map(|where_to| format!("The recorder wrote its buffers during the run{where_to}."));
    let left = analysis.not_analyzed.iter().map(|left| format!("Not analyzed: {left}."));
    notes.extend(off.chain(written).chain(left).map(remark));
    if analysis.basis.severity(division.polling) >= Explanation::LEAST_SHARE {
        notes.push(not_known(format!(
            "Code between tests in vain takes {}: whether it works or waits is not known.",
            wording::duration(division.polling)
        )));
    }
    notes
}
