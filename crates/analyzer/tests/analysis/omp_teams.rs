//! Teams: nested, of varying size, damaged; and the call paths that they continue.

use ats_analyzer::{Options, analyze, notation::parse};
use ats_model::EventSource;
use ats_trace::{Archive, ArchiveProperties, ArchiveWriter};

use crate::{check, check_damaged, in_parts::check_in_parts};

#[test]
fn mpi_in_a_team_has_the_call_path_of_its_fork() {
    check(
        "team t 0 0.1
         0: 0 enter f; 0 fork; 0 begin t; 0 enter $parallel; 9 leave; 9 end t; 9 join; 9 leave
         0.1: 0 begin t; 0 enter $parallel; 1..9 MPI_Recv recv 1; 9 leave; 9 end t
         1: 5..9 MPI_Send send 0",
        "late_sender f/!$omp parallel/MPI_Recv 0.1:4",
    );
}

#[test]
fn collectives_in_teams_too() {
    check(
        "team t 0 0.1
         0: 0 enter f; 0 fork; 0 begin t; 0 enter $parallel; 9 leave; 9 end t; 9 join; 9 leave
         0.1: 0 begin t; 0 enter $parallel; 1..9 MPI_Barrier barrier; 9 leave; 9 end t
         1: 5..9 MPI_Barrier barrier",
        "wait_at_barrier f/!$omp parallel/MPI_Barrier 0.1:4",
    );
}

#[test]
fn a_nested_team_s_path_goes_on_from_its_master_s() {
    check(
        "team outer 0 0.1
         team inner 0.1 0.2
         0: 0 enter f; 0 fork; 0 begin outer; 0 enter $parallel; 9..9 $implicit-barrier; 9 leave; 9 end outer; 9 join
         0: 9 leave
         0.1: 0 begin outer; 0 enter $parallel; 0 enter g; 0 fork; 0 begin inner; 0 enter $parallel; 2..6 $barrier
         0.1: 6 leave; 6 end inner; 6 join; 6 leave; 7..9 $implicit-barrier; 9 leave; 9 end outer
         0.2: 0 begin inner; 0 enter $parallel; 1..6 $barrier; 6 leave; 6 end inner",
        "limited_parallelism f/!$omp parallel 0.2:3
         wait_at_implicit_omp_barrier f/!$omp parallel/!$omp implicit barrier 0.1:2
         wait_at_explicit_omp_barrier f/!$omp parallel/g/!$omp parallel/!$omp barrier 0.2:1",
    );
}

#[test]
fn threads_change_their_parts_between_nested_teams() {
    // First 1 starts a team with 2, later 2 one with 1.
    check(
        "team outer 0 0.1
         team other 0 0.2
         team a 0.1 0.2
         team b 0.2 0.1
         0: 0 fork; 0 begin outer; 0 enter $parallel; 4 leave; 4 end outer; 4 join
         0: 4 fork; 4 begin other; 4 enter $parallel; 8 leave; 8 end other; 8 join
         0.1: 0 begin outer; 0 enter $parallel; 0 enter f; 0 fork; 0 begin a; 0 enter $parallel; 4..4 $barrier
         0.1: 4 leave; 4 end a; 4 join; 4 leave; 4 leave; 4 end outer
         0.1: 4 begin b; 4 enter $parallel; 6..8 $barrier; 8 leave; 8 end b
         0.2: 0 begin a; 0 enter $parallel; 1..4 $barrier; 4 leave; 4 end a
         0.2: 4 begin other; 4 enter $parallel; 4 enter g; 4 fork; 4 begin b; 4 enter $parallel; 8..8 $barrier
         0.2: 8 leave; 8 end b; 8 join; 8 leave; 8 leave; 8 end other",
        "wait_at_explicit_omp_barrier !$omp parallel/f/!$omp parallel/!$omp barrier 0.2:3
         wait_at_explicit_omp_barrier !$omp parallel/g/!$omp parallel/!$omp barrier 0.1:2",
    );
}

