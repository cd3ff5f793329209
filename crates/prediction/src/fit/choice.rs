//! The models that stay: those that would have predicted the largest values nearly as well as the best one.

use super::model::Factor;
use super::pool::{DEPENDENT, Pool};
use super::sample::Sample;
use super::sets::visit;
use crate::least_squares::Solver;

/// A model is clearly worse if it is off by more than this many times the error of the best one,
const TIMES: f64 = 3.0;
/// and by more than this, as much as measured times differ from run to run,
pub(super) const LEAST: f64 = 0.03;
/// and by more than this many standard errors of what is measured: one of 370 means is further off.
const STANDARD_ERRORS: f64 = 3.0;
/// The error that rounding leaves of an exact fit.
pub(super) const EXACT: f64 = 1e-9;
/// A further coefficient must halve what left-out points are off: a search of a thousand sets finds one by chance
/// that is better by less.
const HALVE: f64 = 2.0;
/// Nothing is told apart below this many standard errors: 95 of 100 means are as near.
pub(super) const WITHIN: f64 = 2.0;
/// Sets of terms that are extended, and terms of a set that products are made for, beside the constant: enough for each
/// parameter alone, their product, and one more.
const EXTENDED: usize = 6;
const TERMS: usize = 4;
/// Factors of each parameter that products are made of.
const FACTORS: usize = 4;

/// The set of the constant.
const CONSTANT: [usize; 1] = [0];

/// A set of terms that stays.
#[derive(Debug, Clone)]
pub(super) struct Choice {
    pub(super) set: Vec<usize>,
    pub(super) coefficients: Vec<f64>,
    /// How far off it is at the largest values, fitted without them.
    pub(super) error: f64,
    /// How far off points are that it is fitted without, one after the other.
    pub(super) left_out: f64,
    pub(super) exact: bool,
}

impl Choice {
    /// What models are ordered by, the smallest first.
    fn rank(&self, noise: f64) -> f64 {
        rank(self.left_out, self.set.len(), noise)
    }
}

fn rank(left_out: f64, terms: usize, noise: f64) -> f64 {
    left_out.max(WITHIN * noise) * HALVE.powi(terms as i32)
}

pub(super) fn root_mean_square(values: &[f64]) -> f64 {
    (values.iter().map(|value| value * value).sum::<f64>() / values.len() as f64).sqrt()
}

pub(super) fn is_exact(errors: &[f64]) -> bool {
    errors.iter().all(|error| error.abs() < EXACT)
}

/// The terms, and the sets of them that stay, best first.
pub(super) fn choose(sample: &Sample) -> (Pool, Vec<Choice>) {
    match sample.values[0].len() {
        1 => single(sample, 0),
        parameters => several(sample, parameters),
    }
}

/// Chooses among all sets of a constant and two terms of one parameter.
pub(super) fn single(sample: &Sample, parameter: usize) -> (Pool, Vec<Choice>) {
    let mut pool = Pool::of_one(sample);
    let last = pool.rows() - 1;
    let (mut best, mut trials) = (f64::INFINITY, Vec::new());
    let mut exact = Vec::new();
    visit(&pool.concatenated(), pool.rows(), last, |trial| {
        let error = trial.left[last].abs();
        if is_exact(trial.left) {
            exact.push(trial.set.columns());
        }
        if trial.positive && error <= limit(best, sample.noise) {
            best = best.min(error);
            trials.push((trial.set, error));
        }
    });
    // Of exact ones only the smallest: what more terms add is 0.
    let fewest = exact.iter().map(Vec::len).min();
    exact.retain(|set| Some(set.len()) == fewest);
    let sets = match exact.is_empty() {
        false => exact,
        true => {
            trials.retain(|(_, error)| *error <= limit(best, sample.noise));
            let others = trials.into_iter().map(|(set, _)| set.columns()).filter(|set| *set != CONSTANT);
            others.chain([CONSTANT.to_vec()]).collect()
        }
    };
    let mut choices = judge(sample, &pool, sets);
    if choices.is_empty() {
        choices = judge(sample, &pool, vec![CONSTANT.to_vec()]);
    }
    pool.rename(parameter);
    (pool, choices)
}

/// The error above which a model is clearly worse.
fn limit(best: f64, noise: f64) -> f64 {
    LEAST.max(TIMES * best).max(STANDARD_ERRORS * noise)
}

/// Chooses among sets of products of the factors that fit each parameter's course.
fn several(sample: &Sample, parameters: usize) -> (Pool, Vec<Choice>) {
    let courses: Vec<_> =
        (0..parameters).map(|parameter| single(&sample.course(parameter), parameter)).collect();
    if let Some(found) = exact_product(sample, &courses) {
        return found;
    }
    let factors: Vec<Vec<Factor>> = courses.iter().map(|(pool, choices)| shortlist(pool, choices)).collect();
    let pool = Pool::new(sample, &factors);
    let sets = extend(sample, &pool);
    let choices = judge(sample, &pool, sets);
    (pool, choices)
}

/// The factors of the best sets.
fn shortlist(pool: &Pool, choices: &[Choice]) -> Vec<Factor> {
    let mut factors = Vec::new();
    for column in choices.iter().flat_map(|choice| &choice.set) {
        for factor in pool.term(*column) {
            if factors.len() < FACTORS && !factors.contains(factor) {
                factors.push(*factor);
            }
        }
    }
    factors
}

