//! Collective operations with requests: their completion waits, not their start.

use ats_model::event::{Bytes, CollectiveOperation, Root};
use ats_model::{Event, Traffic, source::InMemory};
use ats_mpi::{Communicator, How, Op, ReduceOp, Request, Source, Tag};
use ats_virtual::{Network, Simulation};
use ats_work::do_work;

use crate::common::{Wait, buf, ends, run, waits};

/// Rank i works 10 ms for each rank below it, starts the operation, works `overlap` milliseconds, and completes it.
fn overlapped(overlap: u32, op: impl Fn(&dyn Communicator) -> Op) -> Vec<Wait> {
    waits(&run(3, |c| {
        do_work(0.01 * c.rank() as f64);
        let request = c.start(op(c));
        do_work(1e-3 * f64::from(overlap));
        c.wait(request);
    }))
}

#[test]
fn a_nonblocking_barrier_overlaps_work() {
    let barrier = |overlap| overlapped(overlap, |_| Op::Barrier);
    let name = "wait_at_nonblocking_barrier";
    assert_eq!(barrier(0), [(0, name, 20.0), (1, name, 10.0)]);
    assert_eq!(barrier(5), [(0, name, 15.0), (1, name, 5.0)]);
    assert_eq!(barrier(20), []);
}

#[test]
fn each_flow_of_data_has_a_wait_state() {
    let sum = ReduceOp::Sum;
    let own = |c: &dyn Communicator| (buf(c, 8), buf(c, 8));
    let all = |c: &dyn Communicator| buf(c, 24);
    let nxn = overlapped(5, |c| {
        let (send, recv) = own(c);
        Op::Allreduce { op: sum, send, recv }
    });
    let name = "wait_at_nonblocking_nxn";
    assert_eq!(nxn, [(0, name, 15.0), (1, name, 5.0)]);
    assert_eq!(overlapped(5, |c| Op::Alltoall { send: all(c), recv: all(c) }), nxn);
    let irregular = overlapped(5, |c| {
        let counts = ats_mpi::Counts::same(1, 3);
        Op::Alltoallv { send: all(c), send_counts: counts.clone(), recv: all(c), recv_counts: counts }
    });
    let name = "wait_at_irregular_nxn";
    assert_eq!(irregular, [(0, name, 15.0), (1, name, 5.0)]);
    let bcast = overlapped(5, |c| Op::Bcast { root: 2, buf: buf(c, 8) });
    let name = "late_nonblocking_broadcast";
    assert_eq!(bcast, [(0, name, 15.0), (1, name, 5.0)]);
    let gather = |bytes: usize| {
        overlapped(5, move |c| Op::Gather {
            root: 0,
            send: buf(c, bytes),
            recv: (c.rank() == 0).then(|| buf(c, 3 * bytes)),
        })
    };
    assert_eq!(gather(8), [(0, "early_nonblocking_reduce", 15.0)]);
    let to_last = overlapped(5, |c| Op::Reduce {
        root: 2,
        op: sum,
        send: buf(c, 5000),
        recv: (c.rank() == 2).then(|| buf(c, 5000)),
    });
    assert_eq!(to_last, [(0, "wait_for_root", 15.0), (1, "wait_for_root", 5.0)]);
    let scan = waits(&run(3, |c| {
        let (send, recv) = own(c);
        do_work(0.01 * (2 - c.rank()) as f64);
        let request = c.start(Op::Scan { op: sum, send, recv });
        do_work(0.005);
        c.wait(request);
    }));
    let name = "early_nonblocking_scan";
    assert_eq!(scan, [(1, name, 5.0), (2, name, 15.0)]);
}

#[test]
fn a_call_counts_its_messages_first_and_the_rest_of_its_longest_operation() {
    let outcome = |late: f64| {
        waits(&run(2, move |c| {
            let message = buf(c, 8);
            if c.rank() == 0 {
                let requests = vec![
                    c.irecv(Source::Rank(1), Tag::Is(0), &message),
                    c.start(Op::Barrier),
                    c.start(Op::Barrier),
                ];
                c.waitall(requests);
            } else {
                do_work(0.02);
                c.send(0, 0, &message);
                do_work(late);
                let requests = vec![c.start(Op::Barrier), c.start(Op::Barrier)];
                c.waitall(requests);
            }
        }))
    };
    assert_eq!(outcome(0.0), [(0, "late_sender", 20.0)]);
    assert_eq!(outcome(0.03), [(0, "late_sender", 20.0), (0, "wait_at_nonblocking_barrier", 30.0)]);
}

#[test]
fn the_rest_is_that_of_the_longest_operation_of_any_kind() {
    /// Operations that rank 0 completes together.
    #[derive(Clone, Copy, PartialEq)]
    enum Part {
        Message,
        Barrier,
        Bcast,
    }
    use Part::{Barrier, Bcast, Message};
    // Rank 1 comes to each part after these milliseconds.
    let outcome = |parts: &[(f64, Part)]| {
        waits(&run(2, |c| {
            let (message, data) = (buf(c, 8), buf(c, 8));
            let mut requests = Vec::new();
            let mut now = 0.0;
            for (at, part) in parts {
                if c.rank() == 1 {
                    do_work(1e-3 * (at - now));
                    now = *at;
                }
                match part {
                    Message if c.rank() == 1 => c.send(0, 0, &message),
                    Message => requests.push(c.irecv(Source::Rank(1), Tag::Is(0), &message)),
                    Barrier => requests.push(c.start(Op::Barrier)),
                    Bcast => requests.push(c.start(Op::Bcast { root: 1, buf: data.clone() })),
                }
            }
            c.waitall(requests);
        }))
    };
    assert_eq!(
        outcome(&[(3.0, Barrier), (5.0, Message), (7.0, Bcast)]),
        [(0, "late_nonblocking_broadcast", 2.0), (0, "late_sender", 5.0)]
    );
    assert_eq!(outcome(&[(3.0, Barrier), (7.0, Bcast), (9.0, Message)]), [(0, "late_sender", 9.0)]);
}

