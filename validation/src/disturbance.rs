//! Runs that the machine itself disturbs.

use ats_model::validation::{Outcome, ProgramResult};

use crate::score::program_passed;

/// So often a program is run at most.
const RUNS: usize = 3;

/// A wait that is further from what was planned than this share of it, by the run's own witness, was disturbed.
const DEVIATION: f64 = 0.03;

/// Runs programs again that the machine disturbs. A few: one that is always busy would keep everybody waiting.
#[derive(Debug)]
pub(crate) struct Patience {
    threshold: f64,
    left: usize,
}

impl Patience {
    /// For so many programs, judged with this threshold: one run more, and one for every eight of them.
    pub(crate) fn with(programs: usize, threshold: f64) -> Self {
        Patience { threshold, left: programs.div_ceil(8) + 1 }
    }

    /// Runs a program until its own witness says that it was not disturbed: noise hides that a balanced twin has nothing to
    /// show, and how much the others have. The last run counts, and its result tells of those before. A run that did not
    /// pass is not followed by another: what went wrong is not to be lost.
    pub(crate) fn undisturbed(&mut self, mut run: impl FnMut() -> ProgramResult) -> ProgramResult {
        let mut before = Vec::new();
        loop {
            let mut result = run();
            let disturbance = disturbance(&result);
            let may_wait = before.len() + 1 < RUNS && self.left > 0;
            if disturbance > 0.0 && may_wait && program_passed(&result, self.threshold) {
                self.left -= 1;
                before.push(format!("{:.1} %", 100.0 * disturbance));
                continue;
            }
            if !before.is_empty() {
                let told = format!("run again after {} of noise", before.join(" and "));
                result.message =
                    Some(result.message.map_or(told.clone(), |message| format!("{told}; {message}")));
            }
            return result;
        }
    }
}

/// By how much the machine disturbed a run: what it added, as a share of the time of all locations, or what it changed, as a
/// share of what was planned.
fn disturbance(result: &ProgramResult) -> f64 {
    let noise = result.noise.iter().map(|finding| finding.severity).sum();
    let found = result.expectations.iter().filter(|one| one.outcome == Outcome::Found && one.nominal > 0.0);
    let deviations = found.map(|one| (one.observed - one.nominal).abs() / one.nominal);
    deviations.filter(|&deviation| deviation > DEVIATION).fold(noise, f64::max)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use ats_model::validation::RunStatus;
    use ats_model::{Basis, Finding, WaitState};
    use ats_props::Catalogue;

    use super::*;
    use crate::judge::not_judged;
    use crate::size::Size;
    use crate::subject::Subject;
    use crate::truth::{self, TruthOptions};

    /// The result of a balanced twin whose noise is this share of its time.
    fn twin(noise: f64) -> ProgramResult {
        let state = Some(WaitState::WaitAtBarrier);
        let mut finding = Finding::wait(state, Vec::new(), Vec::new(), 1, &Basis::new(None, 1.0, 4), true);
        finding.severity = noise;
        ProgramResult {
            program: "twin".to_owned(),
            parameters: BTreeMap::new(),
            ranks: 4,
            threads: 1,
            run_status: RunStatus::Ok,
            message: Some("a warning".to_owned()),
            expectations: Vec::new(),
            unexpected: Vec::new(),
            ambient: Vec::new(),
            noise: if noise > 0.0 { vec![finding] } else { Vec::new() },
            false_seconds: 0.0,
            kendall_tau: None,
        }
    }

    /// The result of a program whose wait was longer than planned by this share.
    fn late_sender(deviation: f64) -> ProgramResult {
        let size = Size::ranks(2);
        let program = Catalogue::builtin().program("late_sender").unwrap();
        let arguments = program.property.arguments([("r", "1")]).unwrap();
        let subject = Subject::Property { program, arguments };
        let nominal = truth::nominal(&subject, size, &TruthOptions::default()).unwrap();
        let message = "a warning".to_owned();
        let mut result =
            not_judged("late_sender", BTreeMap::new(), size, Some(&nominal), RunStatus::Ok, message);
        let expected = &mut result.expectations[0];
        expected.outcome = Outcome::Found;
        expected.observed = expected.nominal * (1.0 + deviation);
        result
    }

    /// What is told of the run that counts, and how many there were, when single runs have these results.
    fn told(patience: &mut Patience, results: &[ProgramResult]) -> (String, usize) {
        let mut runs = 0;
        let result = patience.undisturbed(|| {
            runs += 1;
            results[runs - 1].clone()
        });
        (result.message.unwrap(), runs)
    }

    #[test]
    fn a_program_is_run_until_the_machine_leaves_it_alone_but_not_for_ever() {
        let told = |results: &[ProgramResult]| told(&mut Patience { threshold: 0.01, left: 9 }, results);
        assert_eq!(told(&[twin(0.0)]), ("a warning".to_owned(), 1));
        let once = ("run again after 2.9 % of noise; a warning".to_owned(), 2);
        assert_eq!(told(&[twin(0.029), twin(0.0)]), once);
        let twice = ("run again after 2.9 % and 4.0 % of noise; a warning".to_owned(), 3);
        assert_eq!(told(&[twin(0.029), twin(0.04), twin(0.03)]), twice);
        assert_eq!(told(&[late_sender(0.02)]), ("a warning".to_owned(), 1));
        let once = ("run again after 8.0 % of noise; a warning".to_owned(), 2);
        assert_eq!(told(&[late_sender(-0.08), late_sender(0.01)]), once);
    }

    #[test]
    fn what_went_wrong_is_not_run_again() {
        let mut alarmed = twin(0.029);
        alarmed.unexpected = alarmed.noise.clone();
        let mut wrong = late_sender(0.08);
        wrong.expectations[0].outcome = Outcome::Wrong;
        for result in [alarmed, wrong] {
            let told = told(&mut Patience { threshold: 0.01, left: 9 }, &[result]);
            assert_eq!(told, ("a warning".to_owned(), 1));
        }
    }

    #[test]
    fn a_machine_that_is_always_busy_keeps_nobody_waiting() {
        let mut patience = Patience::with(8, 0.01);
        let runs = (0..8).map(|_| told(&mut patience, &[twin(0.1), twin(0.1), twin(0.1)]).1);
        assert_eq!(runs.sum::<usize>(), 10);
    }
}
