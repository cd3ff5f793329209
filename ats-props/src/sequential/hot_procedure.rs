//! A procedure that takes most of the time.

use ats_props::{Balance, Seconds, do_work, property, region};

/// One procedure takes nearly all of the time, among several that matter little.
///
/// In each repetition the region `hot` works `hotwork`, and `others` regions `other` work `otherwork` each.
///
/// ```text
/// ├─ hot ────────────────────┬─ other ─┬─ other ─┬ …
/// ```
///
/// The finding is the time of `hot`, as a profile shows it. In the twin all regions take the same time.
#[property(
    finds = Time("hot"),
    formula = r * hotwork,
    twin = r * (hotwork + others * otherwork) / (others + 1),
    finds = Time("other"),
    formula = r * others * otherwork,
    twin = r * others * (hotwork + others * otherwork) / (others + 1)
)]
pub fn hot_procedure(
    /// Work of the hot procedure in a repetition.
    #[default(Seconds(0.05))]
    hotwork: Seconds,
    /// The number of other procedures.
    #[default(4)]
    others: usize,
    /// Work of each of them in a repetition.
    #[default(Seconds(0.005))]
    otherwork: Seconds,
    /// Number of repetitions.
    #[default(5)]
    r: usize,
    balance: Balance,
) {
    let mean = (hotwork.0 + others as f64 * otherwork.0) / (others + 1) as f64;
    let (hot, other) = balance.pick((hotwork.0, otherwork.0), (mean, mean));
    for _ in 0..r {
        in_region("hot", hot);
        (0..others).for_each(|_| in_region("other", other));
    }
}

/// Works in a region.
fn in_region(name: &'static str, seconds: f64) {
    let _region = region(name);
    do_work(seconds);
}
