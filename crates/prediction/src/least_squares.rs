//! Linear least squares by making columns orthogonal, one after the other.

/// Coefficients, and how well they meet the rows. Its memory is used again by the next fit: thousands are made.
#[derive(Debug, Clone, Default)]
pub(crate) struct Solver {
    /// A column is taken for a combination of the others if no more than this part of it is left without them.
    dependent: f64,
    /// One for each column.
    pub(crate) coefficients: Vec<f64>,
    /// What is left of the target in each row.
    pub(crate) residuals: Vec<f64>,
    /// What is left in a row if it does not take part.
    pub(crate) left_out: Vec<f64>,
    units: Vec<f64>,
    /// For each column its part of each unit; as many as there are columns.
    triangle: Vec<f64>,
}

/// The product of two columns.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Takes a multiple of a column away from another, so that nothing of it is left in the first `rows` rows.
/// The column has length 1 there.
pub(crate) fn eliminate(unit: &[f64], from: &mut [f64], rows: usize) -> f64 {
    let part = dot(&unit[..rows], &from[..rows]);
    for (from, unit) in from.iter_mut().zip(unit) {
        *from -= part * unit;
    }
    part
}

impl Solver {
    /// A solver that takes a column for a combination of the others if no more than a part of it is left without them.
    pub(crate) fn new(dependent: f64) -> Self {
        Self { dependent, ..Self::default() }
    }

    /// Solves for the combination of columns that is nearest to the target.
    ///
    /// # Errors
    /// The place of the first column that depends on those before it; the coefficients are those of this combination then.
    pub(crate) fn solve<'a>(
        &mut self,
        columns: impl ExactSizeIterator<Item = &'a [f64]>,
        target: impl Iterator<Item = f64>,
    ) -> Result<(), usize> {
        let number = columns.len();
        self.residuals.clear();
        self.residuals.extend(target);
        let rows = self.residuals.len();
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
            if length.is_nan() || length <= self.dependent * whole {
                self.coefficients.clear();
                self.coefficients.extend_from_slice(&parts[..place]);
                self.substitute(number);
                return Err(place);
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
        Ok(())
    }

    /// Solves the triangle backward.
    fn substitute(&mut self, number: usize) {
        for column in (0..self.coefficients.len()).rev() {
            self.coefficients[column] /= self.triangle[column * number + column];
            for row in 0..column {
                self.coefficients[row] -= self.triangle[column * number + row] * self.coefficients[column];
            }
        }
    }

    /// No coefficient is negative.
    pub(crate) fn is_positive(&self) -> bool {
        self.coefficients.iter().all(|coefficient| *coefficient >= 0.0)
    }
}
