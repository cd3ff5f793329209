//! Mechanisms of waiting: what a wait state waits for, as far as remedies differ.

use ats_model::WaitState;

/// What is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Mechanism {
    /// Data that another location sends.
    Data,
    /// All others, at an operation of all.
    Meeting,
    /// A receiver.
    Receiver,
    /// Data that would be there in another order of receives.
    Order,
    /// The partner's next call of MPI.
    Progress,
    /// The operation itself.
    Completion,
    /// The other threads of a team.
    Team,
    /// A thread that holds a lock.
    Lock,
    /// The runtime of OpenMP.
    Runtime,
    /// The serial part of the process.
    Serial,
    /// A parallel region of few threads.
    FewThreads,
}

impl Mechanism {
    /// That of a wait state.
    pub(super) fn of(state: WaitState) -> Self {
        use WaitState::*;
        match state {
            LateSender
            | LateSenderInProbe
            | LateSenderInTest
            | LateBroadcast
            | EarlyReduce
            | EarlyScan
            | LateNonblockingBroadcast
            | EarlyNonblockingReduce
            | EarlyNonblockingScan
            | WaitAtNeighbors => Mechanism::Data,
            LateSenderWrongOrderSameSource | LateSenderWrongOrderDifferentSources => Mechanism::Order,
            LateReceiver | WaitForRoot => Mechanism::Receiver,
            LateProgress => Mechanism::Progress,
            WaitAtBarrier
            | WaitAtNxN
            | WaitAtIrregularNxN
            | WaitAtNonblockingBarrier
            | WaitAtNonblockingNxN
            | WaitAtCommunicatorManagement
            | WaitAtInit
            | WaitAtFinalize => Mechanism::Meeting,
            BarrierCompletion | NxNCompletion | InitCompletion => Mechanism::Completion,
            WaitAtExplicitOmpBarrier | WaitAtImplicitOmpBarrier => Mechanism::Team,
            OmpCriticalContention | OmpLockContention => Mechanism::Lock,
            OmpManagement => Mechanism::Runtime,
            IdleThreads => Mechanism::Serial,
            LimitedParallelism => Mechanism::FewThreads,
        }
    }

    /// Whether the threads of a process wait for each other.
    pub(super) fn is_of_threads(self) -> bool {
        matches!(self, Mechanism::Team | Mechanism::Lock | Mechanism::Serial | Mechanism::FewThreads)
    }
}
