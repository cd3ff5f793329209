//! Least squares by making columns orthogonal (modified Gram and Schmidt).

/// Less than this share of a column is left without the others if it depends on them: measurements have fewer digits.
const DEPENDENT: f64 = 1e-9;

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

/// The combination of columns that is nearest to the target.
///
/// # Errors
/// A column depends on others: it, behind the others that it depends on.
pub(super) fn solve(columns: &[Vec<f64>], target: &[f64]) -> Result<Vec<f64>, Vec<usize>> {
    let mut units: Vec<Vec<f64>> = Vec::new();
    let mut triangle: Vec<Vec<f64>> = Vec::new();
    for (at, column) in columns.iter().enumerate() {
        let (left, mut parts) = without(&units, column);
        let length = dot(&left, &left).sqrt();
        let whole = dot(column, column).sqrt();
        if length <= DEPENDENT * whole {
            let of_others = substituted(&triangle, parts);
            let is_part = |other: &usize| {
                of_others[*other].abs() * dot(&columns[*other], &columns[*other]).sqrt() > DEPENDENT * whole
            };
            return Err((0..at).filter(is_part).chain([at]).collect());
        }
        parts.push(length);
        triangle.push(parts);
        units.push(left.into_iter().map(|value| value / length).collect());
    }
    let (_, parts) = without(&units, target);
    Ok(substituted(&triangle, parts))
}

/// A column without these ones of length 1, and how much of each it had.
fn without(units: &[Vec<f64>], column: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let mut left = column.to_vec();
    let mut parts = vec![0.0; units.len()];
    // The second time removes what rounding has left.
    for _ in 0..2 {
        for (unit, part) in units.iter().zip(&mut parts) {
            let more = dot(unit, &left);
            *part += more;
            left.iter_mut().zip(unit).for_each(|(left, unit)| *left -= more * unit);
        }
    }
    (left, parts)
}

/// The solution of a triangle, whose columns are given.
fn substituted(triangle: &[Vec<f64>], mut parts: Vec<f64>) -> Vec<f64> {
    for at in (0..parts.len()).rev() {
        parts[at] /= triangle[at][at];
        for above in 0..at {
            parts[above] -= triangle[at][above] * parts[at];
        }
    }
    parts
}
