//! Idle threads and limited parallelism.

use ats_analyzer::{Options, analyze, notation::parse};
use ats_documents::Finding;
use ats_model::View;

use crate::{analysis, check, check_damaged, table, trimmed};

#[test]
fn threads_are_idle_while_their_main_thread_is_outside_parallel_regions() {
    check(
        "team t 0 0.1 0.2
         0: 0 enter main; 1..4 serial; 4 fork; 4 begin t; 4 enter $parallel; 9 leave; 9 end t; 9 join
         0: 9..11 serial; 12 leave; 14 enter main; 14 leave
         0.1: 4 begin t; 4 enter $parallel; 9 leave; 9 end t
         0.2: 4 begin t; 4 enter $parallel; 9 leave; 9 end t",
        "idle_threads main/serial 0.1:5 0.2:5
         idle_threads  0.1:2 0.2:2
         idle_threads main 0.1:2 0.2:2",
    );
}

#[test]
fn they_are_so_in_mpi_too_and_in_each_process_by_themselves() {
    check(
        "team t 0 0.1
         team u 1 1.1
         0: 0..5 MPI_Barrier barrier; 5 fork; 5 begin t; 5 enter $parallel; 9 leave; 9 end t; 9 join
         0.1: 5 begin t; 5 enter $parallel; 9 leave; 9 end t
         1: 3..5 MPI_Barrier barrier; 5 fork; 5 begin u; 5 enter $parallel; 9 leave; 9 end u; 9 join
         1.1: 5 begin u; 5 enter $parallel; 9 leave; 9 end u",
        "idle_threads MPI_Barrier 0.1:5 1.1:2
         wait_at_barrier MPI_Barrier 0:3",
    );
}

#[test]
fn they_are_so_all_the_time_in_a_process_that_starts_no_team_while_another_does() {
    check(
        "team t 0 0.1
         0: 0..5 MPI_Barrier barrier; 5 fork; 5 begin t; 5 enter $parallel; 9 leave; 9 end t; 9 join
         0.1: 5 begin t; 5 enter $parallel; 9 leave; 9 end t
         1: 3..5 MPI_Barrier barrier; 5..9 serial
         1.1: 5 other",
        "idle_threads MPI_Barrier 0.1:5 1.1:2
         idle_threads serial 1.1:4
         wait_at_barrier MPI_Barrier 0:3",
    );
}

#[test]
fn they_are_so_until_the_runtime_has_ended() {
    let mut trace = parse(
        "team t 0 0.1
         team u 1 1.1
         0: 0 enter main; 1 fork; 1 begin t; 1 enter $parallel; 3 leave; 3 end t; 3 join; 4..9 serial; 12 leave
         0.1: 1 begin t; 1 enter $parallel; 3 leave; 3 end t
         1: 0 enter main; 1 fork; 1 begin u; 1 enter $parallel; 3 leave; 3 end u; 3 join; 4..9 serial; 12 leave
         1.1: 1 begin u; 1 enter $parallel; 3 leave; 3 end u",
    )
    .unwrap();
    let (last, _) = *trace.events[0].last().unwrap();
    trace.definitions.openmp_ended = [(1, last / 2)].into();
    let analysis = analyze(&trace, "t", &Options::default()).unwrap();
    let until_6 = "idle_threads main 0.1:5 1.1:2
         idle_threads main/serial 0.1:5 1.1:2";
    assert_eq!(table(&analysis), trimmed(until_6));
}

#[test]
fn threads_of_a_trace_without_teams_are_not_known_to_be_idle() {
    check("0: 0..5 work \n 0.1: 3..5 work", "");
}

#[test]
fn both_are_of_the_idle_view() {
    let analysis = analysis(
        "team t 0 0.1
         team one 0
         0: 0..5 serial; 5 fork; 5 begin t; 5 end t; 5 join; 5 fork; 5 begin one; 9 end one; 9 join
         0.1: 5 begin t; 5 end t",
    );
    let views: Vec<_> =
        analysis.findings.iter().map(|finding| (finding.metric.as_deref().unwrap(), finding.view)).collect();
    assert_eq!(views, [("omp_idle_threads", View::Idle), ("omp_limited_parallelism", View::Idle)]);
}

