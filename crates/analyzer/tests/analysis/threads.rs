//! Processes of several threads: their MPI events belong to the rank, their waits to the thread.

use crate::{check, check_damaged, in_parts::check_in_parts};

#[test]
fn threads_without_mpi_change_nothing() {
    check(
        "0: 0..9 MPI_Barrier barrier
         0.1: 0..20 work; 20..30 work
         1: 5..9 MPI_Barrier barrier
         1.1: 0..20 work",
        "wait_at_barrier MPI_Barrier 0:5",
    );
}

#[test]
fn each_thread_waits_for_itself() {
    check(
        "0: 6..7 MPI_Send send 1 tag 1; 8..9 MPI_Send send 1 tag 2
         1: 0..7 MPI_Recv recv 0 tag 1
         1.1: 1..9 MPI_Recv recv 0 tag 2",
        "late_sender MPI_Recv 1:6 1.1:7",
    );
}

#[test]
fn sends_of_two_threads_keep_their_order_in_time() {
    check(
        "0: 6..7 MPI_Send send 1
         0.1: 2..3 MPI_Send send 1
         1: 0..3 MPI_Recv recv 0; 3..7 MPI_Recv recv 0",
        "late_sender MPI_Recv 1:5",
    );
}

#[test]
fn collectives_of_two_threads_keep_their_order_in_time() {
    check(
        "0: 6..9 MPI_Barrier barrier
         0.1: 1..4 MPI_Barrier barrier
         1: 3..4 MPI_Barrier barrier; 8..9 MPI_Barrier barrier",
        "wait_at_barrier MPI_Barrier 0:2 0.1:2",
    );
}

#[test]
fn requests_of_different_threads_do_not_mix() {
    check(
        "0: 5..6 MPI_Send send 1 tag 1; 9..10 MPI_Send send 1 tag 2
         1: 0..1 MPI_Irecv post 1; 2..6 MPI_Wait irecv 0 request 1 tag 1
         1.1: 0..1 MPI_Irecv post 1; 3..10 MPI_Wait irecv 0 request 1 tag 2",
        "late_sender MPI_Wait 1:3 1.1:6",
    );
}

#[test]
fn the_order_of_receives_is_that_of_the_thread() {
    check(
        "0: 4..5 MPI_Send send 1 tag 1; 9..10 MPI_Send send 1 tag 2; 14..15 MPI_Send send 1 tag 3
         1: 0..10 MPI_Recv recv 0 tag 2
         1.1: 11..12 MPI_Recv recv 0 tag 1; 12..15 MPI_Recv recv 0 tag 3",
        "late_sender MPI_Recv 1:9 1.1:2",
    );
    check(
        "0: 4..5 MPI_Send send 1 tag 1; 9..10 MPI_Send send 1 tag 2; 14..15 MPI_Send send 1 tag 3
         1.1: 0..10 MPI_Recv recv 0 tag 2; 11..12 MPI_Recv recv 0 tag 1
         1: 12..15 MPI_Recv recv 0 tag 3",
        "late_sender_wrong_order_same_source MPI_Recv 1.1:9
         late_sender MPI_Recv 1:2",
    );
}

#[test]
fn interleaved_calls_of_two_threads_stay_apart() {
    check(
        "0: 20..21 MPI_Send send 1 tag 1; 24..25 MPI_Send send 1 tag 3
         2: 24..25 MPI_Send send 1
         1: 0..0 MPI_Irecv post 1; 0..0 MPI_Irecv post 2
         1: 5..25 MPI_Waitall irecv 0 request 1 tag 1, irecv 0 request 2 tag 3
         1.1: 0..0 MPI_Irecv post 1; 4..26 MPI_Waitall irecv 2 request 1",
        "late_sender MPI_Waitall 1:19 1.1:20",
    );
}

