//! Runs that the machine itself disturbs.

use std::collections::BTreeSet;

use ats_documents::finding::Unit;
use ats_documents::score::{Cause, Disturbance, Expectation, Outcome, ProgramResult, RunStatus};
use ats_model::WaitState;
use ats_model::clock_correction::ClockViolations;

use super::Ran;
use crate::score::interruption::explains;

/// So often a program is run at most.
const RUNS: usize = 3;

/// A wait that is further from what was planned than this share of it, by the run's own witness, was disturbed.
const DEVIATION: f64 = 0.03;

/// The limit on repeating programs that the machine disturbs. It is low: a machine that is always busy would take too
/// long. Runs whose waits differ from the plan are judged rightly all the same, so they do not use up what runs with
/// wrong stamps need.
#[derive(Debug)]
pub(crate) struct RetryBudget {
    /// The number of repetitions left because of waits.
    waits: usize,
    /// The number of repetitions left because of stamps.
    stamps: usize,
    /// Programs whose runs cannot be kept, by their numbers.
    given_up: BTreeSet<usize>,
}

impl RetryBudget {
    /// For so many programs: one run more for each kind of disturbance, and one for every eight of them.
    pub(crate) fn with(programs: usize) -> Self {
        let each = programs.div_ceil(8) + 1;
        RetryBudget { waits: each, stamps: each, given_up: BTreeSet::new() }
    }

    /// Spends a repetition on the program that needs it most, and returns its number: first on those that did not show what
    /// they are made for, of them on those that ran less often; `None` if no program deserves one, or none is left.
    pub(crate) fn spend<'a>(&mut self, results: impl Iterator<Item = &'a ProgramResult>) -> Option<usize> {
        let candidates = results.enumerate().filter_map(|(number, result)| {
            let cause = deserved(result).filter(|_| !self.given_up.contains(&number))?;
            let showed_it = result.expectations.iter().all(|one| one.outcome != Outcome::NotManifested);
            (*self.left(cause) > 0).then_some((showed_it, result.disturbed.len(), number, cause))
        });
        let (.., number, cause) =
            candidates.min_by_key(|&(showed_it, runs, number, _)| (showed_it, runs, number))?;
        *self.left(cause) -= 1;
        Some(number)
    }

    fn left(&mut self, cause: Cause) -> &mut usize {
        if cause.falsifies_stamps() { &mut self.stamps } else { &mut self.waits }
    }

    /// Spends nothing more on a program.
    pub(crate) fn give_up(&mut self, number: usize) {
        self.given_up.insert(number);
    }

    /// Notes in the results that deserve a repetition that none is left for them.
    pub(crate) fn mark_spent<'a>(&self, results: impl Iterator<Item = &'a mut ProgramResult>) {
        for (number, result) in results.enumerate() {
            if deserved(result).is_some() && !self.given_up.contains(&number) {
                result.disturbed.iter_mut().last().expect("it was disturbed").out_of_reruns = true;
            }
        }
    }
}

/// The disturbance that lets a program be run again. One in which anything went wrong may not, as that is not to be
/// lost; unless the machine alone is to blame for it.
fn deserved(result: &ProgramResult) -> Option<Cause> {
    use Outcome::{BelowThreshold, Consistent, Found, NotManifested, Unsupported};
    let is_fine = |one: &Expectation| match one.outcome {
        NotManifested => one.unit().is_time() || is_low_ratio(one),
        outcome => matches!(outcome, Found | BelowThreshold | Consistent | Unsupported),
    };
    let all_is_fine = || result.unexpected.is_empty() && result.expectations.iter().all(is_fine);
    let last = result.disturbed.last().filter(|run| !run.was_run_again())?;
    let may = result.disturbed.len() < RUNS && (last.cause.falsifies_stamps() || all_is_fine());
    may.then_some(last.cause)
}

/// Whether a ratio of times has not reached its bound, as when the machine has slowed down what it is compared with.
fn is_low_ratio(one: &Expectation) -> bool {
    matches!(one.unit(), Unit::Ratio(_)) && one.outcome == Outcome::NotManifested
}

