//! From blocked time in MPI to wait states: the metric rules.
//!
//! An engine knows how long a call was blocked, and why. A metric is a rule on top: these are the rules of the truth, after
//! the definitions of Scalasca 2.6. The analyzer has its own, written apart from these, and
//! `docs/wait-states.md` gives the definitions: an error in one of the two is a disagreement. Times are ticks of any clock.

use std::collections::VecDeque;

use ats_model::WaitState;
use ats_model::mpi::{Function, Kind};

/// Why a call was blocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// The send of the message had not begun.
    MessageNotSent,
    /// The receive of the message had not been posted.
    ReceiveNotPosted,
    /// Some member had not reached the barrier.
    BarrierNotReached,
    /// Some member had not reached the n-to-n operation.
    AllToAllNotReached,
    /// Some member had not reached the n-to-n operation in which some members need not exchange data.
    IrregularNotReached,
    /// The root had not reached the 1-to-n operation.
    RootNotReached,
    /// A sender had not reached the n-to-1 operation.
    SenderNotReached,
    /// The root had not reached the n-to-1 operation that its sender cannot leave before.
    ReceiverNotReached,
    /// A lower rank had not reached the prefix operation.
    LowerRankNotReached,
    /// A neighbour had not reached the operation between neighbours.
    NeighborNotReached,
    /// The operation was complete elsewhere, but not here.
    BarrierNotLeft,
    /// The same in an n-to-n operation.
    AllToAllNotLeft,
}

/// A stretch of time in a blocked call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Blocked {
    /// The cause.
    pub(crate) cause: Cause,
    /// For how long.
    pub(crate) ticks: u64,
}

impl Cause {
    /// Whether it is a message that blocks.
    pub(crate) fn is_message(self) -> bool {
        matches!(self, Cause::MessageNotSent | Cause::ReceiveNotPosted)
    }
}

/// The wait state of a thread that tests a receive in vain.
pub(crate) const IN_TESTS: WaitState = WaitState::LateSenderInTest;

/// The wait state of a call whose partner acts on a message in its next call only.
pub(crate) const NOT_ACTED: WaitState = WaitState::LateProgress;

/// Whether a call that completes one side of a message may have waited for the other to act on it.
pub(crate) fn may_wait_for_progress(call: Function, cause: Cause) -> bool {
    matches!(wait_state(call, cause), Some(WaitState::LateSender | WaitState::LateReceiver))
}

/// The wait state that a metric makes of a cause in a call, or `None` if no metric counts it.
pub(crate) fn wait_state(call: Function, cause: Cause) -> Option<WaitState> {
    match call.kind() {
        Kind::Initialize if cause == Cause::AllToAllNotReached => return Some(WaitState::WaitAtInit),
        Kind::Initialize => return (cause == Cause::AllToAllNotLeft).then_some(WaitState::InitCompletion),
        Kind::Finalize => return (cause == Cause::AllToAllNotReached).then_some(WaitState::WaitAtFinalize),
        Kind::Communicator(_) => {
            return (cause == Cause::AllToAllNotReached).then_some(WaitState::WaitAtCommunicatorManagement);
        }
        Kind::Completion { .. } if !cause.is_message() => return of_nonblocking(call, cause),
        _ => {}
    }
    match cause {
        Cause::MessageNotSent if call.kind() == Kind::Probe => Some(WaitState::LateSenderInProbe),
        Cause::MessageNotSent => (!call.never_waits()).then_some(WaitState::LateSender),
        Cause::ReceiveNotPosted => call.may_wait_for_receiver().then_some(WaitState::LateReceiver),
        Cause::BarrierNotReached => Some(WaitState::WaitAtBarrier),
        Cause::BarrierNotLeft => Some(WaitState::BarrierCompletion),
        Cause::IrregularNotReached => Some(WaitState::WaitAtIrregularNxN),
        Cause::AllToAllNotReached => Some(WaitState::WaitAtNxN),
        Cause::AllToAllNotLeft => Some(WaitState::NxNCompletion),
        Cause::RootNotReached => Some(WaitState::LateBroadcast),
        Cause::SenderNotReached => Some(WaitState::EarlyReduce),
        Cause::ReceiverNotReached => Some(WaitState::WaitForRoot),
        Cause::LowerRankNotReached => Some(WaitState::EarlyScan),
        Cause::NeighborNotReached => Some(WaitState::WaitAtNeighbors),
    }
}

