//! A replay obeys the choices of the real run, in every call that could have ended otherwise.

use std::sync::Mutex;

use ats_model::WaitState;
use ats_mpi::{Communicator, How, Op, Request, SendMode, Source, Tag};
use ats_virtual::{Outcome, RankReplay, Simulation, SimulationError, ThreadReplay};

const MS: u64 = 1_000_000_000;

/// A rank that made these calls: name, number of times in a row without result, entry and exit in milliseconds, and
/// choices.
fn rank(calls: &[(&str, u64, u64, u64, &[u32])]) -> RankReplay {
    let mut master = ThreadReplay::default();
    for (at, &(name, times, enter, leave, found)) in calls.iter().enumerate() {
        master.calls.push((name.to_owned(), enter * MS, leave * MS));
        if times > 1 {
            master.repeated.push((at, times));
        }
        master.choices.extend(found.iter().map(|&found| (at, found)));
    }
    RankReplay { enter: 0, leave: 100 * MS, master, threads: Vec::new() }
}

/// Ranks 1 and 2, which send to rank 0 at 1 and 2 ms.
fn senders() -> [RankReplay; 2] {
    [rank(&[("MPI_Send", 1, 1, 1, &[])]), rank(&[("MPI_Send", 1, 2, 2, &[])])]
}

fn replay(first: RankReplay, program: impl Fn(&dyn Communicator)) -> Result<Outcome, SimulationError> {
    let ranks = [vec![first], senders().to_vec()].concat();
    Simulation::new(3).replay(ranks).run(|c| match c.rank() {
        0 => program(c),
        rank => c.send(0, rank as u32, &c.base_buf()),
    })
}

/// The result of a program at rank 0 in a replay.
fn seen<T: Send>(first: RankReplay, program: impl Fn(&dyn Communicator) -> T) -> (T, Outcome) {
    let seen = Mutex::new(None);
    let outcome = replay(first, |c| *seen.lock().unwrap() = Some(program(c))).unwrap();
    (seen.into_inner().unwrap().unwrap(), outcome)
}

fn reason(first: RankReplay, program: impl Fn(&dyn Communicator)) -> String {
    let error = replay(first, program).map(|_| ()).unwrap_err();
    assert!(matches!(error, SimulationError::Replay { .. }), "{error}");
    let text = error.to_string();
    assert!(text.starts_with("the witness of rank 0 does not fit the program: "), "{text}");
    text
}

const RECV: &str = "MPI_Recv";
const ANY: (Source, Tag) = (Source::Any, Tag::Any);

fn recv(c: &dyn Communicator) -> usize {
    c.recv(ANY.0, ANY.1, &c.base_buf()).source
}

fn irecv(c: &dyn Communicator) -> Request {
    c.irecv(ANY.0, ANY.1, &c.base_buf())
}

/// Requests for the messages of ranks 1 and 2, in this order.
fn both(c: &dyn Communicator) -> Vec<Request> {
    (1..3).map(|from| c.irecv(Source::Rank(from), Tag::Any, &c.base_buf())).collect()
}

fn indices(c: &dyn Communicator, how: How, requests: &mut Vec<Request>) -> Vec<usize> {
    c.complete(how, requests).completed.into_iter().map(|(index, _)| index).collect()
}

#[test]
fn a_receive_matches_the_source_of_the_run() {
    let log = rank(&[(RECV, 1, 0, 3, &[2]), (RECV, 1, 3, 3, &[1])]);
    let (sources, outcome) = seen(log, |c| [recv(c), recv(c)]);
    assert_eq!(sources, [2, 1]);
    let waits: Vec<_> = outcome.waits.iter().map(|wait| (wait.rank, wait.physical_time)).collect();
    assert_eq!(waits, [(0, 0.002)], "for rank 2 alone");
}

#[test]
fn a_sendrecv_matches_the_source_of_the_run() {
    let log = rank(&[("MPI_Sendrecv", 1, 0, 3, &[2]), (RECV, 1, 3, 3, &[0]), (RECV, 1, 3, 3, &[1])]);
    let (sources, _) = seen(log, |c| {
        let (send, recv_buf) = (c.base_buf(), c.base_buf());
        let exchange =
            Op::Sendrecv { to: 0, send_tag: 9, send, from: ANY.0, recv_tag: ANY.1, recv: recv_buf };
        [c.call(exchange).source, recv(c), recv(c)]
    });
    assert_eq!(sources, [2, 0, 1]);
}

