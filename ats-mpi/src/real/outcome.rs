//! Outcomes of calls, noted for a replay.

use ats_model::mpi::Function;
use ats_work::log::{self, Entered};

use crate::Choice;

/// Notes the outcome of the call that was just made, or of one that was completed now; does nothing if it left nothing
/// open.
pub(super) fn note(call: Entered, choice: Option<Choice>, found: impl IntoIterator<Item = usize>) {
    let Some(choice) = choice else { return };
    let numbers = choice.outcome(found).numbers();
    if numbers.is_empty() {
        log::missed(call);
    }
    numbers.into_iter().for_each(|number| log::choose(call, number as u32));
}

/// Makes a call and logs it; the caller notes the outcome.
pub(super) fn logged<R>(function: Function, call: impl FnOnce() -> R) -> (Entered, R) {
    let entered = log::enter(function.name());
    let result = call();
    log::leave(entered);
    (entered, result)
}
