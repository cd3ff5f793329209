//! Late Sender in wrong order: the whole wait is reassigned once a message received later was sent earlier.

use std::fmt::Write;

use crate::{analysis, check, check_impossible, table};

#[test]
fn an_earlier_message_of_another_source_makes_it_different() {
    check(
        "0: 0..10 MPI_Recv recv 2; 10..11 MPI_Recv recv 1
         1: 4..5 MPI_Send send 0
         2: 9..10 MPI_Send send 0",
        "late_sender_wrong_order_different_sources MPI_Recv 0:9",
    );
}

#[test]
fn an_earlier_message_of_the_same_source_makes_it_same() {
    check(
        "0: 4..5 MPI_Send send 1 tag 1; 9..10 MPI_Send send 1 tag 2
         1: 0..10 MPI_Recv recv 0 tag 2; 10..11 MPI_Recv recv 0 tag 1",
        "late_sender_wrong_order_same_source MPI_Recv 1:9",
    );
}

#[test]
fn the_right_order_is_a_plain_late_sender() {
    check(
        "0: 0..5 MPI_Recv recv 1; 5..10 MPI_Recv recv 2
         1: 4..5 MPI_Send send 0
         2: 9..10 MPI_Send send 0",
        "late_sender MPI_Recv 0:8",
    );
}

#[test]
fn messages_sent_at_the_same_time_are_in_order() {
    check(
        "0: 0..10 MPI_Recv recv 2; 10..11 MPI_Recv recv 1
         1: 9..9 MPI_Send send 0
         2: 9..10 MPI_Send send 0",
        "late_sender MPI_Recv 0:9",
    );
}

#[test]
fn the_first_earlier_message_decides() {
    check(
        "0: 0..20 MPI_Recv recv 2 tag 2; 20..21 MPI_Recv recv 1; 21..22 MPI_Recv recv 2 tag 1
         1: 9..10 MPI_Send send 0
         2: 4..5 MPI_Send send 0 tag 1; 19..20 MPI_Send send 0 tag 2",
        "late_sender_wrong_order_different_sources MPI_Recv 0:19",
    );
}

#[test]
fn one_message_may_reassign_several_waits_and_spares_those_sent_before_it() {
    check(
        "0: 0..5 MPI_Recv recv 1 tag 0; 5..10 MPI_Recv recv 2; 10..20 MPI_Recv recv 1 tag 1; 20..21 MPI_Recv recv 3
         1: 4..5 MPI_Send send 0 tag 0; 19..20 MPI_Send send 0 tag 1
         2: 9..10 MPI_Send send 0
         3: 6..7 MPI_Send send 0",
        "late_sender_wrong_order_different_sources MPI_Recv 0:13
         late_sender MPI_Recv 0:4",
    );
}

#[test]
fn a_late_message_can_itself_show_the_wrong_order_of_another() {
    check_impossible(
        "0: 0..3 MPI_Recv recv 2; 3..4 MPI_Recv recv 1
         1: 8..9 MPI_Send send 0
         2: 30..31 MPI_Send send 0",
        "late_sender_wrong_order_different_sources MPI_Recv 0:3
         late_sender MPI_Recv 0:1",
    );
}

#[test]
fn a_tested_message_shows_the_wrong_order_of_another() {
    check(
        "0: 0..0 MPI_Irecv post 1; 0..10 MPI_Recv recv 2; 10..11 MPI_Test irecv 1 request 1
         1: 4..5 MPI_Send send 0
         2: 9..10 MPI_Send send 0",
        "late_sender_wrong_order_different_sources MPI_Recv 0:9",
    );
}

#[test]
fn messages_of_one_call_have_no_order() {
    check(
        "0: 0..0 MPI_Irecv post 1; 0..0 MPI_Irecv post 2; 1..20 MPI_Waitall irecv 1 request 1, irecv 2 request 2
         1: 19..20 MPI_Send send 0
         2: 9..10 MPI_Send send 0",
        "late_sender MPI_Waitall 0:18",
    );
}

