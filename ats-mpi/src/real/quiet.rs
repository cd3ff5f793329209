#![allow(unsafe_code, reason = "makes PMPI calls through mpi::ffi")]
//! Communication of the harness, unseen by tools: `PMPI_` calls on a duplicate of the communicator.

use std::ffi::c_int;

use ats_model::mpi::Function;
use mpi::ffi::{self, MPI_Comm};

use ats_work::checksum::Item;

use super::MpiCommunicator;
use super::failure::check;
use crate::Communicator;

/// Waits until all members have come here (`PMPI_Barrier`).
pub fn align(c: &MpiCommunicator) {
    // SAFETY: the duplicate lives as long as `c`.
    check(Function::Barrier, unsafe { ffi::PMPI_Barrier(c.quiet()) });
}

/// At rank 0, a number that depends on every rank's and on the ranks that they belong to; elsewhere `None`
/// (`PMPI_Gather`).
pub fn combined(c: &MpiCommunicator, number: u64) -> Option<u64> {
    let all = to_rank_0(c.quiet(), number, c.size());
    let combined = all.into_iter().fold(Item::new("ranks"), Item::with);
    (c.rank() == 0).then(|| combined.number())
}

/// Sends `bytes` to a rank.
pub(super) fn send(comm: MPI_Comm, to: usize, tag: c_int, bytes: &[u8]) {
    let (at, count) = (bytes.as_ptr().cast(), bytes.len() as c_int);
    // SAFETY: the slice lives through the call.
    let code = unsafe { ffi::PMPI_Send(at, count, ffi::RSMPI_UINT8_T, to as c_int, tag, comm) };
    check(Function::Send, code);
}

/// Receives a message of at most the size of `into` from a rank.
pub(super) fn recv(comm: MPI_Comm, from: usize, tag: c_int, into: &mut [u8]) {
    let (at, count) = (into.as_mut_ptr().cast(), into.len() as c_int);
    // SAFETY: the slice is ours and lives through the call.
    let code = unsafe {
        ffi::PMPI_Recv(at, count, ffi::RSMPI_UINT8_T, from as c_int, tag, comm, ffi::RSMPI_STATUS_IGNORE)
    };
    check(Function::Recv, code);
}

/// Gives every rank rank 0's number.
pub(super) fn from_rank_0(comm: MPI_Comm, mut number: u64) -> u64 {
    // SAFETY: the number is ours and lives through the call.
    let code = unsafe { ffi::PMPI_Bcast((&raw mut number).cast(), 1, ffi::RSMPI_UINT64_T, 0, comm) };
    check(Function::Bcast, code);
    number
}

/// Every rank's number, at rank 0.
pub(super) fn to_rank_0(comm: MPI_Comm, number: u64, ranks: usize) -> Vec<u64> {
    let mut all = vec![0u64; ranks];
    // SAFETY: room for one number per rank.
    let code = unsafe {
        let kind = ffi::RSMPI_UINT64_T;
        ffi::PMPI_Gather((&raw const number).cast(), 1, kind, all.as_mut_ptr().cast(), 1, kind, 0, comm)
    };
    check(Function::Gather, code);
    all
}

/// Whether `holds` on all ranks.
pub(super) fn everywhere(comm: MPI_Comm, holds: bool) -> bool {
    let (mine, mut all) = (c_int::from(holds), 0);
    // SAFETY: one integer each, ours.
    let code = unsafe {
        ffi::PMPI_Allreduce(
            (&raw const mine).cast(),
            (&raw mut all).cast(),
            1,
            ffi::RSMPI_INT32_T,
            ffi::RSMPI_MIN,
            comm,
        )
    };
    check(Function::Allreduce, code);
    all != 0
}
