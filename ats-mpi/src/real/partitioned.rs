#![allow(unsafe_code, reason = "makes MPI calls through addresses of the library")]
//! Sends and receives in partitions, which libraries before MPI 4 lack.

use std::ffi::{c_int, c_void};

use ats_model::mpi::Function;
use ats_work::log;
use mpi::ffi::{self, MPI_Comm, MPI_Count, MPI_Datatype, MPI_Info, MPI_Request};

use super::arguments::{int, parts, source_of, tag, tag_of};
use super::failure::check;
use super::library;
use crate::{MpiBuf, Op};

/// `MPI_Psend_init`, and `MPI_Precv_init`, which differ in whether the buffer is written.
type Init = unsafe extern "C" fn(
    *mut c_void,
    c_int,
    MPI_Count,
    MPI_Datatype,
    c_int,
    c_int,
    MPI_Comm,
    MPI_Info,
    *mut MPI_Request,
) -> c_int;

type Pready = unsafe extern "C" fn(c_int, MPI_Request) -> c_int;

/// Prepares a send or a receive in so many partitions with the function that does so. The caller keeps the buffer as long as
/// the request.
pub(super) fn init(function: Function, op: &Op, partitions: usize, comm: MPI_Comm) -> MPI_Request {
    let (buf, peer, tag): (&MpiBuf, _, _) = match op {
        Op::Send { to, tag: send_tag, buf, .. } => (buf, int(*to), tag(*send_tag)),
        Op::Recv { from, tag, buf } => (buf, source_of(*from), tag_of(*tag)),
        _ => unreachable!("it has no such function"),
    };
    let (address, count, datatype) = parts(buf);
    let (partitions, each) = (int(partitions), MPI_Count::from(count) / partitions as MPI_Count);
    // SAFETY: the type of both functions.
    let make: Init = unsafe { library::function(function) };
    // SAFETY: a constant of the library.
    let mut request = unsafe { ffi::RSMPI_REQUEST_NULL };
    let code = log::construct(function.name(), || {
        // SAFETY: the buffer holds so many elements of its type in each partition, and the caller keeps it.
        unsafe {
            let info = ffi::RSMPI_INFO_NULL;
            make(address, partitions, each, datatype, peer, tag, comm, info, &mut request)
        }
    });
    check(function, code);
    request
}

/// Says that a partition of a started send is ready.
pub(super) fn ready(request: MPI_Request, partition: usize) {
    let function = Function::Pready;
    // SAFETY: the type of the function.
    let make: Pready = unsafe { library::function(function) };
    // SAFETY: a started send with this partition, which was not ready yet.
    check(function, log::construct(function.name(), || unsafe { make(int(partition), request) }));
}
