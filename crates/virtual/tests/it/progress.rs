//! Transfers that proceed by themselves, or only while their processes are in calls.

use ats_mpi::{Communicator, How, Op, Progress, ReduceOp, Request, SendMode, Source, Tag};
use ats_virtual::{Network, Outcome, Simulation};
use ats_work::do_work;

use crate::common::{buf, ends, waits};

const LARGE: usize = 100_000;

fn runs(progress: Progress, ranks: usize, program: impl Fn(&dyn Communicator)) -> Outcome {
    let network = Network { progress: Some(progress), ..Network::default() };
    Simulation::new(ranks).network(network).run(program).unwrap()
}

/// Rank 0 starts to send so many bytes to rank 1, and works 20 ms before it waits; rank 1 works for a time and receives.
fn overlapped_send(progress: Progress, mode: SendMode, bytes: usize, late: f64) -> Outcome {
    runs(progress, 2, |c| {
        let buf = buf(c, bytes);
        if c.rank() == 0 {
            let request = c.isend_as(mode, 1, 0, &buf);
            do_work(0.02);
            c.wait(request);
        } else {
            do_work(late);
            c.recv(Source::Rank(0), Tag::Is(0), &buf);
        }
    })
}

#[test]
fn the_data_of_a_send_needs_its_sender_in_a_call() {
    let standard = |progress, bytes, late| overlapped_send(progress, SendMode::Standard, bytes, late);
    let outcome = standard(Progress::Calls, LARGE, 0.0);
    assert_eq!(waits(&outcome), [(1, "late_progress", 20.0)]);
    assert_eq!(outcome.waits[0].call_path, ["MPI_Recv"]);
    assert_eq!(ends(&outcome), [20.0, 20.0]);
    assert_eq!(waits(&standard(Progress::Calls, LARGE, 0.005)), [(1, "late_progress", 15.0)]);
    assert_eq!(waits(&standard(Progress::Calls, LARGE, 0.02)), []);
    assert_eq!(waits(&standard(Progress::Calls, LARGE, 0.03)), [(0, "late_receiver", 10.0)]);
    // It is eager, or proceeds by itself.
    assert_eq!(waits(&standard(Progress::Calls, 8, 0.0)), []);
    assert_eq!(waits(&standard(Progress::Always, LARGE, 0.0)), []);
    // A short one has come with its envelope.
    assert_eq!(waits(&overlapped_send(Progress::Calls, SendMode::Synchronous, 8, 0.0)), []);
}

/// Rank 0 works 5 ms and sends so many bytes to rank 1, which has started to receive, and works 20 ms before it waits.
fn overlapped_receive(
    progress: Progress,
    mode: SendMode,
    bytes: usize,
    calls: impl Fn(&dyn Communicator),
) -> Outcome {
    runs(progress, 2, |c| {
        let buf = buf(c, bytes);
        if c.rank() == 0 {
            do_work(0.005);
            c.send_as(mode, 1, 0, &buf);
        } else {
            let request = c.irecv(Source::Rank(0), Tag::Is(0), &buf);
            calls(c);
            do_work(0.02);
            c.wait(request);
        }
    })
}

#[test]
fn the_answer_to_a_send_needs_its_receiver_in_a_call() {
    for (mode, bytes) in
        [(SendMode::Synchronous, 8), (SendMode::Synchronous, LARGE), (SendMode::Standard, LARGE)]
    {
        let outcome = overlapped_receive(Progress::Calls, mode, bytes, |_| {});
        assert_eq!(waits(&outcome), [(0, "late_progress", 15.0)], "{mode:?} {bytes}");
        assert_eq!(ends(&outcome), [20.0, 20.0]);
        assert_eq!(waits(&overlapped_receive(Progress::Always, mode, bytes, |_| {})), []);
    }
    assert_eq!(waits(&overlapped_receive(Progress::Calls, SendMode::Standard, 8, |_| {})), []);
}

