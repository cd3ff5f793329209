//! Reductions of arrays.

use ats_props::{Amount, Balance, Team, Updates, property};

use crate::family::compared_in_a_team::compare_in_a_team;

/// Threads reduce an array, where each has to add all of its elements to the shared ones.
///
/// In each repetition of the region `array`, every thread adds `n` numbers to shared memory, one atomic addition each, as the
/// end of a reduction of an array of `n` elements does. In the region `scalar` it adds as many to a sum of its own, and
/// that to the shared one, as the reduction of a scalar does. The twin does that in both.
///
/// ```text
/// each  ├─ array ──────────────────┬─ scalar ─┤
/// ```
///
/// The more threads there are, the more additions are made to shared memory: T·n. The finding is the time of one region over
/// that of the other.
#[property(
    finds = Ratio { of: "array", over: "scalar", at_least: 1.2 },
    twin = 1,
    min_threads = 2,
    c = "reduction_overhead.c"
)]
pub fn reduction_overhead(
    /// Elements that a thread reduces in a repetition.
    #[default(1_000_000)]
    n: usize,
    /// Number of repetitions.
    #[default(5)]
    r: usize,
    team: &impl Team,
    balance: Balance,
) {
    let reduce = |additions, updates| {
        move |_, places| {
            let updates = Updates { number: updates, place: 0, places, padded: false, atomic: true };
            [Amount::Additions(additions), Amount::Updates(updates)]
        }
    };
    let n = n as u64;
    compare_in_a_team([("array", &reduce(0, n)), ("scalar", &reduce(n, n.min(1)))], r, team, balance);
}