#[test]
fn a_receive_is_posted_where_it_is_started_whichever_thread_completes_it() {
    // The sender waits for the posting call; that the message is acted on in the one that completes it is another wait.
    check_in_parts(
        "0: 0..1 MPI_Issend isend 1 request 1; 1..10 MPI_Wait sent 1; 12..13 work
         1: 6..7 MPI_Irecv post 5; 12..13 work
         1.1: 8..10 MPI_Wait irecv 0 request 5; 12..13 work",
        "late_receiver MPI_Wait 0:5
         late_progress MPI_Wait 0:2",
        "",
    );
    check_in_parts(
        "0: 2..9 MPI_Send send 1; 12..13 work
         1: 0..1 MPI_Irecv post 5; 12..13 work
         1.1: 8..9 MPI_Wait irecv 0 request 5; 12..13 work",
        "late_progress MPI_Send 0:6",
        "",
    );
    // The receiver waits in the call that completes it.
    check_in_parts(
        "0: 6..7 MPI_Send send 1; 12..13 work
         1: 0..1 MPI_Irecv post 5; 12..13 work
         1.1: 2..7 MPI_Wait irecv 0 request 5; 12..13 work",
        "late_sender MPI_Wait 1.1:4",
        "",
    );
}

#[test]
fn a_send_that_another_thread_completes_waits_there_for_its_receiver() {
    check_in_parts(
        "0: 0..1 MPI_Issend isend 1 request 3; 12..13 work
         0.1: 2..9 MPI_Wait sent 3; 12..13 work
         1: 7..9 MPI_Recv recv 0; 12..13 work",
        "late_receiver MPI_Wait 0.1:5",
        "",
    );
    // When the message was sent, its receiver was not late.
    check_in_parts(
        "0: 4..5 MPI_Isend isend 1 request 3; 12..13 work
         0.1: 8..9 MPI_Wait sent 3; 12..13 work
         1: 1..9 MPI_Recv recv 0; 12..13 work",
        "late_progress MPI_Recv 1:4
         late_sender MPI_Recv 1:3",
        "",
    );
}

#[test]
fn messages_match_in_the_order_in_which_threads_have_started_them() {
    check_in_parts(
        "0: 5..6 MPI_Send send 1; 20..21 MPI_Send send 1; 30..31 work
         1: 0..1 MPI_Irecv post 1; 1..2 MPI_Irecv post 2; 2..21 MPI_Wait irecv 0 request 2; 30..31 work
         1.1: 4..6 MPI_Wait irecv 0 request 1; 30..31 work",
        "late_sender MPI_Wait 1:18 1.1:1",
        "",
    );
    check_in_parts(
        "0: 0..1 MPI_Isend isend 1 request 1; 8..9 MPI_Send send 1; 30..31 work
         0.1: 20..21 MPI_Wait sent 1; 30..31 work
         1: 2..3 MPI_Recv recv 0; 3..9 MPI_Recv recv 0; 30..31 work",
        "late_sender MPI_Recv 1:5",
        "",
    );
}

#[test]
fn a_request_that_another_thread_cancels_is_no_damage() {
    check_in_parts(
        "0: 0..1 MPI_Isend isend 1 request 1; 1..2 MPI_Irecv post 2; 30..31 work
         0.1: 3..4 MPI_Wait cancel 1; 4..5 MPI_Wait cancel 2; 30..31 work
         1: 30..31 work",
        "",
        "",
    );
}

#[test]
fn only_the_ends_of_requests_that_no_thread_has_the_other_of_are_damage() {
    check_damaged(
        "0: 0..1 MPI_Isend isend 1 request 1; 1..2 MPI_Irecv post 2; 2..3 MPI_Irecv post 3; 3..4 MPI_Isend isend 1 request 4
         0.1: 5..6 MPI_Wait sent 2; 6..7 MPI_Wait irecv 1 request 3; 7..8 MPI_Wait irecv 1 request 5
         0.2: 8..9 MPI_Wait sent 4; 9..10 MPI_Wait sent 4
         1: 0..1 MPI_Recv recv 0; 2..4 MPI_Recv recv 0; 4..5 MPI_Send send 0; 5..8 MPI_Send send 0",
        "late_receiver MPI_Send 1:2
         late_sender MPI_Recv 1:1",
        "completions of a request that was not started: 3; the first on rank 0, thread 1, at 6 s
         requests that were started and not completed: 2; the first on rank 0, thread 0, at 0 s",
    );
}