/// The wait state of a call that completes a non-blocking collective operation.
fn of_nonblocking(call: Function, cause: Cause) -> Option<WaitState> {
    let state = match cause {
        Cause::BarrierNotReached => WaitState::WaitAtNonblockingBarrier,
        Cause::AllToAllNotReached => WaitState::WaitAtNonblockingNxN,
        Cause::IrregularNotReached => WaitState::WaitAtIrregularNxN,
        Cause::RootNotReached => WaitState::LateNonblockingBroadcast,
        Cause::SenderNotReached => WaitState::EarlyNonblockingReduce,
        Cause::ReceiverNotReached => WaitState::WaitForRoot,
        Cause::LowerRankNotReached => WaitState::EarlyNonblockingScan,
        Cause::NeighborNotReached => WaitState::WaitAtNeighbors,
        Cause::MessageNotSent | Cause::ReceiveNotPosted | Cause::BarrierNotLeft | Cause::AllToAllNotLeft => {
            return None;
        }
    };
    (!call.never_waits()).then_some(state)
}

/// The stretch that is charged, among those of a blocked point-to-point call: a call that completes several requests
/// counts its largest late sender once, and a late receiver only if it has no late sender. Collective operations are
/// [`beyond`] that.
///
/// Returns the index into `blocked`.
pub(crate) fn charged(
    call: Function,
    blocked: impl Iterator<Item = Blocked> + Clone,
) -> Option<(usize, WaitState)> {
    let largest = |state: WaitState| {
        let counted = |stretch: &Blocked| stretch.ticks > 0 && wait_state(call, stretch.cause) == Some(state);
        let candidates = blocked.clone().enumerate().filter(|(_, stretch)| counted(stretch));
        candidates.max_by_key(|(_, stretch)| stretch.ticks).map(|(at, _)| (at, state))
    };
    largest(WaitState::LateSender).or_else(|| largest(WaitState::LateReceiver))
}

/// The stretch of a collective operation that is charged, in a call that completes several requests: the largest, as far
/// as it is longer than the wait for messages, which Scalasca counts.
///
/// Returns the index into `blocked`, and the ticks beyond.
pub(crate) fn beyond(messages: u64, blocked: impl Iterator<Item = Blocked>) -> Option<(usize, u64)> {
    let candidates = blocked.enumerate().filter(|(_, stretch)| !stretch.cause.is_message());
    let (at, largest) = candidates.max_by_key(|(_, stretch)| stretch.ticks)?;
    Some((at, largest.ticks.saturating_sub(messages)))
}

/// The number of late senders of a location that are remembered.
const REMEMBERED: usize = 100;

/// Detects the late senders of a location that are due to the order in which it received.
#[derive(Clone, Debug)]
pub(crate) struct ReceiveOrder<T> {
    recent: VecDeque<Late<T>>,
}

#[derive(Clone, Debug)]
struct Late<T> {
    source: u32,
    sent: u64,
    what: T,
}

impl<T> Default for ReceiveOrder<T> {
    fn default() -> Self {
        ReceiveOrder { recent: VecDeque::new() }
    }
}

impl<T> ReceiveOrder<T> {
    /// A message of `source`, sent at `sent`, was received. Hands over the earlier late senders whose messages were
    /// sent later than this one: they are reassigned to the wait state given.
    pub(crate) fn received(&mut self, source: u32, sent: u64, mut reassign: impl FnMut(T, WaitState)) {
        let mut at = 0;
        while at < self.recent.len() {
            if self.recent[at].sent <= sent {
                at += 1;
                continue;
            }
            if let Some(late) = self.recent.remove(at) {
                let state = if late.source == source {
                    WaitState::LateSenderWrongOrderSameSource
                } else {
                    WaitState::LateSenderWrongOrderDifferentSources
                };
                reassign(late.what, state);
            }
        }
    }

    /// Notes that the message received last was late; `what` identifies its wait.
    pub(crate) fn late(&mut self, source: u32, sent: u64, what: T) {
        if self.recent.len() == REMEMBERED {
            self.recent.pop_front();
        }
        self.recent.push_back(Late { source, sent, what });
    }
}
