//! Counts over results, and whether a program passed.

use super::{Expectation, Outcome, ProgramResult, RunStatus, Score, Totals};

impl Score {
    /// Whether every program ran and showed what it should, and the tool reported exactly that. Programs whose properties
    /// are [out of reach](ProgramResult::is_out_of_reach) do not count, but there have to be others, or some that ran and
    /// that the tool knows nothing of: it is not wrong there.
    pub fn has_passed(&self) -> bool {
        let threshold = self.totals.threshold;
        let counts = |one: &ProgramResult| {
            one.has_passed(threshold)
                || one.expectations.iter().any(Expectation::is_right)
                || one.is_unknown_to_the_tool()
        };
        self.programs.iter().all(|one| one.has_passed(threshold) || one.is_out_of_reach(threshold))
            && self.programs.iter().any(counts)
    }
}

impl ProgramResult {
    /// Whether it ran and showed what it should, and the tool reported exactly that.
    ///
    /// A side effect that the run did not show is forgiven. What the program is made to show is not: a program that
    /// showed nothing of it has tested nothing.
    pub fn has_passed(&self, threshold: f64) -> bool {
        self.run_status == RunStatus::Ok
            && self.unexpected.is_empty()
            && self.expectations.iter().all(|e| e.is_right() || e.is_forgiven(threshold))
            && (self.has_nothing_to_find(threshold) || self.expectations.iter().any(Expectation::is_right))
    }

    /// Whether all is right but what this machine or this tool cannot show: the MPI library or the compilers lack
    /// something, the tool cannot know it, or a wait did not come up that depends on the progress of the library.
    pub fn is_out_of_reach(&self, threshold: f64) -> bool {
        let is_out = |e: &Expectation| match e.outcome {
            Outcome::Unsupported => true,
            Outcome::NotManifested => e.may_stay_away(),
            _ => false,
        };
        let is_fine = |e: &Expectation| is_out(e) || e.is_right() || e.is_forgiven(threshold);
        self.run_status == RunStatus::Unsupported
            || self.run_status == RunStatus::Ok
                && self.unexpected.is_empty()
                && self.expectations.iter().any(is_out)
                && self.expectations.iter().all(is_fine)
    }

    /// Whether it ran, and the tool cannot know any of what it shows.
    fn is_unknown_to_the_tool(&self) -> bool {
        let is_unsupported = |e: &Expectation| e.outcome == Outcome::Unsupported;
        self.run_status == RunStatus::Ok
            && !self.expectations.is_empty()
            && self.expectations.iter().all(is_unsupported)
    }

    /// Whether its parameters promise nothing above the threshold: a balanced twin, or a property set that low.
    pub fn has_nothing_to_find(&self, threshold: f64) -> bool {
        !self.expectations.iter().any(|e| e.is_due(threshold))
    }

    /// Whether it ran, had nothing to find, and nothing was reported. A crash is no silence.
    pub fn is_correctly_silent(&self, threshold: f64) -> bool {
        self.run_status == RunStatus::Ok
            && self.has_nothing_to_find(threshold)
            && self.unexpected.is_empty()
            && self.noise.is_empty()
    }

    /// Whether it was run again because the machine disturbed it.
    pub fn was_run_again(&self) -> bool {
        self.disturbed.iter().any(|run| run.was_run_again())
    }
}

impl Totals {
    /// Counts and sums over programs. The rates stay empty.
    pub fn counted(programs: &[&ProgramResult], threshold: f64) -> Self {
        let expectations = || programs.iter().flat_map(|program| &program.expectations);
        let count = |outcome: Outcome| expectations().filter(|e| e.outcome == outcome).count() as u64;
        let count_programs = |holds: &dyn Fn(&ProgramResult) -> bool| {
            programs.iter().filter(|program| holds(program)).count() as u64
        };
        Totals {
            programs: programs.len() as u64,
            found: count(Outcome::Found),
            wrong: count(Outcome::Wrong),
            missed: count(Outcome::Missed),
            not_manifested: count(Outcome::NotManifested),
            below_threshold: count(Outcome::BelowThreshold),
            failed: count_programs(&|program| {
                !matches!(program.run_status, RunStatus::Ok | RunStatus::Unsupported)
            }),
            runs: programs.iter().map(|program| u64::from(program.runs)).sum(),
            disturbed: programs.iter().map(|program| program.disturbed.len() as u64).sum(),
            run_again: count_programs(&ProgramResult::was_run_again),
            out_of_reruns: count_programs(&|program| program.disturbed.iter().any(|run| run.out_of_reruns)),
            semantics_changed: count_programs(&|program| program.run_status == RunStatus::SemanticsChanged),
            unsupported: count(Outcome::Unsupported),
            consistent: count(Outcome::Consistent),
            inconsistent: count(Outcome::Inconsistent),
            false_alarms: programs.iter().map(|program| program.unexpected.len() as u64).sum(),
            correctly_silent: count_programs(&|program| program.is_correctly_silent(threshold)),
            false_seconds: programs.iter().fold(0.0, |sum, program| sum + program.false_seconds),
            worst_against_observed: worst(expectations(), |e| e.observed),
            worst_against_nominal: worst(expectations(), |e| e.nominal),
            threshold,
            ..Totals::default()
        }
    }
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
