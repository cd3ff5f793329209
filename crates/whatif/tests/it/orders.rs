//! Receives in the order of arrival: a program that receives from anyone is the truth.

use ats_model::source::InMemory;
use ats_mpi::{Communicator, Datatype, How, MpiBuf, Request, Source, Tag};
use ats_truth::TruthOptions;
use ats_virtual::{Network, Simulation};
use ats_whatif::{Changes, WhatIfError};
use ats_work::{do_work, region};

use crate::{TICK, ideal, planned, program, program_again, wall};

fn reorder(words: &str) -> Changes {
    Changes { reorders: vec![words.parse().unwrap()], ..Changes::default() }
}

/// The end of each location, in picoseconds.
fn ends(trace: &InMemory) -> Vec<u64> {
    trace.events.iter().map(|events| events.last().map_or(0, |event| event.0)).collect()
}

/// The form of the calls that receive.
#[derive(Clone, Copy, Debug)]
enum Calls {
    Receive,
    /// In a region with the work on the message.
    InRegion,
    /// In a region of its own.
    Wrapped,
    /// As requests that are started at the begin.
    Wait,
}

/// A number for each choice, the same for the same seed.
fn chosen(seed: u64, choice: u64) -> u64 {
    let mixed = (seed * 1_000 + choice + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 33
}

/// Random work, in seconds.
fn work(seed: u64, choice: u64) -> f64 {
    (chosen(seed, choice) % 1_000_003) as f64 * 1e-6
}

/// All ranks but the first send it two messages a round; it receives them as listed, or as they come, and works on each.
fn collecting(seed: u64, calls: Calls, as_they_come: bool, c: &dyn Communicator) {
    let others = (c.size() - 1) as u64;
    let bytes = [16, 1 << 20][seed as usize % 2];
    let buf = c.alloc_mpi_buf(Datatype::Byte, bytes);
    for round in 0..3 {
        let of_round = round * 100;
        if c.rank() > 0 {
            for tag in 0..2 {
                do_work(work(seed, of_round + 2 * c.rank() as u64 + tag));
                c.send(0, tag as u32, &buf);
            }
        } else {
            // In this order they are listed.
            let mut order: Vec<u64> = (0..2 * others).collect();
            order.sort_by_key(|&at| chosen(seed, of_round + 50 + at));
            if bytes > 4096 {
                // A sender waits until the first of its messages is received.
                let mut sent = vec![0; c.size()];
                for at in &mut order {
                    let of_sender = &mut sent[*at as usize / 2];
                    *at = *at / 2 * 2 + *of_sender;
                    *of_sender += 1;
                }
            }
            receive_all(seed, &order, calls, as_they_come, (&buf, c));
        }
        c.barrier();
    }
}

fn receive_all(
    seed: u64,
    order: &[u64],
    calls: Calls,
    as_they_come: bool,
    (buf, c): (&MpiBuf, &dyn Communicator),
) {
    let one = |at: u64| (Source::Rank(1 + at as usize / 2), Tag::Is(at as u32 % 2));
    let process = |source: usize, tag: u32| {
        let _in = region("process");
        // Work behind the last message that is much longer than that behind others would stay where it is.
        do_work(0.1 + 0.1 * work(seed, 80 + 2 * source as u64 + u64::from(tag)));
    };
    let mut requests: Vec<Request> = match calls {
        Calls::Wait => order.iter().map(|&at| c.irecv(one(at).0, one(at).1, buf)).collect(),
        _ => Vec::new(),
    };
    for &at in order {
        let (from, tag) = if as_they_come { (Source::Any, Tag::Any) } else { one(at) };
        let around = matches!(calls, Calls::InRegion | Calls::Wrapped).then(|| region("receive"));
        let status = match calls {
            Calls::Wait if as_they_come => c.complete(How::Waitany, &mut requests).completed[0].1,
            Calls::Wait => c.wait(requests.remove(0)),
            _ => c.recv(from, tag, buf),
        };
        let around = around.filter(|_| matches!(calls, Calls::InRegion));
        process(status.source, status.tag);
        drop(around);
    }
}

#[test]
fn messages_are_received_as_they_come() {
    for network in [
        Network::default(),
        Network { latency: 1e-4, bandwidth: 1e9, overhead: 1e-5, ..Network::default() },
        Network { progress: Some(ats_mpi::Progress::Calls), ..Network::default() },
    ] {
        for seed in 0..16 {
            for calls in [Calls::Receive, Calls::InRegion, Calls::Wrapped, Calls::Wait] {
                let ranks = 2 + seed as usize % 4;
                let run = |as_they_come| {
                    let mut trace = InMemory::default();
                    let simulation = Simulation::new(ranks).network(network).whole_program();
                    let program = |c: &dyn Communicator| collecting(seed, calls, as_they_come, c);
                    simulation.record(&mut trace).run(program).unwrap();
                    trace
                };
                let (listed, as_they_come) = (run(false), run(true));
                let recorded = Network { progress: network.progress, ..Network::default() };
                let again = ats_whatif::Program::new(&listed, &[], recorded).unwrap();
                let changes =
                    Changes { network: ats_whatif::NetworkOfReplay::Model(network), ..reorder("MPI_Recv*") };
                let changes = match calls {
                    Calls::Wait => Changes { reorders: reorder("MPI_Wait").reorders, ..changes },
                    Calls::Receive | Calls::InRegion | Calls::Wrapped => changes,
                };
                let (_, reordered) = again.run_in_memory(&changes).unwrap();
                let (is, should) = (ends(&reordered), ends(&as_they_come));
                let off = is.iter().zip(&should).map(|(is, should)| is.abs_diff(*should)).max().unwrap();
                assert!(off < 1000, "{calls:?}, seed {seed}: {is:?} instead of {should:?}");
            }
        }
    }
}

#[test]
fn a_wrong_order_becomes_the_right_one() {
    let options = TruthOptions::default();
    for ranks in [3, 5, 8] {
        let [wrong, right] = ["wrong_order", "right_order"].map(|name| planned(name, &[], ranks, 1));
        let trace = ideal(&wrong, &options);
        let (_, reordered) = program_again(&trace, &wrong).run_in_memory(&reorder("MPI_Recv")).unwrap();
        assert_eq!(ends(&reordered), ends(&ideal(&right, &options)), "{ranks} ranks");
    }
}

/// The second message is received first; each has two seconds of work behind it.
const SWAPPED: &str =
    "0: 0..0 MPI_Send@main@a.c:4 send 1 tag 1; 0..3 second; 3..3 MPI_Send@main@a.c:6 send 1 tag 2
     0: 3..7 MPI_Barrier barrier
     1: 0..3 MPI_Recv@main@b.c:4 recv 0 tag 2; 3..5 process2; 5..5 MPI_Recv@main@b.c:6 recv 0 tag 1
     1: 5..7 process1; 7..7 MPI_Barrier barrier";

#[test]
fn work_goes_with_its_message() {
    assert_eq!(wall(SWAPPED, &reorder("MPI_Recv")), 5 * TICK);
    assert_eq!(wall(SWAPPED, &reorder("MPI_Recv;rank:1")), 5 * TICK);
    assert_eq!(wall(SWAPPED, &reorder("MPI_Recv;rank:0")), 7 * TICK);
    assert_eq!(wall(SWAPPED, &reorder("MPI_Recv in main (b.c:4)")), 7 * TICK);
    assert_eq!(wall(SWAPPED, &reorder("MPI_Recv;time:4-7")), 7 * TICK);
}

#[test]
fn work_on_all_messages_stays_behind_them() {
    let trace =
        "0: 0..0 MPI_Send send 1 tag 1; 0..3 second; 3..3 MPI_Send send 1 tag 2; 3..9 MPI_Barrier barrier
                 1: 0..3 MPI_Recv recv 0 tag 2; 3..4 copy; 4..4 MPI_Recv recv 0 tag 1; 4..9 solve
                 1: 9..9 MPI_Barrier barrier";
    let trace = ats_analyzer::notation::parse(trace).unwrap();
    let (replayed, _) = program(&trace).run_in_memory(&reorder("MPI_Recv")).unwrap();
    assert_eq!(replayed.wall, 9 * TICK);
}

#[test]
fn a_call_between_receives_keeps_their_order() {
    let trace =
        "0: 0..0 MPI_Send send 1 tag 1; 0..3 second; 3..3 MPI_Send send 1 tag 2; 3..5 MPI_Recv recv 1 tag 3
                 1: 0..3 MPI_Recv recv 0 tag 2; 3..5 process2; 5..5 MPI_Send send 0 tag 3
                 1: 5..5 MPI_Recv recv 0 tag 1; 5..7 process1";
    assert_eq!(wall(trace, &reorder("MPI_Recv")), 7 * TICK);
}

#[test]
fn messages_of_one_kind_keep_their_order() {
    let trace = "0: 0..1 first; 1..1 MPI_Send send 1; 1..3 second; 3..3 MPI_Send send 1
                 1: 0..1 MPI_Recv recv 0; 1..2 process1; 2..3 MPI_Recv recv 0; 3..4 process2";
    let parsed = ats_analyzer::notation::parse(trace).unwrap();
    let program = program(&parsed);
    let (_, unchanged) = program.run_in_memory(&Changes::default()).unwrap();
    let (_, reordered) = program.run_in_memory(&reorder("MPI_Recv")).unwrap();
    assert!(reordered.events == unchanged.events);
}

#[test]
fn segments_have_no_receives() {
    let trace = ats_analyzer::notation::parse(SWAPPED).unwrap();
    let refused = program(&trace).run_in_memory(&reorder("between:a.c:4..a.c:6")).unwrap_err();
    assert!(matches!(refused, WhatIfError::NoReceives { .. }));
    assert_eq!(
        refused.to_string(),
        "`between:a.c:4..a.c:6` is code between two calls, and receives are calls; name regions, such as MPI_Recv"
    );
}
