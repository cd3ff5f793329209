//! Idle threads and limited parallelism.

use ats_model::View;

use crate::{analysis, check, check_damaged};

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
         1.1: 5..6 nothing",
        "idle_threads MPI_Barrier 0.1:5 1.1:2
         idle_threads serial 1.1:4
         wait_at_barrier MPI_Barrier 0:3",
    );
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
fn who_is_in_a_team_inside_is_busy_and_its_master_s_place_is_not_serial() {
    // Threads 0 and 1 are the outer team; 1 starts a team with 2; 3 has nothing to do.
    check(
        "team outer 0 0.1
         team inner 0.1 0.2
         0: 0 fork; 0 begin outer; 0 enter $parallel; 0..9 work; 9 leave; 9 end outer; 9 join
         0.1: 0 begin outer; 0 enter $parallel; 2 fork; 2 begin inner; 2 enter $parallel; 2..7 work; 7 leave
         0.1: 7 end inner; 7 join; 9 leave; 9 end outer
         0.2: 2 begin inner; 2 enter $parallel; 2..7 work; 7 leave; 7 end inner
         0.3: 0..0 nothing",
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
fn a_member_whose_trace_is_lost_is_named_and_not_called_idle() {
    check_damaged(
        "team t 0 0.1
         0: 0 fork; 0 begin t; 0 enter $parallel; 9 leave; 9 end t; 9 join",
        "",
        "teams in which a member did not take part (the others are analyzed): 1; the first on rank 0, thread 0, at 0 s",
    );
}
