//! Words of several threads in one line of the cache.

use ats_props::{Amount, Balance, Team, Updates, property};

use crate::family::compared_in_a_team::compare_in_a_team;

/// Threads update words of their own that lie in one line of the cache.
///
/// In each repetition of the region `shared`, every thread adds 1 to its word `k` times; up to eight words, each of another
/// thread, are in a line of 64 bytes. In the region `padded` it does as much to a word that has a line for itself.
/// The twin does that in both.
///
/// ```text
/// each  ├─ shared ─────────────────┬─ padded ─┤
/// ```
///
/// No thread reads what another one writes, but each update takes the line from the others. The finding is the time of one
/// region over that of the other. A machine shows it if threads run at once on two cores or more, and is unsupported if they may
/// run on one.
#[property(
    finds = Ratio { of: "shared", over: "padded", at_least: 2.0 },
    twin = 1,
    min_threads = 2,
    c = "false_sharing.c"
)]
pub fn false_sharing(
    /// Updates of a thread in a repetition.
    #[default(5_000_000)]
    k: usize,
    /// Number of repetitions.
    #[default(20)]
    r: usize,
    team: &impl Team,
    balance: Balance,
) {
    let number = k as u64;
    let updates = |padded| {
        move |place, places| [Amount::Updates(Updates { number, place, places, padded, atomic: false })]
    };
    compare_in_a_team([("shared", &updates(false)), ("padded", &updates(true))], r, team, balance);
}
