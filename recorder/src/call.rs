#![allow(unsafe_code, reason = "reads arguments of the program's MPI calls")]
//! A call of MPI that is being recorded, and the words in which the wrappers are written.

use std::ffi::{c_int, c_void};

use ats_model::Event;
use ats_model::definitions::RegionRole;
use ats_model::event::{CollectiveOperation, CommunicatorRef};
use ats_model::mpi::{Member, Payload};
use mpi::ffi::{self, MPI_Comm, MPI_Datatype, MPI_Request, MPI_Status};

use crate::communicator::{self, Known};
use crate::lock::Taken;
use crate::purpose;
use crate::region::MpiRegion;
use crate::request::{self, Operation, Pending};
use crate::status::{SUCCESS, has_message, size_of_message};
use crate::track::{self, Track};
use crate::{buffer, call_site, clock, session};

unsafe extern "C" {
    static ATS_IN_PLACE: *const c_void;
}

/// A call in progress. Its events carry the time of its entry, and that of its return once the MPI library has done its
/// part; so the clock is read twice a call, and the recorder's own work is not part of it.
pub(crate) struct Call {
    entered: u64,
    time: u64,
    /// From an event on until the library does its part, or the call is left.
    track: Option<Taken<Track>>,
}

impl Call {
    /// Enters a function; in a `role`, if that is not the one of its name.
    #[inline]
    pub(crate) fn enter(function: &'static MpiRegion, role: Option<RegionRole>) -> Self {
        let called_at = call_site::take();
        let time = clock::now();
        if let Some(mut track) = track::mine() {
            let region = match role {
                None => track.call_sites.region(function, called_at),
                Some(role) => function.in_role(role, called_at),
            };
            track.enter(time, region);
        }
        Call { entered: time, time, track: None }
    }

    /// Lets the MPI library do its part.
    #[inline]
    pub(crate) fn make(&mut self, make: impl FnOnce() -> c_int) -> c_int {
        self.track = None;
        let code = make();
        self.time = clock::now();
        code
    }

    #[inline]
    pub(crate) fn leave(mut self) {
        let time = self.time;
        if let Some(track) = self.track() {
            track.leave(time);
        }
        self.track = None;
        if buffer::is_full() {
            session::make_room();
        }
    }

    /// As [`Call::leave`], with a last event, where the call has sealed the tracks.
    pub(crate) fn leave_sealed(self, last: Event) {
        if let Some(mut track) = track::sealed() {
            track.buffer.push(self.time, last);
            track.leave(self.time);
        }
    }

    #[inline]
    fn track(&mut self) -> Option<&mut Track> {
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
        purpose::forget(request);
        if let Some(operation) = operation {
            let (before, event) = request::start(request, operation);
            if let Some(before) = before {
                self.record_at(self.entered, before);
            }
            self.record_at(self.entered, event);
        }
    }

    /// A call of something else than a message has returned `code`, and yielded a request if it has not failed.
    pub(crate) fn yielded(&mut self, code: c_int, request: *const MPI_Request, role: Option<RegionRole>) {
        if code == SUCCESS {
            // SAFETY: MPI has just written it there.
            purpose::note(unsafe { *request }, role);
        }
    }

    /// A persistent request was started; with the time of its entry, as [`Call::sent`].
    pub(crate) fn restarted(&mut self, request: MPI_Request) {
        if let Some(event) = request::restart(request) {
            self.record_at(self.entered, event);
        }
    }

