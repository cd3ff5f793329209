//! The engine and the analyzer agree on waits in probes and tests.

use ats_model::WaitState;
use ats_mpi::{Communicator, How, Source, Tag};
use ats_work::{do_work, region};

use crate::agreement::agreed;

const ROUNDS: usize = 12;

/// A time that differs from round to round and from rank to rank.
fn uneven(c: &dyn Communicator, round: usize) -> f64 {
    0.0003 * (1 + (c.rank() * 7 + round * 5) % 11) as f64
}

/// Sends three messages to rank 0, each a while after the one before.
fn send(c: &dyn Communicator, round: usize) {
    for tag in 0..3 {
        do_work(uneven(c, round + tag as usize));
        c.send(0, tag, &c.base_buf());
    }
}

/// Tests requests, and works between the tests, until all are complete or so many tests are over.
fn poll(c: &dyn Communicator, how: How, requests: &mut Vec<ats_mpi::Request>, most: usize, round: usize) {
    let _polling = (round % 3 == 1).then(|| region("polling"));
    for turn in 0..most {
        c.complete(how, requests);
        if requests.is_empty() {
            return;
        }
        do_work(0.0001);
        let _work = round.is_multiple_of(2).then(|| region("work"));
        let _deep = (turn % 2 == 0).then(|| region("deep"));
        do_work(0.00007 * (turn % 4) as f64);
    }
}

/// Receives the messages of all other ranks, in a way that differs from round to round.
fn receive(c: &dyn Communicator, round: usize) {
    let others = || 1..c.size();
    let post = |rank, tag| c.irecv(Source::Rank(rank), Tag::Is(tag), &c.base_buf());
    let first = c.probe(Source::Any, Tag::Is(0));
    do_work(0.0001 * (round % 5) as f64);
    if round.is_multiple_of(2) {
        let matched = c.mprobe(Source::Rank(first.source), Tag::Is(0));
        do_work(0.0001);
        c.mrecv(matched, &c.base_buf());
    } else {
        c.recv(Source::Rank(first.source), Tag::Is(0), &c.base_buf());
    }
    let mut requests: Vec<_> =
        others().filter(|&rank| rank != first.source).map(|rank| post(rank, 0)).collect();
    let how = [How::Testany, How::Testsome, How::Testall][round % 3];
    poll(c, how, &mut requests, usize::MAX, round);
    let mut late: Vec<_> = others().map(|rank| post(rank, 1)).collect();
    poll(c, How::Testsome, &mut late, 3, round + 1);
    for rank in others() {
        c.probe(Source::Rank(rank), Tag::Is(2));
        let mut single = vec![post(rank, 2)];
        poll(c, How::Test, &mut single, usize::MAX, round + 2);
        // They are tested in the time between, too.
        poll(c, How::Testany, &mut late, 1, round);
    }
    c.waitall(late);
}

#[test]
fn engine_and_analyzer_agree_on_probes_and_tests() {
    for ranks in [2, 3, 5] {
        let known = agreed(ranks, 1, |c, _| {
            for round in 0..ROUNDS {
                if c.rank() == 0 { receive(c, round) } else { send(c, round) }
            }
        });
        for state in [WaitState::LateSenderInProbe, WaitState::LateSenderInTest] {
            assert!(known.keys().any(|(of, ..)| *of == Some(state)), "{state:?} on {ranks} ranks");
        }
    }
}
