//! Communicators with a topology, and exchanges between neighbours, blocking and non-blocking.

use ats_mpi::{Communicator, Dimension, Op, grid_neighbors};

use crate::check::{holds, ints};

pub(crate) fn check(c: &dyn Communicator) {
    let size = c.size();
    for periodic in [false, true] {
        grid(c, &[Dimension { extent: size, periodic }]);
        grid(
            c,
            &[
                Dimension { extent: size.div_ceil(2), periodic },
                Dimension { extent: 2.min(size), periodic: false },
            ],
        );
    }
    graph(c);
}

/// The message of a rank to another.
fn message(from: usize, to: usize) -> i32 {
    (from * 100 + to) as i32
}

fn grid(c: &dyn Communicator, dimensions: &[Dimension]) {
    let places: usize = dimensions.iter().map(|dimension| dimension.extent).product();
    if places > c.size() {
        return;
    }
    let made = c.cart(dimensions);
    assert_eq!(made.is_some(), c.rank() < places, "the first ranks are on the grid");
    let Some(made) = made else { return };
    let (me, neighbors) = (made.rank(), grid_neighbors(dimensions, made.rank()));
    assert_eq!((me, made.size()), (c.rank(), places), "ranks are not reordered");
    let outgoing: Vec<i32> = neighbors.iter().map(|to| to.map_or(-1, |to| message(me, to))).collect();
    let incoming: Vec<i32> = neighbors.iter().map(|from| from.map_or(0, |from| message(from, me))).collect();
    let copy = made.dup();
    for on in [&*made, &*copy] {
        exchange(on, &outgoing, &incoming);
    }
    copy.free();
    made.free();
}

/// Rank 0 receives from all others, and each other rank from the one below.
fn graph(c: &dyn Communicator) {
    let (me, size) = (c.rank(), c.size());
    let sources: Vec<usize> = if me == 0 { (1..size).collect() } else { vec![me - 1] };
    let above = (me + 1 < size).then_some(me + 1);
    let destinations: Vec<usize> = above.into_iter().chain((me > 0).then_some(0)).collect();
    let made = c.dist_graph(&sources, &destinations);
    let outgoing: Vec<i32> = destinations.iter().map(|&to| message(me, to)).collect();
    let incoming: Vec<i32> = sources.iter().map(|&from| message(from, me)).collect();
    exchange(&*made, &outgoing, &incoming);
    made.free();
}

/// One integer for each neighbour.
fn exchange(c: &dyn Communicator, outgoing: &[i32], incoming: &[i32]) {
    let op = |recv: &ats_mpi::MpiBuf| Op::NeighborAlltoall {
        send: ints(c, outgoing),
        recv: recv.clone(),
        count: 1,
    };
    let recv = ints(c, &vec![0; incoming.len()]);
    c.call(op(&recv));
    holds("neighbor_alltoall", &recv, incoming);
    let recv = ints(c, &vec![0; incoming.len()]);
    let request = c.start(op(&recv));
    c.wait(request);
    holds("ineighbor_alltoall", &recv, incoming);
}