#[test]
fn inner_teams_of_one_leave_the_outer_barrier_to_the_outer_team() {
    check(
        "team t 0 0.1
         team zero 0
         team one 0.1
         0: 0 fork; 0 begin t; 0 enter $parallel; 1 fork; 1 begin zero; 1 enter $parallel; 2..2 $implicit-barrier
         0: 2 leave; 2 end zero; 2 join; 3..9 $implicit-barrier; 9 leave; 9 end t; 9 join
         0.1: 0 begin t; 0 enter $parallel; 1 fork; 1 begin one; 1 enter $parallel; 7..7 $implicit-barrier
         0.1: 7 leave; 7 end one; 7 join; 8..9 $implicit-barrier; 9 leave; 9 end t",
        "wait_at_implicit_omp_barrier !$omp parallel/!$omp implicit barrier 0:5",
    );
}

#[test]
fn a_team_whose_members_nobody_defined_is_found_by_its_events() {
    check(
        "team t
         0: 0 enter f; 0 fork; 0 begin t; 0 enter $parallel; 1..9 $barrier; 9 leave; 9 end t; 9 join; 9 leave
         0.1: 0 begin t; 0 enter $parallel; 5..9 $barrier; 9 leave; 9 end t",
        "wait_at_explicit_omp_barrier f/!$omp parallel/!$omp barrier 0:4",
    );
}

#[test]
fn a_team_that_begins_without_fork_has_its_barriers() {
    check_damaged(
        "team t 0 0.1
         0: 0 enter f; 0 begin t; 0 enter $parallel; 1..9 $barrier; 9 leave; 9 end t; 9 leave
         0.1: 2 begin t; 3 enter $parallel; 5..9 $barrier; 9 leave; 9 end t",
        "wait_at_explicit_omp_barrier f/!$omp parallel/!$omp barrier 0:4",
        "teams without a fork (no management and limited parallelism is counted for them): 1; the first on rank 0, thread 0, at 0 s",
    );
}

#[test]
fn a_team_without_any_master_has_paths_of_its_own() {
    check_damaged(
        "team t
         0: 0 enter f; 0 begin t; 0 enter $parallel; 1..9 $barrier; 9 leave; 9 end t; 9 leave
         0.1: 0 begin t; 0 enter $parallel; 5..9 $barrier; 9 leave; 9 end t",
        "wait_at_explicit_omp_barrier !$omp parallel/!$omp barrier 0:4",
        "teams without a fork (no management and limited parallelism is counted for them): 1; the first on rank 0, thread 0, at 0 s",
    );
}

#[test]
fn ends_that_are_missing_are_named_and_the_next_team_is_whole() {
    check_damaged(
        "team t 0 0.1
         0: 0 fork; 0 begin t; 0 enter $parallel; 4 leave; 4 join
         0: 4 fork; 4 begin t; 4 enter $parallel; 5..9 $barrier; 9 leave; 9 end t; 9 join
         0.1: 0 begin t; 0 enter $parallel; 4 leave
         0.1: 4 begin t; 4 enter $parallel; 8..9 $barrier; 9 leave; 9 end t; 9 end t",
        "wait_at_explicit_omp_barrier !$omp parallel/!$omp barrier 0:3",
        "ends of a team that did not begin (ignored): 1; the first on rank 0, thread 1, at 9 s
         teams without an end (closed with the construct around them): 2; the first on rank 0, thread 0, at 4 s",
    );
}

#[test]
fn teams_around_each_other_do_not_hang() {
    // Each thread begins as a worker in a team that the other one starts inside.
    check_in_parts(
        "team a 0.1 0.2
         team b 0.2 0.1
         0: 0..9 work
         0.1: 0 begin b; 0 enter f; 0 fork; 0 begin a; 1..9 $barrier; 9 end a; 9 join; 9 leave; 9 end b
         0.2: 0 begin a; 0 enter g; 4..4 $barrier; 4 fork; 4 begin b; 9 end b; 9 join; 9 leave; 9 end a",
        "wait_at_explicit_omp_barrier g/f/!$omp barrier 0.1:3",
        "teams that were started inside each other (their call paths are incomplete): 1; the first on rank 0, thread 1, at 0 s",
    );
}

