//! Contention at criticals and locks.

use crate::{check, check_damaged};

#[test]
fn at_a_critical_one_waits_until_the_other_is_out() {
    check(
        "0: 0 enter $critical; 1 lock 0 order 1; 1..5 $critical-sblock; 5 unlock 0 order 1; 6 leave
         0.1: 2 enter $critical; 7 lock 0 order 2; 7..8 $critical-sblock; 8 unlock 0 order 2; 8 leave",
        "omp_critical_contention !$omp critical 0.1:3",
    );
}

#[test]
fn a_thread_that_comes_after_the_release_does_not_wait() {
    check(
        "0: 0 enter $critical; 1 lock 0 order 1; 5 unlock 0 order 1; 6 leave
         0.1: 5 enter $critical; 7 lock 0 order 2; 8 unlock 0 order 2; 8 leave",
        "",
    );
}

#[test]
fn a_wait_ends_with_the_acquisition() {
    check(
        "0: 0 enter $critical; 1 lock 0 order 1; 6 unlock 0 order 1; 6 leave
         0.1: 3 enter $critical; 5 lock 0 order 2; 8 unlock 0 order 2; 8 leave",
        "omp_critical_contention !$omp critical 0.1:2",
    );
}

#[test]
fn the_order_of_acquisitions_is_the_recorded_one() {
    check(
        "0: 0..2 omp_set_lock lock 0 order 1; 4..4 omp_unset_lock unlock 0 order 1
         0.1: 1..9 omp_set_lock lock 0 order 3; 9..9 omp_unset_lock unlock 0 order 3
         0.2: 1..5 omp_set_lock lock 0 order 2; 8..8 omp_unset_lock unlock 0 order 2",
        "omp_lock_contention omp_set_lock 0.1:7 0.2:3",
    );
}

#[test]
fn different_locks_and_processes_do_not_mix() {
    check(
        "0: 0..1 omp_set_lock lock 0 order 1; 8..8 omp_unset_lock unlock 0 order 1
         0.1: 2..3 omp_set_lock lock 1 order 1; 8..8 omp_unset_lock unlock 1 order 1
         1: 2..3 omp_set_lock lock 0 order 2; 8..8 omp_unset_lock unlock 0 order 2",
        "",
    );
}

#[test]
fn a_nested_lock_is_free_when_it_is_given_back_as_often() {
    check(
        "0: 0..1 omp_set_nest_lock lock 0 order 1; 2..3 omp_set_nest_lock lock 0 order 1
         0: 4..4 omp_unset_nest_lock unlock 0 order 1; 7..7 omp_unset_nest_lock unlock 0 order 1
         0.1: 3..8 omp_set_nest_lock lock 0 order 2; 9..9 omp_unset_nest_lock unlock 0 order 2",
        "omp_lock_contention omp_set_nest_lock 0.1:4",
    );
}

#[test]
fn a_nested_lock_may_count_every_acquisition() {
    check(
        "0: 0..1 omp_set_nest_lock lock 0 order 1; 2..3 omp_set_nest_lock lock 0 order 2
         0: 4..4 omp_unset_nest_lock unlock 0 order 2; 7..7 omp_unset_nest_lock unlock 0 order 1
         0.1: 3..8 omp_set_nest_lock lock 0 order 3; 9..9 omp_unset_nest_lock unlock 0 order 3",
        "omp_lock_contention omp_set_nest_lock 0.1:4",
    );
}

#[test]
fn a_lock_may_be_given_back_by_another_thread() {
    check(
        "0: 0..1 omp_set_lock lock 0 order 1
         0.1: 2..6 omp_set_lock lock 0 order 2; 9..9 omp_unset_lock unlock 0 order 2
         0.2: 6..6 omp_unset_lock unlock 0 order 1",
        "omp_lock_contention omp_set_lock 0.1:4",
    );
}

#[test]
fn no_wait_in_a_test_or_in_ordered() {
    check(
        "0: 0..1 omp_test_lock lock 0 order 1; 8..8 omp_unset_lock unlock 0 order 1
         0: 8 enter $ordered; 8 lock 1 order 1; 9 unlock 1 order 1; 9 leave
         0.1: 2..8 omp_test_lock lock 0 order 2; 8..8 omp_unset_lock unlock 0 order 2
         0.1: 8 enter $ordered; 9 lock 1 order 2; 9 unlock 1 order 2; 9 leave",
        "",
    );
}

#[test]
fn a_wait_behind_a_test_is_one() {
    check(
        "0: 0..1 omp_test_lock lock 0 order 1; 8..8 omp_unset_lock unlock 0 order 1
         0.1: 2..8 omp_set_lock lock 0 order 2; 9..9 omp_unset_lock unlock 0 order 2",
        "omp_lock_contention omp_set_lock 0.1:6",
    );
}

#[test]
fn missing_events_are_named() {
    check_damaged(
        "0: 0..1 omp_set_lock lock 0 order 1
         0.1: 2..8 omp_set_lock lock 0 order 2; 9..9 omp_unset_lock unlock 0 order 2
         0.2: 2 lock 0 order 3; 5 unlock 1 order 1",
        "",
        "acquisitions of a lock outside critical and lock calls (no wait is counted for them): 1; the first on rank 0, thread 2, at 2 s
         acquisitions of a lock whose previous release is not recorded (no wait is counted for them): 1; the first on rank 0, thread 1, at 8 s
         releases of a lock that was not acquired (ignored): 1; the first on rank 0, thread 2, at 5 s",
    );
}
