//! Wait at explicit and implicit OpenMP barriers.

use crate::{check, check_damaged};

#[test]
fn all_wait_for_the_last_of_the_team() {
    check(
        "team t 0 0.1 0.2
         0: 0 enter f; 0 fork; 0 begin t; 0 enter $parallel; 1..9 $barrier; 9 leave; 9 end t; 9 join; 9 leave
         0.1: 0 begin t; 0 enter $parallel; 5..9 $barrier; 9 leave; 9 end t
         0.2: 0 begin t; 0 enter $parallel; 8..9 $barrier; 9 leave; 9 end t",
        "wait_at_explicit_omp_barrier f/!$omp parallel/!$omp barrier 0:7 0.1:3",
    );
}

#[test]
fn the_barrier_of_a_loop_is_inside_it() {
    check(
        "team t 0 0.1
         0: 0 fork; 0 begin t; 0 enter $parallel
         0: 0 enter $for; 2..9 $implicit-barrier; 9 leave; 9..9 $implicit-barrier; 9 leave; 9 end t; 9 join
         0.1: 0 begin t; 0 enter $parallel
         0.1: 0 enter $for; 8..9 $implicit-barrier; 9 leave; 9..9 $implicit-barrier; 9 leave; 9 end t",
        "wait_at_implicit_omp_barrier !$omp parallel/!$omp for/!$omp implicit barrier 0:6",
    );
}

#[test]
fn a_region_is_known_by_its_name_with_a_place() {
    check(
        "team t 0 0.1
         0: 0 fork; 0 begin t; 0 enter !$omp parallel @a.c:3; 2 enter !$omp barrier @a.c:5; 8 leave; 8 leave
         0: 8 end t; 8 join
         0.1: 0 begin t; 0 enter !$omp parallel @a.c:3; 8 enter !$omp barrier @a.c:5; 8 leave; 8 leave; 8 end t",
        "wait_at_explicit_omp_barrier !$omp parallel @a.c:3/!$omp barrier @a.c:5 0:6",
    );
}

#[test]
fn a_wait_does_not_end_with_the_own_leave() {
    check(
        "team t 0 0.1
         0: 0 fork; 0 begin t; 0 enter $parallel; 1..4 $barrier; 9 leave; 9 end t; 9 join
         0.1: 0 begin t; 0 enter $parallel; 8..9 $barrier; 9 leave; 9 end t",
        "wait_at_explicit_omp_barrier !$omp parallel/!$omp barrier 0:7",
    );
}

#[test]
fn the_kth_barrier_meets_the_kth_of_the_same_team_instance() {
    check(
        "team t 0 0.1
         0: 0 fork; 0 begin t; 0 enter $parallel; 1..3 $barrier; 4..5 $barrier; 5 leave; 5 end t; 5 join
         0: 5 enter g; 5 fork; 5 begin t; 5 enter $parallel; 9..9 $barrier; 9 leave; 9 end t; 9 join; 9 leave
         0.1: 0 begin t; 0 enter $parallel; 3..3 $barrier; 5..5 $barrier; 5 leave; 5 end t
         0.1: 5 begin t; 5 enter $parallel; 6..9 $barrier; 9 leave; 9 end t",
        "wait_at_explicit_omp_barrier !$omp parallel/!$omp barrier 0:3
         wait_at_explicit_omp_barrier g/!$omp parallel/!$omp barrier 0.1:3",
    );
}

#[test]
fn teams_of_different_processes_do_not_meet() {
    check(
        "team t 0 0.1
         team u 1 1.1
         0: 0 fork; 0 begin t; 0 enter $parallel; 1..9 $barrier; 9 leave; 9 end t; 9 join
         0.1: 0 begin t; 0 enter $parallel; 3..9 $barrier; 9 leave; 9 end t
         1: 0 fork; 0 begin u; 0 enter $parallel; 8..9 $barrier; 9 leave; 9 end u; 9 join
         1.1: 0 begin u; 0 enter $parallel; 7..9 $barrier; 9 leave; 9 end u",
        "wait_at_explicit_omp_barrier !$omp parallel/!$omp barrier 0:2 1.1:1",
    );
}

#[test]
fn a_thread_that_executes_tasks_does_not_wait() {
    check(
        "team t 0 0.1
         0: 0 fork; 0 begin t; 0 enter $parallel; 1 create 1; 1 enter $implicit-barrier
         0: 2 switch 1; 2..5 $task; 5 complete 1; 6 switch 2; 6..7 $task; 7 complete 2; 7 switch 0
         0: 9 leave; 9 leave; 9 end t; 9 join
         0.1: 0 begin t; 0 enter $parallel; 9..9 $implicit-barrier; 9 leave; 9 end t",
        "wait_at_implicit_omp_barrier !$omp parallel/!$omp implicit barrier 0:4",
    );
}