#[test]
fn a_started_receive_matches_the_source_of_the_run() {
    let log = rank(&[
        ("MPI_Irecv", 1, 0, 0, &[2]),
        ("MPI_Irecv", 1, 0, 0, &[1]),
        ("MPI_Wait", 1, 0, 3, &[]),
        ("MPI_Wait", 1, 3, 3, &[]),
    ]);
    let (sources, _) = seen(log, |c| [irecv(c), irecv(c)].map(|request| c.wait(request).source));
    assert_eq!(sources, [2, 1]);
}

#[test]
fn a_persistent_receive_matches_another_source_at_every_start() {
    let log = rank(&[
        ("MPI_Recv_init", 1, 0, 0, &[]),
        ("MPI_Start", 1, 0, 0, &[2]),
        ("MPI_Wait", 1, 0, 3, &[]),
        ("MPI_Start", 1, 3, 3, &[1]),
        ("MPI_Wait", 1, 3, 3, &[]),
    ]);
    let (sources, _) = seen(log, |c| {
        let mut request = vec![c.init(Op::Recv { from: ANY.0, tag: ANY.1, buf: c.base_buf() })];
        [(); 2].map(|()| {
            c.restart(&request[0]);
            c.complete(How::Wait, &mut request).completed[0].1.source
        })
    });
    assert_eq!(sources, [2, 1]);
}

#[test]
fn a_probe_finds_the_message_of_the_run() {
    let log = rank(&[("MPI_Probe", 1, 0, 3, &[2]), (RECV, 1, 3, 3, &[1]), (RECV, 1, 3, 3, &[2])]);
    let (sources, _) = seen(log, |c| [c.probe(ANY.0, ANY.1).source, recv(c), recv(c)]);
    assert_eq!(sources, [2, 1, 2]);
}

#[test]
fn an_iprobe_finds_what_the_run_found_and_misses_what_it_missed() {
    // At 5 ms both messages are there in virtual time; in the run they were seen later.
    let log = rank(&[
        ("MPI_Iprobe", 3, 5, 8, &[]),
        ("MPI_Iprobe", 1, 8, 8, &[2]),
        ("MPI_Iprobe", 1, 8, 8, &[]),
        ("MPI_Iprobe", 1, 8, 8, &[1]),
        (RECV, 1, 9, 9, &[1]),
        (RECV, 1, 9, 9, &[2]),
    ]);
    let (found, outcome) = seen(log, |c| {
        let any = [(); 4].map(|()| c.iprobe(ANY.0, ANY.1).map(|status| status.source));
        let of_1 = [(); 2].map(|()| c.iprobe(Source::Rank(1), Tag::Is(1)).map(|status| status.source));
        (any, of_1, [recv(c), recv(c)])
    });
    assert_eq!(found, ([None, None, None, Some(2)], [None, Some(1)], [1, 2]));
    assert_eq!(outcome.counts["MPI_Iprobe"].calls, 6);
}

#[test]
fn an_iprobe_may_have_found_what_virtual_time_sends_later() {
    let log = rank(&[("MPI_Iprobe", 1, 0, 0, &[2]), (RECV, 1, 3, 3, &[2]), (RECV, 1, 3, 3, &[1])]);
    let (sources, _) = seen(log, |c| (c.iprobe(ANY.0, ANY.1).unwrap().source, [recv(c), recv(c)]));
    assert_eq!(sources, (2, [2, 1]));
}

#[test]
fn completion_calls_take_the_requests_of_the_run() {
    let irecv = ("MPI_Irecv", 1, 0, 0, &[][..]);
    for how in [How::Waitany, How::Testany] {
        let name = how.name();
        let log = rank(&[irecv, irecv, (name, 1, 5, 5, &[1]), (name, 1, 6, 6, &[0])]);
        let (taken, _) = seen(log, |c| {
            let mut requests = both(c);
            [(); 2].map(|()| indices(c, how, &mut requests))
        });
        assert_eq!(taken, [[1], [0]], "{name}");
    }
    for how in [How::Waitsome, How::Testsome] {
        let name = how.name();
        let log = rank(&[irecv, irecv, (name, 1, 5, 5, &[1]), (name, 1, 6, 6, &[0])]);
        let (taken, _) = seen(log, |c| {
            let mut requests = both(c);
            [(); 2].map(|()| indices(c, how, &mut requests))
        });
        assert_eq!(taken, [[1], [0]], "{name}: in virtual time both are there at once");
        let log = rank(&[irecv, irecv, (name, 1, 5, 5, &[1, 0])]);
        let (taken, _) = seen(log, |c| {
            let mut requests = both(c);
            let taken = indices(c, how, &mut requests);
            assert!(requests.is_empty());
            taken
        });
        assert_eq!(taken, [1, 0], "{name}: in MPI's order");
    }
}

