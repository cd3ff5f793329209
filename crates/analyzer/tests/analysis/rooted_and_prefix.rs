//! Late Broadcast, Early Reduce, Early Scan.

use crate::{check, check_impossible};

#[test]
fn receivers_wait_for_the_root() {
    for operation in ["bcast", "scatter", "scatterv"] {
        check_impossible(
            &format!(
                "0: 1..9 MPI_Call {operation} root 1
                 1: 7..8 MPI_Call {operation} root 1
                 2: 8..9 MPI_Call {operation} root 1
                 3: 0..4 MPI_Call {operation} root 1"
            ),
            "late_broadcast MPI_Call 0:6 3:4",
        );
    }
}

#[test]
fn ranks_that_begin_with_the_root_or_later_do_not_wait() {
    check("0: 4..9 MPI_Bcast bcast root 1 \n 1: 4..5 MPI_Bcast bcast root 1", "");
}

#[test]
fn a_rank_that_receives_nothing_does_not_wait_for_the_root() {
    check(
        "0: 0..9 MPI_Scatterv scatterv root 2 sent 0 received 0
         1: 1..9 MPI_Scatterv scatterv root 2 sent 0
         2: 7..8 MPI_Scatterv scatterv root 2",
        "late_broadcast MPI_Scatterv 1:6",
    );
}

#[test]
fn the_root_waits_for_the_last_sender() {
    for operation in ["reduce", "gather", "gatherv"] {
        check(
            &format!(
                "0: 1..9 MPI_Call {operation} root 0
                 1: 7..8 MPI_Call {operation} root 0
                 2: 8..9 MPI_Call {operation} root 0 sent 0"
            ),
            "early_reduce MPI_Call 0:6",
        );
    }
}

#[test]
fn the_wait_of_the_root_ends_with_the_operation() {
    check_impossible(
        "0: 1..5 MPI_Reduce reduce root 0 \n 1: 7..8 MPI_Reduce reduce root 0",
        "early_reduce MPI_Reduce 0:4",
    );
}

#[test]
fn a_late_root_waits_for_nobody_and_nobody_for_it() {
    check("0: 7..9 MPI_Reduce reduce root 0 \n 1: 1..2 MPI_Reduce reduce root 0", "");
}

#[test]
fn a_sender_that_is_still_there_when_the_root_comes_waits_for_it() {
    for operation in ["reduce", "gather", "gatherv"] {
        check(
            &format!(
                "0: 7..9 MPI_Call {operation} root 0
                 1: 1..7 MPI_Call {operation} root 0
                 2: 2..6 MPI_Call {operation} root 0
                 3: 3..8 MPI_Call {operation} root 0 sent 0
                 4: 4..9 MPI_Call {operation} root 0"
            ),
            "wait_for_root MPI_Call 1:6 4:3",
        );
    }
}

#[test]
fn a_gather_of_nothing_makes_nobody_wait() {
    check(
        "0: 1..9 MPI_Gatherv gatherv root 0 sent 0 received 0 \n 1: 7..8 MPI_Gatherv gatherv root 0 sent 0 received 0",
        "",
    );
}

#[test]
fn roots_are_ranks_of_the_communicator() {
    check(
        "comm odd 3 1
         0: 0..1 work
         1: 0..9 MPI_Bcast bcast root 0 on odd; 10..11 MPI_Reduce reduce root 0 on odd
         2: 0..1 work
         3: 5..9 MPI_Bcast bcast root 0 on odd; 9..11 MPI_Reduce reduce root 0 on odd",
        "late_broadcast MPI_Bcast 1:5
         early_reduce MPI_Reduce 3:1",
    );
}

#[test]
fn a_scan_waits_for_lower_ranks_only() {
    for operation in ["scan", "exscan"] {
        check_impossible(
            &format!(
                "0: 3..20 MPI_Call {operation}
                 1: 1..20 MPI_Call {operation}
                 2: 9..20 MPI_Call {operation}
                 3: 0..7 MPI_Call {operation}"
            ),
            "early_scan MPI_Call 1:2 3:7",
        );
    }
}

#[test]
fn a_scan_waits_for_senders_only() {
    check(
        "0: 3..20 MPI_Scan scan
         1: 9..20 MPI_Scan scan sent 0
         2: 0..20 MPI_Scan scan",
        "early_scan MPI_Scan 2:3",
    );
}

#[test]
fn ranks_of_a_scan_are_those_of_the_communicator() {
    check(
        "comm down 2 1 0
         0: 0..9 MPI_Scan scan on down
         1: 3..9 MPI_Scan scan on down
         2: 5..9 MPI_Scan scan on down",
        "early_scan MPI_Scan 0:5 1:2",
    );
}
