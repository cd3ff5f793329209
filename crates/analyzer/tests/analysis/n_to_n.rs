//! Wait at NxN and NxN Completion.

use crate::{check, check_impossible};

#[test]
fn all_wait_for_the_last() {
    for operation in
        ["Allgather", "Allgatherv", "Allreduce", "Alltoall", "Reduce_scatter", "Reduce_scatter_block"]
    {
        let record = operation.replace('_', "");
        check(
            &format!(
                "0: 0..10 MPI_{operation} {record}
                 1: 4..13 MPI_{operation} {record}
                 2: 9..11 MPI_{operation} {record}"
            ),
            &format!(
                "wait_at_nxn MPI_{operation} 0:9 1:5
                 nxn_completion MPI_{operation} 1:3 2:1"
            ),
        );
    }
}

#[test]
fn in_a_partial_exchange_every_partner_waits_for_the_last() {
    for operation in ["Alltoallv", "Alltoallw"] {
        let record = operation.to_lowercase();
        check(
            &format!(
                "0: 0..10 MPI_{operation} {record}
                 1: 4..13 MPI_{operation} {record} sent 0
                 2: 9..11 MPI_{operation} {record} received 0
                 3: 1..5 MPI_{operation} {record}
                 4: 2..12 MPI_{operation} {record} sent 0 received 0"
            ),
            &format!("wait_at_irregular_nxn MPI_{operation} 0:9 1:5 3:4"),
        );
    }
}

#[test]
fn unknown_operations_are_not_judged() {
    for operation in ["createhandle", "other"] {
        check(
            &format!("0: 0..10 MPI_Alltoallv end {operation}\n 1: 4..10 MPI_Alltoallv end {operation}"),
            "",
        );
    }
}

#[test]
fn with_full_overlap_even_who_receives_nothing_waits() {
    check(
        "0: 0..10 MPI_Allgatherv allgatherv received 0
         1: 8..10 MPI_Allgatherv allgatherv sent 0",
        "wait_at_nxn MPI_Allgatherv 0:8",
    );
}

#[test]
fn with_partial_overlap_only_receivers_wait_and_only_for_the_last_sender() {
    check(
        "0: 0..9 MPI_Allgatherv allgatherv
         1: 1..5 MPI_Allgatherv allgatherv received 0
         2: 6..9 MPI_Allgatherv allgatherv
         3: 7..20 MPI_Allgatherv allgatherv sent 0
         4: 12..20 MPI_Allgatherv allgatherv sent 0",
        "nxn_completion MPI_Allgatherv 3:8 4:8
         wait_at_nxn MPI_Allgatherv 0:6",
    );
}

#[test]
fn the_first_end_at_the_last_begin_is_partial_overlap() {
    check(
        "0: 0..9 MPI_Allgatherv allgatherv received 0
         1: 9..9 MPI_Allgatherv allgatherv",
        "",
    );
    check(
        "0: 0..10 MPI_Allgatherv allgatherv received 0
         1: 9..10 MPI_Allgatherv allgatherv",
        "wait_at_nxn MPI_Allgatherv 0:9",
    );
}

#[test]
fn a_wait_ends_with_the_operation() {
    check_impossible(
        "0: 0..6 MPI_Allreduce allreduce
         1: 9..11 MPI_Allreduce allreduce",
        "wait_at_nxn MPI_Allreduce 0:6
         nxn_completion MPI_Allreduce 1:2",
    );
}

#[test]
fn no_wait_without_payload() {
    check(
        "0: 0..10 MPI_Alltoall alltoall sent 0 received 0
         1: 4..12 MPI_Alltoall alltoall sent 0 received 0",
        "",
    );
}

#[test]
fn a_single_member_does_not_wait() {
    check("0: 0..10 MPI_Allreduce allreduce on self \n 1: 4..10 MPI_Allreduce allreduce on self", "");
}
