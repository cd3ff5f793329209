//! Runs that the machine itself disturbs.

use ats_model::validation::ProgramResult;

use crate::score::has_nothing_to_find;

/// So often a program is run at most.
const RUNS: usize = 3;

/// Runs a program that has nothing to show again as long as the machine disturbs it: what is reported and what its own
/// witness confirms is no property of the program, but hides that it has none. The last run counts, and its result tells of
/// those before.
pub(crate) fn undisturbed(threshold: f64, mut run: impl FnMut() -> ProgramResult) -> ProgramResult {
    let mut before = Vec::new();
    loop {
        let mut result = run();
        let noise: f64 = result.noise.iter().map(|finding| finding.severity).sum();
        if noise > 0.0 && before.len() + 1 < RUNS && has_nothing_to_find(&result, threshold) {
            before.push(format!("{:.1} %", 100.0 * noise));
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use ats_model::validation::RunStatus;
    use ats_model::{Basis, Finding, WaitState};

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

    /// The noise of the run that counts, and what is told of it, when runs have these shares of noise.
    fn of_runs(shares: &[f64]) -> (Option<f64>, String) {
        let mut shares = shares.iter();
        let result = undisturbed(0.01, || twin(*shares.next().expect("it is not run so often")));
        assert_eq!(shares.next(), None, "it is run so often");
        (result.noise.first().map(|finding| finding.severity), result.message.unwrap())
    }

    #[test]
    fn a_twin_is_run_until_the_machine_leaves_it_alone_but_not_for_ever() {
        assert_eq!(of_runs(&[0.0]), (None, "a warning".to_owned()));
        assert_eq!(of_runs(&[0.029, 0.0]), (None, "run again after 2.9 % of noise; a warning".to_owned()));
        let told = "run again after 2.9 % and 4.0 % of noise; a warning".to_owned();
        assert_eq!(of_runs(&[0.029, 0.04, 0.03]), (Some(0.03), told));
    }

    #[test]
    fn a_program_with_something_to_find_runs_once() {
        let size = Size { ranks: 4, threads: 1 };
        let program = ats_props::Catalogue::builtin().program("late_sender").unwrap();
        let arguments = program.property.arguments([("r", "1")]).unwrap();
        let subject = Subject::Property { program, arguments };
        let nominal = truth::nominal(&subject, size, &TruthOptions::default()).unwrap();
        let mut runs = 0;
        undisturbed(0.01, || {
            runs += 1;
            let message = "nothing was reported".to_owned();
            let mut result =
                not_judged("late_sender", BTreeMap::new(), size, Some(&nominal), RunStatus::Ok, message);
            result.noise = twin(0.03).noise;
            result
        });
        assert_eq!(runs, 1);
    }
}
