//! The waits of completions that are judged after their operations are summed up.

use ats_model::{WaitState, event::CommunicatorRef};

/// The arrival that others wait for: its time, location and stop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Arrival {
    pub(crate) time: u64,
    pub(crate) location: u32,
    pub(crate) stop: u32,
}

/// The wait of the completion of an operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Due {
    pub(crate) state: WaitState,
    /// The start that is awaited, by the common clock.
    pub(crate) late: Arrival,
    pub(crate) communicator: CommunicatorRef,
}

impl Due {
    /// Whether the completion cannot be over before that.
    pub(crate) fn is_certain(&self) -> bool {
        !matches!(
            self.state,
            WaitState::WaitAtIrregularNxN | WaitState::WaitForRoot | WaitState::WaitAtNeighbors
        )
    }
}
