//! Partners that act on a message in their next call of MPI only.

use ats_analyzer::{Options, analyze, notation::parse};
use ats_model::{
    definitions::{SystemNode, SystemTree},
    source::InMemory,
};

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
             3: 0..{sent} work; {sent}..{sent} MPI_Send send 0 bytes 0"
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

/// A receive whose sender is in no call for its last five seconds, and before it a message of rank 0 to `to`.
fn behind(before: &str, to: u32, bytes: u32) -> String {
    let receive = "MPI_Recv recv 0 tag 1 bytes 8";
    format!(
        "0: {before}; 9..10 MPI_Isend isend {to} request 7 bytes {bytes}; 10..18 work; 18..19 MPI_Wait sent 7
         1: 0..5 work; 5..6 {receive}
         {to}: 9..13 work; 13..20 MPI_Recv recv 0 bytes {bytes}"
    )
}

#[test]
fn a_message_no_larger_than_one_that_proceeded_by_itself_needs_no_partner() {
    for before in [
        // It has left before its receive begins.
        "0..1 MPI_Send send 1 tag 1 bytes 8",
        "0..1 MPI_Isend isend 1 request 5 tag 1 bytes 8; 2..3 MPI_Wait sent 5",
        // It is received between the calls of its sender.
        "0..1 MPI_Isend isend 1 request 5 tag 1 bytes 8; 8..9 MPI_Wait sent 5",
        "0..1 MPI_Ibsend isend 1 request 5 tag 1 bytes 8; 8..9 MPI_Wait sent 5",
    ] {
        check(&behind(before, 1, 8), "");
        check(&behind(before, 1, 9), "late_progress MPI_Recv 1:5");
    }
    let in_a_call = "4..7 MPI_Send send 1 tag 1 bytes 8";
    check(&behind(in_a_call, 1, 8), "late_progress MPI_Recv 1:5\nlate_receiver MPI_Send 0:1");
    for before in [
        "0..6 MPI_Isend isend 1 request 5 tag 1 bytes 8; 8..9 MPI_Wait sent 5",
        // A buffer of the sender's had it, and another call sent it.
        "0..1 MPI_Ibsend isend 1 request 5 tag 1 bytes 8; 2..3 MPI_Wait sent 5",
    ] {
        check(&behind(before, 1, 8), "late_progress MPI_Recv 1:5");
    }
}

#[test]
fn a_small_message_needs_an_answer_if_it_is_synchronous() {
    let trace = |call: &str| {
        format!(
            "0: 0..1 MPI_Send send 1; 4..10 {call} send 1
             1: 0..2 work; 2..3 MPI_Recv recv 0; 3..4 MPI_Irecv post 7; 4..9 work; 9..11 MPI_Wait irecv 0 request 7"
        )
    };
    check(&trace("MPI_Ssend"), "late_progress MPI_Ssend 0:5");
    check(&trace("MPI_Send"), "");
}

#[test]
fn how_messages_proceed_on_a_node_says_nothing_of_messages_between_nodes() {
    let mut trace = parse(&behind("0..1 MPI_Send send 1 tag 1 bytes 8", 2, 8)).unwrap();
    let found = |trace: &InMemory| table(&analyze(trace, "test", &Options::default()).unwrap());
    assert_eq!(found(&trace), "");
    let node = |name: &str| SystemNode { name: name.into(), class: "node".into(), parent: None };
    trace.definitions.system_tree =
        SystemTree { nodes: vec![node("a"), node("b")], processes: [(0, 0), (1, 0), (2, 1)].into() };
    assert_eq!(found(&trace), "late_progress MPI_Recv 2:5");
}

#[test]
fn of_several_messages_that_proceed_late_the_longest_that_needs_its_partner_counts() {
    let trace = |bytes: u32| {
        format!(
            "0: 0..1 MPI_Send send 2 tag 1 bytes 8; 4..5 MPI_Isend isend 2 request 7 bytes 8; 5..17 work; 17..18 MPI_Wait sent 7
             1: 4..5 MPI_Isend isend 2 request 7 bytes {bytes}; 5..15 work; 15..16 MPI_Wait sent 7
             2: 0..2 work; 2..3 MPI_Recv recv 0 tag 1 bytes 8; 3..4 MPI_Irecv post 1; 4..5 MPI_Irecv post 2; \
                10..19 MPI_Waitall irecv 0 request 1 bytes 8, irecv 1 request 2 bytes {bytes}"
        )
    };
    check(&trace(8), "");
    check(&trace(9), "late_progress MPI_Waitall 2:5");
}
