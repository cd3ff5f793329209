//! Init Completion and Wait at Finalize, with and without a collective record.

use crate::{analysis, check};

#[test]
fn init_counts_from_the_first_leave() {
    check(
        "0: 0 enter main; 0..10 MPI_Init; 30 leave
         1: 0 enter main; 5..13 MPI_Init; 30 leave
         2: 0 enter main; 12..14 MPI_Init; 30 leave",
        "wait_at_init main/MPI_Init 0:10 1:5
         init_completion main/MPI_Init 1:3 2:2",
    );
    check(
        "0: 0..10 MPI_Init_thread \n 1: 5..13 MPI_Init_thread",
        "wait_at_init MPI_Init_thread 0:5
         init_completion MPI_Init_thread 1:3",
    );
}

#[test]
fn finalize_waits_for_the_last_enter() {
    check(
        "0: 10..30 MPI_Finalize
         1: 25..30 MPI_Finalize
         2: 5..12 MPI_Finalize",
        "wait_at_finalize MPI_Finalize 0:15 2:7",
    );
}

#[test]
fn a_message_that_arrives_in_finalize_is_no_late_sender() {
    check(
        "0: 10..13 MPI_Send send 1; 13..20 MPI_Finalize
         1: 0..1 MPI_Irecv post 7; 1..2 MPI_Request_free; 5..20 MPI_Finalize irecv 0 request 7",
        "wait_at_finalize MPI_Finalize 1:8",
    );
}

#[test]
fn a_collective_record_inside_changes_nothing() {
    check(
        "0: 0..10 MPI_Init createhandle; 20..30 MPI_Finalize barrier
         1: 0..13 MPI_Init createhandle; 25..30 MPI_Finalize barrier",
        "wait_at_finalize MPI_Finalize 0:5
         init_completion MPI_Init 1:3",
    );
}

#[test]
fn both_are_of_the_world_and_outside_the_basis() {
    let found = analysis("0: 0..10 MPI_Init; 20..30 MPI_Finalize \n 1: 0..13 MPI_Init; 25..30 MPI_Finalize");
    for finding in found.findings {
        assert_eq!(finding.communicator.unwrap().name, "MPI_COMM_WORLD");
        assert!(!finding.in_basis);
        assert_eq!(finding.severity, 0.0);
    }
}
