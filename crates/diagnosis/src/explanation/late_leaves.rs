//! Calls that last longer than they have to: all have come, and yet a location leaves late.

use ats_model::mpi::{Function, Kind};

use super::case::Case;
use super::mechanism::Mechanism;

/// Whether a case is of operations that last after all have come, of slow messages, or of a location that is late since it
/// has left the call before late. A location that has lost its processor does all of these, whatever its program does.
pub(super) fn are_reason(case: &Case<'_>) -> bool {
    match (&case.transfers, case.mechanism) {
        (Some(transfers), _) => !transfers.are_small(),
        (None, Mechanism::Completion) => true,
        (None, Mechanism::Data | Mechanism::Meeting | Mechanism::Receiver) => case.call().is_some_and(waits),
        (None, _) => false,
    }
}

/// Whether a call waits until another location has come, so that it costs no time by itself.
fn waits(call: Function) -> bool {
    match call.kind() {
        Kind::Receive | Kind::SendReceive | Kind::Collective(_) | Kind::Neighborhood(_) => true,
        Kind::Completion { tests, .. } => !tests,
        _ => false,
    }
}
