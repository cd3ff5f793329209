//! Conversions of numbers.

use ats_props::{Amount, Balance, property};

use crate::family::compared::compare;

/// A process converts integers to floating-point numbers all the time.
///
/// The region `convert` does `r` times `n` conversions; the region `add` as many additions. The twin adds in both.
///
/// ```text
/// ├─ convert ────────────────┬─ add ─┤
/// ```
///
/// The finding is the time of one region over that of the other. It was large on processors without such an instruction;
/// on those of today any ratio is right.
#[property(
    finds = Ratio { of: "convert", over: "add", at_least: 0.0 },
    twin = 1
)]
pub fn int_float_conversion(
    /// Conversions in a repetition.
    #[default(2_000_000)]
    n: usize,
    /// Number of repetitions.
    #[default(5)]
    r: usize,
    balance: Balance,
) {
    let n = n as u64;
    compare([("convert", Amount::Conversions(n)), ("add", Amount::Additions(n))], r, balance);
}
