//! Places where points leave one model for another.

use super::choice::{Choice, is_exact, root_mean_square, single};
use super::pool::{DEPENDENT, Pool};
use super::sample::Sample;
use crate::least_squares::Solver;

/// Values on each side of a kink: what two coefficients need, and one to judge them by if they are exact,
const EXACT_SIDE: usize = 3;
/// and two if they are not, as a thousandth of all triples is met by one of fifty terms to 0.1 %.
const SIDE: usize = 4;
/// Left-out points must be off by less than the best model without a kink is, divided by this. Two models have as many
/// more coefficients as would halve it twice.
const BETTER: f64 = 4.0;

/// How well a constant and one term meet a side: what left-out points are off, 0 if nothing is left.
fn side(course: &Sample, keep: impl Fn(&[f64]) -> bool) -> f64 {
    let side = course.filter(keep);
    let pool = Pool::of_one(&side);
    let sets = (0..pool.len()).flat_map(|column| [vec![column], vec![0, column]]);
    // The constant with itself is none.
    let sets = sets.filter(|set| *set != [0, 0]);
    let mut solver = Solver::new(DEPENDENT);
    let off = sets.filter_map(|set| {
        if !pool.solve(&set, &mut solver) {
            return None;
        }
        match is_exact(&solver.residuals) {
            true => Some(0.0),
            false => (pool.rows() >= SIDE).then(|| root_mean_square(&solver.left_out)),
        }
    });
    off.fold(f64::INFINITY, f64::min)
}

/// Finds the parameter, the last value below the kink, and the first above.
pub(super) fn find(sample: &Sample) -> Option<(usize, (f64, f64))> {
    (0..sample.values[0].len()).find_map(|parameter| {
        let course = sample.course(parameter);
        let values = course.different(0);
        if values.len() < 2 * EXACT_SIDE {
            return None;
        }
        let (_, choices) = single(&course, parameter);
        let Choice { left_out, exact, .. } = choices.first()?;
        if *exact || *left_out <= course.noise {
            return None;
        }
        let between =
            (EXACT_SIDE..=values.len() - EXACT_SIDE).map(|place| (values[place - 1], values[place]));
        let off = between.rev().map(|between| {
            let [below, above] = [
                side(&course, |values| values[0] <= between.0),
                side(&course, |values| values[0] >= between.1),
            ];
            (below.max(above), between)
        });
        let (off, between) = off.min_by(|a, b| a.0.total_cmp(&b.0))?;
        (off * BETTER < *left_out).then_some((parameter, between))
    })
}