#[test]
fn a_test_finds_what_the_run_found() {
    let irecv = ("MPI_Irecv", 1, 0, 0, &[][..]);
    for (how, first) in [(How::Test, 1), (How::Testall, 2), (How::Testany, 1), (How::Testsome, 1)] {
        let name = how.name();
        let found: &[u32] = if how == How::Testsome || how == How::Testany { &[0] } else { &[1] };
        // At 5 ms the messages are there in virtual time, at 0 they are not.
        for (misses, found_at) in [(7, 9), (1, 0)] {
            let mut calls = vec![irecv; 2];
            if misses > 1 {
                calls.push((name, misses, 5, 9, &[]));
            }
            calls.extend([(name, 1, found_at, found_at, found), ("MPI_Waitall", 1, 9, 10, &[])]);
            let (polls, outcome) = seen(rank(&calls), |c| {
                let mut requests = both(c);
                let rest = requests.split_off(first);
                let mut polls = 1;
                while indices(c, how, &mut requests).is_empty() {
                    polls += 1;
                }
                assert!(requests.is_empty(), "{name}");
                c.waitall(rest);
                polls
            });
            let expected = if misses > 1 { misses + 1 } else { 1 };
            assert_eq!((polls, outcome.counts[name].calls), (expected, expected), "{name}");
        }
    }
}

#[test]
fn polls_in_a_row_share_their_time() {
    let log = rank(&[("MPI_Iprobe", 4, 10, 18, &[]), ("MPI_Barrier", 1, 20, 20, &[])]);
    let mut ranks = vec![log];
    ranks.push(rank(&[("MPI_Barrier", 1, 20, 20, &[])]));
    let mut trace = ats_model::source::InMemory::default();
    Simulation::new(2)
        .replay(ranks)
        .record(&mut trace)
        .run(|c| {
            if c.rank() == 0 {
                (0..4).for_each(|_| assert_eq!(c.iprobe(Source::Rank(1), Tag::Any), None));
            }
            c.barrier();
        })
        .unwrap();
    let times: Vec<u64> = trace.events[0].iter().map(|&(time, _)| time / MS).collect();
    assert_eq!(times[..8], [10, 12, 12, 14, 14, 16, 16, 18]);
}

/// In a run, the locations that are in a collective operation longest after all have come: rank and milliseconds.
fn completion(outcome: &Outcome, state: WaitState) -> Vec<(usize, u64)> {
    let waits = outcome.waits.iter().filter(|wait| wait.state == Some(state));
    let mut waits: Vec<_> =
        waits.map(|wait| (wait.rank, (wait.physical_time * 1e3).round() as u64)).collect();
    waits.sort_unstable();
    waits
}

/// Processes leave `MPI_Init` when the run says, and one may before the last has entered it.
#[test]
fn a_late_leave_of_init_waits_for_its_completion() {
    let of = |spans: [(u64, u64); 3]| {
        let process = |(enter, leave)| {
            rank(&[("MPI_Init_thread", 1, enter, leave, &[]), ("MPI_Finalize", 1, 30, 30, &[])])
        };
        let simulation = Simulation::new(3).replay(spans.map(process).to_vec());
        let outcome = simulation.run_processes(|process| process.finalize(process.init())).unwrap();
        completion(&outcome, WaitState::InitCompletion)
    };
    assert_eq!(of([(0, 20), (10, 25), (22, 26)]), [(1, 5), (2, 4)]);
    assert_eq!(of([(0, 20), (10, 25), (12, 26)]), [(1, 5), (2, 6)]);
}

/// The first member to leave in the run decides, not the one that might have left first.
#[test]
fn a_late_leave_of_a_barrier_waits_for_its_completion() {
    let spans = [(0, 20), (10, 25), (12, 26)];
    let ranks = spans.map(|(enter, leave)| rank(&[("MPI_Barrier", 1, enter, leave, &[])]));
    let outcome = Simulation::new(3).replay(ranks.to_vec()).run(|c| c.barrier()).unwrap();
    assert_eq!(completion(&outcome, WaitState::BarrierCompletion), [(1, 5), (2, 6)]);
    assert_eq!(completion(&outcome, WaitState::WaitAtBarrier), [(0, 12), (1, 2)]);
}

