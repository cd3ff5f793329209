//! The third room: what was reported, held against the truth.
//!
//! - [`mod@judge`]: one program's report against its truth. [`given`]: truths and reports of files, and folders. [`kept`]: what runs
//!   left, and whether they are those of a result.
//! - [`interruption`]: what of it the machine may have made wrong.
//! - Here: sums and rates over all programs, and whether a validation passed; the score of a tool over repeats.
//! - [`scoreboard`]: several scores side by side. [`mod@table`]: one of them as text.

mod baseline;
mod document;
mod error;
pub(crate) mod fit;
pub mod given;
mod hash;
mod history;
pub mod interruption;
pub mod judge;
mod kendall;
pub mod kept;
mod rates;
mod repeats;
pub mod scoreboard;
mod sweep;
pub mod table;

use std::borrow::Borrow;
use std::collections::BTreeMap;

use ats_documents::Validation;
use ats_documents::validation::{Expectation, Judgement, Outcome, ProgramResult, RunStatus, Totals};
use ats_props::Catalogue;

pub use baseline::{Comparison, compare};
pub use document::{Scored, environment, is_clean, score};
pub use hash::truth_hash;
pub use history::{History, HistoryError, append, history};
pub use kendall::kendall_tau;
use rates::ClassOf;
pub use sweep::detection_thresholds;

/// Adds up; `threshold` is the share of the measured location-seconds below which nothing need be reported. The
/// catalogue has the classes of the programs that showed nothing.
pub fn totals<P: Borrow<ProgramResult>>(programs: &[P], threshold: f64, catalogue: &Catalogue) -> Totals {
    totals_of(programs, threshold, true, catalogue)
}

/// The same for a tool that `diagnoses` or not: the silence of a profile, which names no wait states, means nothing.
pub fn totals_of<P: Borrow<ProgramResult>>(
    programs: &[P],
    threshold: f64,
    diagnoses: bool,
    catalogue: &Catalogue,
) -> Totals {
    let programs: Vec<&ProgramResult> = programs.iter().map(Borrow::borrow).collect();
    let class_of = |program: &str| catalogue.program(program).ok()?.property.finds.class();
    add_up(&programs, threshold, diagnoses, &class_of)
}

fn add_up(programs: &[&ProgramResult], threshold: f64, diagnoses: bool, class_of: ClassOf<'_>) -> Totals {
    let expectations = || programs.iter().flat_map(|program| &program.expectations);
    let count = |outcome: Outcome| expectations().filter(|e| e.outcome == outcome).count() as u64;
    let (found, wrong, missed) = (count(Outcome::Found), count(Outcome::Wrong), count(Outcome::Missed));
    let (consistent, inconsistent) = (count(Outcome::Consistent), count(Outcome::Inconsistent));
    let (not_manifested, below_threshold) = (count(Outcome::NotManifested), count(Outcome::BelowThreshold));
    let unsupported = count(Outcome::Unsupported);
    let judged = found + wrong + missed + consistent + inconsistent;
    let false_alarms = programs.iter().map(|program| program.unexpected.len() as u64).sum();
    let silent = programs.iter().filter(|program| is_correctly_silent(program, threshold)).count() as u64;
    let precision = rate(found, found + wrong + false_alarms);
    let recall = rate(found, found + wrong + missed);
    let recall_of = |name: &str, judgement: fn(&Expectation) -> Judgement| {
        let asked = |e: &&Expectation| is_judged(e);
        let right = expectations().filter(asked).filter(|e| judgement(e) == Judgement::Yes).count() as u64;
        let not_asked = expectations().filter(asked).filter(|e| e.outcome != Outcome::Missed);
        let not_asked = not_asked.filter(|e| judgement(e) == Judgement::NotApplicable).count() as u64;
        (name.to_owned(), rate(right, judged - not_asked))
    };
    let questions = rates::Questions::of(programs, threshold, diagnoses, class_of);
    let by_class = questions.by_class();
    let taus = programs.iter().filter_map(|program| rank_correlation(&program.expectations)).collect();
    let count_programs =
        |holds: fn(&ProgramResult) -> bool| programs.iter().filter(|program| holds(program)).count() as u64;
    Totals {
        programs: programs.len() as u64,
        found,
        wrong,
        missed,
        not_manifested,
        below_threshold,
        failed: count_programs(|program| {
            !matches!(program.run_status, RunStatus::Ok | RunStatus::Unsupported)
        }),
        runs: programs.iter().map(|program| u64::from(program.runs)).sum(),
        disturbed: programs.iter().map(|program| program.disturbed.len() as u64).sum(),
        run_again: count_programs(|program| program.disturbed.iter().any(|run| run.was_run_again())),
        semantics_changed: count_programs(|program| program.run_status == RunStatus::SemanticsChanged),
        unsupported,
        consistent,
        inconsistent,
        false_alarms,
        correctly_silent: if diagnoses { silent } else { 0 },
        precision,
        recall,
        f1: harmonic_mean(precision, recall),
        recall_by_judgement: [
            recall_of("property", |e| e.property),
            recall_of("place", |e| e.place),
            recall_of("locations", |e| e.locations),
            recall_of("amount", |e| e.amount),
        ]
        .into(),
        false_seconds: programs.iter().fold(0.0, |sum, program| sum + program.false_seconds),
        worst_against_observed: error::worst(expectations(), |e| e.observed),
        worst_against_nominal: error::worst(expectations(), |e| e.nominal),
        threshold,
        specificity: questions.specificity(),
        consistency: rate(consistent, consistent + inconsistent),
        support_rate: questions.support_rate(),
        by_grade: questions.by_grade(),
        macro_average: rates::mean(by_class.values()),
        by_class,
        severity_error: error::severity_error(expectations()),
        kendall_tau: ats_documents::score::Spread::over(taus).map(|spread| spread.median),
        detection_threshold: detection_thresholds(programs),
        intrusiveness: None,
    }
}

