//! The basis of shares: none exceeds the whole, and findings outside of it have none.

use ats_documents::finding::Bounds;
use ats_documents::{Basis, Finding};
use ats_model::WaitState;
use ats_model::definitions::Paradigm;

use super::{Foreign, assert_as_measured, assert_is_whole, assert_waits, seconds};

#[test]
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
    let is_in_init = |finding: &Finding| {
        let call = finding.call_path.last().map(String::as_str);
        finding.property == Some(WaitState::IdleThreads) && call == Some("MPI_Init_thread")
    };
    assert!(analysis.findings.iter().any(is_in_init));
    let text = foreign.answer(&["analyze", "trace"]);
    let (_, outside) = text.split_once("Outside of it:\n").expect("there is something outside");
    let is_left_out = |row: &str| row.starts_with("and ");
    let mut rows = outside.lines().skip(1);
    assert!(rows.all(|row| row.trim_start().starts_with('–') || is_left_out(row)), "{text}");
    assert_is_whole(&foreign.profile());
    analysis.findings.retain(|finding| finding.in_basis);
    assert_waits(&analysis, WaitState::IdleThreads, 0.2);
}

#[test]
fn teams_that_run_side_by_side_do_not_limit_each_other() {
    let foreign = Foreign::compiled("ompinthreads.c");
    let measured = foreign.measured(&["./program"])[0];
    let analysis = foreign.analysis();
    assert_eq!(seconds(&analysis, WaitState::LimitedParallelism), 0.0);
    assert_as_measured(seconds(&analysis, WaitState::WaitAtImplicitOmpBarrier), measured);
}

#[test]
fn the_program_s_own_computing_is_its_own_in_the_profile() {
    let foreign = Foreign::compiled("comp.c");
    let profile = foreign.on_ranks(2).profile();
    let wall = assert_is_whole(&profile);
    assert!(wall.len() == 2 && wall.values().all(|&seconds| seconds > 0.5), "{wall:?}");
    let spent = profile.by_region(|_| true);
    let own = spent.iter().zip(&profile.regions).filter(|(_, region)| region.paradigm != Paradigm::Mpi);
    assert!(own.map(|(spent, _)| spent.exclusive).sum::<f64>() >= 1.0, "{spent:?}");
}

#[test]
fn a_program_of_threads_alone_is_profiled_from_its_beginning_to_its_end() {
    let foreign = Foreign::compiled("ompserial.c");
    let profile = foreign.record(&["./program"]).profile();
    assert!(assert_is_whole(&profile)[&0] >= 0.45);
    let analysis = foreign.analysis();
    assert_eq!(analysis.basis.bounds, Bounds::WholeRun);
    assert_waits(&analysis, WaitState::IdleThreads, 0.4);
    let text = foreign.answer(&["profile", "trace"]);
    assert!(text.lines().any(|row| row.ends_with("  idle_threads")), "{text}");
}

#[test]
fn a_thread_counts_from_its_first_to_its_last_event() {
    let foreign = Foreign::compiled("shortthreads.c");
    let analysis = foreign.on_ranks(2).analysis();
    assert_eq!(analysis.locations, 1002);
    let Basis { wall_time, location_seconds, .. } = analysis.basis;
    assert!(
        location_seconds <= 4.0 * wall_time,
        "{location_seconds} s in {wall_time} s on at most 4 threads"
    );
    let longest = foreign.answer(&["analyze", "trace"]).lines().map(|line| line.chars().count()).max();
    assert!(longest < Some(300), "{longest:?}");
}
