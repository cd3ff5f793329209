//! Calls of MPI, the owners of other records.

use crate::words::{place::Place, regions::CallKind};

/// A region instance that sends, receives or completes messages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MpiCall {
    pub(crate) enter: u64,
    pub(crate) leave: u64,
    pub(crate) place: Place,
    /// The location that has it among its records: the one of its place, or that which completes what it has started.
    pub(crate) owner: u32,
    pub(crate) kind: CallKind,
    /// The number of its stop at the location of its place.
    pub(crate) stop: u32,
    /// When the location enters its next call of MPI in which it acts on the messages that this one starts; the end of
    /// time if that is not known.
    pub(crate) next: u64,
    /// Whether that is still to be read.
    pub(crate) awaits_next: bool,
}

impl MpiCall {
    /// A call of the location of its place.
    pub(crate) fn new((enter, leave): (u64, u64), place: Place, kind: CallKind, stop: u32) -> Self {
        let (owner, next) = (place.location, u64::MAX);
        MpiCall { enter, leave, place, owner, kind, stop, next, awaits_next: false }
    }

    /// The duration, in ticks.
    pub(crate) fn duration(&self) -> u64 {
        self.leave.saturating_sub(self.enter)
    }
}
