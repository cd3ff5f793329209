//! Constructs that concern one thread alone.

use ats_model::Event;
use ats_model::openmp::Construct;

use super::{Thread, Unsettled, leave_construct, note_call};
use crate::openmp::open::{Buffer, Open};

impl Thread {
    /// Enters the region of a construct; that of a single's block too, on the thread that executes it.
    pub(crate) fn construct_begins(
        &mut self,
        buffer: &mut Buffer,
        ticks: u64,
        construct: Construct,
        block: Option<Construct>,
        address: usize,
    ) {
        self.settle(buffer);
        let call = self.call_of_construct(buffer, construct, address, address);
        note_call(buffer, ticks, call);
        self.enter_construct(buffer, ticks, construct, address);
        if let Some(block) = block {
            self.enter_construct(buffer, ticks, block, address);
        }
    }

    /// A construct that may have a barrier at its end is over.
    pub(crate) fn work_ends(&mut self, buffer: &mut Buffer, ticks: u64, construct: Construct) {
        self.settle(buffer);
        if let Some(depth) = buffer.find(|open| matches!(open, Open::Construct(of, _) if of == construct)) {
            buffer.end_to(ticks, depth + 1);
            self.unsettled = Some(Unsettled::Over(ticks));
        }
    }

    /// The next of several sections begins.
    pub(crate) fn section_begins(&mut self, buffer: &mut Buffer, ticks: u64, address: usize) {
        self.settle(buffer);
        leave_construct(buffer, ticks, Construct::Section);
        self.enter_construct(buffer, ticks, Construct::Section, address);
    }

    /// A construct without a barrier is over.
    pub(crate) fn construct_ends(&mut self, buffer: &mut Buffer, ticks: u64, construct: Construct) {
        self.settle(buffer);
        leave_construct(buffer, ticks, construct);
    }

    /// A construct that takes no time, and what happens in it.
    pub(crate) fn instant(
        &mut self,
        buffer: &mut Buffer,
        ticks: u64,
        construct: Construct,
        address: usize,
        event: Option<Event>,
    ) {
        self.settle(buffer);
        self.enter_construct(buffer, ticks, construct, address);
        if let Some(event) = event {
            buffer.push(ticks, event);
        }
        buffer.end(ticks);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openmp::thread::barriers::Barrier;
    use crate::openmp::thread::listing::{Recorded, lines, listing};

    #[test]
    fn sections_follow_each_other_within_their_construct() {
        let mut one = Recorded::new(0);
        one.thread.construct_begins(&mut one.buffer, 1, Construct::Sections, None, 0x100);
        one.thread.section_begins(&mut one.buffer, 2, 0x110);
        one.thread.section_begins(&mut one.buffer, 3, 0x120);
        one.thread.work_ends(&mut one.buffer, 4, Construct::Sections);
        one.thread.barrier_begins(&mut one.buffer, 5, Barrier::OfConstruct, 0x130);
        one.thread.barrier_ends(&mut one.buffer, 6);
        let expected = "\
sections 1
  section 2
  /section 3
  section 3
  /section 4
  implicit barrier 5
  /implicit barrier 6
/sections 6";
        assert_eq!(listing(one), lines(expected));
    }
}
