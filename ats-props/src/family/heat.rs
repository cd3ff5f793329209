//! A solver of the heat equation in two dimensions, as far as its calls and its time go: the values are not computed.
//!
//! Each rank has a square of points. In a step it works on those at its border, exchanges them with its neighbours, and
//! works on those inside. A line of points is the base message: its size decides whether halos are sent eagerly, and is
//! what is probed at run time.

pub(crate) mod travelling;

use ats_mpi::{Datatype, MpiBuf, ReduceOp, Request, SendMode, Source, Tag};
use ats_work::do_work;

use crate::Communicator;

/// Steps from one residual to the next.
pub(crate) const STEPS: usize = 10;

const TAG: u32 = 1;

/// Ranks in full rows and columns, in a shape as square as their number has.
#[derive(Clone, Copy)]
pub(crate) struct Grid {
    columns: usize,
    rows: usize,
}

impl Grid {
    pub(crate) fn for_ranks(ranks: usize) -> Grid {
        let may_be = |columns: &usize| ranks.is_multiple_of(*columns);
        let columns =
            (1..=ranks).take_while(|columns| columns * columns <= ranks).filter(may_be).last().unwrap_or(1);
        Grid { columns, rows: ranks / columns }
    }

    /// All ranks in one row.
    pub(crate) fn row(ranks: usize) -> Grid {
        Grid { columns: ranks, rows: 1 }
    }

    /// The column and the row of a rank.
    fn place(self, rank: usize) -> [usize; 2] {
        [rank % self.columns, rank / self.columns]
    }

    /// The number of steps from a rank to another.
    pub(crate) fn distance(self, a: usize, b: usize) -> usize {
        self.place(a).into_iter().zip(self.place(b)).map(|(a, b)| a.abs_diff(b)).sum()
    }

    /// The number of steps from rank 0; that of neighbours differs by one.
    pub(crate) fn diagonal(self, rank: usize) -> usize {
        self.place(rank).into_iter().sum()
    }

    /// The neighbours of a rank, the lowest first.
    fn neighbours(self, rank: usize) -> Vec<usize> {
        let ([column, row], Grid { columns, rows }) = (self.place(rank), self);
        let below = (row > 0).then(|| rank - columns);
        let left = (column > 0).then(|| rank - 1);
        let right = (column + 1 < columns).then_some(rank + 1);
        let above = (row + 1 < rows).then_some(rank + columns);
        [below, left, right, above].into_iter().flatten().collect()
    }
}

/// Work of a rank in a step, in seconds.
#[derive(Clone, Copy)]
pub(crate) struct Work {
    pub(crate) border: f64,
    pub(crate) interior: f64,
}

/// The solver on one rank.
pub(crate) struct Solver<'a> {
    c: &'a dyn Communicator,
    /// The points that a neighbour gets.
    border: MpiBuf,
    /// The points of each neighbour.
    halo: Vec<(usize, MpiBuf)>,
    /// The residual of the rank, and of all.
    residual: [MpiBuf; 2],
}

impl<'a> Solver<'a> {
    pub(crate) fn new(c: &'a dyn Communicator) -> Self {
        Solver::on(Grid::for_ranks(c.size()), c)
    }

    /// The solver on a grid of another shape.
    pub(crate) fn on(grid: Grid, c: &'a dyn Communicator) -> Self {
        let neighbours = grid.neighbours(c.rank()).into_iter();
        let number = || c.alloc_mpi_buf(Datatype::Double, 1);
        Solver {
            c,
            border: c.base_buf(),
            halo: neighbours.map(|rank| (rank, c.base_buf())).collect(),
            residual: [number(), number()],
        }
    }

    /// A step in which the rank works inside while the exchange is under way.
    pub(crate) fn step(&self, work: Work) {
        let mut requests = self.receive();
        do_work(work.border);
        requests.extend(self.send());
        do_work(work.interior);
        self.c.waitall(requests);
    }

    /// A step in which the rank waits for the exchange, and works inside then.
    pub(crate) fn step_in_turn(&self, work: Work) {
        let mut requests = self.receive();
        do_work(work.border);
        requests.extend(self.send());
        self.c.waitall(requests);
        do_work(work.interior);
    }

    /// The same with one receive after the other, from the highest neighbour down or from the lowest up.
    pub(crate) fn step_one_by_one(&self, work: Work, highest_first: bool) {
        do_work(work.border);
        let sends = self.send();
        let receive = |(rank, points): &(usize, MpiBuf)| {
            self.c.recv(Source::Rank(*rank), Tag::Is(TAG), points);
        };
        if highest_first {
            self.halo.iter().rev().for_each(receive);
        } else {
            self.halo.iter().for_each(receive);
        }
        self.c.waitall(sends);
        do_work(work.interior);
    }

    fn receive(&self) -> Vec<Request> {
        let start =
            |(rank, points): &(usize, MpiBuf)| self.c.irecv(Source::Rank(*rank), Tag::Is(TAG), points);
        self.halo.iter().map(start).collect()
    }

    fn send(&self) -> Vec<Request> {
        let start =
            |(rank, _): &(usize, MpiBuf)| self.c.isend_as(SendMode::Standard, *rank, TAG, &self.border);
        self.halo.iter().map(start).collect()
    }

    /// The largest residual of all ranks: all wait for the last.
    pub(crate) fn residual(&self) {
        let [of_rank, of_all] = &self.residual;
        self.c.allreduce(ReduceOp::Max, of_rank, of_all);
    }

    /// Collects a line of each rank's points at rank 0; the function is the same on all ranks.
    pub(crate) fn collect(&self) -> impl Fn() {
        let of_all = (self.c.rank() == 0).then(|| self.c.base_buf_per_rank());
        move || self.c.gather(0, &self.border, of_all.as_ref())
    }
}

#[cfg(test)]
mod tests;
