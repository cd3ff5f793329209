//! Wait at Barrier and Barrier Completion.

use crate::{analysis, check, check_impossible};

#[test]
fn all_wait_for_the_last() {
    check(
        "0: 0..10 MPI_Barrier barrier
         1: 4..10 MPI_Barrier barrier
         2: 9..10 MPI_Barrier barrier",
        "wait_at_barrier MPI_Barrier 0:9 1:5",
    );
}

#[test]
fn completion_is_what_follows_the_first_leave() {
    check(
        "0: 0..10 MPI_Barrier barrier
         1: 4..13 MPI_Barrier barrier
         2: 9..11 MPI_Barrier barrier",
        "wait_at_barrier MPI_Barrier 0:9 1:5
         barrier_completion MPI_Barrier 1:3 2:1",
    );
}

#[test]
fn a_wait_ends_with_the_operation() {
    check_impossible(
        "0: 0..6 MPI_Barrier barrier
         1: 9..11 MPI_Barrier barrier",
        "wait_at_barrier MPI_Barrier 0:6
         barrier_completion MPI_Barrier 1:2",
    );
}

#[test]
fn the_record_counts_and_not_the_call() {
    check(
        "0: 0 enter MPI_Barrier; 2 begin; 10 end barrier; 15 leave
         1: 6 enter MPI_Barrier; 7 begin; 10 end barrier; 12 leave",
        "wait_at_barrier MPI_Barrier 0:5",
    );
}

#[test]
fn processes_that_arrive_together_do_not_wait() {
    check("0: 3..5 MPI_Barrier barrier \n 1: 3..5 MPI_Barrier barrier", "");
}

#[test]
fn the_kth_barrier_of_a_communicator_meets_the_kth() {
    let trace = "
        0: 0 enter main; 0..5 MPI_Barrier barrier; 8..10 MPI_Barrier barrier; 10 leave
        1: 0 enter main; 4..5 MPI_Barrier barrier; 9..10 MPI_Barrier barrier; 10 leave";
    check(trace, "wait_at_barrier main/MPI_Barrier 0:5");
    assert_eq!(analysis(trace).findings[0].instances, 2);
}

#[test]
fn communicators_do_not_mix() {
    check(
        "comm left 0 1
         comm right 3 2
         0: 0..8 MPI_Barrier barrier on left; 8..20 MPI_Barrier barrier
         1: 7..8 MPI_Barrier barrier on left; 9..20 MPI_Barrier barrier
         2: 1..3 MPI_Barrier barrier on right; 10..20 MPI_Barrier barrier
         3: 2..3 MPI_Barrier barrier on right; 19..20 MPI_Barrier barrier",
        "wait_at_barrier MPI_Barrier 0:18 1:10 2:10",
    );
}

#[test]
fn a_single_member_does_not_wait() {
    check(
        "comm one 1
         0: 0..8 MPI_Barrier barrier on self
         1: 0..5 MPI_Barrier barrier on self; 5..9 MPI_Barrier barrier on one",
        "",
    );
}

#[test]
fn shares_are_told_by_call_path() {
    check(
        "0: 0 enter a; 0..5 MPI_Barrier barrier; 5 leave
         1: 0 enter b; 2..5 MPI_Barrier barrier; 5 leave
         2: 0 enter c; 4..5 MPI_Barrier barrier; 5 leave",
        "wait_at_barrier a/MPI_Barrier 0:4
         wait_at_barrier b/MPI_Barrier 1:2",
    );
}
