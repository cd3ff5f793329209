//! Operations that calls have started without waiting, and what their partners waited for: that the location makes its
//! next call, in which it acts on them.

use std::num::NonZeroU32;

use ats_model::CallPathId;

use crate::kernel::time::Picoseconds;

/// The number of an operation that a call has started.
pub(crate) type StartNumber = NonZeroU32;

/// A call that completes operations, whose partners may have acted late.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HeldCall {
    pub(crate) location: u32,
    pub(crate) call_path: CallPathId,
    /// Up to here it has waited for partners and members that came late.
    pub(crate) covered: Picoseconds,
    pub(crate) leave: Picoseconds,
}

/// An operation of such a call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Partner {
    /// The start of the partner's operation.
    pub(crate) start: StartNumber,
    /// When that was.
    pub(crate) since: Picoseconds,
    pub(crate) communicator: u32,
}

/// A call as far as it is known what it waited for.
#[derive(Debug)]
pub(crate) struct Held {
    pub(crate) call: HeldCall,
    /// The number of its partners whose next calls are not known.
    pub(crate) open: u32,
    pub(crate) longest: Picoseconds,
    pub(crate) communicator: u32,
}

/// The start of an operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start {
    /// The process, and the number of its operation.
    pub(crate) of: (u32, u32),
    /// When the location entered its next call.
    pub(crate) next: Option<Picoseconds>,
    /// The number of the call that waits to know that, and the partner in it.
    pub(crate) asked_by: Option<(u32, Partner)>,
}

/// Things by number.
#[derive(Debug)]
pub(crate) struct Numbered<T> {
    all: Vec<Option<T>>,
    free: Vec<u32>,
}

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Numbered { all: Vec::new(), free: Vec::new() }
    }
}

impl<T> Numbered<T> {
    pub(crate) fn keep(&mut self, one: T) -> u32 {
        let number = self.free.pop().unwrap_or_else(|| {
            self.all.push(None);
            self.all.len() as u32 - 1
        });
        self.all[number as usize] = Some(one);
        number
    }

    pub(crate) fn get_mut(&mut self, number: u32) -> Option<&mut T> {
        self.all.get_mut(number as usize)?.as_mut()
    }

    pub(crate) fn take(&mut self, number: u32) -> Option<T> {
        let one = self.all.get_mut(number as usize)?.take()?;
        self.free.push(number);
        Some(one)
    }
}

/// The starts that a partner may ask for, and the calls that wait to know them.
#[derive(Debug, Default)]
pub(crate) struct Starts {
    pub(crate) starts: Numbered<Start>,
    pub(crate) held: Numbered<Held>,
}

impl Starts {
    /// A call starts an operation.
    pub(crate) fn begin(&mut self, of: (u32, u32)) -> Option<StartNumber> {
        NonZeroU32::new(self.starts.keep(Start { of, next: None, asked_by: None }) + 1)
    }

    /// The start is not needed any more.
    pub(crate) fn forget(&mut self, start: StartNumber) {
        self.starts.take(start.get() - 1);
    }

    /// When the location of a start has entered its next call, if that is known; who asks for it then will be told
    /// otherwise.
    pub(crate) fn ask(&mut self, held: u32, partner: Partner) -> Option<Picoseconds> {
        let start = self.starts.get_mut(partner.start.get() - 1)?;
        match start.next {
            Some(next) => {
                self.forget(partner.start);
                Some(next)
            }
            None => {
                start.asked_by = Some((held, partner));
                None
            }
        }
    }
}

impl Held {
    /// A partner has entered its next call.
    pub(crate) fn acted(&mut self, partner: &Partner, next: Picoseconds) {
        // Who left before the partner acted did not wait for that.
        if self.call.leave >= next {
            let ticks = next.saturating_sub(self.call.covered.max(partner.since));
            if ticks > self.longest {
                (self.longest, self.communicator) = (ticks, partner.communicator);
            }
        }
    }
}
