//! Seconds that are lost as locations without a processor lose them, whatever the program does.

use ats_model::mpi::{Function, Kind};

use super::case::Case;
use super::mechanism::Mechanism;
use super::rules::{is_uneven, lack};

/// Whether the lack of processors may be the reason of a case: operations that last after all have come, slow messages,
/// waits for a location that has left the call before late, and for locations that lack a processor for longer than others,
/// or are late in turn though their work is even, if those `not_running` seconds can make the others wait as long.
pub(super) fn may_be_reason(case: &Case<'_>, not_running: f64) -> bool {
    if let Some(transfers) = &case.transfers {
        return !transfers.are_small();
    }
    match case.mechanism {
        Mechanism::Completion => true,
        Mechanism::Data | Mechanism::Meeting | Mechanism::Receiver => {
            case.call().is_some_and(waits) || explains(not_running, case)
        }
        Mechanism::Team => explains(not_running, case),
        _ => false,
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

/// Whether locations without a processor explain waits: each may make all others wait. If the late ones always are the same,
/// they have to be without a processor for longer than those that wait; if they share none, that is a problem of mapping.
fn explains(not_running: f64, case: &Case<'_>) -> bool {
    let others = case.facts.profile.units.len().saturating_sub(1) as f64;
    case.seconds() <= not_running * others
        && (!is_uneven(case) || case.facts.share_processors() && lack(case).is_some())
}