#[test]
fn any_call_in_time_makes_progress() {
    // The call is over before the message is there; the wait is until the next one all the same.
    let early = |c: &dyn Communicator| assert!(c.iprobe(Source::Rank(0), Tag::Is(7)).is_none());
    let outcome = overlapped_receive(Progress::Calls, SendMode::Synchronous, 8, early);
    assert_eq!(ends(&outcome), [20.001, 20.001]);
    assert_eq!(waits(&outcome), []);
    // To start another message is none that does.
    let started = |c: &dyn Communicator| {
        do_work(0.01);
        let buf = buf(c, 8);
        let _open = c.irecv(Source::Rank(1), Tag::Is(7), &buf);
    };
    let outcome = overlapped_receive(Progress::Calls, SendMode::Synchronous, 8, started);
    assert_eq!(waits(&outcome), [(0, "late_progress", 25.0)]);
    let late = |c: &dyn Communicator| {
        do_work(0.01);
        assert!(c.iprobe(Source::Rank(0), Tag::Is(7)).is_none());
    };
    let outcome = overlapped_receive(Progress::Calls, SendMode::Synchronous, 8, late);
    assert_eq!(ends(&outcome), [10.0, 30.001]);
    assert_eq!(waits(&outcome), [(0, "late_progress", 5.0)]);
}

#[test]
fn a_process_in_another_call_makes_progress() {
    let outcome = runs(Progress::Calls, 3, |c| {
        let buf = buf(c, LARGE);
        match c.rank() {
            0 => {
                let request = c.isend_as(SendMode::Standard, 1, 0, &buf);
                c.recv(Source::Rank(2), Tag::Is(0), &buf);
                do_work(0.05);
                c.wait(request);
            }
            1 => {
                do_work(0.005);
                c.recv(Source::Rank(0), Tag::Is(0), &buf);
            }
            _ => {
                do_work(0.01);
                c.send(0, 0, &buf);
            }
        }
    });
    assert_eq!(ends(&outcome), [60.0, 5.0, 10.0]);
    assert_eq!(waits(&outcome), [(0, "late_sender", 10.0)]);
}

#[test]
fn a_call_counts_the_last_of_its_partners_beyond_its_other_waits() {
    let outcome = runs(Progress::Calls, 4, |c| {
        let buf = buf(c, LARGE);
        let late = 0.01 * c.rank() as f64;
        match c.rank() {
            0 => {
                let requests = [1, 2, 3].map(|rank| c.irecv(Source::Rank(rank), Tag::Is(0), &buf));
                c.waitall(requests.into());
            }
            3 => {
                do_work(0.005);
                c.send(0, 0, &buf);
            }
            _ => {
                let request = c.isend_as(SendMode::Standard, 0, 0, &buf);
                do_work(late);
                c.wait(request);
            }
        }
    });
    assert_eq!(ends(&outcome), [20.0, 10.0, 20.0, 5.0]);
    assert_eq!(waits(&outcome), [(0, "late_progress", 15.0), (0, "late_sender", 5.0)]);
}

#[test]
fn tests_and_persistent_requests_make_progress() {
    let outcome = runs(Progress::Calls, 2, |c| {
        let buf = buf(c, LARGE);
        if c.rank() == 0 {
            let mut request =
                vec![c.init(ats_mpi::Op::Send { mode: SendMode::Standard, to: 1, tag: 0, buf })];
            for _ in 0..2 {
                c.restart(&request[0]);
                do_work(0.01);
                c.complete(How::Wait, &mut request);
            }
        } else {
            for _ in 0..2 {
                c.recv(Source::Rank(0), Tag::Is(0), &buf);
            }
        }
    });
    assert_eq!(waits(&outcome), [(1, "late_progress", 20.0)]);
    let outcome = runs(Progress::Calls, 2, |c| {
        let buf = buf(c, LARGE);
        if c.rank() == 0 {
            let mut request = vec![c.isend_as(SendMode::Standard, 1, 0, &buf)];
            for _ in 0..10 {
                do_work(0.002);
                c.complete(How::Test, &mut request);
            }
            assert!(request.is_empty());
        } else {
            do_work(0.005);
            c.recv(Source::Rank(0), Tag::Is(0), &buf);
        }
    });
    // The first test was in time; the message was not.
    assert_eq!(waits(&outcome), []);
    assert_eq!(ends(&outcome)[1], 6.002);
}

