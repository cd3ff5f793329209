//! Every collective with every root, blocking and non-blocking.

use ats_distr::Distribution;
use ats_mpi::{Communicator, Counts, Datatype, MpiVBuf, Op, ReduceOp};

use crate::check::{holds, ints, signed};

pub(crate) fn check(c: &dyn Communicator, nonblocking: bool) {
    let run = |op: Op| {
        if nonblocking {
            let request = c.start(op);
            c.wait(request);
        } else {
            c.call(op);
        }
    };
    run(Op::Barrier);
    for root in 0..c.size() {
        rooted(c, root, run);
    }
    reductions(c, run);
    exchanges(c, run);
}

fn from_everybody(c: &dyn Communicator, count: usize) -> Vec<i32> {
    (0..c.size()).flat_map(|rank| signed(rank, count)).collect()
}

fn rooted(c: &dyn Communicator, root: usize, run: impl Fn(Op)) {
    let (me, size) = (c.rank(), c.size());
    let at_root = me == root;
    let buf = ints(c, &if at_root { signed(root, 3) } else { vec![0; 3] });
    run(Op::Bcast { root, buf: buf.clone() });
    holds("bcast", &buf, &signed(root, 3));

    let (own, all) = (ints(c, &signed(me, 2)), ints(c, &vec![0; 2 * size]));
    run(Op::Gather { root, send: own, recv: at_root.then(|| all.clone()) });
    if at_root {
        holds("gather", &all, &from_everybody(c, 2));
    }
    let own = ints(c, &[0; 2]);
    let parts = ints(c, &from_everybody(c, 2));
    run(Op::Scatter { root, send: at_root.then_some(parts), recv: own.clone() });
    holds("scatter", &own, &signed(me, 2));

    let irregular: Vec<i32> = (0..size).flat_map(|rank| signed(rank, rank + 1)).collect();
    let vbuf = || -> MpiVBuf {
        c.alloc_mpi_vbuf(Datatype::Int, &Distribution::user("rank + 1", |me, _, _| (me + 1) as f64), root)
    };
    let gathered = vbuf();
    gathered.own.memory().fill(&bytes(&signed(me, me + 1)));
    run(Op::Gatherv { root, buf: gathered.clone() });
    if let Some(all) = &gathered.all {
        holds("gatherv", all, &irregular);
    }
    let scattered = vbuf();
    if let Some(all) = &scattered.all {
        all.memory().fill(&bytes(&irregular));
    }
    run(Op::Scatterv { root, buf: scattered.clone() });
    holds("scatterv", &scattered.own, &signed(me, me + 1));

    let into = ints(c, &[0]);
    run(Op::Reduce {
        root,
        op: ReduceOp::Max,
        send: ints(c, &[me as i32 * 3]),
        recv: at_root.then(|| into.clone()),
    });
    if at_root {
        holds("reduce", &into, &[(size as i32 - 1) * 3]);
    }
}

fn bytes(values: &[i32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_ne_bytes()).collect()
}

fn reductions(c: &dyn Communicator, run: impl Fn(Op)) {
    let (me, size) = (c.rank() as i32, c.size() as i32);
    let sum = |ranks: std::ops::Range<i32>| ranks.map(|rank| rank + 1).sum::<i32>();
    let (send, recv) = (ints(c, &[me + 1]), ints(c, &[0]));
    for (op, expected) in [(ReduceOp::Sum, sum(0..size)), (ReduceOp::Min, 1), (ReduceOp::Max, size)] {
        run(Op::Allreduce { op, send: send.clone(), recv: recv.clone() });
        holds("allreduce", &recv, &[expected]);
    }
    run(Op::Scan { op: ReduceOp::Sum, send: send.clone(), recv: recv.clone() });
    holds("scan", &recv, &[sum(0..me + 1)]);
    run(Op::Exscan { op: ReduceOp::Sum, send: send.clone(), recv: recv.clone() });
    if me > 0 {
        holds("exscan", &recv, &[sum(0..me)]);
    }
    let contribution: Vec<i32> = (0..size).map(|part| part * 10 + me).collect();
    let reduced = |part: i32| part * 10 * size + sum(0..size) - size;
    run(Op::ReduceScatterBlock { op: ReduceOp::Sum, send: ints(c, &contribution), recv: recv.clone() });
    holds("reduce_scatter_block", &recv, &[reduced(me)]);
    run(Op::ReduceScatter {
        op: ReduceOp::Sum,
        send: ints(c, &contribution),
        recv: recv.clone(),
        counts: Counts::same(1, size as usize),
    });
    holds("reduce_scatter", &recv, &[reduced(me)]);
}

fn exchanges(c: &dyn Communicator, run: impl Fn(Op)) {
    let (me, size) = (c.rank(), c.size());
    let all = ints(c, &vec![0; 2 * size]);
    run(Op::Allgather { send: ints(c, &signed(me, 2)), recv: all.clone() });
    holds("allgather", &all, &from_everybody(c, 2));

    let counts: Counts = (1..=size).collect();
    let irregular: Vec<i32> = (0..size).flat_map(|rank| signed(rank, rank + 1)).collect();
    let into = ints(c, &vec![0; irregular.len()]);
    run(Op::Allgatherv { send: ints(c, &signed(me, me + 1)), recv: into.clone(), counts });
    holds("allgatherv", &into, &irregular);

    let message = |from: usize, to: usize| (from * 100 + to) as i32;
    let outgoing: Vec<i32> = (0..size).map(|to| message(me, to)).collect();
    let incoming: Vec<i32> = (0..size).map(|from| message(from, me)).collect();
    let into = ints(c, &vec![0; size]);
    run(Op::Alltoall { send: ints(c, &outgoing), recv: into.clone() });
    holds("alltoall", &into, &incoming);

    // Rank i sends j + 1 elements to rank j.
    let outgoing: Vec<i32> = (0..size).flat_map(|to| vec![message(me, to); to + 1]).collect();
    let incoming: Vec<i32> = (0..size).flat_map(|from| vec![message(from, me); me + 1]).collect();
    let (send, send_counts, recv_counts) =
        (ints(c, &outgoing), (1..=size).collect::<Counts>(), Counts::same(me + 1, size));
    let into = ints(c, &vec![0; incoming.len()]);
    run(Op::Alltoallv {
        send: send.clone(),
        send_counts: send_counts.clone(),
        recv: into.clone(),
        recv_counts: recv_counts.clone(),
    });
    holds("alltoallv", &into, &incoming);

    let into = ints(c, &vec![0; incoming.len()]);
    run(Op::Alltoallw { send, send_counts, recv: into.clone(), recv_counts });
    holds("alltoallw", &into, &incoming);
}
