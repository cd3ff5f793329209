//! Single waits: each with its begin and end, and the sums of the findings together.

use std::collections::BTreeMap;

use ats_analyzer::{analyze, analyze_with, notation::parse};
use ats_model::{View, WaitState};

/// The waits of a trace: `WAIT_STATE RANK.THREAD BEGIN..END for RANK.THREAD`, sorted; their sums are those of the
/// findings.
#[track_caller]
fn check(trace: &str, expected: &str) {
    let trace = parse(trace).unwrap();
    let mut waits = Vec::new();
    let analysis = analyze_with(&trace, "test", &Default::default(), &mut |wait| waits.push(wait)).unwrap();
    assert_eq!(analysis, analyze(&trace, "test", &Default::default()).unwrap());

    let locations = &trace.definitions.locations;
    let mut sums: BTreeMap<(usize, u32, u32), u64> = BTreeMap::new();
    for wait in &waits {
        let location = &locations[wait.location];
        *sums.entry((wait.finding, location.rank, location.thread)).or_default() += wait.end - wait.begin;
    }
    let findings = analysis.findings.iter().enumerate().filter(|(_, finding)| finding.view != View::Idle);
    let shares = findings.flat_map(|(index, finding)| {
        finding.locations.iter().map(move |s| ((index, s.rank, s.thread), s.waiting_time as u64))
    });
    assert_eq!(sums, shares.collect());

    let row = |wait: &ats_documents::Wait| {
        let state = analysis.findings[wait.finding].property.map_or("", WaitState::name);
        let location = &locations[wait.location];
        let awaited = wait.awaited.map_or_else(String::new, |awaited| {
            let awaited = &locations[awaited];
            format!(" for {}.{}", awaited.rank, awaited.thread)
        });
        format!("{state} {}.{} {}..{}{awaited}", location.rank, location.thread, wait.begin, wait.end)
    };
    let mut rows: Vec<String> = waits.iter().map(row).collect();
    rows.sort();
    assert_eq!(rows, expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>());
}

#[test]
fn of_messages() {
    check(
        "0: 0..5 work; 5..9 MPI_Send send 1; 9..12 MPI_Recv recv 1
         1: 2..9 MPI_Recv recv 0; 9..20 work; 20..22 MPI_Send send 0",
        "late_sender 0.0 9..12 for 1.0
         late_sender 1.0 2..5 for 0.0",
    );
    check(
        "0: 0..9 MPI_Ssend send 1
         1: 0..7 work; 7..9 MPI_Recv recv 0",
        "late_receiver 0.0 0..7 for 1.0",
    );
}

#[test]
fn of_collective_operations() {
    check(
        "0: 0..10 MPI_Barrier barrier
         1: 0..6 work; 6..8 MPI_Barrier barrier",
        "barrier_completion 0.0 8..10
         wait_at_barrier 0.0 0..6 for 1.0",
    );
}

#[test]
fn of_threads_that_are_idle_there_are_none() {
    check(
        "team t 0 0.1
         0: 0..3 work; 3 fork; 3 begin t; 3 enter $parallel; 3..5 work; 5..9 $barrier; 9 leave; 9 end t; 9 join
         0.1: 4 begin t; 4 enter $parallel; 4..9 work; 9..9 $barrier; 9 leave; 9 end t",
        "omp_management 0.1 3..4
         wait_at_explicit_omp_barrier 0.0 5..9 for 0.1",
    );
}

#[test]
fn each_is_for_the_one_that_comes_last_of_those_that_matter() {
    check(
        "0: 0..3 work; 3..9 MPI_Bcast bcast root 1 sent 0 received 8
         1: 0..5 work; 5..9 MPI_Bcast bcast root 1 sent 16 received 8
         2: 0..7 work; 7..9 MPI_Bcast bcast root 1 sent 0 received 8",
        "late_broadcast 0.0 3..5 for 1.0",
    );
    check(
        "0: 0..3 work; 3..9 MPI_Reduce reduce root 0 sent 0 received 16
         1: 0..5 work; 5..9 MPI_Reduce reduce root 0 sent 8 received 0
         2: 0..7 work; 7..9 MPI_Reduce reduce root 0 sent 8 received 0",
        "early_reduce 0.0 3..7 for 2.0",
    );
    check(
        "0: 0..6 work; 6..9 MPI_Scan scan sent 8 received 8
         1: 0..2 work; 2..9 MPI_Scan scan sent 8 received 8
         2: 0..8 work; 8..9 MPI_Scan scan sent 8 received 8",
        "early_scan 1.0 2..6 for 0.0",
    );
}
