//! One program after the other: each is run and judged, and those that the machine disturbed are run again.

use std::collections::BTreeMap;
use std::mem;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use ats_documents::score::{Intrusiveness, ProgramResult, RunStatus, Spread};
use ats_documents::{Explanation, Finding, Report, Truth};
use ats_props::Catalogue;
use serde_json::Value;

use crate::score::fit::unfit;
use crate::score::judge::{Case, Rules, judge, judge_explanation, not_judged};
use ats_launch::Failure;
use ats_launch::folder::{forget_aside, set_aside};
use ats_launch::progress::{Progress, Step};
use ats_launch::tool::CallPaths;
use ats_truth::{self as truth, Planned, TruthOptions};
use disturbance::{RetryBudget, disturbance};

mod disturbance;

/// A runner of programs: an engine, and whoever reports on their runs.
pub(crate) trait Runner {
    /// Runs a program once; what it leaves is in the folder of this name.
    fn run(&mut self, planned: &Planned, nominal: &Truth, folder: &str) -> Result<Ran, Failure>;

    /// The options for computing the nominal truth.
    fn truth_options(&self) -> TruthOptions {
        TruthOptions::default()
    }

    /// The folder that holds the folders of all programs; `None` if runs leave nothing, and none disturbs them.
    fn dir(&self) -> Option<&Path>;

    /// The facts about its runs that a reader needs to repeat them; asked at the end.
    fn environment(&mut self) -> BTreeMap<String, Value>;
}

/// A run that went well.
pub(crate) struct Ran {
    /// The report on the run.
    pub(crate) report: Report,
    /// The explanation of the run, if it was asked for.
    pub(crate) explanation: Option<Explanation>,
    /// The call paths that the reporter can show.
    pub(crate) call_paths: CallPaths,
    /// The truth promised by its parameters, with what the run has probed; `None` if it has probed nothing.
    pub(crate) promised: Option<Truth>,
    /// The truth that the run showed.
    pub(crate) observed: Truth,
    /// The truth that the program showed without the tool; `None` if there is no tool.
    pub(crate) bare: Option<Truth>,
    /// Seconds that the stamps of trace and witness are [apart](ats_launch::stamps::apart); 0 if that is not known.
    pub(crate) apart: f64,
    /// The environment that the run reports.
    pub(crate) environment: BTreeMap<String, Value>,
}

/// A program that has its result.
pub(crate) struct Done {
    /// The result.
    pub(crate) result: ProgramResult,
    /// The truth that its parameters promise; `None` if it cannot run with these.
    pub(crate) nominal: Option<Truth>,
    /// Whether its report names wait states; `None` if there is none.
    pub(crate) diagnoses: Option<bool>,
    /// The version of the tool, where the report says it.
    pub(crate) version: Option<String>,
}

/// The rules, catalogue, budget of retries and cancellation flag that all programs share.
pub(crate) struct Session<'a> {
    rules: Rules,
    catalogue: &'a Catalogue,
    retries: RetryBudget,
    cancelled: &'a AtomicBool,
}

impl<'a> Session<'a> {
    /// A session of this number of programs.
    pub(crate) fn new(
        programs: usize,
        rules: Rules,
        catalogue: &'a Catalogue,
        cancelled: &'a AtomicBool,
    ) -> Self {
        Session { rules, catalogue, retries: RetryBudget::with(programs), cancelled }
    }

    /// Runs programs one after the other, each into a folder of this name, and then those again that the machine disturbed,
    /// as far as the budget of retries reaches. The last run of a program counts; what those before have left is kept, and the result
    /// tells of them.
    pub(crate) fn results(
        mut self,
        runner: &mut dyn Runner,
        runs: &[(&Planned, String)],
        progress: &mut dyn Progress,
    ) -> Vec<Done> {
        let of = runs.len();
        let mut results: Vec<Done> = Vec::with_capacity(of);
        for (done, (planned, folder)) in runs.iter().enumerate() {
            if let Some(dir) = runner.dir() {
                forget_aside(dir, folder);
            }
            progress.step(Step::Running { program: planned.subject.name(), done, of });
            results.push(self.once(runner, planned, folder));
            progress.step(Step::Judged(&results[done].result));
        }
        let Some(dir) = runner.dir().map(Path::to_owned) else { return results };
        while !self.cancelled.load(Ordering::Relaxed)
            && let Some(again) = self.retries.spend(results.iter().map(|done| &done.result))
        {
            let (planned, folder) = &runs[again];
            let mut disturbed = mem::take(&mut results[again].result.disturbed);
            match set_aside(&dir, folder, disturbed.len()) {
                Ok(aside) => disturbed.iter_mut().last().expect("it was disturbed").folder = Some(aside),
                Err(problem) => {
                    self.retries.give_up(again);
                    results[again].result.disturbed = disturbed;
                    say(&mut results[again].result, problem);
                    continue;
                }
            }
            progress.step(Step::Running { program: planned.subject.name(), done: of - 1, of });
            let mut done = self.once(runner, planned, folder);
            done.result.runs += disturbed.len() as u32;
            disturbed.append(&mut done.result.disturbed);
            done.result.disturbed = disturbed;
            progress.step(Step::Judged(&done.result));
            results[again] = done;
        }
        if !self.cancelled.load(Ordering::Relaxed) {
            self.retries.mark_spent(results.iter_mut().map(|done| &mut done.result));
        }
        results
    }

