//! Coefficients in rationals, where terms and measured values are some: counts, and times of the virtual engine.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

use super::model::Factor;
use super::sample::Sample;

/// A number as it is written in decimals, which is what was counted or measured.
fn decimal(value: f64) -> Option<BigRational> {
    let text = value.to_string();
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let digits: BigInt = format!("{whole}{fraction}").parse().ok()?;
    Some(BigRational::new(digits, BigInt::from(10).pow(u32::try_from(fraction.len()).ok()?)))
}

/// A factor at a value; `None` if it is no rational.
fn factor(factor: Factor, value: f64) -> Option<BigRational> {
    let logarithm = value.log2();
    if factor.exponent.denominator != 1 || (factor.logarithms > 0 && logarithm.fract() != 0.0) {
        return None;
    }
    let power = decimal(value)?.pow(i32::from(factor.exponent.numerator));
    Some(power * decimal(logarithm)?.pow(i32::from(factor.logarithms)))
}

/// Solves for the coefficients of terms that meet each point; `None` if these are no rationals, or do not.
pub(super) fn coefficients(sample: &Sample, terms: &[&[Factor]]) -> Option<Vec<f64>> {
    let mut reduced: Vec<Vec<BigRational>> = Vec::with_capacity(terms.len());
    for (values, mean) in sample.values.iter().zip(&sample.means) {
        let term = |term: &&[Factor]| {
            term.iter().try_fold(BigRational::one(), |product, of| {
                Some(product * factor(*of, values[of.parameter])?)
            })
        };
        let mut row: Vec<BigRational> = terms.iter().map(term).collect::<Option<_>>()?;
        row.push(decimal(*mean)?);
        reduce(&mut reduced, row)?;
    }
    if reduced.len() < terms.len() {
        return None;
    }
    reduced.sort_by_key(|row| row.iter().position(|value| !value.is_zero()));
    reduced.iter().map(|row| row[terms.len()].to_f64()).collect()
}

/// Adds an equation to those that are solved for one coefficient each; `None` if it contradicts them.
fn reduce(reduced: &mut Vec<Vec<BigRational>>, mut row: Vec<BigRational>) -> Option<()> {
    let first = |row: &[BigRational]| row.iter().position(|value| !value.is_zero());
    let subtract = |from: &mut [BigRational], times: &BigRational, row: &[BigRational]| {
        from.iter_mut().zip(row).for_each(|(from, value)| *from -= times * value);
    };
    for other in reduced.iter() {
        let times = row[first(other)?].clone();
        subtract(&mut row, &times, other);
    }
    let Some(place) = first(&row) else { return Some(()) };
    // Nothing of the terms is left, but something of what they should be.
    if place + 1 == row.len() {
        return None;
    }
    let whole = row[place].clone();
    row.iter_mut().for_each(|value| *value /= &whole);
    for other in reduced.iter_mut() {
        let times = other[place].clone();
        subtract(other, &times, &row);
    }
    reduced.push(row);
    Some(())
}
