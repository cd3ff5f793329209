//! The blocking rules of MPI, one by one: the duration and partner of each wait.

use ats_model::{Event, Traffic, WaitState, source::InMemory};
use ats_mpi::{
    Communicator, Counts, Datatype, Direction, How, MpiBuf, Op, ReduceOp, SendMode, Source, Tag, Transfer,
    mpi_commpattern_all_to_one, mpi_commpattern_chain, mpi_commpattern_one_to_all, mpi_commpattern_sendrecv,
    mpi_commpattern_shift,
};
use ats_virtual::{Network, Outcome, Simulation};
use ats_work::do_work;

use crate::common::{buf, ends, run, waits};

fn ignore(_: ats_mpi::Status) {}

fn send_and_receive(mode: SendMode, bytes: usize, sender: f64, receiver: f64) -> Outcome {
    run(2, |c| {
        let buf = buf(c, bytes);
        if c.rank() == 0 {
            do_work(sender);
            c.send_as(mode, 1, 0, &buf);
        } else {
            do_work(receiver);
            c.recv(Source::Rank(0), Tag::Is(0), &buf);
        }
    })
}

#[test]
fn a_receive_waits_for_its_send_in_every_mode() {
    for mode in [SendMode::Standard, SendMode::Synchronous, SendMode::Buffered, SendMode::Ready] {
        let outcome = send_and_receive(mode, 8, 0.03, 0.01);
        assert_eq!(ends(&outcome), [30.0, 30.0]);
        assert_eq!(waits(&outcome), [(1, "late_sender", 20.0)]);
    }
}

#[test]
fn only_sends_that_need_their_receive_wait_for_it() {
    let late_receiver = [(0, "late_receiver", 20.0)];
    for (mode, bytes, blocks) in [
        (SendMode::Synchronous, 0, true),
        (SendMode::Standard, 4096, false),
        (SendMode::Standard, 4097, true),
        (SendMode::Buffered, 1 << 20, false),
        (SendMode::Ready, 1 << 20, false),
    ] {
        let outcome = send_and_receive(mode, bytes, 0.01, 0.03);
        assert_eq!(ends(&outcome), [if blocks { 30.0 } else { 10.0 }, 30.0], "{mode:?} of {bytes} bytes");
        assert_eq!(
            waits(&outcome),
            if blocks { &late_receiver[..] } else { &[] },
            "{mode:?} of {bytes} bytes"
        );
    }
}

#[test]
fn work_between_start_and_wait_shortens_the_wait() {
    let overlapped = |overlap: f64| {
        run(2, |c| {
            let buf = buf(c, 8);
            if c.rank() == 0 {
                do_work(0.05);
                c.ssend(1, 0, &buf);
            } else {
                let request = c.irecv(Source::Rank(0), Tag::Is(0), &buf);
                do_work(overlap);
                c.wait(request);
            }
        })
    };
    assert_eq!(waits(&overlapped(0.02)), [(1, "late_sender", 30.0)]);
    assert_eq!(
        waits(&overlapped(0.07)),
        [],
        "a synchronous send needs the receive to be posted, not to be waited for"
    );
}

#[test]
fn waitall_counts_its_largest_wait_once() {
    let outcome = run(4, |c| {
        let buf = buf(c, 8);
        if c.rank() == 0 {
            c.waitall((1..4).map(|rank| c.irecv(Source::Rank(rank), Tag::Any, &buf)).collect());
        } else {
            do_work(0.01 * c.rank() as f64);
            c.send(0, 0, &buf);
        }
    });
    assert_eq!(waits(&outcome), [(0, "late_sender", 30.0)]);
    assert_eq!(outcome.waits[0].instances, 1);
}