    fn once(&self, runner: &mut dyn Runner, planned: &Planned, folder: &str) -> Done {
        let Planned { subject, size } = planned;
        let failed = |nominal: Option<Truth>, Failure { status, message }| Done {
            result: not_judged(
                subject.name(),
                subject.parameters(),
                *size,
                nominal.as_ref(),
                status,
                message,
            ),
            nominal,
            diagnoses: None,
            version: None,
        };
        let nominal = match truth::nominal(subject, *size, &runner.truth_options()) {
            Ok(nominal) => nominal,
            Err(error) => {
                return failed(None, Failure { status: RunStatus::NotStarted, message: error.to_string() });
            }
        };
        if self.cancelled.load(Ordering::Relaxed) {
            let message = "it was cancelled before".to_owned();
            let mut done = failed(Some(nominal), Failure { status: RunStatus::Cancelled, message });
            done.result.runs = 0;
            return done;
        }
        let ran = runner.run(planned, &nominal, folder).and_then(|ran| match unfit(&ran.report, &nominal) {
            Some(message) => Err(Failure { status: RunStatus::OtherRun, message }),
            None => Ok(ran),
        });
        match ran {
            Err(failure) => failed(Some(nominal), failure),
            Ok(mut ran) => {
                let nominal = ran.promised.take().unwrap_or(nominal);
                self.judged(nominal, ran)
            }
        }
    }

    fn judged(&self, nominal: Truth, ran: Ran) -> Done {
        let case = Case {
            nominal: &nominal,
            observed: &ran.observed,
            report: &ran.report,
            call_paths: ran.call_paths,
            catalogue: self.catalogue,
        };
        let mut result = judge(case, &self.rules);
        if let Some(explanation) = &ran.explanation {
            result.expectations.extend(judge_explanation(explanation, &case, &self.rules));
        }
        result.disturbed.extend(disturbance(&result, Some(&ran), self.rules.threshold));
        result.intrusiveness =
            ran.bare.as_ref().and_then(|bare| intrusiveness(&nominal, bare, &ran.observed));
        result.environment = ran.environment;
        let diagnoses = Some(ran.report.diagnoses());
        Done { result, nominal: Some(nominal), diagnoses, version: ran.report.version }
    }
}

/// The changes that a tool made to a program's behaviour.
fn intrusiveness(nominal: &Truth, bare: &Truth, with: &Truth) -> Option<Intrusiveness> {
    let severity = |truth: &Truth, expected: &Finding| {
        let known = truth.findings.iter().find(|finding| finding.id == expected.id);
        known.map_or(0.0, |finding| finding.severity)
    };
    let waits =
        nominal.findings.iter().filter(|finding| finding.property.is_some() && finding.severity > 0.0);
    let changes = waits.map(|expected| severity(with, expected) - severity(bare, expected)).collect();
    let wall_time = with.basis.wall_time / bare.basis.wall_time;
    wall_time.is_finite().then(|| Intrusiveness {
        wall_time,
        severity: Spread::over(changes).map(|spread| spread.median),
        of: 1,
    })
}

fn say(result: &mut ProgramResult, what: String) {
    result.message = Some(result.message.take().map_or(what.clone(), |message| format!("{message}; {what}")));
}

#[cfg(test)]
mod tests {
    use std::fs;

    use ats_compose::Subject;
    use ats_documents::score::{Cause, Outcome};
    use ats_model::ClockCorrection;
    use ats_model::clock_correction::{ClockMethod, ClockViolations};
    use serde_json::json;
    use tempfile::TempDir;