    /// A non-blocking operation was found complete, with this code.
    #[inline]
    pub(crate) fn completed(&mut self, pending: Pending, code: c_int, status: &MPI_Status) {
        if let Some(event) = pending.completed(code, status) {
            self.record(event);
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
        let Some(known) = communicator::find(comm) else { return self.make(make) };
        self.takes_part(make, || {
            let root = root.map(|root| root as u32);
            let member = Member { rank: known.rank, size: known.size, root };
            let Data { in_place, sends, receives } = data;
            let (sent, received) = operation.bytes(member, in_place, || sends(&known), || receives(&known));
            Event::MpiCollectiveEnd { operation, communicator: known.reference, root, sent, received }
        })
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

    /// Takes back an event of the time of entry, unless the thread has recorded others since, in a callback.
    #[cold]
    fn take_back(&mut self, event: Event) {
        let entered = self.entered;
        if let Some(track) = self.track() {
            track.buffer.take_back(entered, event);
        }
    }
}

/// The end of a collective that makes or frees a handle.
pub(crate) fn handle_end(operation: CollectiveOperation, communicator: CommunicatorRef) -> Event {
    Event::MpiCollectiveEnd { operation, communicator, root: None, sent: 0, received: 0 }
}

/// The payload that a process puts into a collective, and the one that it takes out.
pub(crate) struct Data<S, R> {
    /// Whether one of the two stands for both.
    pub(crate) in_place: bool,
    pub(crate) sends: S,
    pub(crate) receives: R,
}

impl Data<fn(&Known) -> Payload, fn(&Known) -> Payload> {
    /// Empty payloads in both directions.
    pub(crate) const NONE: Self =
        Data { in_place: false, sends: |_| Payload::default(), receives: |_| Payload::default() };
}

/// As many elements for each member of the communicator.
pub(crate) fn each(count: c_int, datatype: MPI_Datatype) -> impl FnOnce(&Known) -> Payload {
    move |known| Payload::each(bytes(count, datatype), known.size)
}

/// `counts[i]` elements for member i.
///
/// # Safety
/// When this is asked, `counts` has an element for each member.
pub(crate) unsafe fn counted(counts: *const c_int, datatype: MPI_Datatype) -> impl FnOnce(&Known) -> Payload {
    move |known| {
        // SAFETY: as the caller promises.
        let counts = unsafe { std::slice::from_raw_parts(counts, known.size as usize) };
        let each = bytes(1, datatype);
        let all = counts.iter().map(|&count| count.max(0) as u64).sum::<u64>();
        Payload { all: all * each, own: counts[known.rank as usize].max(0) as u64 * each }
    }
}

/// `counts[i]` elements of `types[i]` for member i.
///
/// # Safety
/// When this is asked, both have an element for each member.
pub(crate) unsafe fn typed(
    counts: *const c_int,
    types: *const MPI_Datatype,
) -> impl FnOnce(&Known) -> Payload {
    move |known| {
        // SAFETY: as the caller promises.
        let member = |rank: u32| unsafe { bytes(*counts.add(rank as usize), *types.add(rank as usize)) };
        Payload { all: (0..known.size).map(member).sum(), own: member(known.rank) }
    }
}

/// A send as it is recorded; none to `MPI_PROC_NULL` or on a communicator that is not followed.
#[inline]
pub(crate) fn send(
    count: c_int,
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

/// Bytes of `count` elements, each of which may have more than an int counts.
#[inline]
pub(crate) fn bytes(count: c_int, datatype: MPI_Datatype) -> u64 {
    let mut size = 0;
    // SAFETY: the program hands the type to MPI as well; the result is ours.
    let code = unsafe { ffi::PMPI_Type_size_x(datatype, &mut size) };
    if code == ffi::MPI_SUCCESS as c_int { count.max(0) as u64 * size.max(0) as u64 } else { 0 }
}

/// Whether a buffer is `MPI_IN_PLACE`.
pub(crate) fn in_place(buffer: *const c_void) -> bool {
    // SAFETY: a constant.
    buffer == unsafe { ATS_IN_PLACE }
}

/// Defines functions of MPI. Each runs its body, which calls MPI's own function (`ffi::PMPI_…`) by [`Call::make`],
/// and leaves its region. One that `completes` requests says where they are, and how many.
macro_rules! calls {
    ($(
        fn $name:ident($($argument:ident: $type:ty),* $(,)?) $(completes $requests:ident[$count:expr])?
        |$call:ident| $body:block
    )*) => {$(
        const _: () = {
            crate::call_site::entry! { $name($($argument: $type),*), wrapper }

            #[allow(clippy::too_many_arguments, reason = "as in mpi.h")]
            unsafe extern "C" fn wrapper($($argument: $type),*) -> std::ffi::c_int {
                static REGION: crate::region::MpiRegion = crate::region::MpiRegion::new(stringify!($name));
                let purposes = crate::purpose::purposes!($($requests, $count)?);
                let mut $call = crate::call::Call::enter(&REGION, purposes.role);
                // SAFETY: the arguments are those that the program hands to MPI.
                let code = unsafe { $body };
                $call.leave();
                $(
                    // SAFETY: there are as many requests as before.
                    unsafe { purposes.complete($requests) };
                )?
                code
            }
        };
    )*};
}
pub(crate) use calls;
