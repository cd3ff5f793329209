//! Uneven work before an exchange between the neighbours of a ring or a torus.

use ats_mpi::{BaseComm, Dimension, Op, grid_neighbors};
use ats_props::{Balance, Communicator, Distribution, property};

use crate::family::started::overlapped;
use crate::family::uneven::Uneven;
use crate::formula::Amounts;

/// Ranks wait for their neighbours on a ring or a torus because their work is distributed unevenly.
///
/// All make a communicator whose ranks are a ring, or a torus of two dimensions. In each repetition every rank works for
/// its share of `distribution`, exchanges messages with its neighbours, and needs those of all of them.
///
/// ```text
/// low   ├─ low ──┬─ MPI_Neighbor_alltoall ·········┤
/// high  ├─ high ─┼─────────┬─ MPI_Neighbor_alltoall┤
///                └─ waits ─┘
/// ```
///
/// The wait travels: a rank that has waited is late for its other neighbours in the next repetition. A rank is done at
/// D(k) = max over itself and its neighbours of D(k−1) + w, and `travelled` sums what that is later than its own work. On a
/// ring of P >= 3 ranks, of which one has δ more than the others, W = δ·Σ min(2k, P−1) over the repetitions k. Ranks
/// are left as far apart as D(r) are. No other wait state shows.
///
/// The calls of a recording have no records of their own. They are analyzed if it has noted neighbours, as `ats record`
/// does.
#[property(
    finds = WaitAtNeighbors,
    at = "MPI_Neighbor_alltoall",
    each = if !nonblocking { travelled(distribution, torus, r, P, i) },
    at = "MPI_Wait",
    each = if nonblocking { travelled(distribution, torus, r, P, i) },
    cause = UnevenWork,
    min_ranks = 2
)]
pub fn imbalance_at_neighbor_alltoall(
    /// Work of each rank in a repetition.
    #[default(Distribution::block2(0.01, 0.06))]
    distribution: Distribution,
    /// A torus of two dimensions, as square as it can be; otherwise a ring.
    #[default(false)]
    torus: bool,
    /// Made of lists of neighbours (`MPI_Dist_graph_create_adjacent`); otherwise as a grid (`MPI_Cart_create`).
    #[default(false)]
    graph: bool,
    /// `MPI_Ineighbor_alltoall` and `MPI_Wait`, otherwise the blocking call.
    #[default(false)]
    nonblocking: bool,
    /// Number of repetitions.
    #[default(10)]
    r: usize,
    c: &dyn Communicator,
    balance: Balance,
) {
    let made = with_neighbors(torus, graph, c);
    Uneven { work: distribution, r }.run(balance, c, exchange(torus, nonblocking, &*made));
    made.free();
}

/// The dimensions of a ring or a torus of so many ranks.
fn dimensions(torus: bool, ranks: usize) -> Vec<Dimension> {
    if !torus {
        return vec![Dimension::ring(ranks)];
    }
    let divides = |extent: &usize| extent * extent <= ranks && ranks.is_multiple_of(*extent);
    let shorter = (1..=ranks).filter(divides).max().unwrap_or(1);
    vec![Dimension::ring(ranks / shorter), Dimension::ring(shorter)]
}

/// A communicator of all ranks with this topology.
fn with_neighbors(torus: bool, graph: bool, c: &dyn Communicator) -> Box<dyn Communicator> {
    let grid = dimensions(torus, c.size());
    if graph {
        let neighbors: Vec<usize> = grid_neighbors(&grid, c.rank()).into_iter().flatten().collect();
        c.dist_graph(&neighbors, &neighbors)
    } else {
        c.cart(&grid).expect("all ranks are on the grid")
    }
}

/// A default block for each neighbour.
fn exchange(torus: bool, nonblocking: bool, made: &dyn Communicator) -> impl Fn() {
    let BaseComm { datatype, count } = made.base_comm();
    let neighbors = if torus { 4 } else { 2 };
    let buf = || made.alloc_mpi_buf(datatype, count * neighbors);
    let op = Op::NeighborAlltoall { send: buf(), recv: buf(), count };
    move || {
        if nonblocking {
            overlapped(op.clone(), 0.0, made);
        } else {
            made.call(op.clone());
        }
    }
}

/// The seconds that a rank waits in all repetitions: in each, until the last of its neighbours has come.
fn travelled(work: Amounts<'_>, torus: bool, r: f64, ranks: f64, rank: f64) -> f64 {
    let (size, work) = (ranks as usize, work.iter().collect::<Vec<_>>());
    let grid = dimensions(torus, size);
    let (mut waits, mut done) = (vec![0.0; size], vec![0.0; size]);
    for _ in 0..r as usize {
        let come: Vec<f64> = (0..size).map(|rank| done[rank] + work[rank]).collect();
        for rank in 0..size {
            let neighbors = grid_neighbors(&grid, rank).into_iter().flatten();
            done[rank] = neighbors.map(|neighbor| come[neighbor]).fold(come[rank], f64::max);
            waits[rank] += done[rank] - come[rank];
        }
    }
    waits[rank as usize]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WaitState;
    use crate::testing::{assert_close, simulate};

    #[test]
    fn a_late_rank_delays_two_more_in_each_repetition_of_a_ring() {
        for ranks in 3..=33_usize {
            for r in 1..=7_usize {
                let given = [("distribution", "peak:0.01:0.05:1"), ("r", &*r.to_string())];
                let outcome = simulate(&PROPERTY, (ranks, 1), &given, false);
                let travelling: usize = (1..=r).map(|k| (2 * k).min(ranks - 1)).sum();
                assert_close(outcome.waiting_time(WaitState::WaitAtNeighbors), 0.04 * travelling as f64);
            }
        }
    }

    #[test]
    fn a_torus_is_as_square_as_it_can_be() {
        let extents =
            |ranks| dimensions(true, ranks).iter().map(|dimension| dimension.extent).collect::<Vec<_>>();
        assert_eq!([1, 4, 5, 12, 16].map(extents), [[1, 1], [2, 2], [5, 1], [4, 3], [4, 4]]);
    }
}
