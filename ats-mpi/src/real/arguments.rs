#![allow(unsafe_code, reason = "reads the MPI library's predefined handles")]
//! Our words in MPI's types.

use std::ffi::{c_int, c_void};

use ats_model::mpi::Function;
use mpi::ffi;

use super::failure::{check, fatal};
use crate::part::{Part, Pieces, Side};
use crate::{Counts, Datatype, MpiBuf, ReduceOp, Source, Status, Tag};

/// Counts, displacements and types of the irregular collectives. MPI reads them until the operation is complete.
#[derive(Debug, Default)]
pub(super) struct Arrays {
    pub(super) send_counts: Vec<c_int>,
    pub(super) send_displacements: Vec<c_int>,
    pub(super) send_types: Types,
    pub(super) recv_counts: Vec<c_int>,
    pub(super) recv_displacements: Vec<c_int>,
    pub(super) recv_types: Types,
}

/// A type for each member.
#[derive(Debug, Default)]
pub(super) struct Types(Vec<ffi::MPI_Datatype>);

// SAFETY: the handles of predefined types are constants of the library, the same for all threads.
unsafe impl Send for Types {}
// SAFETY: as above, and nothing changes them.
unsafe impl Sync for Types {}

impl Types {
    pub(super) fn as_ptr(&self) -> *const ffi::MPI_Datatype {
        self.0.as_ptr()
    }
}

impl Arrays {
    pub(super) fn from_part(part: &Part) -> Self {
        let packed = |side: Side| match side.pieces {
            Pieces::Counts(counts, kind) if part.function == Function::Alltoallw => {
                let (counts, displacements) = densely_packed(counts, kind.size());
                let types = vec![datatype(kind); counts.len()];
                (counts, displacements, Types(types))
            }
            Pieces::Counts(counts, _) => {
                let (counts, displacements) = densely_packed(counts, 1);
                (counts, displacements, Types::default())
            }
            _ => Default::default(),
        };
        let (send_counts, send_displacements, send_types) = packed(part.send);
        let (recv_counts, recv_displacements, recv_types) = packed(part.receive);
        Arrays { send_counts, send_displacements, send_types, recv_counts, recv_displacements, recv_types }
    }
}

/// The counts, and the start of each piece if an element is `element` units long.
fn densely_packed(counts: &Counts, element: usize) -> (Vec<c_int>, Vec<c_int>) {
    let mut next = 0;
    counts
        .iter()
        .map(|count| {
            let at = next;
            next += count * element;
            (int(count), int(at))
        })
        .unzip()
}

/// A count, rank or tag as MPI wants it.
pub(super) fn int(value: usize) -> c_int {
    c_int::try_from(value).unwrap_or_else(|_| {
        fatal("MPI", &format!("{value} is more than MPI's int holds; use smaller messages"))
    })
}

pub(super) fn tag(tag: u32) -> c_int {
    int(tag as usize)
}

pub(super) fn source_of(from: Source) -> c_int {
    match from {
        Source::Rank(rank) => int(rank),
        // SAFETY: a constant of the library.
        Source::Any => unsafe { ffi::RSMPI_ANY_SOURCE },
    }
}

pub(super) fn tag_of(tag: Tag) -> c_int {
    match tag {
        Tag::Is(tag) => int(tag as usize),
        // SAFETY: a constant of the library.
        Tag::Any => unsafe { ffi::RSMPI_ANY_TAG },
    }
}

/// The type's handle. A byte is `MPI_UINT8_T`, because reductions are not defined on `MPI_BYTE`.
pub(super) fn datatype(datatype: Datatype) -> ffi::MPI_Datatype {
    // SAFETY: constants of the library.
    unsafe {
        match datatype {
            Datatype::Byte => ffi::RSMPI_UINT8_T,
            Datatype::Int => ffi::RSMPI_INT32_T,
            Datatype::Double => ffi::RSMPI_DOUBLE,
        }
    }
}

pub(super) fn reduce_op(op: ReduceOp) -> ffi::MPI_Op {
    // SAFETY: constants of the library.
    unsafe {
        match op {
            ReduceOp::Sum => ffi::RSMPI_SUM,
            ReduceOp::Min => ffi::RSMPI_MIN,
            ReduceOp::Max => ffi::RSMPI_MAX,
        }
    }
}

/// Address, count and type of a buffer.
pub(super) fn parts(buf: &MpiBuf) -> (*mut c_void, c_int, ffi::MPI_Datatype) {
    (address(Some(buf)), int(buf.count()), datatype(buf.datatype()))
}

/// The address of a buffer that only some members have.
pub(super) fn address(buf: Option<&MpiBuf>) -> *mut c_void {
    buf.map_or(std::ptr::null_mut(), |buf| {
        if buf.memory().as_ptr().is_null() {
            fatal("MPI", "a buffer without memory; allocate it from a communicator of the real engine");
        }
        buf.memory().as_ptr().cast()
    })
}

/// A received message's status in our words.
pub(super) fn status_of(status: &ffi::MPI_Status) -> Status {
    let mut bytes = 0;
    // SAFETY: a status that MPI has filled in; a message counted in bytes is never a fraction of them.
    check(Function::Get_count, unsafe { ffi::PMPI_Get_count(status, ffi::RSMPI_UINT8_T, &mut bytes) });
    Status {
        source: usize::try_from(status.MPI_SOURCE).unwrap_or_default(),
        tag: u32::try_from(status.MPI_TAG).unwrap_or_default(),
        bytes: usize::try_from(bytes).unwrap_or_default(),
    }
}
