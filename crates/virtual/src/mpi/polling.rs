//! Requests that a location tests in vain, and how long it has waited for their messages when they are complete.

use ats_model::event::Event;

use crate::kernel::account::{Among, WaitKey};
use crate::kernel::polls::Polled;
use crate::kernel::state::Kernel;
use crate::kernel::time::Picoseconds;
use crate::mpi::call::Frame;
use crate::mpi::operation::{Operation, OperationKind, Progress, Tested};
use crate::mpi::rules;
use crate::mpi::state::Mpi;

/// A wait for a message that a location has tested for.
struct Waited {
    polled: Polled,
    end: Picoseconds,
    ticks: Picoseconds,
    group: u32,
}

impl Mpi {
    /// A call has tested these operations in vain. The first such call of each is recorded, as the recorder does.
    pub(crate) fn tested_in_vain(&mut self, kernel: &mut Kernel<'_>, frame: &Frame, numbers: &[u32]) {
        if !kernel.follows_call_paths() {
            return;
        }
        for &number in numbers {
            let process = self.here(kernel);
            if process.tested.contains_key(&number) {
                continue;
            }
            let kind = process.operations.get_mut(number).map(|operation| operation.kind);
            let is_receive = matches!(kind, Some(OperationKind::Recv { .. }));
            let poll = is_receive.then(|| kernel.begin_poll(frame.enter));
            process.tested.insert(number, Tested { location: kernel.number(), poll });
            kernel.event(Event::MpiRequestTest { request: u64::from(number) });
        }
    }

    /// A call that leaves at `leave` completes operations: charges the longest wait for those that were tested before.
    pub(crate) fn end_polling(
        &mut self,
        kernel: &mut Kernel<'_>,
        frame: &Frame,
        leave: Picoseconds,
        numbers: &[u32],
    ) {
        if self.here(kernel).tested.is_empty() {
            return;
        }
        // From there on the call waits itself.
        let last = if frame.function.never_waits() { leave } else { frame.enter };
        let mut longest: Option<Waited> = None;
        for &number in numbers {
            let process = self.here(kernel);
            let (Some(Tested { location, poll: Some(poll) }), Some(operation)) =
                (process.tested.remove(&number), process.operations.get_mut(number))
            else {
                continue;
            };
            let is_here = location == kernel.number();
            let Some(polls) = &mut kernel.locations[location as usize].polls else { continue };
            let Some(polled) = polls.end(poll, last) else { continue };
            if let Some(sent) = sent(operation).filter(|_| is_here) {
                let end = sent.min(last);
                let ticks = polls.uncharged(&polled, end);
                if longest.as_ref().is_none_or(|longest| ticks > longest.ticks) {
                    longest = Some(Waited { polled, end, ticks, group: operation.group });
                }
            }
        }
        let here = kernel.here();
        if let Some(Waited { polled, end, ticks, group }) = longest
            && let Some(polls) = &mut here.polls
        {
            polls.charge(&polled, end);
            let state = Some(rules::IN_TESTS);
            here.account
                .charge(WaitKey { call_path: polled.call_path, among: Among::group(group), state }, ticks);
        }
    }
}

/// When the message of a receive that is done was sent.
fn sent(operation: &Operation) -> Option<Picoseconds> {
    match operation.progress {
        Progress::Done(done) => done.partner,
        Progress::Inactive | Progress::Started => None,
    }
}
