//! Operations that calls have started without waiting, and what their partners waited for: that the location makes its
//! next call, in which it acts on them.

use std::num::NonZeroU32;

use ats_model::CallPathId;

use crate::kernel::account::{Among, WaitKey};
use crate::kernel::state::Kernel;
use crate::kernel::time::Picoseconds;
use crate::mpi::rules;
use crate::mpi::state::Mpi;

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
struct Held {
    call: HeldCall,
    /// The number of its partners whose next calls are not known.
    open: u32,
    longest: Picoseconds,
    communicator: u32,
}

/// The start of an operation.
#[derive(Clone, Copy, Debug)]
struct Start {
    /// The process, and the number of its operation.
    of: (u32, u32),
    /// When the location entered its next call.
    next: Option<Picoseconds>,
    /// The number of the call that waits to know that, and the partner in it.
    asked_by: Option<(u32, Partner)>,
}

/// Things by number.
#[derive(Debug)]
struct Numbered<T> {
    all: Vec<Option<T>>,
    free: Vec<u32>,
}

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Numbered { all: Vec::new(), free: Vec::new() }
    }
}

impl<T> Numbered<T> {
    fn keep(&mut self, one: T) -> u32 {
        let number = self.free.pop().unwrap_or_else(|| {
            self.all.push(None);
            self.all.len() as u32 - 1
        });
        self.all[number as usize] = Some(one);
        number
    }

    fn get_mut(&mut self, number: u32) -> Option<&mut T> {
        self.all.get_mut(number as usize)?.as_mut()
    }

    fn take(&mut self, number: u32) -> Option<T> {
        let one = self.all.get_mut(number as usize)?.take()?;
        self.free.push(number);
        Some(one)
    }
}

/// The starts that a partner may ask for, and the calls that wait to know them.
#[derive(Debug, Default)]
pub(crate) struct Starts {
    starts: Numbered<Start>,
    held: Numbered<Held>,
}

impl Starts {
    /// A call starts an operation.
    fn begin(&mut self, of: (u32, u32)) -> Option<StartNumber> {
        NonZeroU32::new(self.starts.keep(Start { of, next: None, asked_by: None }) + 1)
    }

    /// Nobody asks for this start any more.
    pub(crate) fn forget(&mut self, start: StartNumber) {
        self.starts.take(start.get() - 1);
    }

    /// When the location of a start has entered its next call, if that is known; who asks for it then will be told
    /// otherwise.
    fn ask(&mut self, held: u32, partner: Partner) -> Option<Picoseconds> {
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
    fn acted(&mut self, partner: &Partner, next: Picoseconds) {
        // Who left before the partner acted did not wait for that.
        if self.call.leave >= next {
            let ticks = next.saturating_sub(self.call.covered.max(partner.since));
            if ticks > self.longest {
                (self.longest, self.communicator) = (ticks, partner.communicator);
            }
        }
    }
}

impl Mpi {
    /// A call of the location that runs starts the operation of this number, and does not wait for it.
    pub(crate) fn begin_start(&mut self, kernel: &Kernel<'_>, number: u32) {
        let of = (kernel.rank() as u32, number);
        let start = if kernel.accounts { self.starts.begin(of) } else { None };
        if let Some(operation) = self.here(kernel).operations.get_mut(number) {
            operation.start = start;
        }
        self.caller(kernel.number()).started.extend(start);
    }

    /// The location that runs enters a call: it acts on what its last calls have started.
    #[cold]
    pub(crate) fn acts_on_started(&mut self, kernel: &mut Kernel<'_>) {
        let now = kernel.now();
        for start in std::mem::take(&mut self.caller(kernel.number()).started) {
            self.acted(kernel, start, now);
        }
    }

    /// A call that was entered at `enter` completes the operation of this number, which another location may have started.
    pub(crate) fn acts_on_completed(&mut self, kernel: &mut Kernel<'_>, number: u32, enter: Picoseconds) {
        let of = (kernel.rank() as u32, number);
        let start = self.here(kernel).operations.get_mut(number).and_then(|operation| operation.start);
        let Some(start) = start else { return };
        if self.starts.starts.get_mut(start.get() - 1).is_some_and(|start| start.of == of) {
            self.acted(kernel, start, enter);
        }
    }

    /// A process acts on an operation that it has started, unless it has done so.
    fn acted(&mut self, kernel: &mut Kernel<'_>, number: StartNumber, now: Picoseconds) {
        let Some(start) = self.starts.starts.get_mut(number.get() - 1) else { return };
        if start.next.is_some() {
            return;
        }
        start.next = Some(now);
        if let Some((held, partner)) = start.asked_by {
            self.starts.forget(number);
            self.told(kernel, held, Some((&partner, now)));
        }
    }

    /// A call has waited for the latest of these partners to act, as far as nothing else covers that; of `unmatched` sends
    /// it is not known yet who receives them. Returns its number if it is asked for.
    pub(crate) fn charge_progress(
        &mut self,
        kernel: &mut Kernel<'_>,
        call: HeldCall,
        partners: impl Iterator<Item = Partner>,
        unmatched: u32,
    ) -> u32 {
        let held = Held { call, open: unmatched + 1, longest: 0, communicator: 0 };
        let number = self.starts.held.keep(held);
        for partner in partners {
            let next = self.starts.ask(number, partner);
            let Some(held) = self.starts.held.get_mut(number) else { continue };
            match next {
                Some(next) => held.acted(&partner, next),
                None => held.open += 1,
            }
        }
        self.told(kernel, number, None);
        number
    }

    /// A send of a call that was complete before is received: by an operation that a call has started, or not.
    pub(crate) fn matched_at_last(&mut self, kernel: &mut Kernel<'_>, held: u32, partner: Option<Partner>) {
        let next = partner.map(|partner| (partner, self.starts.ask(held, partner)));
        match next {
            Some((_, None)) => {}
            Some((partner, Some(next))) => self.told(kernel, held, Some((&partner, next))),
            None => self.told(kernel, held, None),
        }
    }

    /// One thing more is known of a call; if it is the last, its wait is charged.
    fn told(&mut self, kernel: &mut Kernel<'_>, number: u32, acted: Option<(&Partner, Picoseconds)>) {
        let Some(held) = self.starts.held.get_mut(number) else { return };
        if let Some((partner, next)) = acted {
            held.acted(partner, next);
        }
        held.open -= 1;
        if held.open > 0 {
            return;
        }
        if let Some(Held { call, longest, communicator, .. }) = self.starts.held.take(number) {
            let wait = WaitKey {
                call_path: call.call_path,
                among: Among::group(communicator),
                state: Some(rules::NOT_ACTED),
            };
            kernel.locations[call.location as usize].account.charge(wait, longest);
        }
    }
}
