//! Entering and leaving calls of MPI.

use std::panic::resume_unwind;

use ats_mpi::{Choice, Outcome};

use crate::kernel::call::Frame;
use crate::kernel::state::Kernel;
use crate::kernel::time::Picoseconds;
use crate::mpi::rules::{Blocked, Cause};
use crate::mpi::waits;

/// The location that runs enters a call.
///
/// # Panics
/// Ends the simulation if it is not the master of its process.
#[inline(always)]
pub(crate) fn enter(kernel: &mut Kernel<'_>, name: &'static str) -> Frame {
    if kernel.current >= kernel.ranks {
        not_funneled(kernel, name);
    }
    kernel.enter(name)
}

#[cold]
fn not_funneled(kernel: &Kernel<'_>, name: &str) -> ! {
    resume_unwind(Box::new(kernel.misuse(format!(
        "{name} is called by a thread that is not the master of its process (MPI_THREAD_FUNNELED)"
    ))))
}

/// What a call found in a real run, if there is one and the call leaves something open.
pub(crate) fn outcome(kernel: &Kernel<'_>, frame: &Frame, choice: Option<Choice>) -> Option<Outcome> {
    let choice = choice?;
    Some(choice.outcome(kernel.choices(frame)?.map(|number| number as usize)))
}

/// Adds messages and bytes to what a call has sent.
#[inline(always)]
pub(crate) fn count_sent(kernel: &mut Kernel<'_>, frame: &Frame, (messages, bytes): (u64, u64)) {
    let count = kernel.count(frame.region);
    count.messages += messages;
    count.bytes += bytes;
}

/// Leaves a call that waited until `reached` for a message that it did not receive.
pub(crate) fn leave_blocked(kernel: &mut Kernel<'_>, frame: &Frame, reached: Picoseconds, communicator: u32) {
    let ticks = reached.saturating_sub(frame.enter);
    let blocked = Blocked { cause: Cause::MessageNotSent, ticks };
    let here = kernel.here();
    waits::charge(&mut here.account, frame.name, (here.call_path, communicator), blocked, true);
    kernel.leave(frame);
}
