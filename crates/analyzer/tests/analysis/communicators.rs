//! Waits where communicators are made and freed.

use ats_documents::analysis::NotAnalyzed;

use crate::{analysis, check};

#[test]
fn making_a_communicator_waits_for_the_last_member() {
    for call in
        ["MPI_Comm_dup", "MPI_Comm_split", "MPI_Comm_create", "MPI_Cart_create", "mpi_comm_split_type_"]
    {
        check(
            &format!(
                "comm part 2 0 1
                 0: 0..9 {call} createhandle on part
                 1: 4..9 {call} createhandle on part
                 2: 7..9 {call} createhandle on part
                 3: 8..9 MPI_Comm_rank"
            ),
            &format!("wait_at_communicator_management {call} 0:7 1:3"),
        );
    }
}

#[test]
fn a_wait_ends_with_the_call() {
    check(
        "0: 0..2 MPI_Comm_dup createhandle
         1: 5..6 MPI_Comm_dup createhandle",
        "wait_at_communicator_management MPI_Comm_dup 0:2",
    );
}

#[test]
fn freeing_waits_only_if_the_library_does() {
    check(
        "0: 0..2 MPI_Comm_free destroyhandle; 10..19 MPI_Comm_disconnect destroyhandle
         1: 5..6 MPI_Comm_free destroyhandle; 16..19 MPI_Comm_disconnect destroyhandle",
        "wait_at_communicator_management MPI_Comm_disconnect 0:6",
    );
}

#[test]
fn they_count_with_the_other_operations() {
    check(
        "0: 0..3 MPI_Comm_dup createhandle; 3..9 MPI_Barrier barrier; 10..12 MPI_Comm_dup createhandle
         1: 2..3 MPI_Comm_dup createhandle; 7..9 MPI_Barrier barrier; 11..12 MPI_Comm_dup createhandle",
        "wait_at_barrier MPI_Barrier 0:4
         wait_at_communicator_management MPI_Comm_dup 0:3",
    );
}

#[test]
fn a_request_waits_where_it_is_completed() {
    check(
        "0: 0..1 MPI_Comm_idup start 1; 2..9 MPI_Waitall icreatehandle request 1
         1: 5..6 MPI_Comm_idup start 4; 6..9 MPI_Waitall icreatehandle request 4",
        "wait_at_communicator_management MPI_Waitall 0:3",
    );
}

#[test]
fn calls_of_some_members_alone_do_not_count() {
    let found = analysis(
        "0: 0..5 MPI_Comm_create_group createhandle; 5..9 MPI_Comm_dup createhandle
         1: 8..9 MPI_Comm_dup createhandle",
    );
    assert_eq!(found.warnings, [""; 0]);
    assert_eq!(found.findings.len(), 1);
    assert_eq!((found.findings[0].id.as_str(), found.findings[0].waiting_time), (DUP, 3.0));
    let unknown: Vec<String> = found.not_analyzed.iter().map(NotAnalyzed::to_string).collect();
    assert_eq!(unknown, ["1 call of MPI_Comm_create_group, 5.000000 s (communicators made or freed)"]);
}

const DUP: &str = "wait_at_communicator_management@MPI_Comm_dup";