#[test]
fn a_largest_wait_of_a_call_can_be_in_wrong_order() {
    check(
        "0: 0..0 MPI_Irecv post 1; 0..0 MPI_Irecv post 2; 1..20 MPI_Waitall irecv 1 request 1, irecv 2 request 2
         0: 20..21 MPI_Recv recv 3
         1: 19..20 MPI_Send send 0
         2: 9..10 MPI_Send send 0
         3: 12..13 MPI_Send send 0",
        "late_sender_wrong_order_different_sources MPI_Waitall 0:18",
    );
}

#[test]
fn processes_do_not_share_their_history() {
    check(
        "0: 0..10 MPI_Recv recv 2
         1: 10..11 MPI_Recv recv 3
         2: 9..10 MPI_Send send 0
         3: 4..5 MPI_Send send 1",
        "late_sender MPI_Recv 0:9",
    );
}

/// Rank 0 waits 2 for a message of rank 1, `between` times 1 for messages of rank 2, then receives one of rank 3 that
/// was sent before all of them.
fn with_late_receives_between(between: u64) -> String {
    let mut receiver = "0: 0..3 MPI_Recv recv 1".to_owned();
    let mut sender = "2:".to_owned();
    for message in 0..between {
        let time = 10 * (message + 1);
        write!(receiver, "; {}..{} MPI_Recv recv 2", time, time + 2).unwrap();
        write!(sender, " {}..{} MPI_Send send 0;", time + 1, time + 2).unwrap();
    }
    let end = 10 * (between + 2);
    format!(
        "{receiver}; {end}..{end} MPI_Recv recv 3\n 1: 2..3 MPI_Send send 0\n {sender}\n 3: 1..2 MPI_Send send 0"
    )
}

#[test]
fn only_the_last_hundred_late_receives_are_remembered() {
    let found = |between| table(&analysis(&with_late_receives_between(between)));
    assert_eq!(found(99), "late_sender_wrong_order_different_sources MPI_Recv 0:101");
    assert_eq!(
        found(100),
        "late_sender_wrong_order_different_sources MPI_Recv 0:100\nlate_sender MPI_Recv 0:2"
    );
}

/// Thread 0 of rank 0 waits 2 for a message of rank 1, thread 1 a hundred times 1 for messages of rank 2; then both
/// receive a message of rank 3 that was sent before all of them.
#[test]
fn threads_do_not_share_their_history() {
    let (mut thread, mut sender) = ("0.1:".to_owned(), "2:".to_owned());
    for time in (10..1010).step_by(10) {
        write!(thread, " {}..{} MPI_Recv recv 2;", time, time + 2).unwrap();
        write!(sender, " {}..{} MPI_Send send 0;", time + 1, time + 2).unwrap();
    }
    let notation = format!(
        "0: 0..3 MPI_Recv recv 1; 1020..1020 MPI_Recv recv 3 tag 1
         {thread} 1020..1020 MPI_Recv recv 3 tag 2
         1: 2..3 MPI_Send send 0
         {sender}
         3: 1..1 MPI_Send send 0 tag 1; 1..2 MPI_Send send 0 tag 2"
    );
    check(&notation, "late_sender_wrong_order_different_sources MPI_Recv 0:2 0.1:100");
}

/// Rank 0 waits 2 for a message of rank 1, and twice sixty times 1 for messages of rank 2. A message that it receives
/// between makes the first sixty wrong, one that it receives last the others.
#[test]
fn late_receives_in_wrong_order_are_not_remembered() {
    let (mut receiver, mut sender) = ("0: 0..3 MPI_Recv recv 1;".to_owned(), "2:".to_owned());
    for time in (10..1210).step_by(10) {
        if time == 610 {
            receiver += " 605..605 MPI_Recv recv 3 tag 2;";
        }
        write!(receiver, " {}..{} MPI_Recv recv 2;", time, time + 2).unwrap();
        write!(sender, " {}..{} MPI_Send send 0;", time + 1, time + 2).unwrap();
    }
    let notation = format!(
        "{receiver} 1220..1220 MPI_Recv recv 3 tag 1
         1: 2..3 MPI_Send send 0
         {sender}
         3: 1..2 MPI_Send send 0 tag 1; 5..6 MPI_Send send 0 tag 2"
    );
    check(&notation, "late_sender_wrong_order_different_sources MPI_Recv 0:122");
}
