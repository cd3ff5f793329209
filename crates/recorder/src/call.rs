#![allow(unsafe_code, reason = "reads arguments of the program's MPI calls")]
//! A call of MPI that is being recorded.

use std::ffi::c_int;

use ats_model::Event;
use ats_model::definitions::RegionRole;
use ats_model::event::{CollectiveOperation, CommunicatorRef};
use ats_model::mpi::Payload;
use ats_model::own_attribute::Own;
use ats_trace::parts::calling_context;
use mpi::ffi::{self, MPI_Comm, MPI_Datatype, MPI_Request, MPI_Status};

use crate::collective::{Data, Part, bytes};
use crate::communicator::{self, Known};
use crate::lock::Taken;
use crate::region::MpiRegion;
use crate::request::{self, Operation, Pending};
use crate::status::{has_message, size_of_message};
use crate::track::{self, Track};
use crate::{buffer, call_site, clock, load, session};

/// A call in progress. Its events carry the time of its entry, and that of its return once the MPI library has done its
/// part; so the clock is read twice a call, and the recorder's own work is not part of it.
pub(crate) struct Call {
    entered: u64,
    time: u64,
    recorded: Recorded,
    /// From an event on until the library does its part, or the call is left.
    track: Option<Taken<Track>>,
}

/// The part of a call that is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Recorded {
    /// Its events.
    Plainly,
    /// Its events, and before them counters.
    Metered,
    /// Nothing, since the program has switched recording off; what later calls need is followed.
    Nothing,
}

impl Call {
    /// Enters a function; in a `role`, if that is not the one of its name. Its wrapper has the stack pointer `frame`.
    #[inline]
    pub(crate) fn enter(function: &'static MpiRegion, role: Option<RegionRole>, frame: usize) -> Self {
        let time = clock::now();
        let mut recorded = Recorded::Plainly;
        if let Some(mut track) = load::track() {
            let caller = call_site::take();
            if !track.is_plain() {
                if !track.is_on(time) {
                    return Call { entered: time, time, recorded: Recorded::Nothing, track: None };
                }
                if track.is_metered_at_calls() {
                    track.metered_at_call(time);
                    recorded = Recorded::Metered;
                }
            }
            let region = track.call_sites.region(function, role, caller.address);
            if call_site::are_stacks_wanted()
                && let Some(call) = track.openmp.call(caller, region)
            {
                let context = calling_context::of_call(call);
                track.buffer.push(time, Own::CallingContext.noted(context.into()));
            }
            track.enter_call(time, region, frame);
            track.sample(time);
        }
        Call { entered: time, time, recorded, track: None }
    }

    /// Lets the MPI library do its part.
    #[inline]
    pub(crate) fn make(&mut self, make: impl FnOnce() -> c_int) -> c_int {
        self.track = None;
        let unwinding = Unwinding { entered: self.entered };
        let code = make();
        std::mem::forget(unwinding);
        self.time = clock::now();
        code
    }

    #[inline]
    pub(crate) fn leave(mut self) {
        let Call { entered, time, recorded, .. } = self;
        if let Some(track) = self.track() {
            if recorded == Recorded::Metered {
                track.metered_at_call(time);
            }
            track.leave_call(entered, time);
            track.sample(time);
        }
        self.track = None;
        if buffer::is_full() {
            session::make_room();
        }
    }

    /// As [`Call::leave`], with a last event, where the call has sealed the tracks.
    pub(crate) fn leave_sealed(self, last: Event) {
        if let Some(mut track) = track::sealed().filter(|_| self.recorded != Recorded::Nothing) {
            track.buffer.push(self.time, last);
            track.leave_call(self.entered, self.time);
        }
    }

    #[inline]
    fn track(&mut self) -> Option<&mut Track> {
        if self.recorded == Recorded::Nothing {
            return None;
        }
        if self.track.is_none() {
            self.track = track::mine();
        }
        self.track.as_deref_mut()
    }

    #[inline]
    fn record_at(&mut self, time: u64, event: Event) {
        if let Some(track) = self.track() {
            track.buffer.push(time, event);
        }
    }

    #[inline]
    pub(crate) fn record(&mut self, event: Event) {
        self.record_at(self.time, event);
    }

    /// A blocking send was made; with the time of its entry, since the message may arrive before the call returns.
    #[inline]
    pub(crate) fn sent(&mut self, operation: Option<Operation>) {
        if let Some(Operation::Send { receiver, communicator, tag, bytes }) = operation {
            self.record_at(self.entered, Event::MpiSend { receiver, communicator, tag, bytes });
        }
    }

    /// A blocking receive has its message.
    #[inline]
    pub(crate) fn received(&mut self, status: &MPI_Status, comm: MPI_Comm) {
        if let Some(known) = communicator::find(comm) {
            self.received_on(status, known.reference);
        }
    }

    /// As [`Call::received`], where the communicator is known already.
    #[inline]
    pub(crate) fn received_on(&mut self, status: &MPI_Status, communicator: CommunicatorRef) {
        if let Ok(sender) = u32::try_from(status.MPI_SOURCE) {
            self.record(Event::MpiRecv {
                sender,
                communicator,
                tag: status.MPI_TAG as u32,
                bytes: size_of_message(status),
            });
        }
    }

