//! Explanations of real runs: the same causes as in virtual time, and the same locations. Waits and root causes of these
//! runs are judged as well, so that each program is run once.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use ats_documents::explanation::{CauseKind, Problem};
use ats_documents::finding::View;
use ats_documents::{Comparison, Explanation, Truth};
use ats_model::locations::Location;
use ats_model::place;
use serde_json::Value;
use tempfile::TempDir;

use crate::common::{answer, ats_in};
use crate::main_job::assert_amounts;
use crate::real_causes::assert_costs;

/// A program with a parameter, and the cause of its waits. Its twin runs, too.
type Program = (&'static str, &'static str, CauseKind);

/// Programs of processes.
///
/// In uneven distributions, a single rank has the most work: with several, chance decides which one comes last. Causes
/// that depend on the MPI library are absent: completion of operations, and progress outside calls.
const OF_PROCESSES: [Program; 14] = [
    ("lack_of_parallelism_p2p", "r=10", CauseKind::LackOfParallelism),
    ("late_broadcast", "r=10", CauseKind::LackOfParallelism),
    ("serialized_output", "r=10", CauseKind::LackOfParallelism),
    ("multiple_output", "r=10", CauseKind::MultipleOutput),
    ("blocked_sender", "r=10", CauseKind::BlockedSender),
    ("late_sender_propagation", "r=10", CauseKind::UnevenWork),
    ("serialized_chain", "work=0.05", CauseKind::BlockedSender),
    ("intensive_server", "r=10", CauseKind::BusyMaster),
    ("slow_slaves", "r=10", CauseKind::BusyWorkers),
    ("late_sender", "r=10", CauseKind::UnevenWork),
    ("late_receiver", "r=10", CauseKind::LateReceiver),
    ("ping_pong", "r=10", CauseKind::Turns),
    ("imbalance_at_mpi_barrier", ONE_IS_LATE, CauseKind::LateArrival),
    ("imbalance_at_mpi_allreduce", ONE_IS_LATE, CauseKind::LateArrival),
];

const ONE_IS_LATE: &str = "distribution=peak:0.01:0.06:5";

/// Programs of the threads of one process.
const OF_THREADS: [Program; 9] = [
    ("idle_threads_sequential_part", "r=10", CauseKind::SerialPart),
    ("limited_parallelism", "r=10", CauseKind::FewThreads),
    ("imbalance_in_omp_loop", ONE_IS_LATE, CauseKind::UnevenTeam),
    ("imbalance_at_omp_barrier", ONE_IS_LATE, CauseKind::UnevenTeam),
    ("fewer_tasks_than_threads", "r=10", CauseKind::FewPieces),
    ("imbalance_due_to_not_enough_sections", "r=10", CauseKind::FewPieces),
    ("unparallelized_in_single_region", "r=10", CauseKind::OneThread),
    ("unparallelized_in_master_region", "r=10", CauseKind::OneThread),
    ("critical_section_contention", "r=10", CauseKind::Contention),
];

/// Those of them whose locations are chance: which thread executes a section, a task or a `single`.
const BY_CHANCE: [&str; 3] =
    ["fewer_tasks_than_threads", "imbalance_due_to_not_enough_sections", "unparallelized_in_single_region"];

/// More than many machines have cores: there, ranks and threads sleep instead of working.
const LOCATIONS: &str = "8";

/// Least agreement with virtual time on a busy machine: of the share of a problem, and of its distribution over ranks.
const ALIKE: f64 = 0.5;

/// Largest error of the difference between two runs, beside that of their stamps.
const COMPARED: f64 = 0.02;

/// Largest share of an unplanned problem in an undisturbed run.
const NO_PROBLEM: f64 = 0.05;

/// The names of all of them.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    OF_PROCESSES.iter().chain(&OF_THREADS).map(|(name, ..)| *name)
}

fn explained(dir: &Path, trace: &str) -> Explanation {
    serde_json::from_str(&answer(dir, &["explain", trace, "--format", "json"])).unwrap()
}

/// The share of a problem that each location causes.
fn by_location(problem: &Problem) -> BTreeMap<Location, f64> {
    let all: f64 = problem.culprits.iter().map(|culprit| culprit.seconds).sum();
    let mut shares = BTreeMap::new();
    for culprit in &problem.culprits {
        *shares.entry(culprit.location).or_default() += culprit.seconds / all;
    }
    shares
}

/// The part that two distributions have in common.
fn overlap(one: &BTreeMap<Location, f64>, other: &BTreeMap<Location, f64>) -> f64 {
    one.iter().map(|(location, share)| share.min(other.get(location).copied().unwrap_or(0.0))).sum()
}

/// Whether a path of a real run is that of virtual time. Not every runtime tells of each section.
fn is_there(planned: &[String], real: &[String]) -> bool {
    let around = planned.strip_suffix(&["!$omp section".to_owned()]);
    place::is_at(planned, real) || around.is_some_and(|around| place::is_at(around, real))
}

#[test]
fn real_runs_of_processes_are_explained_as_those_in_virtual_time() {
    compare(&OF_PROCESSES, ["--np", LOCATIONS], "");
}

