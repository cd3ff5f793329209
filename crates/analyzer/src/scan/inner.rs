//! Collective operations under way, and calls of MPI inside of others: both are there in the callbacks of calls.

use super::{Frame, Scanner};
use crate::{
    records::InnerCall,
    words::{damage::Damage, place::Place, regions::CallKind},
};

/// The number of inner calls that are remembered until the ones around them are over. Callbacks have a few of them, while
/// a call that has lost its leave has all that follow.
const MOST: usize = 4096;

/// What is under way in the calls of a location, by their depth: the number of regions up to the call.
#[derive(Default)]
pub(super) struct InCalls {
    /// Collective operations that have begun: the depth and the time. An outer one comes before those inside it.
    begun: Vec<(usize, u64)>,
    /// Calls inside of others that are over: the depth of the one around it, enter and leave.
    inner: Vec<(usize, u64, u64)>,
}

impl InCalls {
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.begun.is_empty() && self.inner.is_empty()
    }

    /// Takes the calls inside the one at a depth.
    fn inside(&mut self, depth: usize) -> Vec<(usize, u64, u64)> {
        self.inner.extract_if(.., |(of, ..)| *of == depth).collect()
    }

    /// When the first of the operations under way has begun; the end of time if there is none.
    pub(super) fn first_begin(&self) -> u64 {
        self.begun.iter().map(|&(_, time)| time).min().unwrap_or(u64::MAX)
    }
}

impl Scanner<'_> {
    /// A blocking operation begins in the innermost region. One that has begun there before has lost its end.
    pub(super) fn collective_begin(&mut self, time: u64) {
        let depth = self.stack.len();
        if let Some(begin) = self.collective_end() {
            self.damage(Damage::CollectiveWithoutEnd, begin);
        }
        self.in_calls.begun.push((depth, time));
    }

    /// A blocking operation ends in the innermost region; returns when it has begun there.
    pub(super) fn collective_end(&mut self) -> Option<u64> {
        let depth = self.stack.len();
        self.in_calls.begun.pop_if(|(of, _)| *of == depth).map(|(_, begin)| begin)
    }

    /// A blocking operation is over in the innermost call: keeps the calls inside of that.
    pub(super) fn keep_inner(&mut self, outer: Place) {
        for (_, enter, leave) in self.in_calls.inside(self.stack.len()) {
            self.scan.records.inner.push(InnerCall { outer, enter, leave });
        }
    }

    /// A region is left in which something may be under way, or that is inside a call.
    #[cold]
    pub(super) fn close_call(&mut self, time: u64, frame: &Frame) {
        let depth = self.stack.len() + 1;
        while let Some((_, begin)) = self.in_calls.begun.pop_if(|(of, _)| *of >= depth) {
            self.damage(Damage::CollectiveWithoutEnd, begin);
        }
        let is_recorded = frame.call.is_some() || frame.is_recorded;
        let is_judged =
            frame.call.is_some() || matches!(frame.traits.call, CallKind::Init | CallKind::Finalize);
        for (_, enter, leave) in self.in_calls.inside(depth) {
            if is_judged {
                let outer = self.place(frame.path);
                self.scan.records.inner.push(InnerCall { outer, enter, leave });
            } else if !is_recorded {
                // They are inside the call around it.
                self.add_inner(enter, leave);
            }
        }
        if frame.is_inner && frame.traits.is_mpi && is_recorded {
            self.add_inner(frame.enter, time);
        }
    }

    /// A call is over inside another one.
    fn add_inner(&mut self, enter: u64, leave: u64) {
        let around = self.stack.iter().rposition(|outer| outer.traits.is_mpi);
        let Some(depth) = around.map(|index| index + 1) else { return };
        if self.in_calls.inner.len() < MOST {
            self.in_calls.inner.push((depth, enter, leave));
        }
    }

    /// Counts the operations that are under way at the end of the events.
    pub(super) fn end_calls(&mut self) {
        for (_, begin) in std::mem::take(&mut self.in_calls.begun) {
            self.damage(Damage::CollectiveWithoutEnd, begin);
        }
    }
}
