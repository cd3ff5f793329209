//! All sets of at most two terms, with a constant and without one, fitted to 1 in some of the rows.

use super::pool::DEPENDENT;
use crate::least_squares::{dot, eliminate};

/// A constant or none, and at most two terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Set {
    /// The constant is column 0.
    pub(super) constant: bool,
    /// The columns of the terms; a single one is there twice, no term is twice 0.
    pub(super) terms: [usize; 2],
}

impl Set {
    /// Lists the columns.
    pub(super) fn columns(self) -> Vec<usize> {
        let [first, second] = self.terms;
        let constant = self.constant.then_some(0);
        constant
            .into_iter()
            .chain((first > 0).then_some(first))
            .chain((second > first).then_some(second))
            .collect()
    }
}

/// What fitting a set to some rows gives.
pub(super) struct Trial<'a> {
    /// The set.
    pub(super) set: Set,
    /// No coefficient is negative.
    pub(super) positive: bool,
    /// What is left of 1 in each row, those too that were left out.
    pub(super) left: &'a [f64],
}

/// Columns without those that are chosen already.
struct Columns {
    rows: usize,
    fitted: usize,
    values: Vec<f64>,
    lengths: Vec<f64>,
}

impl Columns {
    fn get(&self, column: usize) -> &[f64] {
        &self.values[column * self.rows..(column + 1) * self.rows]
    }

    /// Makes a column one of length 1; its length before. `None` if it depends on those taken away.
    fn unit(&self, column: usize, unit: &mut [f64]) -> Option<f64> {
        unit.copy_from_slice(self.get(column));
        let length = dot(&unit[..self.fitted], &unit[..self.fitted]).sqrt();
        if length.is_nan() || length <= DEPENDENT * self.lengths[column] {
            return None;
        }
        unit.iter_mut().for_each(|value| *value /= length);
        Some(length)
    }
}

/// Fits all sets to 1 in the first `fitted` of `rows` rows, with at most as many columns as those are.
/// `columns` has column after column, the constant first.
pub(super) fn visit(columns: &[f64], rows: usize, fitted: usize, mut each: impl FnMut(Trial<'_>)) {
    let lengths =
        columns.chunks_exact(rows).map(|column| dot(&column[..fitted], &column[..fitted]).sqrt()).collect();
    let mut columns = Columns { rows, fitted, values: columns.to_vec(), lengths };
    let mut target = vec![1.0; rows];
    pairs(&columns, &target, None, &mut each);
    let mut constant = vec![0.0; rows];
    let Some(length) = columns.unit(0, &mut constant) else { return };
    let target_part = eliminate(&constant, &mut target, fitted);
    each(Trial { set: Set { constant: true, terms: [0, 0] }, positive: target_part >= 0.0, left: &target });
    let parts: Vec<f64> =
        columns.values.chunks_exact_mut(rows).map(|own| eliminate(&constant, own, fitted)).collect();
    pairs(&columns, &target, Some(Constant { length, target_part, parts: &parts }), &mut each);
}

/// What the constant took of the others.
struct Constant<'a> {
    length: f64,
    target_part: f64,
    parts: &'a [f64],
}

/// Fits all sets of one or two terms; the constant is taken away already.
fn pairs(
    columns: &Columns,
    target: &[f64],
    constant: Option<Constant<'_>>,
    each: &mut impl FnMut(Trial<'_>),
) {
    let (rows, fitted, number) = (columns.rows, columns.fitted, columns.lengths.len());
    let room = fitted - usize::from(constant.is_some());
    let positive = |coefficients: [f64; 2], terms: [usize; 2]| {
        let of_constant = constant.as_ref().is_none_or(|constant| {
            let [first, second] = [0, 1].map(|term| coefficients[term] * constant.parts[terms[term]]);
            (constant.target_part - first - second) / constant.length >= 0.0
        });
        of_constant && coefficients.iter().all(|coefficient| *coefficient >= 0.0)
    };
    let [mut one, mut two] = [vec![0.0; rows], vec![0.0; rows]];
    let [mut left_of_one, mut left_of_two] = [vec![0.0; rows], vec![0.0; rows]];
    for first in 1..if room >= 1 { number } else { 1 } {
        let Some(length) = columns.unit(first, &mut one) else { continue };
        left_of_one.copy_from_slice(target);
        let part = eliminate(&one, &mut left_of_one, fitted);
        let terms = [first, first];
        let set = Set { constant: constant.is_some(), terms };
        each(Trial { set, positive: positive([part / length, 0.0], terms), left: &left_of_one });
        for second in first + 1..if room >= 2 { number } else { 0 } {
            two.copy_from_slice(columns.get(second));
            let in_first = eliminate(&one, &mut two, fitted);
            // Not made a column of length 1: this is what takes the time.
            let (square, whole) = (dot(&two[..fitted], &two[..fitted]), columns.lengths[second]);
            if square.is_nan() || square <= (DEPENDENT * whole).powi(2) {
                continue;
            }
            let of_second = dot(&two[..fitted], &left_of_one[..fitted]) / square;
            for ((left, before), two) in left_of_two.iter_mut().zip(&left_of_one).zip(&two) {
                *left = before - of_second * two;
            }
            let terms = [first, second];
            let coefficients = [(part - in_first * of_second) / length, of_second];
            let set = Set { constant: constant.is_some(), terms };
            each(Trial { set, positive: positive(coefficients, terms), left: &left_of_two });
        }
    }
}
