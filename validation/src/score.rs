//! Sums and rates over all programs, and whether a validation passed.

mod kendall;

pub use kendall::kendall_tau;

use ats_model::Validation;
use ats_model::validation::{Expectation, Judgement, Outcome, ProgramResult, RunStatus, Totals};

/// Adds up; `threshold` is the share of the measured location-seconds below which nothing need be reported.
pub fn totals(programs: &[ProgramResult], threshold: f64) -> Totals {
    let expectations = || programs.iter().flat_map(|program| &program.expectations);
    let count = |outcome: Outcome| expectations().filter(|e| e.outcome == outcome).count() as u64;
    let (found, wrong, missed) = (count(Outcome::Found), count(Outcome::Wrong), count(Outcome::Missed));
    let not_manifested = count(Outcome::NotManifested);
    let false_alarms = programs.iter().map(|program| program.unexpected.len() as u64).sum();
    let precision = rate(found, found + wrong + false_alarms);
    let recall = rate(found, found + wrong + missed);
    let recall_of = |name: &str, judgement: fn(&Expectation) -> Judgement| {
        let right = expectations().filter(|e| judgement(e) == Judgement::Yes).count() as u64;
        let not_asked = expectations().filter(|e| matches!(e.outcome, Outcome::Found | Outcome::Wrong));
        let not_asked = not_asked.filter(|e| judgement(e) == Judgement::NotApplicable).count() as u64;
        (name.to_owned(), rate(right, found + wrong + missed - not_asked))
    };
    Totals {
        programs: programs.len() as u64,
        found,
        wrong,
        missed,
        not_manifested,
        failed: expectations().count() as u64 - found - wrong - missed - not_manifested,
        false_alarms,
        correctly_silent: programs.iter().filter(|program| is_correctly_silent(program, threshold)).count()
            as u64,
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
        worst_against_observed: worst(expectations(), |e| e.observed),
        worst_against_nominal: worst(expectations(), |e| e.nominal),
        threshold,
        ..Totals::default()
    }
}

/// Whether every program ran and showed what it should, and the tool reported exactly that.
pub fn passed(validation: &Validation) -> bool {
    !validation.programs.is_empty()
        && validation.programs.iter().all(|program| program_passed(program, validation.totals.threshold))
}

/// The same of one program.
///
/// An expectation that the run did not show is forgiven beside one that was found; a program that showed nothing of
/// what it should has tested nothing.
pub fn program_passed(program: &ProgramResult, threshold: f64) -> bool {
    let forgiven = |e: &Expectation| matches!(e.outcome, Outcome::Found | Outcome::NotManifested);
    program.run_status == RunStatus::Ok
        && program.unexpected.is_empty()
        && program.expectations.iter().all(forgiven)
        && (has_nothing_to_find(program, threshold)
            || program.expectations.iter().any(|e| e.outcome == Outcome::Found))
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

/// The largest relative deviation from what is known, over what was reported.
fn worst<'a>(
    expectations: impl Iterator<Item = &'a Expectation>,
    known: impl Fn(&Expectation) -> f64,
) -> Option<f64> {
    expectations
        .filter(|e| matches!(e.outcome, Outcome::Found | Outcome::Wrong))
        .filter(|e| known(e) > 0.0)
        .map(|e| (e.found - known(e)).abs() / known(e))
        .reduce(f64::max)
}

#[cfg(test)]
mod tests;