/// The products of what is exact for each parameter, if they are exact together.
fn exact_product(sample: &Sample, courses: &[(Pool, Vec<Choice>)]) -> Option<(Pool, Vec<Choice>)> {
    let factors = |(pool, choices): &(Pool, Vec<Choice>)| {
        let choice = choices.first().filter(|choice| choice.exact)?;
        Some(choice.set.iter().flat_map(|column| pool.term(*column)).copied().collect())
    };
    let factors: Vec<Vec<Factor>> = courses.iter().map(factors).collect::<Option<_>>()?;
    let pool = Pool::new(sample, &factors);
    let all: Vec<usize> = (0..pool.len()).collect();
    if pool.len() >= pool.rows() {
        return None;
    }
    let mut solver = Solver::new(DEPENDENT);
    if !pool.solve(&all, &mut solver) {
        return None;
    }
    // A term that adds no more than rounding does is none.
    let largest = |column: &usize| {
        let (set, coefficient) = ([*column], [solver.coefficients[*column]]);
        pool.errors(&set, &coefficient).map(|error| (error + 1.0).abs()).fold(0.0, f64::max)
    };
    let set: Vec<usize> = all.into_iter().filter(|column| largest(column) > EXACT).collect();
    let choices = judge(sample, &pool, vec![set]);
    choices.first().is_some_and(|choice| choice.exact).then_some((pool, choices))
}

/// Sets of terms, each an extension of one of the best smaller ones.
fn extend(sample: &Sample, pool: &Pool) -> Vec<Vec<usize>> {
    let mut all: Vec<(f64, Vec<usize>)> = Vec::new();
    let mut solver = Solver::new(DEPENDENT);
    let mut parents: Vec<Vec<usize>> = vec![Vec::new()];
    // One point is left to judge by.
    for size in 1..=(TERMS + 1).min(pool.rows() - 1) {
        let mut sets: Vec<Vec<usize>> = Vec::new();
        for set in &parents {
            for column in (0..pool.len()).filter(|column| !set.contains(column)) {
                let mut set = [&set[..], &[column]].concat();
                set.sort_unstable();
                sets.push(set);
            }
        }
        sets.sort_unstable();
        sets.dedup();
        let ranked = sets.into_iter().filter_map(|set| {
            let solved = pool.solve(&set, &mut solver) && solver.is_positive();
            solved.then(|| (rank(root_mean_square(&solver.left_out), size, sample.noise), set))
        });
        let mut ranked: Vec<_> = ranked.collect();
        ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
        parents = ranked.iter().take(EXTENDED).map(|(_, set)| set.clone()).collect();
        let best = |of: &[(f64, Vec<usize>)]| of.iter().map(|(rank, _)| *rank).fold(f64::INFINITY, f64::min);
        let improves = best(&ranked) < best(&all);
        all.extend(ranked);
        if !improves {
            break;
        }
    }
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    // Each is fitted once more for each parameter; what ranks lower than this many is not near.
    all.truncate(EXTENDED * EXTENDED);
    all.into_iter().map(|(_, set)| set).collect()
}

/// Fits sets without the largest value of each parameter, and keeps what is not clearly worse.
fn judge(sample: &Sample, pool: &Pool, sets: Vec<Vec<usize>>) -> Vec<Choice> {
    let parts: Vec<(Pool, Pool)> = (0..sample.values[0].len())
        .map(|parameter| {
            let largest = sample.values.iter().map(|values| values[parameter]).fold(0.0, f64::max);
            let (left_out, fitted): (Vec<usize>, Vec<usize>) =
                (0..pool.rows()).partition(|row| sample.values[*row][parameter] == largest);
            (pool.keep(&fitted), pool.keep(&left_out))
        })
        .collect();
    let [mut whole, mut solver] = [Solver::new(DEPENDENT), Solver::new(DEPENDENT)];
    let mut error = |set: &[usize]| {
        let mut of_parameter = |(fitted, left_out): &(Pool, Pool)| {
            let solved = set.len() <= fitted.rows() && fitted.solve(set, &mut solver);
            let squares = left_out.errors(set, &solver.coefficients).map(|error| error * error).sum::<f64>();
            solved.then(|| (squares / left_out.rows() as f64).sqrt())
        };
        parts.iter().try_fold(0.0, |largest: f64, part| Some(largest.max(of_parameter(part)?)))
    };
    let choices = sets.into_iter().filter_map(|set| {
        let solved = pool.solve(&set, &mut whole);
        let exact = is_exact(&whole.residuals);
        let error = error(&set).filter(|_| solved && (exact || whole.is_positive()))?;
        let left_out = root_mean_square(&whole.left_out);
        Some(Choice { set, coefficients: whole.coefficients.clone(), error, left_out, exact })
    });
    let mut choices: Vec<Choice> = choices.collect();
    if choices.iter().any(|choice| choice.exact) {
        choices.retain(|choice| choice.exact);
    }
    let best = choices.iter().map(|choice| choice.error).fold(f64::INFINITY, f64::min);
    // A constant stays as long as the points do not contradict it, whatever chance makes of the largest value.
    let is_constant = |choice: &Choice| choice.set == CONSTANT && choice.left_out <= WITHIN * sample.noise;
    choices.retain(|choice| choice.error <= limit(best, sample.noise) || is_constant(choice));
    let key = |choice: &Choice| (choice.rank(sample.noise), choice.left_out);
    choices.sort_by(|a, b| key(a).partial_cmp(&key(b)).unwrap_or(std::cmp::Ordering::Equal));
    choices
}