#[test]
fn task_regions_count_without_task_events() {
    check(
        "team t 0 0.1
         0: 0 fork; 0 begin t; 0 enter $parallel; 1 enter $implicit-barrier; 2 enter $task; 3..4 $task; 5 leave
         0: 9 leave; 9 leave; 9 end t; 9 join
         0.1: 0 begin t; 0 enter $parallel; 8..9 $implicit-barrier; 9 leave; 9 end t",
        "wait_at_implicit_omp_barrier !$omp parallel/!$omp implicit barrier 0:4",
    );
}

#[test]
fn a_team_inside_a_task_has_its_own_barriers_and_is_time_of_the_task() {
    check(
        "team t 0 0.1
         team inner 0 0.2
         0: 0 fork; 0 begin t; 0 enter $parallel; 1 enter $implicit-barrier; 1 switch 1; 1 enter $task
         0: 1 fork; 1 begin inner; 1 enter $parallel; 2..6 $barrier; 6 leave; 6 end inner; 6 join
         0: 6 leave; 6 complete 1; 9 leave; 9 leave; 9 end t; 9 join
         0.1: 0 begin t; 0 enter $parallel; 9..9 $implicit-barrier; 9 leave; 9 end t
         0.2: 1 begin inner; 1 enter $parallel; 6..6 $barrier; 6 leave; 6 end inner",
        "limited_parallelism !$omp parallel 0.2:4
         wait_at_explicit_omp_barrier !$omp parallel/!$omp implicit barrier/!$omp task/!$omp parallel/!$omp barrier 0:4
         wait_at_implicit_omp_barrier !$omp parallel/!$omp implicit barrier 0:3",
    );
}

#[test]
fn a_team_of_one_waits_for_nobody() {
    check(
        "team t 0
         0: 0 fork; 0 begin t; 0 enter $parallel; 1..5 $barrier; 5..9 $implicit-barrier; 9 leave; 9 end t; 9 join",
        "",
    );
}

#[test]
fn a_barrier_in_serial_code_waits_for_nobody() {
    check("0: 0..4 $barrier; 5..9 work", "");
}

#[test]
fn a_barrier_outside_every_team_is_named() {
    check_damaged(
        "0: 0 enter $parallel; 1..9 $barrier; 9 leave
         0.1: 3..9 $barrier",
        "",
        "OpenMP barriers outside every team (no wait is counted for them): 2; the first on rank 0, thread 0, at 1 s",
    );
}

#[test]
fn a_leave_that_is_missing_at_the_end_changes_no_wait() {
    check_damaged(
        "team t 0 0.1
         0: 0 fork; 0 begin t; 0 enter $parallel; 1..9 $implicit-barrier; 9 leave; 9 end t; 9 join
         0.1: 0 begin t; 0 enter $parallel; 8 enter $implicit-barrier",
        "wait_at_implicit_omp_barrier !$omp parallel/!$omp implicit barrier 0:7",
        "regions that were entered and not left (closed with the region around them): 2; the first on rank 0, thread 1, at 0 s",
    );
}

#[test]
fn a_thread_that_misses_a_barrier_is_named() {
    check_damaged(
        "team t 0 0.1 0.2
         0: 0 fork; 0 begin t; 0 enter $parallel; 1..9 $barrier; 9 leave; 9 end t; 9 join
         0.1: 0 begin t; 0 enter $parallel; 5..9 $barrier; 9 leave; 9 end t
         0.2: 0 begin t; 0 enter $parallel; 9 leave; 9 end t",
        "wait_at_explicit_omp_barrier !$omp parallel/!$omp barrier 0:4",
        "OpenMP barriers in which a thread of the team did not take part (the others are analyzed): 2; the first on rank 0, thread 0, at 1 s",
    );
}

#[test]
fn an_explicit_barrier_does_not_meet_an_implicit_one() {
    check_damaged(
        "team t 0 0.1
         0: 0 fork; 0 begin t; 0 enter $parallel; 1..9 $barrier; 9 leave; 9 end t; 9 join
         0.1: 0 begin t; 0 enter $parallel; 5..9 $implicit-barrier; 9 leave; 9 end t",
        "",
        "OpenMP barriers that are explicit on one thread of the team and implicit on another (ignored): 2; the first on rank 0, thread 0, at 1 s",
    );
}
