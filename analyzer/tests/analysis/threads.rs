//! Processes of several threads: their MPI events belong to the rank, their waits to the thread.

use crate::check;

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
