//! Partners that act on a message in their next call of MPI only.

use ats_analyzer::{Options, analyze, notation::parse};
use ats_model::definitions::{SystemNode, SystemTree};

use super::{analysis, check, table};
use crate::in_parts::{InParts, check_in_parts, with_waits};

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
    // To start another message moves none: all that are started wait for the same call.
    check(
        "0: 0..1 MPI_Isend isend 1 request 7; 1..2 MPI_Isend isend 2 request 8; 2..9 work; 9..10 MPI_Waitall sent 7, sent 8
         1: 0..10 MPI_Recv recv 0
         2: 1..10 MPI_Recv recv 0",
        "late_progress MPI_Recv 1:9 2:8",
    );
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

/// Twenty seconds later than a first message of rank 0 to rank 1, a receive of rank `to` that lasts until the sender's
/// next call, six seconds later.
fn behind(before: &str, received: &str, to: u32, bytes: u32) -> String {
    let [own, of_other] = if to == 1 {
        [format!("{received}; "), String::new()]
    } else {
        [String::new(), format!("\n1: {received}")]
    };
    format!(
        "0: {before}; 20..21 MPI_Isend isend {to} request 7 bytes {bytes}; 21..28 work; 28..29 MPI_Wait sent 7
         {to}: {own}22..30 MPI_Recv recv 0 bytes {bytes}{of_other}"
    )
}

const FIRST: &str = "0..1 MPI_Isend isend 1 request 5 tag 1 bytes 8; 10..11 MPI_Wait sent 5";

#[test]
fn a_message_no_larger_than_one_that_proceeded_by_itself_needs_no_sender() {
    let late = "late_progress MPI_Recv 1:6";
    for received in [
        "6..7 MPI_Recv recv 0 tag 1 bytes 8",
        // It is posted before, but the receiver is in no call while the sender is in that which sends.
        "2..3 MPI_Irecv post 3; 8..9 MPI_Wait irecv 0 request 3 tag 1 bytes 8",
    ] {
        let before = "0..1 work; 4..5 MPI_Isend isend 1 request 5 tag 1 bytes 8; 10..11 MPI_Wait sent 5";
        check_in_parts(&behind(before, received, 1, 8), "", "");
        check(&behind(before, received, 1, 9), late);
    }
    for (before, received) in [
        // A call of the sender may have moved it: that which sends, or the next.
        (FIRST, "0..6 MPI_Recv recv 0 tag 1 bytes 8"),
        (FIRST, "0..1 MPI_Irecv post 3; 8..9 MPI_Wait irecv 0 request 3 tag 1 bytes 8"),
        (FIRST, "1..2 MPI_Recv recv 0 tag 1 bytes 8"),
        (FIRST, "5..10 MPI_Recv recv 0 tag 1 bytes 8"),
        (
            "0..1 MPI_Isend isend 1 request 5 tag 1 bytes 8; 3..4 MPI_Barrier; 10..11 MPI_Wait sent 5",
            "2..6 MPI_Recv recv 0 tag 1 bytes 8",
        ),
        ("0..8 MPI_Send send 1 tag 1 bytes 8", "2..6 MPI_Recv recv 0 tag 1 bytes 8"),
        // Other modes have protocols of their own.
        (&FIRST.replace("MPI_Isend", "MPI_Issend"), "5..6 MPI_Recv recv 0 tag 1 bytes 8"),
        (&FIRST.replace("MPI_Isend", "MPI_Irsend"), "5..6 MPI_Recv recv 0 tag 1 bytes 8"),
    ] {
        let trace = behind(before, received, 1, 8);
        let found = table(&analysis(&trace));
        assert!(found.contains("late_progress MPI_Recv 1:"), "{before} {received}: {found}");
    }
}

