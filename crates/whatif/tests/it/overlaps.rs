//! Receives that are completed when the next call is made.

use ats_whatif::Changes;

use crate::{TICK, wall};

fn overlap(words: &str) -> Changes {
    Changes { overlaps: vec![words.parse().unwrap()], ..Changes::default() }
}

/// Each rank but the first receives, works for two seconds, and sends to the next.
const CHAIN: &str = "0: 0..2 line; 2..2 MPI_Send@main@a.c:6 send 1; 2..6 MPI_Barrier@main@a.c:7 barrier
                     1: 0..2 MPI_Recv@main@a.c:4 recv 0; 2..4 line; 4..4 MPI_Send@main@a.c:6 send 2
                     1: 4..6 MPI_Barrier@main@a.c:7 barrier
                     2: 0..4 MPI_Recv@main@a.c:4 recv 1; 4..6 line; 6..6 MPI_Barrier@main@a.c:7 barrier";

#[test]
fn work_of_a_chain_is_done_at_once() {
    assert_eq!(wall(CHAIN, &Changes::default()), 6 * TICK);
    assert_eq!(wall(CHAIN, &overlap("MPI_Recv")), 2 * TICK);
    assert_eq!(wall(CHAIN, &overlap("MPI_Recv;rank:2")), 4 * TICK);
    assert_eq!(wall(CHAIN, &overlap("MPI_Recv in main (a.c:4)")), 2 * TICK);
}

#[test]
fn other_calls_wait_where_they_are() {
    assert_eq!(wall(CHAIN, &overlap("MPI_Barrier")), 6 * TICK);
}

#[test]
fn a_wrong_order_is_none() {
    let trace =
        "0: 0..0 MPI_Send send 1 tag 1; 0..3 second; 3..3 MPI_Send send 1 tag 2; 3..9 MPI_Barrier barrier
                 1: 0..3 MPI_Recv recv 0 tag 2; 3..6 process2; 6..6 MPI_Recv recv 0 tag 1; 6..9 process1
                 1: 9..9 MPI_Barrier barrier";
    assert_eq!(wall(trace, &overlap("MPI_Recv")), 6 * TICK);
}
