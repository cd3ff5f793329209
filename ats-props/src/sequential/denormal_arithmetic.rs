//! Arithmetic of subnormal numbers.

use ats_props::{Amount, Balance, Multiplications, property};

use crate::family::compared::compare;

/// Numbers are so small that the processor computes them in a slow way.
///
/// The region `subnormal` does `r` times `n` multiplications of a number below 2.2e-308; the region `normal` as many of a
/// usual one. A processor that takes such numbers for 0 is as fast in both, and does not show the property. The twin does
/// these in both.
///
/// ```text
/// ├─ subnormal ──────────────┬─ normal ─┤
/// ```
///
/// The finding is the time of one region over that of the other. Some processors take a hundred steps more for each, others
/// two: an AMD processor of 2024 takes five in place of three, 1.57 times as long.
#[property(
    finds = Ratio { of: "subnormal", over: "normal", at_least: 1.2 },
    twin = 1
)]
pub fn denormal_arithmetic(
    /// Multiplications in a repetition.
    #[default(4_000_000)]
    n: usize,
    /// Number of repetitions.
    #[default(5)]
    r: usize,
    balance: Balance,
) {
    let multiply = |independent, subnormal| {
        Amount::Multiplications(Multiplications { number: n as u64, independent, subnormal })
    };
    compare([("subnormal", multiply(false, true)), ("normal", multiply(false, false))], r, balance);
}