#[test]
fn operations_overlap_and_complete_in_any_order() {
    let outcome = run(2, |c| {
        let [a, b] = [buf(c, 8), buf(c, 8)];
        do_work(0.01 * c.rank() as f64);
        let first = c.start(Op::Bcast { root: 1, buf: a });
        do_work(0.03 * c.rank() as f64);
        let second = c.start(Op::Bcast { root: 1, buf: b });
        c.wait(second);
        c.wait(first);
    });
    assert_eq!(ends(&outcome), [40.0, 40.0]);
    assert_eq!(waits(&outcome), [(0, "late_nonblocking_broadcast", 40.0)]);
}

#[test]
fn a_test_never_waits() {
    let outcome = run(2, |c| {
        do_work(0.01 * c.rank() as f64);
        let mut requests = vec![c.start(Op::Barrier)];
        while c.complete(How::Test, &mut requests).completed.is_empty() {
            do_work(0.001);
        }
    });
    assert_eq!(waits(&outcome), []);
}

#[test]
fn a_persistent_operation_is_started_again_and_again() {
    let outcome = run(2, |c| {
        let (send, recv) = (buf(c, 8), buf(c, 8));
        let mut requests = vec![c.init(Op::Allreduce { op: ReduceOp::Sum, send, recv })];
        for _ in 0..3 {
            do_work(0.01 * c.rank() as f64);
            c.restart(&requests[0]);
            do_work(0.004);
            c.complete(How::Waitany, &mut requests);
        }
    });
    // The overlap saves time once: then rank 0 is early by so much.
    assert_eq!(waits(&outcome), [(0, "wait_at_nonblocking_nxn", 26.0)]);
    assert_eq!(outcome.waits[0].instances, 3);
}

#[test]
fn an_operation_costs_what_its_blocking_form_does() {
    let network = Network { latency: 1e-3, ..Network::default() };
    let outcome = Simulation::new(4).network(network).run(|c| {
        let request = c.start(Op::Barrier);
        c.wait(request);
    });
    assert_eq!(ends(&outcome.unwrap()), [2.0; 4]);
}

#[test]
fn events_are_those_of_a_recorder() {
    let mut trace = InMemory::default();
    let outcome = Simulation::new(2)
        .record(&mut trace)
        .run(|c| {
            let messages = [buf(c, 4), buf(c, 4)];
            let other = 1 - c.rank();
            let all = vec![
                c.irecv(Source::Rank(other), Tag::Is(0), &messages[0]),
                c.isend_as(ats_mpi::SendMode::Standard, other, 0, &messages[1]),
                c.start(Op::Bcast { root: 1, buf: buf(c, 8) }),
            ];
            c.waitall(all);
        })
        .unwrap();
    let moved = |call: &str| outcome.counts[call].moved;
    assert_eq!(moved("MPI_Ibcast"), Traffic::default());
    assert_eq!(moved("MPI_Waitall").comms_coll, 2);
    let of_collectives = |rank: usize| {
        let events = trace.events[rank].iter().map(|&(_, event)| event);
        events
            .filter(|event| {
                matches!(
                    event,
                    Event::NonBlockingCollectiveRequest { .. } | Event::NonBlockingCollectiveComplete { .. }
                )
            })
            .collect::<Vec<_>>()
    };
    let [Event::NonBlockingCollectiveRequest { request }, complete] = of_collectives(0)[..] else {
        panic!("{:?}", of_collectives(0))
    };
    let communicator = ats_model::event::CommunicatorRef(0);
    let root = Root::from(Some(1));
    let (sent, received) = (Bytes::default(), Bytes::from(8));
    let operation = CollectiveOperation::Bcast;
    assert_eq!(
        complete,
        Event::NonBlockingCollectiveComplete { operation, communicator, root, sent, received, request }
    );
    let mut names: Vec<u64> = trace.events[0]
        .iter()
        .filter_map(|&(_, event)| match event {
            Event::MpiIsend { request, .. }
            | Event::MpiIrecvRequest { request }
            | Event::NonBlockingCollectiveRequest { request } => Some(request),
            _ => None,
        })
        .collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 3, "requests of one time have names of their own");
}

fn message(program: impl Fn(&dyn Communicator)) -> String {
    Simulation::new(2).run(program).unwrap_err().to_string()
}

#[test]
fn misuse_is_refused() {
    let forms = message(|c| {
        if c.rank() == 0 {
            c.barrier();
        } else {
            let request = c.start(Op::Barrier);
            c.wait(request);
        }
    });
    assert_eq!(
        forms,
        "rank 1: collective operation 0 of MPI_COMM_WORLD is MPI_Ibarrier here, but MPI_Barrier on rank 0"
    );
    let twice = message(|c| {
        let request: Request = c.init(Op::Barrier);
        c.restart(&request);
        c.restart(&request);
    });
    assert_eq!(twice, "rank 0: MPI_Start: the request is started already; complete it first");
    let missing = message(|c| {
        if c.rank() == 0 {
            let request = c.start(Op::Barrier);
            c.wait(request);
        }
    });
    assert!(missing.contains("waits for rank 1 to enter MPI_Ibarrier on MPI_COMM_WORLD"), "{missing}");
}
