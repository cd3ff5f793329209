//! From blocked time in OpenMP to wait states: the metric rules of the truth.

use ats_model::WaitState;
use ats_model::openmp::Construct;

/// Why a thread was blocked in a construct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// The team was being started or disbanded.
    TeamManagement,
    /// A member of the team had not reached the barrier.
    TeamNotReached,
    /// Another thread had the lock, or was in the critical.
    LockHeld,
    /// It was an earlier iteration's turn in an ordered construct.
    TurnNotCome,
    /// A task that is waited for was not complete.
    TaskNotComplete,
}

/// The wait state that a metric makes of a cause in a construct, or `None` if no metric counts it.
pub(crate) fn wait_state(construct: Construct, cause: Cause) -> Option<WaitState> {
    match cause {
        Cause::TeamManagement => Some(WaitState::OmpManagement),
        Cause::TeamNotReached => match construct {
            Construct::Barrier => Some(WaitState::WaitAtExplicitOmpBarrier),
            Construct::ImplicitBarrier => Some(WaitState::WaitAtImplicitOmpBarrier),
            _ => None,
        },
        Cause::LockHeld => match construct {
            Construct::Critical => Some(WaitState::OmpCriticalContention),
            Construct::SetLock | Construct::SetNestLock => Some(WaitState::OmpLockContention),
            _ => None,
        },
        Cause::TurnNotCome | Cause::TaskNotComplete => None,
    }
}
