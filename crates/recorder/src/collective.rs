#![allow(unsafe_code, reason = "reads arguments of the program's MPI calls")]
//! Parts in collective operations, as the arguments of a call say.

use std::ffi::{c_int, c_void};

use ats_model::Event;
use ats_model::definitions::RegionRole;
use ats_model::event::{Bytes, CollectiveOperation, CommunicatorRef, Root};
use ats_model::mpi::{Member, Payload};
use ats_model::own_attribute::Own;
use mpi::ffi::{self, MPI_Comm, MPI_Datatype};

use crate::communicator::{self, Known};

unsafe extern "C" {
    static ATS_IN_PLACE: *const c_void;
}

/// The part of a process in a collective operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    operation: CollectiveOperation,
    communicator: CommunicatorRef,
    root: Root,
    sent: Bytes,
    received: Bytes,
    is_among_neighbors: bool,
    /// The role of calls that complete its request, if that is not the one of their names.
    role: Option<RegionRole>,
}

impl Part {
    /// As the arguments of the call say, which are asked for only if they are significant.
    #[inline]
    pub(crate) fn new(
        operation: CollectiveOperation,
        known: &Known,
        root: Option<c_int>,
        data: Data<impl FnOnce(&Known) -> Payload, impl FnOnce(&Known) -> Payload>,
    ) -> Self {
        let root = root.map(|root| root as u32);
        let member = Member { rank: known.rank, size: known.size, root };
        let Data { in_place, sends, receives } = data;
        let (sent, received) = operation.bytes(member, in_place, || sends(known), || receives(known));
        let communicator = known.reference;
        let (root, sent, received) = (root.into(), sent.into(), received.into());
        Part { operation, communicator, root, sent, received, is_among_neighbors: false, role: None }
    }

    /// In one without data, or whose data is not counted.
    pub(crate) fn empty(operation: CollectiveOperation, communicator: CommunicatorRef) -> Self {
        let (root, none) = (Root::NONE, 0.into());
        Part {
            operation,
            communicator,
            root,
            sent: none,
            received: none,
            is_among_neighbors: false,
            role: None,
        }
    }

    /// The same, by a function whose requests have this role.
    pub(crate) fn in_role(self, role: Option<RegionRole>) -> Self {
        Part { role, ..self }
    }

    /// The role of calls that complete its request, if that is not the one of their names.
    pub(crate) fn role(self) -> Option<RegionRole> {
        self.role
    }

    /// The event of its end in a blocking call.
    pub(crate) fn end(self) -> Event {
        let Part { operation, communicator, root, sent, received, .. } = self;
        let (root, sent, received) = (root.rank(), sent.into(), received.into());
        Event::MpiCollectiveEnd { operation, communicator, root, sent, received }
    }

    /// A note on the event that starts its request: OTF2 does not know neighbours.
    pub(crate) fn note(self) -> Option<Event> {
        self.is_among_neighbors.then(|| Own::Neighborhood.noted(self.communicator.0.into()))
    }

    /// The event of its end, which completes a request.
    pub(crate) fn completed(self, request: u64) -> Event {
        let Part { operation, communicator, root, sent, received, .. } = self;
        Event::NonBlockingCollectiveComplete { operation, communicator, root, sent, received, request }
    }
}

/// A part in a collective on `comm` that a request stands for; none on a communicator that is not followed.
pub(crate) fn part(
    operation: CollectiveOperation,
    comm: MPI_Comm,
    root: Option<c_int>,
    data: Data<impl FnOnce(&Known) -> Payload, impl FnOnce(&Known) -> Payload>,
) -> Option<Part> {
    let known = communicator::find(comm)?;
    Some(Part::new(operation, &known, root, data))
}

/// A part in a neighbourhood collective on `comm` that a request stands for; none on a communicator that is not followed.
/// Its bytes are not counted.
pub(crate) fn among_neighbors(operation: CollectiveOperation, comm: MPI_Comm) -> Option<Part> {
    let part = Part::empty(operation, communicator::find(comm)?.reference);
    Some(Part { is_among_neighbors: true, ..part })
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
pub(crate) fn each(count: impl Into<i64>, datatype: MPI_Datatype) -> impl FnOnce(&Known) -> Payload {
    move |known| Payload::each(bytes(count, datatype), known.size)
}

/// `counts[i]` elements for member i.
///
/// # Safety
/// When this is asked, `counts` has an element for each member.
pub(crate) unsafe fn counted<Count: Into<i64> + Copy>(
    counts: *const Count,
    datatype: MPI_Datatype,
) -> impl FnOnce(&Known) -> Payload {
    move |known| {
        // SAFETY: as the caller promises.
        let counts = unsafe { std::slice::from_raw_parts(counts, known.size as usize) };
        let each = bytes(1, datatype);
        let elements = |count: &Count| (*count).into().max(0) as u64;
        Payload {
            all: counts.iter().map(elements).sum::<u64>() * each,
            own: elements(&counts[known.rank as usize]) * each,
        }
    }
}

/// `counts[i]` elements of `types[i]` for member i.
///
/// # Safety
/// When this is asked, both have an element for each member.
pub(crate) unsafe fn typed<Count: Into<i64> + Copy>(
    counts: *const Count,
    types: *const MPI_Datatype,
) -> impl FnOnce(&Known) -> Payload {
    move |known| {
        // SAFETY: as the caller promises.
        let member = |rank: u32| unsafe { bytes(*counts.add(rank as usize), *types.add(rank as usize)) };
        Payload { all: (0..known.size).map(member).sum(), own: member(known.rank) }
    }
}

/// Whether a buffer is `MPI_IN_PLACE`.
pub(crate) fn in_place(buffer: *const c_void) -> bool {
    // SAFETY: a constant.
    buffer == unsafe { ATS_IN_PLACE }
}

/// Bytes of `count` elements; both their number and their size may be more than an int counts.
#[inline]
pub(crate) fn bytes(count: impl Into<i64>, datatype: MPI_Datatype) -> u64 {
    let mut size = 0;
    // SAFETY: the program hands the type to MPI as well; the result is ours.
    let code = unsafe { ffi::PMPI_Type_size_x(datatype, &mut size) };
    if code == ffi::MPI_SUCCESS as c_int { count.into().max(0) as u64 * size.max(0) as u64 } else { 0 }
}
