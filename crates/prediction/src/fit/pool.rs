//! Terms and their columns: each term over the measured means, so that least squares judge relative errors.

use super::model::{Factor, Model, Term};
use super::sample::Sample;
use super::shapes;
use crate::least_squares::Solver;

/// A term is taken for a combination of others if less than this part of it is left without them: of the 16 digits of a
/// number three are left then.
pub(super) const DEPENDENT: f64 = 1e-13;

/// Terms that models are made of, the constant first, and their column for a sample.
#[derive(Debug, Clone)]
pub(super) struct Pool {
    terms: Vec<Vec<Factor>>,
    columns: Vec<Vec<f64>>,
}

impl Pool {
    /// The constant and the products of at most one factor of each parameter.
    pub(super) fn new(sample: &Sample, factors: &[Vec<Factor>]) -> Self {
        let mut terms = vec![Vec::new()];
        for of_parameter in factors {
            let products: Vec<Vec<Factor>> = terms
                .iter()
                .flat_map(|term| {
                    of_parameter.iter().map(move |factor| term.iter().copied().chain([*factor]).collect())
                })
                .collect();
            terms.extend(products);
        }
        let column = |term: &Vec<Factor>| {
            let value = |values: &[f64]| {
                term.iter().map(|factor| factor.value(values[factor.parameter])).product::<f64>()
            };
            sample.values.iter().zip(&sample.means).map(|(values, mean)| value(values) / mean).collect()
        };
        let columns = terms.iter().map(column).collect();
        Self { terms, columns }
    }

    /// The constant and the factors of a sample's only parameter.
    pub(super) fn of_one(sample: &Sample) -> Self {
        Self::new(sample, &[shapes::factors(0)])
    }

    /// Makes the terms those of another parameter.
    pub(super) fn rename(&mut self, parameter: usize) {
        self.terms.iter_mut().flatten().for_each(|factor| factor.parameter = parameter);
    }

    /// The number of terms, with the constant.
    pub(super) fn len(&self) -> usize {
        self.terms.len()
    }

    /// The number of points.
    pub(super) fn rows(&self) -> usize {
        self.columns[0].len()
    }

    /// The factors of a term.
    pub(super) fn term(&self, column: usize) -> &[Factor] {
        &self.terms[column]
    }

    /// Column after column.
    pub(super) fn concatenated(&self) -> Vec<f64> {
        self.columns.concat()
    }

    /// The same terms for some of the points.
    pub(super) fn keep(&self, points: &[usize]) -> Self {
        let column = |column: &Vec<f64>| points.iter().map(|point| column[*point]).collect();
        Self { terms: self.terms.clone(), columns: self.columns.iter().map(column).collect() }
    }

    /// Fits a set of terms; `false` if one depends on the others.
    pub(super) fn solve(&self, set: &[usize], solver: &mut Solver) -> bool {
        let ones = std::iter::repeat_n(1.0, self.rows());
        solver.solve(set.iter().map(|column| &*self.columns[*column]), ones).is_ok()
    }

    /// How far off, relatively, coefficients are at each point.
    pub(super) fn errors(&self, set: &[usize], coefficients: &[f64]) -> impl Iterator<Item = f64> {
        let value = move |row: usize| {
            set.iter().zip(coefficients).map(move |(column, factor)| self.columns[*column][row] * factor)
        };
        (0..self.rows()).map(move |row| value(row).sum::<f64>() - 1.0)
    }

    /// The model of a set of terms.
    pub(super) fn model(
        &self,
        parameters: &[String],
        set: &[usize],
        coefficients: &[f64],
        error: f64,
    ) -> Model {
        let mut model = Model { parameters: parameters.to_vec(), constant: 0.0, terms: Vec::new(), error };
        for (column, coefficient) in set.iter().zip(coefficients) {
            match self.term(*column) {
                [] => model.constant = *coefficient,
                factors => model.terms.push(Term { coefficient: *coefficient, factors: factors.to_vec() }),
            }
        }
        model.terms.sort_by(|a, b| b.growth().total_cmp(&a.growth()));
        model
    }
}
