//! Constructs of OpenMP that are rare: what is not followed is said, and nothing is shown that is not there.

use ats_documents::Analysis;
use ats_model::WaitState;

use super::{Foreign, assert_waits, seconds};

const BARRIER: WaitState = WaitState::WaitAtImplicitOmpBarrier;

/// The analysis of the program with this argument.
#[track_caller]
fn analysis(foreign: &Foreign, construct: &str) -> Analysis {
    let settings = ["env", "OMP_CANCELLATION=true", "KMP_TEAMS_THREAD_LIMIT=8"];
    foreign.record(&[&settings[..], &["./program", construct]].concat()).analysis()
}

#[test]
fn leagues_and_cancelled_regions_are_warned_of_and_limit_nothing() {
    let foreign = Foreign::compiled("constructs.c");
    const OUTSIDE: &str = "OpenMP barriers outside every team (no wait is counted for them): ";
    for (construct, locations, said) in [
        ("teams", 4, OUTSIDE),
        ("target", 2, OUTSIDE),
        (
            "cancelled",
            4,
            "OpenMP barriers that are explicit on one thread of the team and implicit on another (ignored): ",
        ),
    ] {
        let analysis = analysis(&foreign, construct);
        let [warning] = &analysis.warnings[..] else { panic!("{construct}: {:?}", analysis.warnings) };
        assert!(warning.starts_with(said), "{construct}: {warning}");
        assert_eq!(seconds(&analysis, WaitState::LimitedParallelism), 0.0, "{construct}");
        assert_eq!(analysis.locations, locations, "{construct}");
    }
}

#[test]
fn barriers_wait_as_long_as_their_threads_are_apart() {
    let foreign = Foreign::compiled("constructs.c");
    for (construct, right) in [("resized", 0.42), ("copyprivate", 0.3), ("nested", 0.4), ("detached", 0.1)] {
        let analysis = analysis(&foreign, construct);
        assert_eq!(analysis.warnings, [""; 0], "{construct}");
        assert_waits(&analysis, BARRIER, right);
    }
    // The limits are half of what would be found if the time that is no wait were one. Which thread executes which task, and
    // how long the last tasks are waited for, differs from run to run.
    for (construct, wrong) in [
        ("dependences", 0.3),
        ("taskloop", 0.15),
        ("task_reduction", 0.15),
        ("apart", 0.6),
        ("doacross", 0.48),
    ] {
        let analysis = analysis(&foreign, construct);
        assert_eq!(analysis.warnings, [""; 0], "{construct}");
        assert!(seconds(&analysis, BARRIER) < wrong / 2.0, "{construct}: {:?}", analysis.findings);
    }
    let ended = analysis(&foreign, "ended");
    assert_eq!((ended.locations, &ended.warnings[..]), (4, &[][..]));
}
