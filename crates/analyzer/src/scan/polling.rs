//! The part of pass 1 that follows receives whose requests are tested in vain.

use super::{Frame, Scanner};
use crate::{
    records::EarlyWait,
    words::regions::{CallKind, Coverage, RegionTraits},
};

impl Frame {
    /// Whether it is a call of the `MPI_Test` family.
    fn tests(&self) -> bool {
        tests(self.traits)
    }
}

/// Whether regions of these traits are calls of the `MPI_Test` family.
fn tests(traits: RegionTraits) -> bool {
    traits.call == CallKind::Test && traits.coverage == Coverage::Completion
}

impl Scanner<'_> {
    /// Follows the location into a region, or out of it, while it polls.
    #[cold]
    pub(super) fn follow_polls(&mut self, time: u64) {
        let depth = self.stack.len();
        let is_testing = self.innermost().is_some_and(Frame::tests);
        self.messages.polls.go(time, depth, is_testing);
    }

    /// The innermost call has tested a request in vain; if it is that of a message, its purpose is known.
    pub(super) fn tested(&mut self, request: u64) {
        self.messages.polls.are_guessed = false;
        if !self.messages.requests.contains_key(&request) {
            return;
        }
        self.mark_recorded();
        if let Some(&frame) = self.innermost().filter(|frame| frame.tests()) {
            self.poll(request, frame, self.stack.len() - 1);
        }
    }

    /// A call of the `MPI_Test` family is left without a record.
    #[cold]
    pub(super) fn tested_without_record(&mut self, frame: Frame) {
        let mut open = self.messages.requests.keys();
        if let (Some(&request), None) = (open.next(), open.next())
            && frame.tests()
            && self.messages.polls.are_guessed
        {
            self.poll(request, frame, self.stack.len());
        }
    }

    /// A call is left. If it has tested in vain, the code behind it may be work, or a loop of tests; polling of a receive is
    /// a wait of its own.
    #[inline(never)]
    pub(super) fn note_in_vain(&mut self, time: u64, frame: &Frame) {
        let is_in_vain = frame.tests() && frame.call.is_none() && !self.messages.polls.are_open();
        self.in_vain_since = Some(time).filter(|_| is_in_vain);
    }

    /// Counts the code behind a test in vain, if the next region is another test.
    #[inline(never)]
    pub(super) fn count_polled(&mut self, since: u64, time: u64, next: RegionTraits) {
        let (base, path) = (self.open.base, self.innermost_path());
        if let Some(spent) = self.scan.spent.as_mut().filter(|_| tests(next)) {
            spent.polled.add(base, path, time.saturating_sub(since));
        }
    }

    /// A call finds a request not complete; the stack has a `depth` beside it.
    fn poll(&mut self, request: u64, frame: Frame, depth: usize) {
        let place = self.place(frame.path);
        let Some(pending) = self.messages.requests.get_mut(&request) else { return };
        if pending.request.is_receive() && pending.poll.is_none() {
            pending.poll = Some(self.messages.polls.begin(frame.enter, place, depth));
        }
    }

    /// A request is over that is polled so; if it has received a message, `receive` is that.
    pub(super) fn end_poll(&mut self, time: u64, poll: Option<u32>, receive: Option<u32>) {
        let Some(poll) = poll else { return };
        if let (Some((begin, place, away)), Some(receive)) = (self.messages.polls.end(poll, time), receive) {
            self.scan.records.early.push(EarlyWait::in_tests(receive, begin, place, away));
        }
    }
}