/// The worst disturbance of a run by the machine: of its trace's clocks, or of its stamps; waits that it added, or
/// changes of those that are due.
pub(crate) fn disturbance(result: &ProgramResult, ran: Option<&Ran>, threshold: f64) -> Option<Disturbance> {
    if result.run_status != RunStatus::Ok {
        return None;
    }
    let by = |cause, share| Disturbance { cause, share, folder: None, out_of_reruns: false };
    if let Some(ClockViolations { checked, violated, contradict: true, .. }) =
        ran.and_then(|ran| ran.report.clock_correction.as_ref()).map(|clocks| clocks.after)
    {
        let share = violated as f64 / checked as f64;
        return Some(by(Cause::Clocks, share));
    }
    if let Some(Ran { observed, apart, .. }) = ran.filter(|ran| explains(ran.apart, result)) {
        let share = observed.basis.severity(*apart);
        return Some(by(Cause::Interruption, share));
    }
    let noise: f64 = result.noise.iter().map(|finding| finding.severity).sum();
    let depends_on_library = |one: &Expectation| one.wait_state.is_some_and(WaitState::depends_on_progress);
    let is_due = |one: &&Expectation| {
        one.unit().is_time() && one.is_due(threshold) && !depends_on_library(one) || is_low_ratio(one)
    };
    let due = result.expectations.iter().filter(is_due);
    let deviations = due.map(|one| (one.observed - one.nominal).abs() / one.nominal);
    let deviation = deviations.filter(|&deviation| deviation > DEVIATION).fold(0.0, f64::max);
    let (cause, share) =
        if noise > deviation { (Cause::Noise, noise) } else { (Cause::Deviation, deviation) };
    (share > 0.0).then(|| by(cause, share))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use ats_documents::{Basis, Finding};
    use ats_props::Catalogue;

    use ats_documents::finding::View;

    use super::*;
    use crate::score::judge::not_judged;
    use ats_compose::Subject;
    use ats_truth::Size;
    use ats_truth::{self as truth, TruthOptions};

    /// The result of a balanced twin whose noise is this share of its time.
    fn twin(noise: f64) -> ProgramResult {
        let state = Some(WaitState::WaitAtBarrier);
        let mut finding = Finding::wait(state, Vec::new(), Vec::new(), 1, &Basis::new(None, 1.0, 4), true);
        finding.severity = noise;
        let noise = if noise > 0.0 { vec![finding] } else { Vec::new() };
        ProgramResult { program: "twin".to_owned(), noise, ..ProgramResult::default() }
    }

    /// The result of a program whose wait was longer than planned by this share.
    fn late_sender(deviation: f64, outcome: Outcome) -> ProgramResult {
        changed("late_sender", deviation, outcome)
    }

    fn changed(name: &str, deviation: f64, outcome: Outcome) -> ProgramResult {
        let program = Catalogue::builtin().program(name).unwrap();
        let size = Size::ranks(if program.property.needs.ranks { 2 } else { 1 });
        let arguments = program.property.arguments([("r", "1")]).unwrap();
        let subject = Subject::Property { program, arguments };
        let nominal = truth::nominal(&subject, size, &TruthOptions::default()).unwrap();
        let failure = (RunStatus::Ok, String::new());
        let mut result = not_judged(name, BTreeMap::new(), size, Some(&nominal), failure.0, failure.1);
        let expected = &mut result.expectations[0];
        expected.outcome = outcome;
        expected.observed = expected.nominal * (1.0 + deviation);
        result
    }

    fn shares(result: &ProgramResult) -> Option<(Cause, f64)> {
        disturbance(result, None, 0.01).map(|run| (run.cause, (1e6 * run.share).round() / 1e6))
    }

    #[test]
    fn the_machine_adds_waits_and_changes_those_that_are_due() {
        assert_eq!(shares(&twin(0.0)), None);
        assert_eq!(shares(&twin(0.029)), Some((Cause::Noise, 0.029)));
        assert_eq!(shares(&late_sender(0.02, Outcome::Found)), None);
        assert_eq!(shares(&late_sender(-0.08, Outcome::Found)), Some((Cause::Deviation, 0.08)));
        assert_eq!(shares(&late_sender(-0.08, Outcome::Unsupported)), Some((Cause::Deviation, 0.08)));
        assert_eq!(
            shares(&late_sender(-0.6, Outcome::NotManifested)),
            Some((Cause::Deviation, 0.6)),
            "the worst of all"
        );
        assert_eq!(shares(&changed("late_ibcast", -0.4, Outcome::Found)), None, "the library may do so");
        let ratio = |outcome| changed("low_instruction_throughput", -0.75, outcome);
        assert_eq!(shares(&ratio(Outcome::NotManifested)), Some((Cause::Deviation, 0.75)));
        assert_eq!(shares(&ratio(Outcome::Found)), None, "any ratio above its bound is right");
        let mut small = late_sender(0.5, Outcome::NotManifested);
        small.expectations[0].severity.nominal = 0.001;
        assert_eq!(shares(&small), None, "nobody is asked for it");
        let crashed =
            ProgramResult { run_status: RunStatus::Crashed, ..late_sender(0.5, Outcome::ToolError) };
        assert_eq!(shares(&crashed), None);
    }

    /// The result of a run that was disturbed for this reason, as so many before it were.
    fn disturbed(result: ProgramResult, cause: Cause, before: usize) -> ProgramResult {
        let run = |folder| Disturbance { cause, share: 0.1, folder, out_of_reruns: false };
        let aside = (1..=before).map(|number| run(Some(format!("{number}"))));
        ProgramResult { disturbed: aside.chain([run(None)]).collect(), ..result }
    }

    #[test]
    fn results_with_mistakes_are_not_lost_to_another_run() {
        let mut retries = RetryBudget { waits: 9, ..RetryBudget::with(0) };
        let mut may = |result: &ProgramResult| retries.spend([result].into_iter()).is_some();
        let (noise, deviation) = (Cause::Noise, Cause::Deviation);
        let noisy = |before| disturbed(twin(0.029), noise, before);
        assert!(may(&noisy(0)) && may(&noisy(1)) && !may(&noisy(2)));
        let mut of = |outcome| may(&disturbed(late_sender(0.08, outcome), deviation, 0));
        use Outcome::{
            BelowThreshold, Consistent, Found, Inconsistent, Missed, NotManifested, Unsupported, Wrong,
        };
        assert!([Found, Consistent, Unsupported, NotManifested, BelowThreshold].into_iter().all(&mut of));
        assert!(![Wrong, Missed, Inconsistent].into_iter().any(of));
        let mut alarmed = noisy(0);
        alarmed.unexpected = alarmed.noise.clone();
        assert!(!may(&alarmed));
        let mut miscounted = disturbed(late_sender(-0.1, NotManifested), deviation, 0);
        miscounted.expectations[0].view = View::Count;
        assert!(!may(&miscounted), "no machine makes a program call less often");
        let ratio = changed("low_instruction_throughput", -0.75, NotManifested);
        assert!(may(&disturbed(ratio, deviation, 0)));
        assert_eq!(retries.waits, 1, "each costs one");
    }

    #[test]
    fn repetitions_for_waits_and_for_stamps_are_counted_apart() {
        let interrupted = disturbed(late_sender(0.0, Outcome::Wrong), Cause::Interruption, 0);
        let noisy = disturbed(twin(0.029), Cause::Noise, 0);
        let may = |waits, stamps, result: &ProgramResult| {
            let mut retries = RetryBudget { waits, stamps, ..RetryBudget::with(0) };
            retries.spend([result].into_iter()).is_some()
        };
        assert!(may(0, 1, &interrupted) && !may(9, 0, &interrupted));
        assert!(may(1, 0, &noisy) && !may(0, 9, &noisy));
    }
}