#[test]
fn waitall_counts_a_late_receiver_only_without_a_late_sender() {
    // Rank 2 is 9 ms late to receive; the senders are as late as given.
    let outcome = |senders: [u32; 2]| {
        waits(&run(4, |c| {
            let bufs = [buf(c, 8), buf(c, 8), buf(c, 8)];
            match c.rank() {
                0 => {
                    c.waitall(vec![
                        c.irecv(Source::Rank(1), Tag::Any, &bufs[0]),
                        c.isend_as(SendMode::Synchronous, 2, 0, &bufs[1]),
                        c.irecv(Source::Rank(3), Tag::Any, &bufs[2]),
                    ]);
                }
                2 => {
                    do_work(0.009);
                    c.recv(Source::Rank(0), Tag::Any, &bufs[0]);
                }
                sender => {
                    do_work(1e-3 * f64::from(senders[sender / 2]));
                    c.send(0, 0, &bufs[0]);
                }
            }
        }))
    };
    assert_eq!(outcome([3, 7]), [(0, "late_sender", 7.0)]);
    assert_eq!(outcome([0, 0]), [(0, "late_receiver", 9.0)]);
}

#[test]
fn messages_of_a_waitall_have_no_order() {
    let outcome = run(3, |c| {
        let buf = buf(c, 8);
        if c.rank() == 0 {
            c.waitall((1..3).map(|rank| c.irecv(Source::Rank(rank), Tag::Any, &buf)).collect());
        } else {
            do_work(0.03 / c.rank() as f64);
            c.send(0, 0, &buf);
        }
    });
    assert_eq!(waits(&outcome), [(0, "late_sender", 30.0)]);
}

#[test]
fn a_call_with_a_late_sender_has_no_late_receiver() {
    // Rank 1 posts its receive in the very moment in which rank 0 has its message, and so leaves.
    let program = |sendrecv: bool| {
        run(3, |c| {
            let (send, recv) = (buf(c, 8), buf(c, 8));
            let from = Source::Rank(2);
            match (c.rank(), sendrecv) {
                (0, true) => {
                    let (send_tag, recv_tag) = (0, Tag::Any);
                    c.call(Op::Sendrecv { to: 1, send_tag, send, from, recv_tag, recv });
                }
                (0, false) => {
                    let requests =
                        vec![c.isend_as(SendMode::Standard, 1, 0, &send), c.irecv(from, Tag::Any, &recv)];
                    c.waitall(requests);
                }
                (1, _) => {
                    do_work(0.03);
                    c.recv(Source::Rank(0), Tag::Any, &recv);
                }
                _ => {
                    do_work(0.03);
                    c.send(0, 0, &send);
                }
            }
        })
    };
    for sendrecv in [true, false] {
        assert_eq!(waits(&program(sendrecv)), [(0, "late_sender", 30.0)]);
    }
}

#[test]
fn an_exchange_has_no_late_receiver() {
    let outcome = run(2, |c| {
        let (send, recv) = (buf(c, 5000), buf(c, 5000));
        if c.rank() == 0 {
            let (to, from) = (1, Source::Rank(1));
            c.call(Op::Sendrecv { to, send_tag: 0, send, from, recv_tag: Tag::Any, recv });
        } else {
            c.send(0, 0, &buf(c, 8));
            do_work(0.03);
            c.recv(Source::Rank(0), Tag::Any, &recv);
        }
    });
    assert_eq!(ends(&outcome), [30.0, 30.0]);
    assert_eq!(waits(&outcome), [(0, "blocked", 30.0)]);
}

#[test]
fn a_synchronous_isend_waits_in_its_wait() {
    let outcome = run(2, |c| {
        let buf = buf(c, 8);
        if c.rank() == 0 {
            let request = c.isend_as(SendMode::Synchronous, 1, 0, &buf);
            do_work(0.02);
            c.wait(request);
        } else {
            do_work(0.05);
            c.recv(Source::Rank(0), Tag::Is(0), &buf);
        }
    });
    assert_eq!(waits(&outcome), [(0, "late_receiver", 30.0)]);
    assert_eq!(outcome.waits[0].call_path, ["MPI_Wait"]);
}

