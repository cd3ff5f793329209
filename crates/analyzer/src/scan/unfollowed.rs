//! Calls of MPI that may have waits without a record of the cause.

use std::ops::AddAssign;

use ats_model::event::Record;

use super::{Frame, Scanner};
use crate::words::{damage::Damage, regions::Coverage};

/// Calls, and the time in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CallTime {
    pub(crate) calls: u64,
    pub(crate) ticks: u64,
}

impl AddAssign for CallTime {
    fn add_assign(&mut self, more: Self) {
        self.calls += more.calls;
        self.ticks = self.ticks.saturating_add(more.ticks);
    }
}

/// Objects without records that later calls of a location may use.
#[derive(Debug, Default)]
pub(super) struct Unfollowed {
    /// Requests of other things than messages.
    has_requests: bool,
    pub(super) has_intercommunicators: bool,
}

impl Scanner<'_> {
    /// Counts a call without a record, if it may have waited. A call inside another one is a part of that.
    pub(super) fn close_unknown(&mut self, time: u64, frame: Frame) {
        let coverage = frame.traits.coverage;
        let may_wait = match coverage {
            Coverage::Full | Coverage::Parent | Coverage::Prepared => false,
            Coverage::Recorded => self.unfollowed.has_intercommunicators,
            Coverage::Completion => self.unfollowed.has_requests,
            Coverage::LargeCounts
            | Coverage::Management
            | Coverage::None
            | Coverage::Request
            | Coverage::Intercommunicator => true,
        };
        self.unfollowed.has_requests |= matches!(coverage, Coverage::Request | Coverage::Prepared);
        self.unfollowed.has_intercommunicators |=
            matches!(coverage, Coverage::Intercommunicator | Coverage::Parent);
        if may_wait && !self.innermost().is_some_and(|outer| outer.traits.is_mpi) {
            let ticks = time.saturating_sub(frame.enter);
            self.scan.unfollowed.add(self.open.base, frame.path, CallTime { calls: 1, ticks });
        }
    }

    /// Notes the subject of a record that is not analyzed.
    #[cold]
    pub(super) fn other(&mut self, time: u64, record: Record) {
        if let Some(damage) = Damage::of_unanalyzed(record) {
            self.damage(damage, time);
            self.unfollowed.has_intercommunicators |= damage == Damage::InterCommunicator;
        }
    }

    /// Notes that the innermost call has a record.
    pub(super) fn mark_recorded(&mut self) {
        if let Some(frame) = self.stack[self.open.bottom..].last_mut() {
            frame.is_recorded = true;
        }
    }
}
