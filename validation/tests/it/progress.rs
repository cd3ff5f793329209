//! The engine and the analyzer agree on waits for progress, whether transfers proceed by themselves or in calls.

use ats_model::WaitState;
use ats_mpi::{Communicator, Datatype, How, Op, Progress, ReduceOp, Request, SendMode, Source, Tag};
use ats_virtual::Network;
use ats_work::do_work;

use crate::agreement::agreed_on;

const ROUNDS: usize = 40;
/// Below the eager limit of the engine, and above it.
const BYTES: [usize; 2] = [8, 1 << 16];

/// A number that differs from rank to rank and from round to round.
fn uneven(c: &dyn Communicator, seed: usize) -> usize {
    (c.rank() * 7 + seed * 5 + seed * seed * 3) % 11
}

fn work(c: &dyn Communicator, seed: usize) {
    do_work(0.0007 * uneven(c, seed) as f64);
}

/// Completes requests in one of several ways.
fn complete(c: &dyn Communicator, mut requests: Vec<Request>, seed: usize) {
    match seed % 4 {
        0 => _ = c.waitall(requests),
        1 => requests.into_iter().for_each(|request| _ = c.wait(request)),
        2 => {
            while !requests.is_empty() {
                c.complete(How::Waitany, &mut requests);
            }
        }
        _ => {
            while !requests.is_empty() {
                c.complete(How::Testsome, &mut requests);
                do_work(0.0003);
            }
        }
    }
}

/// A message to the rank that is `by` higher, and one from the rank that is lower by that; each side starts its part, or
/// waits for it at once.
fn exchange(c: &dyn Communicator, round: usize) {
    let (rank, size) = (c.rank(), c.size());
    let by = 1 + round % (size - 1);
    let bytes = BYTES[round / 2 % 2];
    let mode = [SendMode::Standard, SendMode::Synchronous][round / 4 % 2];
    let [send, recv] = [0, 1].map(|_| c.alloc_mpi_buf(Datatype::Byte, bytes));
    let from = Source::Rank((rank + size - by) % size);
    let send = Op::Send { mode, to: (rank + by) % size, tag: 3, buf: send };
    let recv = Op::Recv { from, tag: Tag::Is(3), buf: recv };
    let mut requests = vec![c.start(recv)];
    work(c, round);
    if round.is_multiple_of(3) {
        requests.push(c.start(send));
    } else {
        c.call(send);
    }
    work(c, round + 1);
    if uneven(c, round) == 3 {
        c.iprobe(Source::Any, Tag::Is(9));
        work(c, round + 2);
    }
    complete(c, requests, round + rank);
}

/// Even ranks start to send what odd ones receive at once.
fn pairs(c: &dyn Communicator, round: usize) {
    let buf = c.alloc_mpi_buf(Datatype::Byte, BYTES[round % 2]);
    let partner = c.rank() ^ 1;
    if partner >= c.size() {
        return;
    }
    work(c, round);
    if c.rank().is_multiple_of(2) {
        let request = c.isend_as(SendMode::Standard, partner, 4, &buf);
        work(c, round + 3);
        complete(c, vec![request], round);
    } else {
        c.recv(Source::Rank(partner), Tag::Is(4), &buf);
    }
}

#[test]
fn engine_and_analyzer_agree_on_progress() {
    for progress in Progress::ALL {
        let network = Network { progress: Some(progress), ..Network::default() };
        for ranks in [2, 3, 5] {
            let known = agreed_on(network, ranks, 1, |c, _| {
                for round in 0..ROUNDS {
                    exchange(c, round);
                    pairs(c, round);
                    if round % 5 == 4 {
                        c.barrier();
                    }
                }
            });
            let shows = known.keys().any(|(state, ..)| *state == Some(WaitState::LateProgress));
            assert_eq!(shows, progress == Progress::Calls, "{progress:?} on {ranks} ranks");
        }
    }
}

/// Two operations that overlap with each other and with work, one of them with a root.
fn collectives(c: &dyn Communicator, round: usize) {
    let [send, recv] = [0, 1].map(|_| c.alloc_mpi_buf(Datatype::Double, 1000));
    let root = round % c.size();
    work(c, round);
    let all = match round % 3 {
        0 => Op::Allreduce { op: ReduceOp::Min, send, recv },
        1 => Op::Scan { op: ReduceOp::Min, send, recv },
        _ => Op::Barrier,
    };
    let mut requests = vec![c.start(all)];
    // Of waits that are equally long, either counts.
    do_work(0.0001);
    work(c, round + 1);
    requests.push(c.start(Op::Bcast { root, buf: c.alloc_mpi_buf(Datatype::Byte, 5000) }));
    if round.is_multiple_of(2) {
        work(c, round + 2);
    }
    complete(c, requests, round + c.rank());
}

#[test]
fn engine_and_analyzer_agree_on_collectives_whose_transfers_take_time() {
    let (mut places, mut waits) = (Vec::new(), Vec::new());
    for progress in Progress::ALL {
        let network = Network { progress: Some(progress), bandwidth: 1e7, ..Network::default() };
        for ranks in [2, 3, 5] {
            let known = agreed_on(network, ranks, 1, |c, _| {
                for round in 0..ROUNDS {
                    collectives(c, round);
                    if round % 5 == 4 {
                        c.barrier();
                    }
                }
            });
            waits.push(known.values().sum::<f64>());
            places.push(known.len());
        }
    }
    assert!(places.iter().all(|&number| number > 3), "{places:?}");
    // Transfers that are late in one operation are waited for in the next.
    assert!(waits[..3].iter().zip(&waits[3..]).all(|(one, other)| one != other), "{waits:?}");
}
