//! When locations act on what they have started, and the waits of their partners for that.

use crate::kernel::account::{Among, WaitKey};
use crate::kernel::state::Kernel;
use crate::kernel::time::Picoseconds;
use crate::mpi::rules;
use crate::mpi::starts::{Held, HeldCall, Partner, StartNumber};
use crate::mpi::state::Mpi;

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
            self.update(kernel, held, Some((&partner, now)));
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
        self.update(kernel, number, None);
        number
    }

    /// A send of a call that was complete before is received: by an operation that a call has started, or not.
    pub(crate) fn matched_at_last(&mut self, kernel: &mut Kernel<'_>, held: u32, partner: Option<Partner>) {
        let next = partner.map(|partner| (partner, self.starts.ask(held, partner)));
        match next {
            Some((_, None)) => {}
            Some((partner, Some(next))) => self.update(kernel, held, Some((&partner, next))),
            None => self.update(kernel, held, None),
        }
    }

    /// One thing more is known of a call; if it is the last, its wait is charged.
    fn update(&mut self, kernel: &mut Kernel<'_>, number: u32, acted: Option<(&Partner, Picoseconds)>) {
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
