//! Entering and leaving calls of MPI.

use std::ops::Deref;

use ats_model::Traffic;
use ats_model::mpi::Function;
use ats_model::own_attribute::Own;
use ats_mpi::{Choice, Outcome, Status};

use crate::kernel;
use crate::kernel::state::Kernel;
use crate::kernel::time::Picoseconds;
use crate::mpi::rules::{Blocked, Cause};
use crate::mpi::state::Mpi;
use crate::mpi::waits;

/// A call of MPI that a location is in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) function: Function,
    frame: kernel::call::Frame,
}

impl Deref for Frame {
    type Target = kernel::call::Frame;

    fn deref(&self) -> &kernel::call::Frame {
        &self.frame
    }
}

/// The location that runs enters a call.
#[inline(always)]
pub(crate) fn enter(mpi: &mut Mpi, kernel: &mut Kernel<'_>, function: Function) -> Frame {
    if kernel.current >= kernel.ranks {
        mpi.make_caller(kernel.number());
    }
    // Finding it by its name would cost more than the rest.
    let region = &mut mpi.regions[function as usize];
    let region = *region.get_or_insert_with(|| kernel.regions.get(function.name()));
    let frame = Frame { function, frame: kernel.enter(region) };
    if !mpi.caller(kernel.number()).started.is_empty() && function.makes_progress() {
        mpi.acts_on_started(kernel);
    }
    if let Some(in_calls) = &mut mpi.in_calls
        && function.makes_progress()
    {
        in_calls.enter(kernel.rank(), kernel.number(), frame.enter);
    }
    frame
}

/// The location that runs leaves a call at the clock, or when a real run left it.
#[inline(always)]
pub(crate) fn leave(mpi: &mut Mpi, kernel: &mut Kernel<'_>, frame: &Frame) {
    kernel.leave(frame);
    left(mpi, kernel, frame);
}

/// Leaves a call at `time`, which is when a real run left it if there is one.
#[inline(always)]
pub(crate) fn leave_at(mpi: &mut Mpi, kernel: &mut Kernel<'_>, time: Picoseconds, frame: &Frame) {
    kernel.leave_at(time, frame);
    left(mpi, kernel, frame);
}

#[inline(always)]
fn left(mpi: &mut Mpi, kernel: &Kernel<'_>, frame: &Frame) {
    if let Some(in_calls) = &mut mpi.in_calls
        && frame.function.makes_progress()
    {
        in_calls.left(kernel.rank(), kernel.number(), kernel.now());
    }
}

/// The outcome of a call in a real run, if there is one and the call leaves something open.
pub(crate) fn outcome(kernel: &Kernel<'_>, frame: &Frame, choice: Option<Choice>) -> Option<Outcome> {
    let choice = choice?;
    Some(choice.outcome(kernel.choices(frame)?.map(|number| number as usize)))
}

/// Adds to the traffic of a call.
#[inline(always)]
pub(crate) fn count_moved(kernel: &mut Kernel<'_>, frame: &Frame, moved: Traffic) {
    kernel.count(frame.region).moved += moved;
}

/// Leaves a call that has found a message, which was `sent` then, and does not receive it.
pub(crate) fn leave_probe(
    mpi: &mut Mpi,
    kernel: &mut Kernel<'_>,
    frame: &Frame,
    sent: Picoseconds,
    communicator: u32,
    message: Status,
) {
    let leave = frame.pinned_leave().unwrap_or(kernel.now());
    let ticks = sent.min(leave).saturating_sub(frame.enter);
    let blocked = Blocked { cause: Cause::MessageNotSent, ticks };
    let here = kernel.here();
    waits::charge(&mut here.account, frame.function, (here.call_path, communicator), blocked, true);
    kernel.advance_to(leave);
    let (source, tag) = (message.source as u64, u64::from(message.tag));
    kernel.note(Own::ProbedSource, source);
    kernel.note(Own::ProbedTag, tag);
    kernel.note(Own::ProbedCommunicator, u64::from(communicator));
    self::leave(mpi, kernel, frame);
}