#[test]
fn a_region_with_fewer_threads_than_the_process_limits_the_others() {
    check(
        "team all 0 0.1 0.2
         team two 0 0.1
         0: 0 fork; 0 begin all; 0 enter $parallel; 2 leave; 2 end all; 2 join
         0: 2 enter f; 2 fork; 2 begin two; 3 enter $parallel; 8 leave; 8 end two; 9 join; 9 leave
         0.1: 0 begin all; 0 enter $parallel; 2 leave; 2 end all; 3 begin two; 3 enter $parallel; 8 leave; 8 end two
         0.2: 0 begin all; 0 enter $parallel; 2 leave; 2 end all",
        "limited_parallelism f/!$omp parallel 0.2:7
         omp_management f/!$omp parallel 0:2 0.1:2",
    );
}

#[test]
fn a_team_of_one_limits_all_others() {
    check(
        "team all 0 0.1 0.2
         team one 0
         0: 0 fork; 0 begin all; 0 end all; 0 join; 0 fork; 0 begin one; 0 enter $parallel; 8 leave; 8 end one; 8 join
         0.1: 0 begin all; 0 end all
         0.2: 0 begin all; 0 end all",
        "limited_parallelism !$omp parallel 0.1:8 0.2:8",
    );
}

#[test]
fn members_of_an_inner_team_are_busy_and_its_master_is_not_serial() {
    // Threads 0 and 1 are the outer team; 1 starts a team with 2; 3 has nothing to do.
    check(
        "team outer 0 0.1
         team inner 0.1 0.2
         0: 0 fork; 0 begin outer; 0 enter $parallel; 0..9 work; 9 leave; 9 end outer; 9 join
         0.1: 0 begin outer; 0 enter $parallel; 2 fork; 2 begin inner; 2 enter $parallel; 2..7 work; 7 leave
         0.1: 7 end inner; 7 join; 9 leave; 9 end outer
         0.2: 2 begin inner; 2 enter $parallel; 2..7 work; 7 leave; 7 end inner
         0.3: 0 other",
        "limited_parallelism !$omp parallel 0.2:4 0.3:9",
    );
}

#[test]
fn a_main_thread_inside_a_region_without_fork_is_not_serial() {
    check(
        "team t 0 0.1
         0: 0..3 serial; 3 enter $parallel; 9 leave; 9 fork; 9 begin t; 9 end t; 9 join
         0.1: 9 begin t; 9 end t",
        "idle_threads serial 0.1:3",
    );
}

#[test]
fn processes_without_teams_have_no_idle_threads() {
    check("0: 0..9 work \n 0.1: 0..2 work", "");
}

#[test]
fn threads_that_the_program_starts_are_not_idle() {
    let threads = "
        team t 0 0.1
        team u 0.2 0.3
        0: 0..2 serial; 2 fork; 2 begin t; 2 enter $parallel; 8 leave; 8 end t; 8 join; 8..12 serial
        0.1: 2 begin t; 2 enter $parallel; 8 leave; 8 end t
        0.2: 1 fork; 1 begin u; 1 enter $parallel; 9 leave; 9 end u; 9 join
        0.3: 1 begin u; 1 enter $parallel; 9 leave; 9 end u
        0.4: 3..5 MPI_Barrier barrier";
    check(threads, "idle_threads serial 0.1:6");
    // Nor is a thread of the program's teams that is in another one for once.
    check(
        &format!(
            "{threads}
            team v 0.2 0.1
            0.2: 10 fork; 10 begin v; 10 enter $parallel; 11 leave; 11 end v; 11 join
            0.1: 10 begin v; 10 enter $parallel; 11 leave; 11 end v"
        ),
        "",
    );
}

#[test]
fn a_thread_of_the_program_that_starts_its_own_team_leaves_nobody_idle() {
    check(
        "team all 0 0.1 0.2
         team two 0.3 0.4
         0: 0 fork; 0 begin all; 0 end all; 0 join; 1 fork; 1 begin all; 1 end all; 1 join
         0.1: 0 begin all; 0 end all; 1 begin all; 1 end all
         0.2: 0 begin all; 0 end all; 1 begin all; 1 end all
         0.3: 0 fork; 0 begin two; 0 enter $parallel; 9 leave; 9 end two; 9 join
         0.4: 0 begin two; 0 enter $parallel; 9 leave; 9 end two",
        "idle_threads  0.1:1 0.2:1",
    );
}

/// The findings of a trace, a line each: id, seconds, severity, and whether it is in the basis.
fn rows(trace: &str) -> Vec<(String, f64, f64, bool)> {
    let row = |finding: Finding| (finding.id, finding.waiting_time, finding.severity, finding.in_basis);
    analysis(trace).findings.into_iter().map(row).collect()
}