    use super::*;
    use ats_launch::environment::common;
    use ats_launch::folder::{RunFolder, keep, run_folders};
    use ats_truth::Size;

    static NEVER: AtomicBool = AtomicBool::new(false);

    /// Runs whose waits are all multiplied by a factor; each leaves its number in its folder.
    struct Machine<'a> {
        dir: &'a Path,
        factors: &'a [f64],
        /// In so many runs, the first, the trace has wrong stamps for this reason, and so the report has wrong amounts.
        wrong: (usize, Cause),
        runs: usize,
    }

    impl Runner for Machine<'_> {
        fn run(&mut self, _: &Planned, nominal: &Truth, folder: &str) -> Result<Ran, Failure> {
            let mut observed = nominal.clone();
            for finding in &mut observed.findings {
                for share in &mut finding.locations {
                    share.waiting_time *= self.factors[self.runs];
                }
            }
            let is_wrong = self.runs < self.wrong.0;
            let mut apart = 0.0;
            self.runs += 1;
            let dir = self.dir.join(folder);
            ats_launch::empty(&dir)?;
            keep(RunFolder(&dir).nominal(), nominal);
            keep(RunFolder(&dir).recording(), &self.runs);
            let report = json!({
                "schema": Report::SCHEMA, "tool": "mine", "findings": observed.findings, "warnings": ["a warning"],
                "source": "", "basis": observed.basis, "names": ["late_sender"], "calls": [], "unmapped": [],
            });
            let mut report: Report = serde_json::from_value(report).unwrap();
            if is_wrong {
                let shares = report.findings.iter_mut().flat_map(|finding| &mut finding.locations);
                shares.for_each(|share| share.waiting_time *= 1.1);
                if self.wrong.1 == Cause::Interruption {
                    apart = 0.1 * observed.findings[0].waiting_time;
                }
                let after =
                    ClockViolations { checked: 392, violated: 84, contradict: true, ..Default::default() };
                let (method, before) = (ClockMethod::Recorded, after);
                let correction = ClockCorrection { method, before, after, processes: Vec::new() };
                report.clock_correction = Some(correction).filter(|_| self.wrong.1 == Cause::Clocks);
            }
            let environment = [("work".to_owned(), json!("spin")), ("affinity".to_owned(), json!(self.runs))];
            let environment = environment.into();
            let call_paths = CallPaths::UserRegions;
            let explanation = None;
            Ok(Ran {
                report,
                explanation,
                call_paths,
                promised: None,
                observed,
                bare: None,
                apart,
                environment,
            })
        }

        fn dir(&self) -> Option<&Path> {
            Some(self.dir)
        }

        fn environment(&mut self) -> BTreeMap<String, Value> {
            BTreeMap::new()
        }
    }

    fn planned() -> Planned {
        let program = Catalogue::builtin().program("late_sender").unwrap();
        let arguments = program.property.arguments([("r", "1")]).unwrap();
        Planned { subject: Subject::Property { program, arguments }, size: Size::ranks(2) }
    }

    fn run(dir: &Path, factors: &[f64], programs: usize) -> Vec<ProgramResult> {
        run_with(dir, factors, (0, Cause::Clocks), programs)
    }

    fn run_with(dir: &Path, factors: &[f64], wrong: (usize, Cause), programs: usize) -> Vec<ProgramResult> {
        let catalogue = Catalogue::builtin();
        let session = Session::new(programs, Rules::MEASURED, &catalogue, &NEVER);
        let mut machine = Machine { dir, factors, wrong, runs: 0 };
        let planned = planned();
        let runs: Vec<_> = (0..programs).map(|number| (&planned, format!("late_sender.{number}"))).collect();
        session.results(&mut machine, &runs, &mut ()).into_iter().map(|done| done.result).collect()
    }

    /// The number that each run of the first program left.
    fn left(dir: &Path) -> Vec<(String, String)> {
        let mut left: Vec<_> = fs::read_dir(dir)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .map(|path| {
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                (name, fs::read_to_string(path.join("trace")).unwrap().trim().to_owned())
            })
            .collect();
        left.sort();
        left
    }

    fn named(names: &[(&str, &str)]) -> Vec<(String, String)> {
        names.iter().map(|(name, run)| ((*name).to_owned(), (*run).to_owned())).collect()
    }

    #[test]
    fn disturbed_runs_are_run_again_and_kept() {
        let dir = TempDir::new().unwrap();
        let results = run(dir.path(), &[0.4, 1.08, 1.01], 1);
        let [result] = &results[..] else { panic!("one program") };
        assert_eq!((result.runs, result.message.as_deref()), (3, Some("a warning")));
        assert_eq!(
            (result.expectations[0].outcome, &result.environment["affinity"]),
            (Outcome::Found, &json!(3))
        );
        let told: Vec<_> = result
            .disturbed
            .iter()
            .map(|run| (run.cause, (run.share * 100.0).round(), run.folder.as_deref()))
            .collect();
        let deviation = |percent, folder| (Cause::Deviation, percent, Some(folder));
        assert_eq!(told, [deviation(60.0, "late_sender.0~1"), deviation(8.0, "late_sender.0~2")]);
        let names = [("late_sender.0", "3"), ("late_sender.0~1", "1"), ("late_sender.0~2", "2")];
        assert_eq!(left(dir.path()), named(&names));
        assert_eq!(run_folders(dir.path()).unwrap(), [dir.path().join("late_sender.0")]);
        let totals = crate::score::totals(&results, 0.01, &Catalogue::builtin());
        assert_eq!((totals.runs, totals.disturbed, totals.run_again), (3, 2, 1));

        let again = run(dir.path(), &[1.0], 1);
        assert_eq!((again[0].runs, again[0].disturbed.len()), (1, 0));
        assert_eq!(left(dir.path()), named(&[("late_sender.0", "1")]), "an earlier session's are gone");
    }

    #[test]
    fn the_last_run_counts_even_if_it_was_disturbed_too() {
        let dir = TempDir::new().unwrap();
        let results = run(dir.path(), &[0.3, 0.4, 0.45], 1);
        assert_eq!((results[0].runs, results[0].disturbed.len()), (3, 3));
        assert_eq!(results[0].disturbed[2].folder, None);
        assert_eq!(results[0].expectations[0].outcome, Outcome::NotManifested);
        assert!(!results[0].has_passed(0.01));
    }

    #[test]
    fn wrong_stamps_are_the_runs_disturbance_and_not_the_tools_mistake() {
        let dir = TempDir::new().unwrap();
        let disturbed = |times, cause| {
            let results = run_with(dir.path(), &[1.0; 3], (times, cause), 1);
            let told: Vec<_> =
                results[0].disturbed.iter().map(|run| (run.cause, run.folder.is_some())).collect();
            (results[0].expectations[0].outcome, told)
        };
        for cause in [Cause::Clocks, Cause::Interruption] {
            assert_eq!(disturbed(1, cause), (Outcome::Found, vec![(cause, true)]));
            let told = [true, true, false].map(|again| (cause, again)).to_vec();
            assert_eq!(disturbed(3, cause), (Outcome::Wrong, told), "three runs are all");
        }
    }

    #[test]
    fn a_machine_that_is_always_busy_keeps_nobody_waiting() {
        let dir = TempDir::new().unwrap();
        let results = run(dir.path(), &[1.1; 10], 8);
        assert_eq!(results.iter().map(|result| result.runs).sum::<u32>(), 10);
        let told = |result: &ProgramResult| result.disturbed.last().map(|run| run.out_of_reruns);
        let told: Vec<_> = results.iter().map(|result| (result.runs, told(result))).collect();
        let (again, not_again) = ((2, Some(true)), (1, Some(true)));
        assert_eq!(told, [again, again, not_again, not_again, not_again, not_again, not_again, not_again]);
    }

    #[test]
    fn programs_that_showed_too_little_are_run_again_first() {
        let dir = TempDir::new().unwrap();
        let factors = [1.1, 1.1, 0.3, 1.1, 0.4, 1.1, 1.1, 1.1, 0.4, 1.0];
        let results = run(dir.path(), &factors, 8);
        let runs: Vec<u32> = results.iter().map(|result| result.runs).collect();
        assert_eq!(runs, [1, 1, 2, 1, 2, 1, 1, 1], "the third once more, and so the fifth");
        let outcomes = [2, 4].map(|at: usize| results[at].expectations[0].outcome);
        assert_eq!(outcomes, [Outcome::NotManifested, Outcome::Found]);
    }

    #[test]
    fn common_messages_are_printed_once() {
        let dir = TempDir::new().unwrap();
        let mut results = run(dir.path(), &[1.0, 1.0], 2);
        let common = common(results.iter_mut().map(|result| &mut result.environment)).unwrap();
        assert_eq!(common, json!({ "work": "spin" }));
        let own: Vec<_> = results.iter().map(|result| json!(result.environment)).collect();
        assert_eq!(own, [json!({ "affinity": 1 }), json!({ "affinity": 2 })]);
    }
}
