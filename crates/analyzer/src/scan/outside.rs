//! Calls whose times are not known: of records outside every call, and where time runs backwards.

use super::{Scanner, open_messages::Outside};
use crate::words::{damage::Damage, regions::CallKind};

impl Scanner<'_> {
    /// The time of an event is before that of its predecessor, so one of them is wrong: the calls
    /// that may have been entered or left at either are mistimed.
    #[cold]
    pub(super) fn distrust(&mut self, time: u64) {
        self.damage(Damage::TimeRunsBackwards, time);
        let innermost = self.stack.len().saturating_sub(1);
        for (number, frame) in self.stack.iter_mut().enumerate() {
            let is_span = matches!(frame.traits.call, CallKind::Init | CallKind::Finalize);
            if (frame.enter > time || number == innermost) && !is_span {
                frame.traits.call = CallKind::Mistimed;
                if let Some(call) = frame.call {
                    self.scan.records.calls[call as usize].kind = CallKind::Mistimed;
                }
            }
        }
    }

    /// A call is left that has lost its enter. The records outside every call just before are its own, and were written
    /// later than it was entered.
    pub(super) fn lose_enter(&mut self) {
        self.act_unseen();
        let Some(Outside { first, .. }) = self.messages.outside.take() else { return };
        let location = self.location as u32;
        for call in self.scan.records.calls.iter_mut().skip(first as usize) {
            // Starts that were taken over from other threads are among them.
            if call.kind == CallKind::Lost && call.place.location == location {
                call.kind = CallKind::Mistimed;
            }
        }
    }

    /// The time of the first record outside every call whose call may be left yet.
    pub(crate) fn outside_since(&self) -> u64 {
        self.messages.outside.map_or(u64::MAX, |outside| outside.time)
    }
}