/// Four ranks start an allreduce of 1 MB, of two transfers of 1 ms each, after `late(rank)` ms; what they do next.
fn overlapped_allreduce(
    progress: Progress,
    late: impl Fn(usize) -> f64,
    next: impl Fn(&dyn Communicator, Request),
) -> Outcome {
    let network = Network { progress: Some(progress), bandwidth: 1e9, ..Network::default() };
    let program = |c: &dyn Communicator| {
        let buf = || buf(c, 1_000_000);
        do_work(0.001 * late(c.rank()));
        let request = c.start(Op::Allreduce { op: ReduceOp::Min, send: buf(), recv: buf() });
        next(c, request);
    };
    Simulation::new(4).network(network).run(program).unwrap()
}

#[test]
fn a_collective_operation_proceeds_while_its_process_is_in_calls() {
    let works = |milliseconds: f64| {
        move |c: &dyn Communicator, request| {
            do_work(0.001 * milliseconds);
            c.wait(request);
        }
    };
    let ends_of = |progress, late: fn(usize) -> f64, work| {
        let outcome = overlapped_allreduce(progress, late, works(work));
        (ends(&outcome), waits(&outcome))
    };
    assert_eq!(ends_of(Progress::Calls, |_| 0.0, 5.0), (vec![7.0; 4], vec![]));
    assert_eq!(ends_of(Progress::Calls, |_| 0.0, 0.5), (vec![2.5; 4], vec![]));
    assert_eq!(ends_of(Progress::Always, |_| 0.0, 5.0), (vec![5.0; 4], vec![]));
    assert_eq!(ends_of(Progress::Always, |_| 0.0, 0.5), (vec![2.0; 4], vec![]));
    // Who is in the call already when the last one comes needs nothing else.
    let late = |rank| if rank == 3 { 10.0 } else { 0.0 };
    let waited = |wait| (0..3).map(|rank| (rank, "wait_at_nonblocking_nxn", wait)).collect::<Vec<_>>();
    assert_eq!(ends_of(Progress::Calls, late, 4.0), (vec![12.0, 12.0, 12.0, 16.0], waited(6.0)));
    assert_eq!(ends_of(Progress::Always, late, 4.0), (vec![12.0, 12.0, 12.0, 14.0], waited(6.0)));
}

#[test]
fn a_call_in_between_begins_the_next_transfer() {
    let works = |c: &dyn Communicator, request| {
        for _ in 0..c.rank() {
            do_work(0.002);
            assert!(c.iprobe(Source::Any, Tag::Is(7)).is_none());
        }
        do_work(0.01 - 0.002 * c.rank() as f64);
        c.wait(request);
    };
    let outcome = overlapped_allreduce(Progress::Calls, |_| 0.0, works);
    assert_eq!(ends(&outcome), [12.0, 11.001, 10.002, 10.003]);
    let mut tests = Vec::new();
    for progress in [Progress::Calls, Progress::Always] {
        let outcome = overlapped_allreduce(
            progress,
            |_| 0.0,
            |c, request| {
                let mut requests = vec![request];
                while !requests.is_empty() {
                    do_work(0.0015);
                    c.complete(How::Test, &mut requests);
                }
            },
        );
        assert_eq!(waits(&outcome), []);
        tests.push(outcome.counts["MPI_Test"].calls);
    }
    // Two transfers begin in a test each, and a third finds the end.
    assert_eq!(tests, [12, 8]);
}

#[test]
fn eager_senders_and_roots_need_no_progress() {
    let network = Network { progress: Some(Progress::Calls), bandwidth: 1e6, ..Network::default() };
    let outcome = Simulation::new(4).network(network).run(|c| {
        let op = match c.rank() {
            0 => Op::Gather { send: buf(c, 1000), recv: Some(buf(c, 4000)), root: 0 },
            _ => Op::Gather { send: buf(c, 1000), recv: None, root: 0 },
        };
        let gather = c.start(op);
        do_work(0.01);
        c.wait(gather);
        let bcast = c.start(Op::Bcast { buf: buf(c, 1000), root: 3 });
        do_work(0.01);
        c.wait(bcast);
    });
    let outcome = outcome.unwrap();
    // Two transfers of 1 ms at the root of one, and at the others of the other one.
    assert_eq!(ends(&outcome), [24.0, 22.0, 22.0, 20.0]);
}
