//! Explanations of real runs: the same causes as in virtual time, and the same ranks.

use std::collections::BTreeMap;
use std::path::Path;

use ats_documents::Explanation;
use ats_documents::explanation::{CauseKind, Problem};
use serde_json::Value;
use tempfile::TempDir;

use crate::common::{answer, ats_in};

/// Programs with a parameter, and the cause of the waits of each. Their twins run, too.
///
/// In uneven distributions, a single rank has the most work: with several, chance decides which one comes last. Causes
/// that depend on the MPI library are absent: completion of operations, and progress outside calls.
const PROGRAMS: [(&str, &str, CauseKind); 14] = [
    ("lack_of_parallelism_p2p", "r=10", CauseKind::LackOfParallelism),
    ("late_broadcast", "r=10", CauseKind::LackOfParallelism),
    ("serialized_output", "r=10", CauseKind::LackOfParallelism),
    ("multiple_output", "r=10", CauseKind::MultipleOutput),
    ("blocked_sender", "r=10", CauseKind::BlockedSender),
    ("late_sender_propagation", "r=10", CauseKind::BlockedSender),
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

/// More ranks than many machines have cores: there, ranks sleep instead of working.
const RANKS: &str = "8";

/// Least agreement with virtual time on a busy machine: of the share of a problem, and of its distribution over ranks.
const ALIKE: f64 = 0.5;

/// Largest share of an unplanned problem in an undisturbed run.
const NO_PROBLEM: f64 = 0.05;

fn explained(dir: &Path, trace: &str) -> Explanation {
    serde_json::from_str(&answer(dir, &["explain", trace, "--format", "json"])).unwrap()
}

/// The share of a problem that each rank causes.
fn by_rank(problem: &Problem) -> BTreeMap<u32, f64> {
    let all: f64 = problem.culprits.iter().map(|culprit| culprit.seconds).sum();
    let mut shares = BTreeMap::new();
    for culprit in &problem.culprits {
        *shares.entry(culprit.location.rank).or_default() += culprit.seconds / all;
    }
    shares
}

/// The part that two distributions have in common.
fn overlap(one: &BTreeMap<u32, f64>, other: &BTreeMap<u32, f64>) -> f64 {
    one.iter().map(|(rank, share)| share.min(other.get(rank).copied().unwrap_or(0.0))).sum()
}

#[test]
#[ignore = "needs an MPI library and builds programs for it: `make test` runs it"]
fn real_runs_are_explained_as_those_in_virtual_time() {
    let dir = TempDir::new().unwrap();
    let words: Vec<&str> = PROGRAMS.iter().flat_map(|(name, parameter, _)| [*name, *parameter]).collect();
    let output = ats_in(dir.path(), &[&["validate"], &*words, &["--np", RANKS, "--format", "json"]].concat());
    let said = String::from_utf8_lossy(&output.stderr);
    let result: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{said}"));
    let runs = result["programs"].as_array().unwrap();
    assert_eq!(runs.len(), 2 * PROGRAMS.len(), "{said}");
    for (name, parameter, cause) in PROGRAMS {
        answer(dir.path(), &["trace", name, parameter, "--np", RANKS, "-o", name]);
        let [planned, real] = [name.to_owned(), format!("target/ats-validation/{name}/trace")]
            .map(|trace| explained(dir.path(), &trace).problems.swap_remove(0));
        let what = || format!("{name}: {real:#?}");
        assert_eq!((planned.cause(), real.cause()), (cause, cause), "{}", what());
        assert!(real.share >= ALIKE * planned.share, "{} {}", planned.share, what());
        assert_eq!(real.call_path.last(), planned.call_path.last(), "{}", what());
        let common = overlap(&by_rank(&planned), &by_rank(&real));
        assert!(common >= ALIKE, "{common} of {:?}, {}", planned.culprits, what());

        // A run that the machine has disturbed to the last has waits of the machine's.
        let twin = format!("{name}_balanced");
        let run = runs.iter().find(|run| run["program"] == twin).unwrap();
        if !run["disturbed"].as_array().is_some_and(|of| run["runs"] == of.len()) {
            let problems = explained(dir.path(), &format!("target/ats-validation/{twin}/trace")).problems;
            assert!(problems.iter().all(|problem| problem.share <= NO_PROBLEM), "{twin}: {problems:#?}");
        }
    }
}
