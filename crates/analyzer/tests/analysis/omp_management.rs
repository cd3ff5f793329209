//! Management of teams: fork and join.

use crate::{check, check_damaged};

#[test]
fn it_lasts_from_the_fork_and_up_to_the_join() {
    check(
        "team t 0 0.1
         0: 0 enter f; 0 fork; 1 begin t; 2 enter $parallel; 8 leave; 8 end t; 9 join; 9 leave
         0.1: 3 begin t; 4 enter $parallel; 6 leave; 7 end t",
        "omp_management f/!$omp parallel 0:3 0.1:7",
    );
}

#[test]
fn every_fork_is_an_instance_of_each_thread() {
    let analysis = crate::analysis(
        "team t 0 0.1
         0: 0 fork; 1 begin t; 1 enter $parallel; 2 leave; 2 end t; 2 join
         0: 4 fork; 5 begin t; 5 enter $parallel; 6 leave; 6 end t; 6 join
         0.1: 1 begin t; 1 enter $parallel; 2 leave; 2 end t; 5 begin t; 5 enter $parallel; 6 leave; 6 end t",
    );
    let finding = analysis.findings.iter().find(|finding| finding.id.starts_with("omp_management")).unwrap();
    assert_eq!((finding.waiting_time, finding.instances), (4.0, 4));
    assert_eq!(finding.metric.as_deref(), Some("omp_management"));
}

#[test]
fn without_the_region_the_team_counts() {
    check(
        "team t 0 0.1
         0: 0 enter f; 0 fork; 1 begin t; 8 end t; 9 join; 9 leave
         0.1: 3 begin t; 3..5 work; 6 end t",
        "omp_management f 0:2 0.1:6",
    );
}

#[test]
fn a_join_that_is_missing_is_named() {
    check_damaged(
        "team t 0 0.1
         0: 0 fork; 1 begin t; 2 enter $parallel; 8 leave; 8 end t
         0.1: 3 begin t; 4 enter $parallel; 6 leave; 6 end t",
        "omp_management !$omp parallel 0:2 0.1:4",
        "forks without a join (their management is counted up to the region's begin): 1; the first on rank 0, thread 0, at 0 s",
    );
}

#[test]
fn a_thread_whose_trace_ends_before_the_join_is_not_said_to_wait_for_it() {
    check_damaged(
        "team t 0 0.1
         0: 0 fork; 0 begin t; 1 enter $parallel; 50 leave; 50 end t; 51 join
         0.1: 3 begin t; 4 enter $parallel; 5..6 work",
        "omp_management !$omp parallel 0:2 0.1:4",
        "regions that were entered and not left (closed with the region around them): 1; the first on rank 0, thread 1, at 4 s",
    );
}

#[test]
fn a_join_without_fork_is_named() {
    check_damaged(
        "0: 0..5 work; 6 join \n 0.1: 0..1 work",
        "",
        "joins of a team that was not forked (ignored): 1; the first on rank 0, thread 0, at 6 s",
    );
}

#[test]
fn management_lies_between_fork_and_join() {
    check(
        "team t 0 0.1
         0: 0 fork; 0 begin t; 0 enter $parallel; 9 leave; 9 end t; 9 join
         0.1: 12 begin t; 12 enter $parallel; 14 leave; 14 end t",
        "omp_management !$omp parallel 0.1:9",
    );
}