    /// A non-blocking operation was started; with the time of its entry, as [`Call::sent`].
    #[inline]
    pub(crate) fn started(&mut self, request: *const MPI_Request, operation: Option<Operation>) {
        // SAFETY: MPI has just written it there.
        let request = unsafe { *request };
        match operation {
            Some(operation) => {
                let events = request::start(request, operation);
                events.for_each(|event| self.record_at(self.entered, event));
            }
            None => request::forget_role(request),
        }
    }

    /// A persistent request was started; with the time of its entry, as [`Call::sent`].
    pub(crate) fn restarted(&mut self, request: MPI_Request) {
        request::restart(request).for_each(|event| self.record_at(self.entered, event));
    }

    /// So many more partitions of a started send are ready; with the time of its entry, as [`Call::sent`].
    #[cfg_attr(not(has_partitions), allow(dead_code, reason = "this library has none"))]
    pub(crate) fn readied(&mut self, request: MPI_Request, more: u32) {
        if let Some(event) = request::ready(request, more) {
            self.record_at(self.entered, event);
        }
    }

    /// A non-blocking operation was found complete, with this code.
    #[inline]
    pub(crate) fn completed(&mut self, pending: Pending, code: c_int, status: &MPI_Status) {
        if let Some(event) = pending.completed(code, status) {
            if let Some(note) = pending.note() {
                self.record(note);
            }
            self.record(event);
        }
    }

    /// A neighbourhood collective on `comm` has returned; noted with the call's leaving.
    pub(crate) fn was_among_neighbors(&mut self, comm: MPI_Comm) {
        if let Some(known) = communicator::find(comm) {
            self.record(Own::Neighborhood.noted(known.reference.0.into()));
        }
    }

    /// A probe has found a message on `comm`, unless from `MPI_PROC_NULL`; noted with the call's leaving.
    pub(crate) fn found(&mut self, message: &MPI_Status, comm: MPI_Comm) {
        if let (Ok(source), Some(known)) = (u32::try_from(message.MPI_SOURCE), communicator::find(comm)) {
            let (tag, communicator) = (message.MPI_TAG as u32, known.reference.0);
            self.record(Own::ProbedSource.noted(source.into()));
            self.record(Own::ProbedTag.noted(tag.into()));
            self.record(Own::ProbedCommunicator.noted(communicator.into()));
        }
    }

    /// A collective on `comm`, which `make` makes.
    #[inline]
    pub(crate) fn collective(
        &mut self,
        operation: CollectiveOperation,
        comm: MPI_Comm,
        root: Option<c_int>,
        data: Data<impl FnOnce(&Known) -> Payload, impl FnOnce(&Known) -> Payload>,
        make: impl FnOnce() -> c_int,
    ) -> c_int {
        match communicator::find(comm) {
            Some(known) => self.takes_part(make, || Part::new(operation, &known, root, data).end()),
            None => self.make(make),
        }
    }

    /// A part in a collective, from its begin to `end`. If the call fails, there was none.
    pub(crate) fn takes_part(&mut self, make: impl FnOnce() -> c_int, end: impl FnOnce() -> Event) -> c_int {
        self.record(Event::MpiCollectiveBegin);
        let code = self.make(make);
        if has_message(code) {
            self.record(end());
        } else {
            self.take_back(Event::MpiCollectiveBegin);
        }
        code
    }

    /// Takes back an event of the time of entry.
    #[cold]
    fn take_back(&mut self, event: Event) {
        let entered = self.entered;
        if let Some(track) = self.track() {
            track.buffer.take_back(entered, event);
        }
    }
}

/// The library's part of a call, which ends the call if an exception of the program passes through it.
struct Unwinding {
    entered: u64,
}

impl Drop for Unwinding {
    #[cold]
    fn drop(&mut self) {
        let ticks = clock::now();
        if let Some(mut track) = track::sealed() {
            track.abandon_calls(ticks, |call| call.entered == self.entered);
        }
    }
}

/// A send as it is recorded; none to `MPI_PROC_NULL` or on a communicator that is not followed.
#[inline]
pub(crate) fn send(
    count: impl Into<i64>,
    datatype: MPI_Datatype,
    to: c_int,
    tag: c_int,
    comm: MPI_Comm,
) -> Option<Operation> {
    let receiver = u32::try_from(to).ok()?;
    let communicator = communicator::find(comm)?.reference;
    Some(Operation::Send { receiver, communicator, tag: tag as u32, bytes: bytes(count, datatype) })
}

/// A receive as it is recorded; none from `MPI_PROC_NULL` or on a communicator that is not followed.
#[inline]
pub(crate) fn receive(from: c_int, comm: MPI_Comm) -> Option<Operation> {
    // SAFETY: a constant of the library.
    if from == unsafe { ffi::RSMPI_PROC_NULL } {
        return None;
    }
    communicator::find(comm).map(|known| Operation::Receive { communicator: known.reference })
}