#[test]
fn a_message_no_larger_than_one_that_proceeded_by_itself_needs_no_receiver() {
    let trace = |before: &str, received: &str, call: &str, bytes: u32| {
        format!(
            "0: {before}; 22..30 {call} send 1 bytes {bytes}
             1: {received}; 20..21 MPI_Irecv post 7; 21..28 work; 28..31 MPI_Wait irecv 0 request 7 bytes {bytes}"
        )
    };
    for (before, received) in [
        // It has left before its receive is posted.
        ("0..1 MPI_Send send 1 tag 1 bytes 8", "2..3 MPI_Recv recv 0 tag 1 bytes 8"),
        (
            "0..1 MPI_Isend isend 1 request 5 tag 1 bytes 8; 2..3 MPI_Wait sent 5",
            "4..5 MPI_Recv recv 0 tag 1 bytes 8",
        ),
        // The receiver was in no call meanwhile.
        (
            "2..3 MPI_Send send 1 tag 1 bytes 8",
            "0..1 MPI_Irecv post 3; 4..5 MPI_Wait irecv 0 request 3 tag 1 bytes 8",
        ),
    ] {
        check_in_parts(&trace(before, received, "MPI_Send", 8), "", "");
        check(&trace(before, received, "MPI_Send", 9), "late_progress MPI_Send 0:6");
        check(&trace(before, received, "MPI_Ssend", 8), "late_progress MPI_Ssend 0:6");
    }
    // The receiver answers when it posts the receive.
    let before = "0..1 MPI_Isend isend 1 request 5 tag 1 bytes 8; 4..5 MPI_Wait sent 5";
    let received = "2..3 MPI_Irecv post 3; 6..7 MPI_Wait irecv 0 request 3 tag 1 bytes 8";
    check(&trace(before, received, "MPI_Send", 8), "late_progress MPI_Send 0:6");
}

#[test]
fn progress_on_a_node_is_not_progress_between_nodes() {
    let received = "5..6 MPI_Recv recv 0 tag 1 bytes 8";
    let found = |nodes: &[u32]| {
        let mut trace = parse(&behind(FIRST, received, 2, 8)).unwrap();
        let node = |name: &str| SystemNode { name: name.into(), class: "node".into(), parent: None };
        let processes = nodes.iter().enumerate().map(|(rank, &node)| (rank as u32, node)).collect();
        trace.definitions.system_tree = SystemTree { nodes: vec![node("a"), node("b")], processes };
        table(&analyze(&trace, "test", &Options::default()).unwrap())
    };
    let late = "late_progress MPI_Recv 2:6";
    assert_eq!(found(&[0, 0, 0]), "");
    assert_eq!(found(&[0, 1, 1]), "");
    assert_eq!(found(&[0, 0, 1]), late);
    assert_eq!(found(&[0, 1, 0]), late);
    // Nothing is known of the nodes.
    assert_eq!(found(&[]), late);
}

#[test]
fn of_several_messages_that_proceed_late_the_longest_that_needs_its_partner_counts() {
    let trace = |bytes: u32| {
        format!(
            "0: 0..1 MPI_Isend isend 2 request 6 tag 1 bytes 8; 7..8 MPI_Wait sent 6; \
                10..11 MPI_Isend isend 2 request 7 bytes 8; 11..27 work; 27..28 MPI_Wait sent 7
             1: 0..1 MPI_Isend isend 2 request 6 tag 1 bytes 8; 7..8 MPI_Wait sent 6; \
                10..11 MPI_Isend isend 2 request 7 bytes {bytes}; 11..25 work; 25..26 MPI_Wait sent 7
             2: 2..3 MPI_Recv recv 0 tag 1 bytes 8; 4..5 MPI_Recv recv 1 tag 1 bytes 8; \
                8..9 MPI_Irecv post 1; 9..10 MPI_Irecv post 2; \
                20..29 MPI_Waitall irecv 0 request 1 bytes 8, irecv 1 request 2 bytes {bytes}"
        )
    };
    let single_waits = |bytes: u32| {
        let trace = InParts { trace: parse(&trace(bytes)).unwrap(), part: 1, has_common_clock: true };
        let (_, waits) = with_waits(&trace, &Options { records_in_memory: 0, ..Options::default() });
        waits.iter().map(|wait| (wait.begin, wait.end, wait.awaited)).collect::<Vec<_>>()
    };
    check_in_parts(&trace(8), "", "");
    assert_eq!(single_waits(8), []);
    check_in_parts(&trace(9), "late_progress MPI_Waitall 2:5", "");
    assert_eq!(single_waits(9), [(20, 25, Some(1))]);
}

#[test]
fn a_process_whose_threads_call_mpi_does_not_show_when_it_is_there() {
    let of_thread = "\n0.1: 2..3 MPI_Send send 1 tag 2";
    let received = "5..6 MPI_Recv recv 0 tag 1 bytes 8; 6..7 MPI_Recv recv 0 tag 2";
    let trace = behind(FIRST, received, 1, 8) + of_thread;
    check_in_parts(&trace, "late_progress MPI_Recv 1:6", "");
}
