//! The terms that models are made of.

use super::model::{Exponent, Factor};

/// Numerator, denominator, and exponents of the logarithm: those of Extra-P, and the falling ones of strong scaling.
const SHAPES: [(i8, u8, &[u8]); 24] = [
    (0, 1, &[1, 2]),
    (1, 4, &[0, 1, 2]),
    (1, 3, &[0, 1, 2]),
    (1, 2, &[0, 1, 2]),
    (2, 3, &[0, 1, 2]),
    (3, 4, &[0, 1, 2]),
    (4, 5, &[0]),
    (1, 1, &[0, 1, 2]),
    (5, 4, &[0, 1]),
    (4, 3, &[0, 1]),
    (3, 2, &[0, 1, 2]),
    (5, 3, &[0]),
    (7, 4, &[0]),
    (2, 1, &[0, 1, 2]),
    (9, 4, &[0]),
    (7, 3, &[0]),
    (5, 2, &[0, 1, 2]),
    (8, 3, &[0]),
    (11, 4, &[0]),
    (3, 1, &[0, 1]),
    (-1, 1, &[0, 1]),
    (-2, 3, &[0]),
    (-1, 2, &[0]),
    (-1, 3, &[0]),
];

/// Lists the factors that a parameter can have in a term.
pub(super) fn factors(parameter: usize) -> Vec<Factor> {
    let shapes = SHAPES.iter().flat_map(|(numerator, denominator, logarithms)| {
        let exponent = Exponent { numerator: *numerator, denominator: *denominator };
        logarithms.iter().map(move |logarithms| Factor { parameter, exponent, logarithms: *logarithms })
    });
    shapes.collect()
}