#[test]
fn unanalyzed_constructs_are_named() {
    check_damaged(
        "0: 0..1 MPI_Send other 14; 1..2 MPI_Put other 38; 2..3 MPI_Wait other 86; 3..4 pthread_create other 62",
        "",
        "messages and collective operations between groups (not analyzed): 2; the first on rank 0, thread 0, at 1 s
         records of one-sided communication (not analyzed): 1; the first on rank 0, thread 0, at 2 s
         records of threads other than OpenMP's (their waits are not analyzed): 1; the first on rank 0, thread 0, at 4 s",
    );
}

#[test]
fn in_an_archive_teams_are_the_same() {
    let trace = parse(
        "team outer 0 0.1
         team inner 0.1 0.2
         team other 1 1.1
         0: 0 enter f; 0 fork; 0 begin outer; 0 enter $parallel; 1..9 $implicit-barrier; 9 leave; 9 end outer; 10 join
         0: 12 leave
         0.1: 0 begin outer; 0 enter $parallel; 0 enter g; 0 fork; 0 begin inner; 0 enter $parallel; 2..6 $barrier
         0.1: 6 leave; 6 end inner; 6 join; 6 leave; 7..9 $implicit-barrier; 9 leave; 9 end outer
         0.2: 0 begin inner; 0 enter $parallel; 1..6 $barrier; 6 leave; 6 end inner
         1: 0 fork; 0 begin other; 0..3 omp_set_lock lock 0 order 1; 7..7 omp_unset_lock unlock 0 order 1
         1: 9 end other; 9 join; 9..13 MPI_Barrier barrier
         1.1: 0 begin other; 1..8 omp_set_lock lock 0 order 2; 9 end other
         0: 12..13 MPI_Barrier barrier",
    )
    .unwrap();
    let dir = tempfile::tempdir().unwrap();
    let mut writer = ArchiveWriter::create(dir.path()).unwrap().common_clock();
    for (definition, events) in trace.definitions.locations.iter().zip(&trace.events) {
        let location = writer.add_location(definition.id);
        events.iter().for_each(|(time, event)| writer.event(location, *time, event).unwrap());
    }
    writer.finish(&trace.definitions, &ArchiveProperties::default()).unwrap();
    let archive = Archive::open(&dir.path().join("traces.otf2")).unwrap();
    assert_eq!(archive.definitions().teams, trace.definitions.teams);
    let in_memory = analyze(&trace, "test", &Options::default()).unwrap();
    assert!(in_memory.findings.len() > 6);
    assert_eq!(analyze(&archive, "test", &Options::default()).unwrap(), in_memory);
}

#[test]
fn a_barrier_may_outlast_its_team() {
    check_in_parts(
        "team t 0 0.1
         0: 0 fork; 0 begin t; 1 enter $barrier; 5 end t; 5 join
         0: 6 fork; 6 begin t; 6..7 $parallel; 7 end t; 7 join; 7 fork; 7 begin t; 7..9 $parallel; 9 end t; 9 join
         0: 9 leave
         0.1: 0 begin t; 0 enter $parallel; 3..5 $barrier; 5 leave; 5 end t
         0.1: 6 begin t; 6..7 $parallel; 7 end t; 7 begin t; 7..9 $parallel; 9 end t",
        "wait_at_explicit_omp_barrier !$omp barrier 0:2
         idle_threads !$omp barrier 0.1:1",
        "",
    );
}

#[test]
fn a_process_that_forks_has_teams_though_none_begins() {
    check_in_parts(
        "team t 0
         0: 0 fork; 0 enter $parallel; 3..4 $implicit-barrier; 7 leave; 7 end t; 8 join; 8..9 work
         0.1: 0 other",
        "idle_threads work 0.1:1",
        "ends of a team that did not begin (ignored): 1; the first on rank 0, thread 0, at 7 s
         OpenMP barriers outside every team (no wait is counted for them): 1; the first on rank 0, thread 0, at 3 s",
    );
}
