//! Mechanisms of waiting: what a wait state waits for, as far as remedies differ.

use ats_model::WaitState;
use ats_model::wait_state::Class;

/// Mechanism of a wait: the thing that is missing.
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
    /// A message that is tested for again and again.
    Tests,
    /// The operation itself, after all have come.
    Completion,
    /// Nothing: data is moved.
    Transfer,
    /// The other threads of a team.
    Team,
    /// A task.
    Tasks,
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
    /// That of a wait state: that of its class, unless the class has several.
    pub(super) fn of_state(state: WaitState) -> Self {
        use WaitState::*;
        match state {
            LateSenderWrongOrderSameSource | LateSenderWrongOrderDifferentSources => Mechanism::Order,
            LateReceiver | WaitForRoot => Mechanism::Receiver,
            LateProgress => Mechanism::Progress,
            LateSenderInTest => Mechanism::Tests,
            BarrierCompletion | NxNCompletion | InitCompletion => Mechanism::Completion,
            WaitAtNxN | WaitAtIrregularNxN | WaitAtNonblockingNxN | WaitAtCommunicatorManagement => {
                Mechanism::Meeting
            }
            IdleThreads => Mechanism::Serial,
            LimitedParallelism => Mechanism::FewThreads,
            _ => match state.class() {
                Class::PointToPoint | Class::Collective => Mechanism::Data,
                Class::Barrier | Class::InitAndFinalize => Mechanism::Meeting,
                Class::OmpBarrier => Mechanism::Team,
                Class::OmpLock => Mechanism::Lock,
                Class::OmpThreads | Class::Count => Mechanism::Runtime,
            },
        }
    }

    /// Whether the threads of a process wait for each other.
    pub(super) fn is_of_threads(self) -> bool {
        matches!(self, Mechanism::Team | Mechanism::Lock | Mechanism::Serial | Mechanism::FewThreads)
    }
}