#[test]
fn real_runs_of_threads_are_explained_as_those_in_virtual_time() {
    compare(&OF_THREADS, ["--threads", LOCATIONS], "-1x8");
}

/// Whether the machine has disturbed a run to the last: it has waits of the machine's.
fn is_disturbed(run: &Value) -> bool {
    run["disturbed"].as_array().is_some_and(|of| run["runs"] == of.len())
}

/// Runs programs and their twins in this size, and compares the explanations with those of virtual time. The folder of a
/// run is its name with a suffix.
fn compare(programs: &[Program], size: [&str; 2], suffix: &str) {
    ats_testing::before_others(ats_testing::Priority::OfRunsThatMayBeRepeated);
    let dir = TempDir::new().unwrap();
    let words: Vec<&str> = programs.iter().flat_map(|(name, parameter, _)| [*name, *parameter]).collect();
    let options = ["validate", "--causes", "--explain", "--format", "json"];
    let output = ats_in(dir.path(), &[&options, &*words, &size].concat());
    let said = String::from_utf8_lossy(&output.stderr);
    let result: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{said}"));
    let runs = result["programs"].as_array().unwrap();
    assert_eq!(runs.len(), 2 * programs.len(), "{said}");
    for run in runs {
        assert_eq!(run["run_status"], "ok", "{run:#}");
        assert_amounts(run, &result["totals"]["threshold"]);
        // Not every runtime reports each section, so the costs of threads are found at other constructs than observed.
        if size[0] == "--np" {
            assert_costs(run);
        }
    }
    let run_of = |program: &str| runs.iter().find(|run| run["program"] == program).unwrap();
    for &(name, parameter, cause) in programs {
        answer(dir.path(), &[&["trace", name, parameter], &size[..], &["-o", name]].concat());
        let folder = |name: &str| format!("target/ats-validation/{name}{suffix}/trace");
        let [planned, real] = [name.to_owned(), folder(name)]
            .map(|trace| explained(dir.path(), &trace).problems.swap_remove(0));
        let what = || format!("{name}: {real:#?}");
        assert_eq!((planned.cause(), real.cause()), (cause, cause), "{}", what());
        assert!(real.share >= ALIKE * planned.share, "{} {}", planned.share, what());
        assert!(is_there(&planned.call_path, &real.call_path), "{:?} {}", planned.call_path, what());
        let common = overlap(&by_location(&planned), &by_location(&real));
        assert!(
            common >= ALIKE || BY_CHANCE.contains(&name),
            "{common} of {:?}, {}",
            planned.culprits,
            what()
        );

        if size[0] == "--np" {
            assert_compared(dir.path(), name);
        }
        if !is_disturbed(run_of(name)) {
            let judged = run_of(name)["expectations"].as_array().unwrap();
            let mut explanations = judged.iter().filter(|one| one["view"] == "explanation").peekable();
            assert!(explanations.peek().is_some(), "{name}");
            explanations.for_each(|one| assert_eq!(one["outcome"], "found", "{one:#}, {}", what()));
        }
        let twin = format!("{name}_balanced");
        if !is_disturbed(run_of(&twin)) {
            let problems = explained(dir.path(), &folder(&twin)).problems;
            assert!(problems.iter().all(|problem| problem.share <= NO_PROBLEM), "{twin}: {problems:#?}");
        }
    }
}

/// Asserts that a program has more of its planned waits than its twin by as much as the stamps of both runs say.
fn assert_compared(dir: &Path, name: &str) {
    let folder = |name: &str| dir.join("target/ats-validation").join(name);
    let twin = format!("{name}_balanced");
    let [before, after] = [&*twin, name].map(|name| folder(name).join("trace").display().to_string());
    let compared: Comparison =
        serde_json::from_str(&answer(dir, &["compare", &before, &after, "--format", "json"])).unwrap();
    let truth = |document: &str, name: &str| -> Truth {
        serde_json::from_slice(&fs::read(folder(name).join(document)).unwrap()).unwrap()
    };
    let observed = [&*twin, name].map(|name| truth("observed.json", name));
    let mut planned = truth("nominal.json", name).findings;
    planned.retain(|finding| finding.view == View::Wait && finding.waiting_time > 0.0);
    assert!(!planned.is_empty(), "{name}");
    for wait in planned {
        let places = compared.terms.iter().flat_map(|term| &term.places);
        let is_at = |path: &[String]| place::is_at(&wait.call_path, path);
        let found = places.filter(|place| {
            place.wait_state == wait.property
                && is_at(place.place.call_path_in_b.as_deref().unwrap_or(&place.place.call_path))
        });
        let found: f64 = found.map(|place| place.difference.change()).sum();
        let [of_twin, of_program] = observed.each_ref().map(|truth| {
            let waits = truth.findings.iter().filter(|finding| {
                finding.property == wait.property
                    && finding
                        .call_path
                        .iter()
                        .map(|region| region.replace(&twin, name))
                        .eq(wait.call_path.iter().cloned())
            });
            waits.map(|finding| finding.waiting_time).sum::<f64>()
        });
        let more = of_program - of_twin;
        assert!(
            (found - more).abs() <= COMPARED * more,
            "{}: {found} s, and by its stamps {more} s",
            wait.id
        );
    }
}