#[test]
fn messages_of_a_sender_do_not_overtake_one_another() {
    run(2, |c| {
        let (small, large) = (buf(c, 1), buf(c, 2));
        if c.rank() == 0 {
            c.send(1, 7, &small);
            c.send(1, 8, &small);
            c.send(1, 7, &large);
        } else {
            let receive = |tag| c.recv(Source::Rank(0), tag, &large).bytes;
            assert_eq!(receive(Tag::Is(8)), 1);
            assert_eq!(receive(Tag::Is(7)), 1);
            assert_eq!(receive(Tag::Any), 2);
        }
    });
}

#[test]
fn a_wildcard_takes_the_message_that_comes_first() {
    // Rank 3 runs first in the engine, but its message is sent last.
    let outcome = run(4, |c| {
        let buf = buf(c, 8);
        if c.rank() == 0 {
            let sources: Vec<usize> = (1..4).map(|_| c.recv(Source::Any, Tag::Any, &buf).source).collect();
            assert_eq!(sources, [2, 1, 3]);
        } else {
            do_work([0.0, 0.02, 0.01, 0.03][c.rank()]);
            c.send(0, 0, &buf);
        }
    });
    assert_eq!(waits(&outcome), [(0, "late_sender", 30.0)]);
}

#[test]
fn posted_wildcards_match_in_the_order_of_time() {
    run(3, |c| {
        let buf = buf(c, 8);
        match c.rank() {
            0 => {
                let any = c.irecv(Source::Any, Tag::Any, &buf);
                let second = c.irecv(Source::Rank(2), Tag::Any, &buf);
                do_work(0.1);
                assert_eq!(c.wait(any).source, 2, "rank 2 sends first");
                assert_eq!(c.wait(second).source, 2);
                assert_eq!(c.recv(Source::Any, Tag::Any, &buf).source, 1);
            }
            1 => {
                do_work(0.03);
                c.send(0, 0, &buf);
            }
            _ => {
                do_work(0.01);
                c.send(0, 0, &buf);
                do_work(0.05);
                c.ssend(0, 0, &buf);
            }
        }
    });
}

#[test]
fn waitany_and_waitsome_take_what_is_done_first() {
    run(4, |c| {
        let buf = buf(c, 8);
        if c.rank() > 0 {
            do_work([0.0, 0.03, 0.01, 0.01][c.rank()]);
            c.send(0, 0, &buf);
            return;
        }
        let mut requests: Vec<_> = (1..4).map(|rank| c.irecv(Source::Rank(rank), Tag::Any, &buf)).collect();
        let some = c.complete(How::Waitsome, &mut requests);
        assert_eq!(
            some.completed.iter().map(|(at, status)| (*at, status.source)).collect::<Vec<_>>(),
            [(1, 2), (2, 3)]
        );
        let any = c.complete(How::Waitany, &mut requests);
        assert_eq!(any.completed[0].1.source, 1);
        assert!(requests.is_empty());
    });
}

#[test]
fn persistent_requests_start_again_and_again() {
    let outcome = run(2, |c| {
        let buf = buf(c, 8);
        let op = match c.rank() {
            0 => Op::Send { mode: SendMode::Synchronous, to: 1, tag: 0, buf },
            _ => Op::Recv { from: Source::Rank(0), tag: Tag::Is(0), buf },
        };
        let mut requests = vec![c.init(op)];
        for _ in 0..3 {
            do_work(if c.rank() == 0 { 0.02 } else { 0.01 });
            c.restart(&requests[0]);
            assert_eq!(c.complete(How::Waitall, &mut requests).completed.len(), 1);
        }
        assert_eq!(requests.len(), 1);
    });
    assert_eq!(waits(&outcome), [(1, "late_sender", 30.0)]);
}

/// A collective call, made with a buffer of one block and one of all.
type Call<'a> = &'a dyn Fn(&dyn Communicator, &MpiBuf, &MpiBuf);

/// Every rank works `10 ms · (rank + 1)`, backwards if `falling`, then makes the call.
fn collective(falling: bool, call: impl Fn(&dyn Communicator, &MpiBuf, &MpiBuf)) -> Outcome {
    run(4, move |c| {
        let (one, all) = (buf(c, 8), buf(c, 32));
        let steps = if falling { 4 - c.rank() } else { c.rank() + 1 };
        do_work(0.01 * steps as f64);
        call(c, &one, &all);
    })
}

