//! Rank 0 and all others, which exchange messages with it alone.

use crate::Distribution;

/// The tag of messages that rank 0 sends.
pub(crate) const OUT: u32 = 1;
/// The tag of messages that rank 0 receives.
pub(crate) const IN: u32 = 2;

/// Rank 0 works so long, and the others as they would by `others`.
pub(crate) fn work(of_first: f64, others: Distribution) -> Distribution {
    let value = move |me, size, scale| if me == 0 { of_first * scale } else { others.value(me, size, scale) };
    Distribution::user("all but the first", value)
}
