//! Single waits: each with its begin and end, and together what the findings say.

use std::collections::BTreeMap;

use ats_analyzer::{analyze, analyze_with, notation::parse};
use ats_model::{View, WaitState};

/// The waits of a trace: `WAIT_STATE RANK.THREAD BEGIN..END`, sorted; their sums are those of the findings.
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

    let row = |wait: &ats_model::Wait| {
        let state = analysis.findings[wait.finding].property.map_or("", WaitState::name);
        let location = &locations[wait.location];
        format!("{state} {}.{} {}..{}", location.rank, location.thread, wait.begin, wait.end)
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
        "late_sender 0.0 9..12
         late_sender 1.0 2..5",
    );
    check(
        "0: 0..9 MPI_Ssend send 1
         1: 0..7 work; 7..9 MPI_Recv recv 0",
        "late_receiver 0.0 0..7",
    );
}

#[test]
fn of_collective_operations() {
    check(
        "0: 0..10 MPI_Barrier barrier
         1: 0..6 work; 6..8 MPI_Barrier barrier",
        "barrier_completion 0.0 8..10
         wait_at_barrier 0.0 0..6",
    );
}

#[test]
fn of_threads_that_are_idle_there_are_none() {
    check(
        "team t 0 0.1
         0: 0..3 work; 3 fork; 3 begin t; 3 enter $parallel; 3..5 work; 5..9 $barrier; 9 leave; 9 end t; 9 join
         0.1: 4 begin t; 4 enter $parallel; 4..9 work; 9..9 $barrier; 9 leave; 9 end t",
        "omp_management 0.1 3..4
         wait_at_explicit_omp_barrier 0.0 5..9",
    );
}
