//! Late Sender: [min(enter of the send, leave of the completing call) − enter of the completing call]+.

use crate::{analysis, check, check_impossible};

#[test]
fn a_receive_waits_from_its_enter_to_the_enter_of_the_send() {
    check(
        "0: 0 enter main; 10..13 MPI_Ssend send 1; 20 leave
         1: 0 enter main; 2..14 MPI_Recv recv 0; 20 leave",
        "late_sender main/MPI_Recv 1:8",
    );
}

#[test]
fn a_send_that_is_entered_at_the_same_time_is_not_late() {
    check("0: 2..5 MPI_Ssend send 1 \n 1: 2..5 MPI_Recv recv 0", "");
    check("0: 3..5 MPI_Ssend send 1 \n 1: 2..5 MPI_Recv recv 0", "late_sender MPI_Recv 1:1");
}

#[test]
fn the_wait_ends_with_the_call() {
    check_impossible("0: 30..35 MPI_Ssend send 1 \n 1: 2..14 MPI_Recv recv 0", "late_sender MPI_Recv 1:12");
}

#[test]
fn an_early_eager_send_makes_nobody_wait() {
    check("0: 0..1 MPI_Send send 1 \n 1: 5..6 MPI_Recv recv 0", "");
}

#[test]
fn waits_of_several_receives_add_up_by_call_path_and_location() {
    let trace = "
        0: 0..1 MPI_Send send 2; 9..10 MPI_Send send 1; 14..15 MPI_Send send 1
        1: 0 enter a; 7..10 MPI_Recv recv 0; 11 leave; 11 enter a; 11..15 MPI_Recv recv 0; 16 leave
        2: 0 enter b; 0..1 MPI_Recv recv 0; 2..8 MPI_Recv recv 3; 9 leave
        3: 6..7 MPI_Send send 2";
    check(
        trace,
        "late_sender a/MPI_Recv 1:5
         late_sender b/MPI_Recv 2:4",
    );
    assert_eq!(analysis(trace).findings.iter().map(|finding| finding.instances).collect::<Vec<_>>(), [2, 1]);
}

#[test]
fn a_nonblocking_receive_waits_in_its_completing_call_only() {
    for call in ["MPI_Wait", "MPI_Waitany", "MPI_Waitall", "MPI_Waitsome"] {
        check(
            &format!(
                "0: 10..13 MPI_Ssend send 1
                 1: 0..1 MPI_Irecv post 7; 1..4 work; 4..14 {call} irecv 0 request 7"
            ),
            &format!("late_sender {call} 1:6"),
        );
    }
}

/// MPI_Start of the send tells of no message: it is sent by the last MPI_Pready, whatever partitions were ready before.
#[test]
fn a_message_in_partitions_is_sent_when_the_last_of_them_is_ready() {
    check(
        "0: 0..1 MPI_Psend_init; 1..2 MPI_Start; 4..5 MPI_Pready; 6..7 MPI_Pready; 9..10 MPI_Pready isend 1 request 3; \
            11..14 MPI_Wait sent 3; 14..15 MPI_Start; 20..21 MPI_Pready; 22..23 MPI_Pready; \
            24..25 MPI_Pready isend 1 request 4; 25..26 MPI_Wait sent 4
         1: 0..1 MPI_Precv_init; 2..3 MPI_Start post 7; 4..10 MPI_Wait irecv 0 request 7; 13..14 MPI_Start post 8; \
            15..16 work; 17..24 MPI_Wait irecv 0 request 8",
        "late_sender MPI_Wait 1:12",
    );
    // A large one waits for its receive, in the sender's MPI_Wait.
    check(
        "0: 1..2 MPI_Start; 3..4 MPI_Pready; 4..5 MPI_Pready isend 1 request 3; 5..12 MPI_Wait sent 3
         1: 12..13 MPI_Start post 7; 13..14 MPI_Wait irecv 0 request 7",
        "late_receiver MPI_Wait 0:7",
    );
}

#[test]
fn a_nonblocking_send_is_made_when_it_is_started() {
    check(
        "0: 8..9 MPI_Isend isend 1 request 3; 20..21 MPI_Wait sent 3
         1: 5..10 MPI_Recv recv 0",
        "late_sender MPI_Recv 1:3",
    );
}

#[test]
fn work_between_post_and_completion_hides_the_wait() {
    check(
        "0: 10..13 MPI_Ssend send 1
         1: 0..1 MPI_Irecv post 7; 1..12 work; 12..14 MPI_Wait irecv 0 request 7",
        "late_progress MPI_Ssend 0:2",
    );
}

#[test]
fn tests_never_wait_for_themselves() {
    for call in ["MPI_Test", "MPI_Testany", "MPI_Testall", "MPI_Testsome", "MPI_Request_free"] {
        check(
            &format!(
                "0: 10..13 MPI_Send send 1
                 1: 0..1 MPI_Irecv post 7; 5..14 {call} irecv 0 request 7"
            ),
            "",
        );
    }
}

#[test]
fn sendrecv_waits_for_its_sender() {
    check(
        "0: 0..12 MPI_Sendrecv send 1, recv 1
         1: 9..12 MPI_Sendrecv send 0, recv 0",
        "late_sender MPI_Sendrecv 0:9",
    );
    check(
        "0: 0..12 MPI_Sendrecv_replace send 1, recv 1
         1: 9..12 MPI_Sendrecv_replace send 0, recv 0",
        "late_sender MPI_Sendrecv_replace 0:9",
    );
}

#[test]
fn a_receive_from_any_source_waits_for_the_one_it_got() {
    check(
        "0: 2..8 MPI_Recv recv 2 tag 4; 8..21 MPI_Recv recv 1 tag 4
         1: 20..21 MPI_Send send 0 tag 4
         2: 7..8 MPI_Send send 0 tag 4",
        "late_sender MPI_Recv 0:17",
    );
}

#[test]
fn a_message_without_payload_waits_like_any_other() {
    check("0: 6..7 MPI_Send send 1 bytes 0 \n 1: 2..7 MPI_Recv recv 0 bytes 0", "late_sender MPI_Recv 1:4");
}

#[test]
fn fortran_and_profiling_names_are_the_same_calls() {
    check(
        "0: 6..7 mpi_send_ send 1; 20..30 PMPI_Finalize
         1: 0..1 mpi_irecv_ post 1; 2..7 mpi_test_ irecv 0 request 1; 22..30 mpi_finalize_",
        "wait_at_finalize PMPI_Finalize 0:2",
    );
}

#[test]
fn a_process_may_send_to_itself() {
    check("0: 0..1 MPI_Irecv post 1; 1..2 MPI_Send send 0; 2..3 MPI_Wait irecv 0 request 1", "");
}

#[test]
fn a_finding_names_its_communicator_where_it_has_but_one() {
    let trace = "
        comm pair 0 1
        0: 2..3 MPI_Send send 1 on pair; 5..6 MPI_Send send 1 on pair
        1: 0 enter a; 0..3 MPI_Recv recv 0 on pair; 3..6 MPI_Recv recv 0 on pair; 6 leave";
    let communicator = analysis(trace).findings[0].communicator.clone().unwrap();
    assert_eq!((communicator.name.as_str(), communicator.size), ("pair", 2));

    let mixed = "
        comm pair 0 1
        0: 2..3 MPI_Send send 1 on pair; 5..6 MPI_Send send 1
        1: 0 enter a; 0..3 MPI_Recv recv 0 on pair; 3..6 MPI_Recv recv 0; 6 leave";
    assert_eq!(analysis(mixed).findings[0].communicator, None);
}
