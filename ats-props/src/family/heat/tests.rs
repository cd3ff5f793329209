//! The waits of the solvers, rank by rank.

use super::{Grid, STEPS};
use crate::testing::{Shows, assert_shows, assert_silent, ranks};
use crate::{Property, WaitState};

/// Seconds that a rank waits in a repetition, given the grid, the number of ranks and the rank.
pub(crate) type Waits<'a> = &'a dyn Fn(Grid, usize, usize) -> f64;

/// Asserts that all waits are those for the exchange, in this call, and for the residual, and that the
/// twin does not wait. Both are seconds of a rank in each of two repetitions.
pub(crate) fn assert_heat(
    property: &'static Property,
    given: &[(&str, &str)],
    exchange: &[(WaitState, &str, Waits<'_>)],
    residual: impl Fn(Grid, usize, usize) -> f64,
) {
    let given = [given, &[("r", "2")]].concat();
    for ranks in ranks(property) {
        let grid = Grid::of(ranks);
        let all =
            exchange.iter().copied().chain([(WaitState::WaitAtNxN, "MPI_Allreduce", &residual as Waits<'_>)]);
        let waits: Vec<_> = all
            .map(|(state, call, seconds)| {
                (state, [property.name, call], move |rank, _| 2.0 * seconds(grid, ranks, rank))
            })
            .collect();
        let shows: Vec<_> = waits
            .iter()
            .map(|(state, call_path, seconds)| Shows { state: Some(*state), call_path, seconds })
            .collect();
        assert_shows(property, (ranks, 1), &given, &shows);
        assert_silent(property, ranks, &given);
    }
}

/// A delay of one rank that travels through the grid, one neighbour a step.
pub(crate) struct Travelling<'a> {
    pub(crate) from: usize,
    /// The lateness of ranks so far from it after so many steps of a repetition, in seconds.
    pub(crate) late: &'a dyn Fn(usize, usize) -> f64,
    /// Work of every rank in a step.
    pub(crate) step: f64,
}

impl Travelling<'_> {
    /// Asserts that ranks wait for the delay as it comes, and for the rest of it at the residual.
    pub(crate) fn assert(&self, property: &'static Property, given: &[(&str, &str)]) {
        let waits = |is_wrong: bool| {
            move |grid: Grid, ranks: usize, rank: usize| -> f64 {
                let away = |rank| grid.distance(rank, self.from % ranks);
                let here = away(rank);
                if here == 0 {
                    return 0.0;
                }
                let has_further = grid.neighbours(rank).into_iter().any(|other| away(other) > here);
                let wait = |step: usize| {
                    // A neighbour further away has sent the halo of its next step, which is received later.
                    let sent_before =
                        self.step + (self.late)(here + 1, step) + 1e-9 < (self.late)(here - 1, step - 1);
                    let wrong = has_further && sent_before && step < STEPS;
                    if wrong == is_wrong {
                        (self.late)(here, step) - (self.late)(here, step - 1)
                    } else {
                        0.0
                    }
                };
                (1..=STEPS).map(wait).sum()
            }
        };
        let (right, wrong) = (waits(false), waits(true));
        let rest = |grid: Grid, ranks: usize, rank: usize| {
            (self.late)(0, STEPS) - (self.late)(grid.distance(rank, self.from % ranks), STEPS)
        };
        let exchange: [(_, _, Waits<'_>); 2] = [
            (WaitState::LateSender, "MPI_Waitall", &right),
            (WaitState::LateSenderWrongOrderDifferentSources, "MPI_Waitall", &wrong),
        ];
        assert_heat(property, given, &exchange, rest);
    }
}

#[test]
fn a_grid_has_all_ranks_and_neighbours_are_mutual() {
    for ranks in 1..=33 {
        let grid = Grid::of(ranks);
        assert_eq!(grid.columns * grid.rows, ranks);
        for rank in 0..ranks {
            let known: Vec<_> = (0..ranks).filter(|&other| grid.distance(rank, other) == 1).collect();
            assert_eq!(grid.neighbours(rank), known);
        }
    }
    assert_eq!((Grid::of(12).columns, Grid::of(12).rows), (3, 4));
}
