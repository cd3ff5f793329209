//! Calls of MPI, the owners of other records.

use crate::words::{place::Place, regions::CallKind};

/// A region instance that sends, receives or completes messages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MpiCall {
    pub(crate) enter: u64,
    pub(crate) leave: u64,
    pub(crate) place: Place,
    pub(crate) kind: CallKind,
}

impl MpiCall {
    /// The duration, in ticks.
    pub(crate) fn duration(&self) -> u64 {
        self.leave.saturating_sub(self.enter)
    }
}