/// Kendall's tau-b between the expected and the reported seconds of a program's waits; what was not reported counts as
/// 0.
pub fn rank_correlation(expectations: &[Expectation]) -> Option<f64> {
    let waits = expectations.iter().filter(|e| is_judged(e) && e.unit().is_time());
    let reported = |e: &Expectation| if e.property == Judgement::No { 0.0 } else { e.found };
    kendall_tau(&waits.map(|e| (e.observed, reported(e))).collect::<Vec<_>>())
}

/// Whether the tool was asked for it and answered, rightly or not.
fn is_judged(expectation: &Expectation) -> bool {
    use Outcome::{Consistent, Found, Inconsistent, Missed, Wrong};
    matches!(expectation.outcome, Found | Wrong | Missed | Consistent | Inconsistent)
}

/// Whether every program ran and showed what it should, and the tool reported exactly that.
pub fn passed(validation: &Validation) -> bool {
    !validation.programs.is_empty()
        && validation.programs.iter().all(|program| program_passed(program, validation.totals.threshold))
}

/// The same of one program.
///
/// A side effect that the run did not show is forgiven; what the program is made to show is not, and one that showed
/// nothing of what it should has tested nothing.
pub fn program_passed(program: &ProgramResult, threshold: f64) -> bool {
    let is_fine = |e: &Expectation| e.outcome == Outcome::Found || is_forgiven(e, threshold);
    program.run_status == RunStatus::Ok
        && program.unexpected.is_empty()
        && program.expectations.iter().all(is_fine)
        && (has_nothing_to_find(program, threshold)
            || program.expectations.iter().any(|e| e.outcome == Outcome::Found))
}

/// Whether it does not matter that the run did not show it, or showed too little to be reported. What it did not show
/// has to be a side effect, or planned to be too little.
fn is_forgiven(expectation: &Expectation, threshold: f64) -> bool {
    match expectation.outcome {
        Outcome::BelowThreshold => true,
        Outcome::NotManifested => !expectation.planted || !expectation.is_due(threshold),
        _ => false,
    }
}

/// Whether its parameters promise nothing above the threshold: a balanced twin, or a property set that low.
pub fn has_nothing_to_find(program: &ProgramResult, threshold: f64) -> bool {
    !program.expectations.iter().any(|e| e.is_due(threshold))
}

/// Whether it ran, had nothing to find, and nothing was reported. A crash is no silence.
pub fn is_correctly_silent(program: &ProgramResult, threshold: f64) -> bool {
    program.run_status == RunStatus::Ok
        && has_nothing_to_find(program, threshold)
        && program.unexpected.is_empty()
        && program.noise.is_empty()
}

fn rate(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

fn harmonic_mean(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    let (a, b) = (a?, b?);
    (a + b > 0.0).then(|| 2.0 * a * b / (a + b))
}

/// Groups in the order in which their keys first appear.
fn grouped<K: Ord + Clone, V>(items: impl IntoIterator<Item = (K, V)>) -> Vec<(K, Vec<V>)> {
    let mut order: BTreeMap<K, usize> = BTreeMap::new();
    let mut groups: Vec<(K, Vec<V>)> = Vec::new();
    for (key, value) in items {
        let at = *order.entry(key.clone()).or_insert(groups.len());
        if at == groups.len() {
            groups.push((key, Vec::new()));
        }
        groups[at].1.push(value);
    }
    groups
}

#[cfg(test)]
mod tests;
