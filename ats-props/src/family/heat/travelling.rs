//! A delay that travels through the grid, and the waits for it.

use super::{Grid, STEPS};

/// A delay of one rank that travels through the grid, one neighbour a step.
pub(crate) struct Travelling<L> {
    pub(crate) ranks: usize,
    /// Counted modulo the number of ranks.
    pub(crate) from: usize,
    /// The lateness of ranks so far from it after so many steps of a repetition, in seconds.
    pub(crate) late: L,
    /// Work of every rank in a step.
    pub(crate) step: f64,
}

/// The seconds that a rank waits for halos in a repetition, and no halo is ready that it receives later.
pub(crate) fn in_order<L: Fn(usize, usize) -> f64>(delay: Travelling<L>, rank: f64) -> f64 {
    delay.halos(rank as usize, false)
}

/// The seconds that a rank waits for halos in a repetition while a neighbour further away has sent its next one.
pub(crate) fn in_wrong_order<L: Fn(usize, usize) -> f64>(delay: Travelling<L>, rank: f64) -> f64 {
    delay.halos(rank as usize, true)
}

/// The seconds that a rank waits for the residual in a repetition: what has not reached it in time.
pub(crate) fn at_last<L: Fn(usize, usize) -> f64>(delay: Travelling<L>, rank: f64) -> f64 {
    (delay.late)(0, STEPS) - (delay.late)(delay.away(rank as usize), STEPS)
}

impl<L: Fn(usize, usize) -> f64> Travelling<L> {
    fn away(&self, rank: usize) -> usize {
        Grid::for_ranks(self.ranks).distance(rank, self.from % self.ranks)
    }

    fn halos(&self, rank: usize, in_wrong_order: bool) -> f64 {
        let here = self.away(rank);
        if here == 0 {
            return 0.0;
        }
        let neighbours = Grid::for_ranks(self.ranks).neighbours(rank);
        let has_further = neighbours.into_iter().any(|other| self.away(other) > here);
        let wait = |step: usize| {
            let [further, nearer] = [(self.late)(here + 1, step), (self.late)(here - 1, step - 1)];
            // Half a nanosecond decides between halos that are sent at the same time, but for rounding.
            let is_sent_before = self.step + further + 1e-9 < nearer;
            let is_wrong = has_further && is_sent_before && step < STEPS;
            if is_wrong == in_wrong_order {
                (self.late)(here, step) - (self.late)(here, step - 1)
            } else {
                0.0
            }
        };
        (1..=STEPS).map(wait).sum()
    }
}
