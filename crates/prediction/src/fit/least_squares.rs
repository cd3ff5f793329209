//! Linear least squares by making columns orthogonal, one after the other.

/// A column is taken for a combination of the others if less than this part of it is left without them: of the 16
/// digits of a number three are left then.
pub(super) const DEPENDENT: f64 = 1e-13;

/// Coefficients, and how well they meet the rows. Its memory is used again by the next fit: thousands are made.
#[derive(Debug, Clone, Default)]
pub(super) struct Solver {
    /// One for each column.
    pub(super) coefficients: Vec<f64>,
    /// What is left of the target in each row.
    pub(super) residuals: Vec<f64>,
    /// What is left in a row if it does not take part.
    pub(super) left_out: Vec<f64>,
    units: Vec<f64>,
    /// For each column its part of each unit; as many as there are columns.
    triangle: Vec<f64>,
}

/// The product of two columns.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Takes a multiple of a column away from another, so that nothing of it is left in the first `rows` rows.
/// The column has length 1 there.
pub(super) fn eliminate(unit: &[f64], from: &mut [f64], rows: usize) -> f64 {
    let part = dot(&unit[..rows], &from[..rows]);
    for (from, unit) in from.iter_mut().zip(unit) {
        *from -= part * unit;
    }
    part
}

impl Solver {
    /// Solves for the combination of columns that is nearest to 1 in each row; `false` if one depends on the others.
    pub(super) fn solve<'a>(
        &mut self,
        columns: impl ExactSizeIterator<Item = &'a [f64]>,
        rows: usize,
    ) -> bool {
        let number = columns.len();
        self.residuals.clear();
        self.residuals.resize(rows, 1.0);
        self.units.clear();
        self.units.resize(number * rows, 0.0);
        self.triangle.clear();
        self.triangle.resize(number * number, 0.0);
        self.coefficients.clear();
        for (place, column) in columns.enumerate() {
            let (units, rest) = self.units.split_at_mut(place * rows);
            let (left, parts) = (&mut rest[..rows], &mut self.triangle[place * number..(place + 1) * number]);
            left.copy_from_slice(column);
            // Twice is enough: the second round removes what rounding left of the first.
            for _ in 0..2 {
                for (unit, part) in units.chunks_exact(rows).zip(&mut *parts) {
                    *part += eliminate(unit, left, rows);
                }
            }
            let (length, whole) = (dot(left, left).sqrt(), dot(column, column).sqrt());
            if length.is_nan() || length <= DEPENDENT * whole {
                return false;
            }
            left.iter_mut().for_each(|value| *value /= length);
            parts[place] = length;
            self.coefficients.push(eliminate(left, &mut self.residuals, rows));
        }
        self.substitute(number);
        self.left_out.clear();
        for (row, left) in self.residuals.iter().enumerate() {
            let leverage: f64 = self.units.iter().skip(row).step_by(rows).map(|unit| unit * unit).sum();
            self.left_out.push(left / (1.0 - leverage));
        }
        true
    }

    /// Solves the triangle backward.
    fn substitute(&mut self, number: usize) {
        for column in (0..number).rev() {
            self.coefficients[column] /= self.triangle[column * number + column];
            for row in 0..column {
                self.coefficients[row] -= self.triangle[column * number + row] * self.coefficients[column];
            }
        }
    }

    /// No coefficient is negative.
    pub(super) fn is_positive(&self) -> bool {
        self.coefficients.iter().all(|coefficient| *coefficient >= 0.0)
    }
}