#[test]
fn a_send_that_is_tested_is_complete_when_it_was() {
    let first =
        rank(&[("MPI_Issend", 1, 0, 0, &[]), ("MPI_Test", 1, 4, 4, &[]), ("MPI_Test", 1, 4, 4, &[1])]);
    let ranks = vec![first, rank(&[(RECV, 1, 1, 4, &[])])];
    let polls = Mutex::new(0);
    Simulation::new(2)
        .replay(ranks)
        .run(|c| match c.rank() {
            0 => {
                let mut request = vec![c.isend_as(SendMode::Synchronous, 1, 0, &c.base_buf())];
                while indices(c, How::Test, &mut request).is_empty() {
                    *polls.lock().unwrap() += 1;
                }
            }
            _ => drop(c.recv(Source::Rank(0), Tag::Any, &c.base_buf())),
        })
        .unwrap();
    assert_eq!(polls.into_inner().unwrap(), 1);
}

#[test]
fn a_witness_that_does_not_fit_is_refused() {
    let irecv = ("MPI_Irecv", 1, 0, 0, &[][..]);
    let receive_both = |c: &dyn Communicator| (0..2).for_each(|_| assert!(recv(c) < 3));
    let complete = |how| move |c: &dyn Communicator| drop(indices(c, how, &mut both(c)));
    let poll = |c: &dyn Communicator| {
        let mut requests = both(c);
        while indices(c, How::Testall, &mut requests).is_empty() {}
    };
    for (text, part) in [
        (
            reason(rank(&[(RECV, 1, 0, 3, &[3]), (RECV, 1, 3, 3, &[1])]), receive_both),
            "its call 0, MPI_Recv, has a message from rank 3 of 3",
        ),
        (
            reason(rank(&[(RECV, 1, 0, 3, &[2]), (RECV, 1, 3, 3, &[])]), receive_both),
            "its call 1, MPI_Recv, has no source, where the program receives from any",
        ),
        (
            reason(rank(&[(RECV, 1, 0, 3, &[2]), (RECV, 1, 3, 3, &[2])]), receive_both),
            "rank 0 in MPI_Recv waits for rank 2 of MPI_COMM_WORLD to send any tag",
        ),
        (
            reason(rank(&[irecv, irecv, ("MPI_Waitany", 1, 5, 5, &[2])]), complete(How::Waitany)),
            "its call 2, MPI_Waitany, took request 2, which the program has not started there",
        ),
        (
            reason(rank(&[irecv, irecv, ("MPI_Waitsome", 1, 5, 5, &[])]), complete(How::Waitsome)),
            "its call 2, MPI_Waitsome, took no request, where the program waits for one",
        ),
        (
            reason(rank(&[irecv, irecv, ("MPI_Testall", 3, 5, 5, &[])]), poll),
            "it ends after 3 calls, where the program makes another, MPI_Testall",
        ),
        (
            reason(rank(&[irecv, irecv, ("MPI_Testall", 3, 5, 5, &[])]), complete(How::Testall)),
            "it has 5 calls, the program makes 3",
        ),
    ] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn in_a_replay_of_the_work_calls_take_no_longer_than_they_wait() {
    let first = rank(&[(RECV, 1, 3, 20, &[2]), (RECV, 1, 25, 40, &[1])]);
    let late = rank(&[("MPI_Send", 1, 30, 38, &[])]);
    let early = rank(&[("MPI_Send", 1, 2, 2, &[])]);
    let program = |c: &dyn Communicator| match c.rank() {
        0 => assert_eq!([recv(c), recv(c)], [2, 1]),
        rank => c.send(0, rank as u32, &c.base_buf()),
    };
    let outcome = Simulation::new(3).replay_work(vec![first, late, early]).run(program).unwrap();
    // The first message is there at 3 ms, the second at 30; 60, 62 and 98 ms come after the last calls.
    assert_eq!(outcome.ends, [0.09, 0.092, 0.1]);
    assert!((outcome.waiting_time(WaitState::LateSender) - 0.022).abs() < 1e-12);
}

#[test]
fn a_replay_of_the_work_aligns_the_ranks_anew() {
    let of = |first_ends: u64| {
        let work = vec![(0, first_ends * MS), (22 * MS, 27 * MS)];
        let master = ThreadReplay { work, ..ThreadReplay::default() };
        RankReplay { enter: 0, leave: 30 * MS, master, threads: Vec::new() }
    };
    let program = |_: &dyn Communicator| {
        ats_work::do_work(1.0);
        ats_virtual::align();
        ats_work::do_work(1.0);
    };
    let outcome = Simulation::new(2).replay_work(vec![of(10), of(20)]).run(program).unwrap();
    // Nobody knows how much of the 2 ms after the longer work was the alignment.
    assert_eq!(outcome.ends, [0.028, 0.028]);
}