#[test]
fn before_and_in_init_and_finalize_threads_are_idle_outside_the_basis() {
    let trace = "team t 0 0.1
        0: 0 enter main; 0..2 read; 2..10 MPI_Init; 11 fork; 11 begin t; 11 enter $parallel; 14 leave; 14 end t; 14 join
        0: 15..20 MPI_Finalize; 26 leave
        0.1: 11 begin t; 11 enter $parallel; 14 leave; 14 end t";
    let expected = [
        ("idle_threads@main/MPI_Init", 8.0, 0.0, false),
        ("idle_threads@main (outside)", 6.0, 0.0, false),
        ("idle_threads@main/MPI_Finalize", 5.0, 0.0, false),
        ("idle_threads@main", 2.0, 0.2, true),
        ("idle_threads@main/read", 2.0, 0.0, false),
    ];
    assert_eq!(
        rows(trace),
        expected.map(|(id, seconds, share, is_in)| (id.to_owned(), seconds, share, is_in))
    );
    assert_eq!(analysis(trace).basis.location_seconds, 10.0);
}

#[test]
fn teams_before_init_are_outside_the_basis() {
    let trace = "team t 0 0.1
        team one 0
        0: 0 fork; 0 begin t; 0 enter $parallel; 0..5 $barrier; 6 leave; 6 end t; 8 join
        0: 8 fork; 8 begin one; 8 enter $parallel; 9 leave; 9 end one; 9 join; 9..10 MPI_Init
        0: 10 fork; 10 begin t; 10 enter $parallel; 10..11 $barrier; 14 leave; 14 end t; 14 join; 14..15 MPI_Finalize
        0.1: 0 begin t; 0 enter $parallel; 5..5 $barrier; 6 leave; 6 end t
        0.1: 10 begin t; 10 enter $parallel; 11..11 $barrier; 14 leave; 14 end t";
    let expected = [
        ("wait_at_explicit_omp_barrier@!$omp parallel/!$omp barrier (outside)", 5.0, 0.0, false),
        ("omp_management@!$omp parallel", 4.0, 0.0, false),
        ("idle_threads@MPI_Finalize", 1.0, 0.0, false),
        ("idle_threads@MPI_Init", 1.0, 0.0, false),
        ("limited_parallelism@!$omp parallel", 1.0, 0.0, false),
        ("wait_at_explicit_omp_barrier@!$omp parallel/!$omp barrier", 1.0, 0.125, true),
    ];
    assert_eq!(
        rows(trace),
        expected.map(|(id, seconds, share, is_in)| (id.to_owned(), seconds, share, is_in))
    );
}

#[test]
fn a_parallel_region_with_init_inside_is_in_the_basis() {
    check_in_basis(
        "team t 0 0.1
         0: 0 fork; 0 begin t; 0 enter $parallel; 0..1 MPI_Init; 2..9 $barrier; 9 leave; 9 end t; 9 join; 9..9 MPI_Finalize
         0.1: 0 begin t; 0 enter $parallel; 9..9 $barrier; 9 leave; 9 end t",
        "wait_at_explicit_omp_barrier@!$omp parallel/!$omp barrier",
    );
}

/// Checks that the basis has this finding and no other.
#[track_caller]
fn check_in_basis(trace: &str, id: &str) {
    let inside: Vec<String> =
        rows(trace).into_iter().filter(|&(.., is_in)| is_in).map(|(id, ..)| id).collect();
    assert_eq!(inside, [id]);
}

#[test]
fn a_parallel_region_as_basis_lasts_from_fork_to_join() {
    let trace = parse(
        "team t 0 0.1
         0: 0 fork; 9 begin t; 9 enter $parallel; 10 leave; 10 end t; 20 join
         0.1: 9 begin t; 9 enter $parallel; 10 leave; 10 end t
         0.2: 0 other",
    );
    let options = Options { region: Some("!$omp parallel".to_owned()), ..Options::default() };
    let analysis = analyze(&trace.unwrap(), "test", &options).unwrap();
    assert_eq!(analysis.basis.wall_time, 20.0);
    let shares: Vec<f64> = analysis.findings.iter().map(|finding| finding.severity).collect();
    assert_eq!(shares, [38.0 / 60.0, 20.0 / 60.0]);
}

#[test]
fn a_member_whose_trace_is_lost_is_named_and_not_called_idle() {
    check_damaged(
        "team t 0 0.1
         0: 0 fork; 0 begin t; 0 enter $parallel; 9 leave; 9 end t; 9 join",
        "",
        "teams in which a member did not take part (the others are analyzed): 1; the first on rank 0, thread 0, at 0 s",
    );
}
