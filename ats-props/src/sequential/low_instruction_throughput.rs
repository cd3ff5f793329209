//! Operations that wait for each other.

use ats_props::{Amount, Balance, Multiplications, property};

use crate::family::compared::compare;

/// Each multiplication waits for the product of the last one.
///
/// The region `dependent` does `r` times `n` multiplications of one number; the region `independent` as many of eight
/// numbers in turn, so that a processor can begin one before the last one has ended. The twin does these in both.
///
/// ```text
/// ├─ dependent ──────────────┬─ independent ─┤
/// ```
///
/// The finding is the time of one region over that of the other.
#[property(
    finds = Ratio { of: "dependent", over: "independent", at_least: 2.0 },
    twin = 1
)]
pub fn low_instruction_throughput(
    /// Multiplications in a repetition.
    #[default(20_000_000)]
    n: usize,
    /// Number of repetitions.
    #[default(5)]
    r: usize,
    balance: Balance,
) {
    let multiply = |independent, subnormal| {
        Amount::Multiplications(Multiplications { number: n as u64, independent, subnormal })
    };
    compare([("dependent", multiply(false, false)), ("independent", multiply(true, false))], r, balance);
}
