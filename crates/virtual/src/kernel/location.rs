//! The locations of a simulation: threads of processes.

use ats_model::definitions::LocationDefinition;
use ats_model::{CallPathId, Event, locations};
use corosensei::Yielder;

use crate::kernel::account::Account;
use crate::kernel::error::Place;
use crate::kernel::polls::Polls;
use crate::kernel::replay::Pins;
use crate::kernel::time::Picoseconds;

/// One thread of a process, as far as the kernel knows it.
pub(crate) struct Location {
    pub(crate) clock: Picoseconds,
    /// When its program was done.
    pub(crate) end: Picoseconds,
    pub(crate) call_path: CallPathId,
    pub(crate) rank: u32,
    /// Its number in its process; the master is 0.
    pub(crate) thread: u32,
    pub(crate) account: Account,
    pub(crate) pins: Option<Box<Pins>>,
    /// Its polling, once it has tested something in vain.
    pub(crate) polls: Option<Box<Polls>>,
    /// A send of it was held, in a trace, and no time has passed since.
    pub(crate) is_held: bool,
    /// Its held events; the allocation is kept for the next time.
    pub(crate) held: Option<Box<Held>>,
    /// The handle for its coroutine to yield the processor; null until the coroutine runs.
    pub(crate) yielder: *const Yielder<(), ()>,
}

/// The events of a location after a call in which a send was held.
#[derive(Default)]
pub(crate) struct Held {
    pub(crate) until: Picoseconds,
    /// Its events since then.
    pub(crate) events: Vec<Event>,
}

impl Location {
    pub(crate) fn new(rank: u32, thread: u32, clock: Picoseconds, pins: Option<Box<Pins>>) -> Self {
        Location {
            clock,
            end: clock,
            call_path: CallPathId::ROOT,
            rank,
            thread,
            account: Account::default(),
            pins,
            polls: None,
            is_held: false,
            held: None,
            yielder: std::ptr::null(),
        }
    }

    /// The region that it has just entered is a test.
    pub(crate) fn test(&mut self) {
        if let Some(polls) = &mut self.polls {
            polls.test(self.clock);
        }
    }

    pub(crate) fn place(&self) -> Place {
        Place { rank: self.rank as usize, thread: self.thread as usize }
    }

    /// As Score-P numbers and names its locations.
    pub(crate) fn definition(&self) -> LocationDefinition {
        let &Location { rank, thread, .. } = self;
        let (id, name) = (locations::id(rank, thread), locations::name(thread, true));
        LocationDefinition { id, name, rank, thread, events: 0 }
    }
}
