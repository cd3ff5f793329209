//! Calls that complete several requests: only the largest wait counts, and a late sender goes before a late receiver.

use crate::{analysis, check};

#[test]
fn only_the_largest_late_sender_counts_once() {
    for call in ["MPI_Waitall", "MPI_Waitsome"] {
        let trace = format!(
            "0: 0..1 MPI_Irecv post 1; 1..2 MPI_Irecv post 2; 2..3 MPI_Irecv post 3
             0: 5..30 {call} irecv 1 request 1, irecv 2 request 2, irecv 3 request 3
             1: 15..16 MPI_Send send 0
             2: 25..26 MPI_Send send 0
             3: 10..11 MPI_Send send 0"
        );
        check(&trace, &format!("late_sender {call} 0:20"));
        assert_eq!(analysis(&trace).findings[0].instances, 1);
    }
}

#[test]
fn only_the_largest_late_receiver_counts_once() {
    check(
        "0: 0..1 MPI_Issend isend 1 request 1; 1..2 MPI_Issend isend 2 request 2
         0: 5..30 MPI_Waitall sent 1, sent 2
         1: 12..30 MPI_Recv recv 0
         2: 22..30 MPI_Recv recv 0",
        "late_receiver MPI_Waitall 0:17",
    );
}

#[test]
fn a_late_sender_suppresses_a_late_receiver() {
    check(
        "0: 0..1 MPI_Issend isend 1 request 1; 1..2 MPI_Irecv post 2
         0: 5..30 MPI_Waitall sent 1, irecv 2 request 2
         1: 22..30 MPI_Recv recv 0
         2: 7..8 MPI_Send send 0",
        "late_sender MPI_Waitall 0:2",
    );
}

#[test]
fn a_sender_in_time_suppresses_nothing() {
    check(
        "0: 0..1 MPI_Issend isend 1 request 1; 1..2 MPI_Irecv post 2
         0: 5..30 MPI_Waitall sent 1, irecv 2 request 2
         1: 22..30 MPI_Recv recv 0
         2: 3..4 MPI_Send send 0",
        "late_receiver MPI_Waitall 0:17",
    );
}

#[test]
fn two_calls_count_each_by_itself() {
    check(
        "0: 0..1 MPI_Irecv post 1; 1..2 MPI_Irecv post 2
         0: 5..10 MPI_Wait irecv 1 request 1; 10..20 MPI_Wait irecv 2 request 2
         1: 9..10 MPI_Send send 0
         2: 19..20 MPI_Send send 0",
        "late_sender MPI_Wait 0:13",
    );
}
