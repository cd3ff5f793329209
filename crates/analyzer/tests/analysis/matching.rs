//! Matching of sends and receives: first in, first out on each (communicator, source, destination, tag).

use crate::check;

#[test]
fn messages_of_a_channel_match_in_the_order_sent() {
    check(
        "0: 4..5 MPI_Send send 1; 9..10 MPI_Send send 1
         1: 1..5 MPI_Recv recv 0; 8..10 MPI_Recv recv 0",
        "late_sender MPI_Recv 1:4",
    );
}

#[test]
fn blocking_and_nonblocking_sends_share_one_order() {
    check(
        "0: 4..5 MPI_Isend isend 1 request 1; 9..10 MPI_Send send 1; 10..11 MPI_Wait sent 1
         1: 1..5 MPI_Recv recv 0; 8..10 MPI_Recv recv 0",
        "late_sender MPI_Recv 1:4",
    );
}

#[test]
fn two_receives_outstanding_match_in_the_order_posted() {
    check(
        "0: 10..11 MPI_Send send 1; 20..21 MPI_Send send 1
         1: 0..1 MPI_Irecv post 1; 1..2 MPI_Irecv post 2
         1: 2..21 MPI_Wait irecv 0 request 2; 21..22 MPI_Wait irecv 0 request 1",
        "late_sender_wrong_order_same_source MPI_Wait 1:18",
    );
}

#[test]
fn posts_at_the_same_time_keep_their_order() {
    check(
        "0: 10..10 MPI_Send send 1; 20..20 MPI_Send send 1
         1: 0..0 MPI_Irecv post 1; 0..0 MPI_Irecv post 2
         1: 2..20 MPI_Wait irecv 0 request 2; 20..20 MPI_Wait irecv 0 request 1",
        "late_sender_wrong_order_same_source MPI_Wait 1:18",
    );
}

#[test]
fn a_request_number_may_be_used_again() {
    check(
        "0: 3..4 MPI_Send send 1; 13..14 MPI_Send send 1
         1: 0..1 MPI_Irecv post 1; 1..4 MPI_Wait irecv 0 request 1
         1: 4..5 MPI_Irecv post 1; 6..14 MPI_Wait irecv 0 request 1",
        "late_sender MPI_Wait 1:9",
    );
}

#[test]
fn tags_sources_and_communicators_are_channels_of_their_own() {
    check(
        "comm other 0 1 2
         0: 2..3 MPI_Send send 1 tag 1; 4..5 MPI_Send send 1 tag 2; 6..7 MPI_Send send 1 on other tag 1
         1: 0..7 MPI_Recv recv 0 tag 1 on other; 7..8 MPI_Recv recv 0 tag 2; 8..9 MPI_Recv recv 0 tag 1
         1: 9..12 MPI_Recv recv 2 tag 1
         2: 11..12 MPI_Send send 1 tag 1",
        "late_sender_wrong_order_same_source MPI_Recv 1:6
         late_sender MPI_Recv 1:2",
    );
}

#[test]
fn peers_are_ranks_of_the_communicator() {
    check(
        "comm odd 3 1
         0: 0..1 work
         1: 0..9 MPI_Recv recv 0 on odd
         2: 0..1 work
         3: 8..9 MPI_Send send 1 on odd",
        "late_sender MPI_Recv 1:8",
    );
}

#[test]
fn every_process_has_a_self_of_its_own() {
    check(
        "0: 0..1 MPI_Irecv post 1; 4..5 MPI_Send send 0 on self; 5..6 MPI_Wait irecv 0 on self request 1
         1: 0..1 MPI_Irecv post 1; 1..9 MPI_Isend isend 0 on self request 2; 9..9 MPI_Wait sent 2
         1: 9..9 MPI_Wait irecv 0 on self request 1",
        "",
    );
}

#[test]
fn a_cancelled_send_is_never_matched() {
    check(
        "0: 0..1 MPI_Isend isend 1 request 1; 1..2 MPI_Cancel; 2..3 MPI_Wait cancel 1; 9..10 MPI_Send send 1
         1: 4..10 MPI_Recv recv 0",
        "late_sender MPI_Recv 1:5",
    );
}

#[test]
fn a_cancelled_receive_is_forgotten() {
    check(
        "0: 9..10 MPI_Send send 1
         1: 0..1 MPI_Irecv post 1; 1..2 MPI_Wait cancel 1; 4..10 MPI_Recv recv 0",
        "late_sender MPI_Recv 1:5",
    );
}
