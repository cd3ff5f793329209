//! Partners that act on a message in their next call of MPI only.

use super::{analysis, check, table};

#[test]
fn a_receive_waits_for_the_next_call_of_a_sender_that_has_started() {
    let trace = |received| {
        format!(
            "0: 0..1 MPI_Isend isend 1 request 7; 1..9 work; 9..10 MPI_Wait sent 7
             1: 0..2 work; 2..{received} MPI_Recv recv 0"
        )
    };
    check(&trace(10), "late_progress MPI_Recv 1:7");
    check(&trace(9), "late_progress MPI_Recv 1:7");
    // It returns before: the message was eager, or proceeds by itself.
    check(&trace(8), "");
}

#[test]
fn a_send_waits_for_the_next_call_of_a_receiver_that_has_started() {
    let trace = |call: &str| {
        format!(
            "0: 0..2 work; 2..10 {call}
             1: 0..1 MPI_Irecv post 7; 1..9 work; 9..11 MPI_Wait irecv 0 request 7"
        )
    };
    for send in ["MPI_Ssend send 1", "MPI_Send send 1"] {
        let call = send.split(' ').next().unwrap();
        check(&trace(send), &format!("late_progress {call} 0:7"));
    }
    // They wait for no receiver.
    check(&trace("MPI_Bsend send 1"), "");
}

#[test]
fn late_senders_and_receivers_keep_their_time() {
    check(
        "0: 0..4 work; 4..5 MPI_Isend isend 1 request 7; 5..9 work; 9..10 MPI_Wait sent 7
         1: 0..1 work; 1..10 MPI_Recv recv 0",
        "late_progress MPI_Recv 1:5
         late_sender MPI_Recv 1:3",
    );
    check(
        "0: 0..1 work; 1..10 MPI_Ssend send 1
         1: 0..4 work; 4..5 MPI_Irecv post 7; 5..9 work; 9..11 MPI_Wait irecv 0 request 7",
        "late_progress MPI_Ssend 0:5
         late_receiver MPI_Ssend 0:3",
    );
}

#[test]
fn a_call_counts_the_longest_beyond_its_other_waits() {
    let trace = |sent| {
        format!(
            "0: 0..1 MPI_Irecv post 1; 1..2 MPI_Irecv post 2; 2..3 MPI_Irecv post 3; \
                3..12 MPI_Waitall irecv 1 request 1, irecv 2 request 2, irecv 3 request 3
             1: 0..1 MPI_Isend isend 0 request 7; 1..9 work; 9..12 MPI_Wait sent 7
             2: 0..1 MPI_Isend isend 0 request 7; 1..7 work; 7..12 MPI_Wait sent 7
             3: 0..{sent} work; {sent}..{sent} MPI_Send send 0"
        )
    };
    check(&trace(5), "late_progress MPI_Waitall 0:4\nlate_sender MPI_Waitall 0:2");
    check(&trace(1), "late_progress MPI_Waitall 0:6");
    check(&trace(10), "late_sender MPI_Waitall 0:7");
}

#[test]
fn only_calls_that_make_progress_count() {
    check(
        "0: 0..1 MPI_Isend isend 1 request 7; 2..3 MPI_Comm_rank; 3..9 work; 9..10 MPI_Wait sent 7
         1: 0..10 MPI_Recv recv 0",
        "late_progress MPI_Recv 1:9",
    );
    let trace = "0: 0..1 MPI_Isend isend 1 request 7; 4..5 MPI_Iprobe; 5..9 work; 9..10 MPI_Wait sent 7
                 1: 0..10 MPI_Recv recv 0";
    assert_eq!(table(&analysis(trace)), "late_progress MPI_Recv 1:4");
}

#[test]
fn blocking_calls_act_at_once_and_tests_never_wait() {
    check(
        "0: 0..9 MPI_Ssend send 1; 9..10 MPI_Send send 1
         1: 0..9 MPI_Recv recv 0; 9..10 MPI_Recv recv 0",
        "",
    );
    check(
        "0: 0..1 MPI_Isend isend 1 request 7; 1..9 work; 9..10 MPI_Wait sent 7
         1: 0..1 MPI_Irecv post 7; 2..10 MPI_Test irecv 0 request 7",
        "",
    );
}

#[test]
fn a_persistent_request_counts_from_its_start() {
    check(
        "0: 0..1 MPI_Send_init; 1..4 work; 4..5 MPI_Start isend 1 request 7; 5..9 work; 9..10 MPI_Wait sent 7
         1: 0..6 work; 6..10 MPI_Recv recv 0",
        "late_progress MPI_Recv 1:3",
    );
}

#[test]
fn a_sender_that_makes_no_call_any_more_is_not_waited_for() {
    let trace = "0: 0..1 MPI_Isend isend 1 request 7; 1..9 work
                 1: 0..9 MPI_Recv recv 0";
    assert_eq!(table(&analysis(trace)), "");
}
