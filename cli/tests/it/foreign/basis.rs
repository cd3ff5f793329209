//! What shares are of: nothing is more than all of it, and what lies outside of it has none.

use ats_model::WaitState;

use super::{Foreign, assert_waits, seconds};

#[test]
#[ignore = "a real run: `make test` runs it"]
fn threads_idle_in_init_and_finalize_are_outside_of_what_is_measured() {
    let foreign = Foreign::compiled("hybridinit.c");
    let mut analysis = foreign.on_ranks(2).analysis();
    for finding in &analysis.findings {
        assert!(finding.severity <= 1.0, "{finding:?}");
        let is_outside = finding
            .call_path
            .last()
            .is_some_and(|call| call.starts_with("MPI_Init") || call == "MPI_Finalize");
        assert!(!(finding.in_basis && is_outside), "{finding:?}");
    }
    assert!(analysis.findings.iter().any(|finding| finding.id == "idle_threads@MPI_Init_thread"));
    let text = foreign.answer(&["analyze", "trace"]);
    let (_, outside) = text.split_once("Outside of it:\n").expect("there is something outside");
    assert!(outside.lines().skip(1).all(|row| row.trim_start().starts_with('–')), "{text}");
    analysis.findings.retain(|finding| finding.in_basis);
    assert_waits(&analysis, WaitState::IdleThreads, 0.2);
}

#[test]
#[ignore = "a real run: `make test` runs it"]
fn teams_that_run_side_by_side_do_not_limit_each_other() {
    let foreign = Foreign::compiled("ompinthreads.c");
    let analysis = foreign.record(&["./program"]).analysis();
    assert_eq!(seconds(&analysis, WaitState::LimitedParallelism), 0.0);
    assert_waits(&analysis, WaitState::WaitAtImplicitOmpBarrier, 0.16);
}