#[test]
fn in_n_to_n_operations_all_wait_for_the_last() {
    let op = ReduceOp::Sum;
    let calls: [(&str, Call<'_>); 9] = [
        ("wait_at_barrier", &|c, _, _| c.barrier()),
        ("wait_at_nxn", &|c, one, _| c.allreduce(op, one, one)),
        ("wait_at_nxn", &|c, _, all| c.alltoall(all, all)),
        ("wait_at_nxn", &|c, one, all| {
            ignore(c.call(Op::Allgather { send: one.clone(), recv: all.clone() }))
        }),
        ("wait_at_nxn", &|c, one, all| {
            c.call(Op::Allgatherv { send: one.clone(), recv: all.clone(), counts: Counts::same(8, 4) });
        }),
        ("wait_at_nxn", &|c, one, all| {
            c.call(Op::ReduceScatterBlock { op, send: all.clone(), recv: one.clone() });
        }),
        ("wait_at_nxn", &|c, one, all| {
            c.call(Op::ReduceScatter {
                op,
                send: all.clone(),
                recv: one.clone(),
                counts: Counts::same(8, 4),
            });
        }),
        ("wait_at_irregular_nxn", &|c, _, all| {
            let (send, recv, send_counts, recv_counts) =
                (all.clone(), all.clone(), Counts::same(8, 4), Counts::same(8, 4));
            c.call(Op::Alltoallv { send, send_counts, recv, recv_counts });
        }),
        ("wait_at_irregular_nxn", &|c, _, all| {
            let (send, recv, send_counts, recv_counts) =
                (all.clone(), all.clone(), Counts::same(8, 4), Counts::same(8, 4));
            c.call(Op::Alltoallw { send, send_counts, recv, recv_counts });
        }),
    ];
    for (name, call) in calls {
        let outcome = collective(false, call);
        assert_eq!(ends(&outcome), [40.0; 4]);
        assert_eq!(waits(&outcome), [(0, name, 30.0), (1, name, 20.0), (2, name, 10.0)]);
    }
}

#[test]
fn bytes_are_those_that_a_call_moves_however_large_its_buffers_are() {
    let op = ReduceOp::Sum;
    // Of 2 ranks, what rank 1, the root, has sent and received; all buffers have 100 bytes, one block 3.
    let calls: [(&str, (u64, u64), Call<'_>); 8] = [
        ("scatter", (6, 3), &|c, one, all| c.scatter(1, Some(all), one)),
        ("gather", (3, 6), &|c, one, all| c.gather(1, one, Some(all))),
        ("allgather", (6, 6), &|c, one, all| {
            ignore(c.call(Op::Allgather { send: one.clone(), recv: all.clone() }))
        }),
        ("allgatherv", (6, 5), &|c, one, all| {
            c.call(Op::Allgatherv { send: one.clone(), recv: all.clone(), counts: vec![2, 3].into() });
        }),
        ("alltoall", (100, 100), &|c, _, all| c.alltoall(&buf(c, 101), all)),
        ("alltoallv", (3, 7), &|c, _, all| {
            let (send_counts, recv_counts) = (vec![1, 2].into(), vec![3, 4].into());
            c.call(Op::Alltoallv { send: all.clone(), send_counts, recv: all.clone(), recv_counts });
        }),
        ("reduce_scatter", (7, 6), &|c, _, all| {
            c.call(Op::ReduceScatter { op, send: all.clone(), recv: all.clone(), counts: vec![4, 3].into() });
        }),
        ("reduce_scatter_block", (6, 6), &|c, one, all| {
            c.call(Op::ReduceScatterBlock { op, send: all.clone(), recv: one.clone() });
        }),
    ];
    for (name, expected, call) in calls {
        let mut trace = InMemory::default();
        let program = |c: &dyn Communicator| call(c, &buf(c, 3), &buf(c, 100));
        Simulation::new(2).record(&mut trace).run(program).unwrap();
        let moved: Vec<_> = trace.events[1]
            .iter()
            .filter_map(|(_, event)| match *event {
                Event::MpiCollectiveEnd { sent, received, .. } => Some((sent, received)),
                _ => None,
            })
            .collect();
        assert_eq!(moved, [expected], "{name}");
    }
}

#[test]
fn in_1_to_n_operations_all_wait_for_the_root() {
    let bcast = |c: &dyn Communicator, one: &MpiBuf, _: &MpiBuf| c.bcast(2, one);
    let outcome = collective(false, bcast);
    assert_eq!(ends(&outcome), [30.0, 30.0, 30.0, 40.0]);
    assert_eq!(waits(&outcome), [(0, "late_broadcast", 20.0), (1, "late_broadcast", 10.0)]);
}

#[test]
fn in_n_to_1_operations_the_root_waits() {
    let reduce = |c: &dyn Communicator, one: &MpiBuf, _: &MpiBuf| c.reduce(ReduceOp::Max, 1, one, Some(one));
    let outcome = collective(false, reduce);
    assert_eq!(ends(&outcome), [10.0, 40.0, 30.0, 40.0]);
    assert_eq!(waits(&outcome), [(1, "early_reduce", 20.0)]);
}

#[test]
fn in_prefix_operations_a_rank_waits_for_lower_ones() {
    let scan = |c: &dyn Communicator, one: &MpiBuf, _: &MpiBuf| {
        c.call(Op::Scan { op: ReduceOp::Sum, send: one.clone(), recv: one.clone() });
    };
    assert_eq!(waits(&collective(false, scan)), []);
    let outcome = collective(true, scan);
    assert_eq!(ends(&outcome), [40.0; 4]);
    assert_eq!(waits(&outcome), [(1, "early_scan", 10.0), (2, "early_scan", 20.0), (3, "early_scan", 30.0)]);
}

#[test]
fn a_collective_without_payload_waits_for_nobody() {
    let all = |c: &dyn Communicator, root: usize| {
        let nothing = buf(c, 0);
        c.allreduce(ReduceOp::Sum, &nothing, &nothing);
        c.bcast(root, &nothing);
        c.reduce(ReduceOp::Sum, root, &nothing, (c.rank() == root).then_some(&nothing));
        c.call(Op::Scan { op: ReduceOp::Sum, send: nothing.clone(), recv: nothing.clone() });
    };
    for root in 0..3 {
        let outcome = run(3, |c| {
            for _ in 0..2 {
                do_work(0.01 * c.rank() as f64);
                all(c, root);
            }
        });
        assert_eq!(waits(&outcome), []);
        assert_eq!(ends(&outcome), [0.0, 20.0, 40.0]);
    }
}

#[test]
fn a_member_without_payload_does_not_wait_while_others_do() {
    let outcome = run(3, |c| {
        do_work(0.01 * c.rank() as f64);
        // The first exchanges nothing.
        let counts: Counts = (0..3).map(|other| usize::from(c.rank() > 0 && other > 0)).collect();
        let [send, recv] = [(); 2].map(|()| buf(c, counts.sum()));
        let (send_counts, recv_counts) = (counts.clone(), counts);
        c.call(Op::Alltoallv { send, send_counts, recv, recv_counts });
    });
    assert_eq!(waits(&outcome), [(1, "wait_at_irregular_nxn", 10.0)]);
    assert_eq!(ends(&outcome), [0.0, 20.0, 20.0]);
}

#[test]
fn a_large_message_to_a_late_root_waits_for_it() {
    for (bytes, held) in [(4096, false), (4097, true)] {
        let outcome = run(3, |c| {
            do_work(0.01 * c.rank() as f64);
            let [send, recv] = [bytes, 3 * bytes].map(|bytes| c.alloc_mpi_buf(Datatype::Byte, bytes));
            c.gather(2, &send, (c.rank() == 2).then_some(&recv));
            c.gather(0, &send, (c.rank() == 0).then_some(&recv));
        });
        // Behind the first, those that went on at once are where they were.
        let (expected, end): (&[_], [f64; 3]) = if held {
            (&[(0, "wait_for_root", 20.0), (1, "wait_for_root", 10.0)], [20.0; 3])
        } else {
            (&[(0, "early_reduce", 20.0)], [20.0, 10.0, 20.0])
        };
        assert_eq!(waits(&outcome), expected);
        assert_eq!(ends(&outcome), end);
    }
}

#[test]
fn traffic_is_counted_both_ways() {
    let outcome = run(3, |c| {
        let (me, one) = (c.rank(), buf(c, 1));
        if me == 0 {
            c.send(1, 0, &buf(c, 5));
            c.wait(c.isend_as(SendMode::Standard, 1, 0, &buf(c, 6)));
        }
        if me == 1 {
            c.recv(Source::Rank(0), Tag::Any, &buf(c, 100));
            c.wait(c.irecv(Source::Rank(0), Tag::Any, &buf(c, 100)));
        }
        c.gather(0, &one, (me == 0).then(|| buf(c, 3)).as_ref());
        c.barrier();
        if me == 0 {
            c.ssend(1, 0, &buf(c, 0));
        } else if me == 1 {
            c.probe(Source::Rank(0), Tag::Any);
            c.wait(c.irecv(Source::Rank(0), Tag::Any, &buf(c, 0)));
        }
    });
    let moved = |call: &str| outcome.counts[call].moved;
    assert_eq!(moved("MPI_Send"), Traffic::message_sent(5));
    assert_eq!(moved("MPI_Isend"), Traffic::message_sent(6));
    assert_eq!(moved("MPI_Recv"), Traffic::message_received(5));
    let waited = Traffic { messages_received: 2, syncs_recv: 1, ..Traffic::message_received(6) };
    assert_eq!(moved("MPI_Wait"), waited);
    assert_eq!(moved("MPI_Ssend"), Traffic::message_sent(0));
    assert_eq!(moved("MPI_Gather"), Traffic { comms_coll: 3, comms_csrc: 2, ..Traffic::collective(3, 3) });
    assert_eq!(moved("MPI_Barrier"), Traffic { syncs_coll: 3, ..Traffic::default() });
}

#[test]
fn a_delayed_exit_is_completion_after_the_first_has_returned() {
    let (op, call_delayed) = (ReduceOp::Sum, |c: &dyn Communicator, op, ms: usize| {
        do_work(0.01 * c.rank() as f64);
        c.call_delayed(op, 0.001 * ms as f64);
    });
    let barrier = run(3, |c| call_delayed(c, Op::Barrier, 5 - c.rank()));
    let (wait, completion) = ("wait_at_barrier", "barrier_completion");
    assert_eq!(
        waits(&barrier),
        [(0, completion, 2.0), (0, wait, 20.0), (1, completion, 1.0), (1, wait, 10.0)]
    );
    assert_eq!(ends(&barrier), [25.0, 24.0, 23.0]);
    let allreduce = run(3, |c| {
        let buf = buf(c, 8);
        call_delayed(c, Op::Allreduce { op, send: buf.clone(), recv: buf }, c.rank());
    });
    let (wait, completion) = ("wait_at_nxn", "nxn_completion");
    assert_eq!(
        waits(&allreduce),
        [(0, wait, 20.0), (1, completion, 1.0), (1, wait, 10.0), (2, completion, 2.0)]
    );
    let bcast = run(2, |c| call_delayed(c, Op::Bcast { root: 0, buf: buf(c, 8) }, 5));
    assert_eq!(waits(&bcast), []);
    assert_eq!(ends(&bcast), [5.0, 15.0]);
}

#[test]
fn parts_of_a_communicator_do_not_wait_for_each_other() {
    let outcome = run(6, |c| {
        let half = c.split(Some((c.rank() / 3) as u32), -(c.rank() as i32)).unwrap();
        assert_eq!((half.size(), half.rank()), (3, 2 - c.rank() % 3));
        do_work(0.01 * c.rank() as f64);
        half.barrier();
        assert!(c.split((c.rank() == 0).then_some(0), 0).is_some() == (c.rank() == 0));
    });
    let barrier: Vec<_> = waits(&outcome).into_iter().filter(|wait| wait.1 == "wait_at_barrier").collect();
    let name = "wait_at_barrier";
    assert_eq!(barrier, [(0, name, 20.0), (1, name, 10.0), (3, name, 20.0), (4, name, 10.0)]);
    let wait = outcome.waits.iter().find(|wait| wait.state == Some(WaitState::WaitAtBarrier)).unwrap();
    assert_eq!(wait.communicator.as_ref().map(|communicator| communicator.1), Some(3));
}

#[test]
fn making_a_communicator_waits_for_all_and_freeing_it_for_nobody() {
    type Makes = fn(&dyn Communicator) -> Option<Box<dyn Communicator>>;
    let made: [(&str, Makes); 3] = [
        ("MPI_Comm_dup", |c| Some(c.dup())),
        ("MPI_Comm_split", |c| c.split((c.rank() != 1).then_some(0), 0)),
        ("MPI_Comm_create", |c| c.create(&[2, 0])),
    ];
    for (call, make) in made {
        let outcome = run(3, |c| {
            do_work(0.01 * c.rank() as f64);
            let made = make(c);
            assert!(made.is_some() || c.rank() == 1);
            if let Some(made) = made {
                do_work(0.01 * c.rank() as f64);
                made.free();
            }
        });
        let name = "wait_at_communicator_management";
        assert_eq!(waits(&outcome), [(0, name, 20.0), (1, name, 10.0)], "{call}");
        assert!(outcome.waits.iter().all(|wait| wait.call_path.last().is_some_and(|region| *region == call)));
    }
    run(3, |c| {
        let made = c.create(&[2, 0]);
        assert_eq!(made.map(|made| (made.rank(), made.size())), [Some((1, 2)), None, Some((0, 2))][c.rank()]);
    });
}

#[test]
fn messages_stay_in_their_communicator() {
    run(2, |c| {
        let other = c.dup();
        let (small, large) = (buf(c, 1), buf(c, 2));
        if c.rank() == 0 {
            c.send(1, 0, &small);
            other.send(1, 0, &large);
        } else {
            assert_eq!(other.recv(Source::Any, Tag::Any, &large).bytes, 2);
            assert_eq!(c.recv(Source::Any, Tag::Any, &large).bytes, 1);
        }
    });
}

#[test]
fn the_network_costs_what_it_says() {
    let network = Network { latency: 0.001, bandwidth: 1e6, eager_limit: 1000, ..Network::default() };
    let exchange = |bytes: usize| {
        let program = move |c: &dyn Communicator| {
            let buf = buf(c, bytes);
            if c.rank() == 0 {
                c.send(1, 0, &buf);
            } else {
                c.recv(Source::Rank(0), Tag::Is(0), &buf);
            }
        };
        ends(&Simulation::new(2).network(network).run(program).unwrap())
    };
    assert_eq!(
        exchange(1000),
        [0.0, 2.0],
        "eager: the sender goes on, latency and transfer later it is there"
    );
    assert_eq!(
        exchange(2000),
        [4.0, 4.0],
        "rendezvous: the envelope travels first, both wait for the transfer"
    );
    let barrier = Simulation::new(5).network(network).run(|c| c.barrier()).unwrap();
    assert_eq!(ends(&barrier), [3.0; 5], "three rounds for five ranks");
}

#[test]
fn patterns_work_in_every_combination_on_any_number_of_ranks() {
    let modes = [SendMode::Standard, SendMode::Synchronous, SendMode::Buffered];
    for ranks in 1..=9 {
        for (mode, use_isend, use_irecv, direction) in modes.into_iter().flat_map(|mode| {
            [(false, false), (true, false), (false, true), (true, true)].into_iter().flat_map(
                move |(send, recv)| {
                    [Direction::Up, Direction::Down].map(|direction| (mode, send, recv, direction))
                },
            )
        }) {
            let transfer = Transfer { mode, use_isend, use_irecv };
            let outcome = run(ranks, |c| {
                let (send, recv) = (c.base_buf(), c.base_buf());
                mpi_commpattern_sendrecv(&send, direction, transfer, c);
                mpi_commpattern_shift(&send, &recv, direction, transfer, c);
            });
            let messages: u64 = outcome.counts.values().map(|count| count.moved.messages_sent).sum();
            assert_eq!(messages, (ranks / 2 + ranks) as u64, "{ranks} ranks, {transfer:?}, {direction:?}");
        }
    }
}

#[test]
fn in_a_chain_each_rank_waits_for_all_below() {
    for ranks in 1..=9 {
        let outcome = run(ranks, |c| mpi_commpattern_chain(&c.base_buf(), 0.01, SendMode::Synchronous, c));
        let below = |rank: usize| 10.0 * rank as f64;
        let late: Vec<_> = (1..ranks).map(|rank| (rank, "late_sender", below(rank))).collect();
        assert_eq!(waits(&outcome), late);
        let last = ranks - 1;
        let end = |rank: usize| if rank < last { below(rank + 1) } else { below(last + 1) };
        assert_eq!(ends(&outcome), (0..ranks).map(end).collect::<Vec<_>>());
    }
}

#[test]
fn messages_of_one_rank_to_all_others_come_in_turn() {
    for ranks in 1..=9 {
        let outcome =
            run(ranks, |c| mpi_commpattern_one_to_all(&c.base_buf(), 0.01, SendMode::Synchronous, c));
        let turn = |rank: usize| 10.0 * rank as f64;
        let late: Vec<_> = (1..ranks).map(|rank| (rank, "late_sender", turn(rank))).collect();
        assert_eq!(waits(&outcome), late);
        let end = |rank| turn(if rank == 0 { ranks - 1 } else { rank });
        assert_eq!(ends(&outcome), (0..ranks).map(end).collect::<Vec<_>>());
    }
}

#[test]
fn messages_of_all_other_ranks_to_one_are_received_from_the_lowest_up() {
    for ranks in 1..=9 {
        let program = |rank_0: f64, each: f64| {
            run(ranks, |c| {
                do_work(if c.rank() == 0 { rank_0 } else { each * c.rank() as f64 });
                mpi_commpattern_all_to_one(&c.base_buf(), SendMode::Synchronous, c);
            })
        };
        let late: Vec<_> =
            (1..ranks).map(|rank| (rank, "late_receiver", 100.0 - 10.0 * rank as f64)).collect();
        assert_eq!(waits(&program(0.1, 0.01)), late);
        let in_turn = (ranks > 1).then_some((0, "late_sender", 10.0 * (ranks - 1) as f64));
        assert_eq!(waits(&program(0.0, 0.01)), Vec::from_iter(in_turn));
        assert!(program(0.0, 0.0).waits.is_empty());
    }
}

#[test]
fn results_are_the_same_every_time() {
    let program = |c: &dyn Communicator| {
        let buf = c.base_buf();
        for round in 0..5 {
            do_work(0.001 * ((c.rank() * 7 + round * 3) % 11) as f64);
            if c.rank() == 0 {
                (1..c.size()).for_each(|_| ignore(c.recv(Source::Any, Tag::Any, &buf)));
            } else {
                c.ssend(0, 0, &buf);
            }
        }
    };
    assert_eq!(run(17, program), run(17, program));
}

#[test]
fn a_probe_finds_a_message_that_a_posted_wildcard_does_not_take() {
    let outcome = run(2, |c| {
        if c.rank() == 0 {
            let request = c.irecv(Source::Any, Tag::Is(1), &buf(c, 1));
            assert_eq!(c.probe(Source::Any, Tag::Is(2)).tag, 2);
            assert_eq!(c.recv(Source::Rank(1), Tag::Is(2), &buf(c, 1)).tag, 2);
            assert_eq!(c.wait(request).tag, 1);
        } else {
            for tag in [2, 1] {
                do_work(0.01);
                c.send(0, tag, &buf(c, 1));
            }
        }
    });
    assert_eq!(ends(&outcome), [20.0, 20.0]);
}
