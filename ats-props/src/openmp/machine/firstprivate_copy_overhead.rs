//! Copies of large arrays for each thread.

use ats_props::{Amount, Balance, Readings, Team, property};

use crate::family::compared_in_a_team::compare_in_a_team;

/// Every thread makes a copy of an array that all of them could read.
///
/// In each repetition of the region `copied`, every thread copies an array of `bytes` and reads its copy, as with the clause
/// `firstprivate`. In the region `shared` it reads the array itself. The twin does that in both.
///
/// ```text
/// each  ├─ copied ─────────────────┬─ shared ─┤
/// ```
///
/// The copies take as many bytes as there are threads times `bytes`, and the time to load and to store them. The finding is
/// the time of one region over that of the other.
#[property(
    finds = Ratio { of: "copied", over: "shared", at_least: 1.2 },
    twin = 1,
    min_threads = 2,
    c = "firstprivate_copy_overhead.c"
)]
pub fn firstprivate_copy_overhead(
    /// Bytes of the array, in whole words of 8.
    #[default(4_194_304)]
    bytes: usize,
    /// Number of repetitions.
    #[default(100)]
    r: usize,
    team: &impl Team,
    balance: Balance,
) {
    let read = |copied| move |_, _| [Amount::Readings(Readings { bytes: bytes as u64, copied })];
    compare_in_a_team([("copied", &read(true)), ("shared", &read(false))], r, team, balance);
}
