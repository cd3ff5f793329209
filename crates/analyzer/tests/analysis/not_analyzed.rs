//! Calls that may wait for something that is not analyzed are named, with the time in them.

use ats_analyzer::{Options, analyze, notation::parse};
use ats_documents::Analysis;

use crate::{analysis, table, trimmed};

/// A line for each function.
fn not_analyzed(analysis: &Analysis) -> String {
    analysis.not_analyzed.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// The trace has nothing wrong, these findings, and these calls that are not analyzed.
#[track_caller]
fn check(trace: &str, findings: &str, calls: &str) {
    let analysis = analysis(trace);
    assert_eq!(table(&analysis), trimmed(findings));
    assert_eq!(not_analyzed(&analysis), trimmed(calls));
    assert_eq!(analysis.warnings, [""; 0]);
    assert_eq!(analysis.is_whole(), calls.is_empty());
}

#[test]
fn a_nonblocking_collective_operation_and_its_completion() {
    check(
        "0: 0..1 MPI_Ibarrier; 1..9 MPI_Wait; 10..12 MPI_Iallreduce; 12..13 MPI_Test; 14..15 MPI_Waitall
         1: 8..9 MPI_Ibarrier; 9..9 MPI_Wait; 10..11 MPI_Iallreduce; 11..12 MPI_Waitall",
        "",
        "2 calls of MPI_Wait, 8.000000 s (completion of requests other than messages)
         2 calls of MPI_Iallreduce, 3.000000 s (non-blocking collective operations)
         2 calls of MPI_Ibarrier, 2.000000 s (non-blocking collective operations)
         2 calls of MPI_Waitall, 2.000000 s (completion of requests other than messages)
         1 call of MPI_Test, 1.000000 s (completion of requests other than messages)",
    );
}

#[test]
fn the_completion_of_a_message_is_analyzed() {
    check(
        "0: 0..1 MPI_Irecv post 1; 1..2 MPI_Ibarrier; 2..9 MPI_Wait irecv 1 request 1; 9..12 MPI_Wait
         1: 6..7 MPI_Send send 0; 8..9 MPI_Ibarrier; 9..10 MPI_Wait",
        "late_sender MPI_Wait 0:4",
        "2 calls of MPI_Wait, 4.000000 s (completion of requests other than messages)
         2 calls of MPI_Ibarrier, 2.000000 s (non-blocking collective operations)",
    );
}

#[test]
fn a_message_that_is_tested_in_vain_is_no_other_request() {
    check(
        "0: 0..1 MPI_Ibarrier; 2..3 MPI_Irecv post 1; 3..4 MPI_Test test 1; 4..5 MPI_Test test 7; 5..9 MPI_Wait irecv 1 request 1
         1: 0..1 MPI_Ibarrier; 5..6 MPI_Send send 0",
        "late_sender_in_test MPI_Test 0:2",
        "2 calls of MPI_Ibarrier, 2.000000 s (non-blocking collective operations)
         1 call of MPI_Test, 1.000000 s (completion of requests other than messages)",
    );
}

#[test]
fn nothing_is_said_of_requests_that_do_nothing() {
    check(
        "0: 0..1 MPI_Wait; 2..3 MPI_Send_init; 3..4 MPI_Start; 4..5 MPI_Wait; 5..6 MPI_Comm_rank; 6..7 MPI_Recv
         1: 0..1 MPI_Waitall; 2..3 MPI_Testany; 4..5 MPI_Request_free",
        "",
        "",
    );
}

#[test]
fn calls_on_an_intercommunicator_have_no_record() {
    check(
        "0: 0..1 MPI_Send; 2..4 MPI_Intercomm_create; 4..5 MPI_Send; 6..7 MPI_Send send 1; 8..10 MPI_Barrier; 11..15 MPI_Barrier barrier
         1: 0..1 MPI_Recv; 2..4 MPI_Intercomm_create; 4..5 MPI_Recv; 6..7 MPI_Recv recv 0; 8..10 MPI_Barrier; 13..15 MPI_Barrier barrier
         2: 4..5 MPI_Recv; 11..15 MPI_Barrier barrier",
        "wait_at_barrier MPI_Barrier 0:2 2:2",
        "2 calls of MPI_Barrier, 4.000000 s (communication between groups)
         2 calls of MPI_Intercomm_create, 4.000000 s (communicators made or freed)
         1 call of MPI_Recv, 1.000000 s (communication between groups)
         1 call of MPI_Send, 1.000000 s (communication between groups)",
    );
}

#[test]
fn a_spawned_process_talks_to_its_parents() {
    check(
        "0: 0..1 MPI_Comm_get_parent; 1..9 MPI_Recv",
        "",
        "1 call of MPI_Recv, 8.000000 s (communication between groups)",
    );
}

#[test]
fn calls_with_large_counts_are_analyzed_if_they_were_recorded() {
    check(
        "0: 0..1 MPI_Send_c; 3..4 MPI_Send_c send 1; 5..7 MPI_Bcast_c
         1: 0..2 MPI_Recv_c; 2..4 MPI_Recv_c recv 0; 5..6 MPI_Bcast_c",
        "late_sender MPI_Recv_c 1:1",
        "2 calls of MPI_Bcast_c, 3.000000 s (communication with large counts)
         1 call of MPI_Recv_c, 2.000000 s (communication with large counts)
         1 call of MPI_Send_c, 1.000000 s (communication with large counts)",
    );
}

#[test]
fn windows_files_probes_and_the_like() {
    check(
        "0: 0..1 MPI_Probe; 1..3 MPI_Win_fence; 3..6 MPI_File_write_all; 6..10 MPI_Neighbor_alltoall; \
            10..15 MPI_Comm_spawn; 15..21 MPI_Buffer_detach; 21..28 MPI_Session_finalize; 28..36 MPI_Parrived; 36..45 mpi_rput_; \
            45..55 MPI_Wait",
        "",
        "1 call of MPI_Wait, 10.000000 s (completion of requests other than messages)
         1 call of mpi_rput_, 9.000000 s (one-sided communication)
         1 call of MPI_Parrived, 8.000000 s (partitions of messages)
         1 call of MPI_Session_finalize, 7.000000 s (sessions)
         1 call of MPI_Buffer_detach, 6.000000 s (buffers of sends)
         1 call of MPI_Comm_spawn, 5.000000 s (processes and ports)
         1 call of MPI_Neighbor_alltoall, 4.000000 s (neighborhood collective operations)
         1 call of MPI_File_write_all, 3.000000 s (files)
         1 call of MPI_Win_fence, 2.000000 s (one-sided communication)
         1 call of MPI_Probe, 1.000000 s (probes)",
    );
}

/// A recorder that does not know such messages records nothing of them but the calls.
#[test]
fn messages_in_partitions_are_analyzed_if_they_are_recorded() {
    check(
        "0: 0..1 MPI_Psend_init; 1..2 MPI_Start; 2..5 MPI_Pready; 5..9 MPI_Wait
         1: 0..1 MPI_Precv_init; 1..2 MPI_Start; 2..9 MPI_Wait",
        "",
        "2 calls of MPI_Wait, 11.000000 s (completion of requests other than messages)",
    );
    check(
        "0: 0..1 MPI_Psend_init; 1..2 MPI_Start; 2..3 MPI_Pready; 7..8 MPI_Pready isend 1 request 1; 8..9 MPI_Wait sent 1
         1: 0..1 MPI_Precv_init; 1..2 MPI_Start post 1; 3..7 MPI_Wait irecv 0 request 1",
        "late_sender MPI_Wait 1:4",
        "",
    );
}

#[test]
fn inner_calls_are_part_of_the_outer_call() {
    check(
        "0: 0 enter MPI_File_open; 1..3 MPI_Comm_dup; 4 leave; 5 enter library; 6..8 MPI_Comm_dup; 9 leave",
        "",
        "1 call of MPI_File_open, 4.000000 s (files)
         1 call of MPI_Comm_dup, 2.000000 s (communicators made or freed)",
    );
}

#[test]
fn calls_that_take_no_time_hide_no_wait() {
    check("0: 0..0 MPI_Ibarrier; 5..5 MPI_Wait; 6..9 work", "", "");
    check(
        "0: 0..0 MPI_Ibarrier; 5..6 MPI_Wait",
        "",
        "1 call of MPI_Wait, 1.000000 s (completion of requests other than messages)
         1 call of MPI_Ibarrier, 0.000000 s (non-blocking collective operations)",
    );
}

#[test]
fn only_the_basis_counts() {
    check(
        "0: 0..3 MPI_Probe; 4 enter ats_measured; 5..7 MPI_Probe; 8 leave; 9..13 MPI_Probe",
        "",
        "1 call of MPI_Probe, 2.000000 s (probes)",
    );
}

#[test]
fn threads_of_a_team_make_such_calls_too() {
    let trace = "team t 0 0.1
         0: 0 fork; 0 begin t; 0 enter $parallel; 0..9 work; 9..9 $barrier; 9 leave; 9 end t; 9 join
         0.1: 0 begin t; 0 enter $parallel; 0..5 MPI_Probe; 9..9 $barrier; 9 leave; 9 end t";
    assert_eq!(not_analyzed(&analysis(trace)), "1 call of MPI_Probe, 5.000000 s (probes)");
}

#[test]
fn records_of_messages_between_groups_make_their_calls_known_as_such() {
    let trace = parse("0: 0 enter MPI_Recv; 3 other 18; 4 leave").unwrap();
    let analysis = analyze(&trace, "test", &Options::default()).unwrap();
    assert_eq!(not_analyzed(&analysis), "1 call of MPI_Recv, 4.000000 s (communication between groups)");
    assert_eq!(analysis.warnings.len(), 1);
}

#[test]
fn calling_contexts_and_samples_are_passed_over() {
    let analysis = analysis("0: 1 other 66; 2 other 68; 3 other 68; 4 other 67");
    assert_eq!(
        analysis.warnings,
        ["records of calling contexts and samples (passed over): 4; the first on rank 0, thread 0, at 1 s"]
    );
    assert!(!analysis.is_whole());
}
