//! Actions of a program outside of its measured part, unknown to a replay.

use crate::world::{in_order_at, kernel};

/// Runs calls that the witness of a real run does not have: those that make communicators before the measured part, and
/// free them after it. In a replay they take no time; otherwise they are calls like any. The master of every rank calls
/// it.
pub fn unreplayed<R>(run: impl FnOnce() -> R) -> R {
    let Some((pins, clock)) = kernel(|kernel| {
        let here = kernel.here();
        let pins = here.pins.take()?;
        Some((pins, std::mem::take(&mut here.clock)))
    }) else {
        return run();
    };
    let result = run();
    kernel(|kernel| {
        let here = kernel.here();
        here.pins = Some(pins);
        here.clock = clock;
    });
    in_order_at(clock);
    result
}
