#![allow(unsafe_code, reason = "asks MPI of statuses")]
//! The facts in a status of MPI about a message, and in a return code about a call.

use std::ffi::c_int;

use mpi::ffi::{self, MPI_Status};

pub(crate) const SUCCESS: c_int = ffi::MPI_SUCCESS as c_int;

/// Whether a receive that returned this code has taken its message: it also has if the message was cut off.
#[inline]
pub(crate) fn has_message(code: c_int) -> bool {
    code == SUCCESS || is_truncation(code)
}

#[cold]
fn is_truncation(code: c_int) -> bool {
    let mut class = 0;
    // SAFETY: the class is ours.
    unsafe { ffi::PMPI_Error_class(code, &mut class) };
    class == ffi::MPI_ERR_TRUNCATE as c_int
}

#[inline]
pub(crate) fn size_of_message(status: &MPI_Status) -> u64 {
    let mut bytes = 0;
    // SAFETY: MPI has filled the status in; the result is ours.
    unsafe { ffi::PMPI_Get_elements_x(status, ffi::RSMPI_UINT8_T, &mut bytes) };
    u64::try_from(bytes).unwrap_or_default()
}

#[inline]
pub(crate) fn was_cancelled(status: &MPI_Status) -> bool {
    let mut flag = 0;
    // SAFETY: MPI has filled the status in; the flag is ours.
    unsafe { ffi::PMPI_Test_cancelled(status, &mut flag) };
    flag != 0
}

/// The program's place for a status, or ours where it gave none.
pub(crate) fn status_or(given: *mut MPI_Status, own: &mut MPI_Status) -> *mut MPI_Status {
    // SAFETY: a constant of the library.
    if given == unsafe { ffi::RSMPI_STATUS_IGNORE } { own } else { given }
}

/// A status that says nothing.
pub(crate) fn no_status() -> MPI_Status {
    // SAFETY: a plain C structure of integers.
    unsafe { std::mem::zeroed() }
}
