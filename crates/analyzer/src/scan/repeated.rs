//! Messages that a location sends after others to the same receiver, without anything in between that they may depend on.

use ats_model::event::CommunicatorRef;
use rustc_hash::FxHashMap;

/// The numbers of messages that a location sends.
#[derive(Clone, Debug, Default)]
pub(crate) struct Repeated {
    /// Those that follow another to the same receiver.
    pub(crate) number: u64,
    pub(crate) of: u64,
    /// The number of messages and results that have come before.
    come: u64,
    /// By receiver, what had come when it was sent the last message.
    last: FxHashMap<(CommunicatorRef, u32), u64>,
}

impl Repeated {
    /// Counts a message to a receiver.
    pub(super) fn sent(&mut self, communicator: CommunicatorRef, receiver: u32) {
        self.of += 1;
        let before = self.last.insert((communicator, receiver), self.come);
        self.number += u64::from(before == Some(self.come));
    }

    /// Counts a message, or the result of an operation of all, that the next messages may depend on.
    pub(super) fn came(&mut self) {
        self.come += 1;
    }
}
