#![allow(unsafe_code, reason = "makes PMPI calls through mpi::ffi, and is called by the MPI library")]
//! The moment in `MPI_Finalize` when the program has done all of its own: its callbacks have run, and MPI still works.
//!
//! `MPI_Finalize` first deletes the attributes of `MPI_COMM_SELF`, the last one first (MPI 3.1, 8.7.1), and the
//! callbacks of the program's attributes may use MPI. The recorder sets the first attribute.

use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::Mutex;

use mpi::ffi::{self, MPI_Comm};

use crate::lock::lock;
use crate::status::SUCCESS;

enum Moment {
    /// No attribute announces it.
    Unannounced,
    Announced,
    /// `MPI_Finalize` has begun, and has this done.
    Awaited(fn()),
}

static MOMENT: Mutex<Moment> = Mutex::new(Moment::Unannounced);

/// Has the moment announced; MPI has just been initialised.
pub(crate) fn announce() {
    // SAFETY: the functions are of the types that MPI calls; the attribute has no value. A key that is freed stays
    // until its attribute is deleted.
    let is_set = unsafe {
        let (mut key, own) = (0, ffi::RSMPI_COMM_SELF);
        ffi::PMPI_Comm_create_keyval(Some(copied), Some(deleted), &mut key, ptr::null_mut()) == SUCCESS
            && ffi::PMPI_Comm_set_attr(own, key, ptr::null_mut()) == SUCCESS
            && ffi::PMPI_Comm_free_keyval(&mut key) == SUCCESS
    };
    if is_set {
        *lock(&MOMENT) = Moment::Announced;
    }
}

/// Has something done once the program's callbacks have run in `MPI_Finalize`, which is about to be called; at once where
/// that is not announced.
pub(crate) fn after_callbacks(act: fn()) {
    let mut moment = lock(&MOMENT);
    if matches!(*moment, Moment::Announced) {
        *moment = Moment::Awaited(act);
    } else {
        drop(moment);
        act();
    }
}

/// Duplicates of `MPI_COMM_SELF` do not get the attribute.
unsafe extern "C" fn copied(
    _comm: MPI_Comm,
    _key: c_int,
    _extra: *mut c_void,
    _value: *mut c_void,
    _new: *mut c_void,
    is_copied: *mut c_int,
) -> c_int {
    // SAFETY: MPI's place for the answer.
    unsafe { *is_copied = 0 };
    SUCCESS
}

unsafe extern "C" fn deleted(
    _comm: MPI_Comm,
    _key: c_int,
    _value: *mut c_void,
    _extra: *mut c_void,
) -> c_int {
    let moment = std::mem::replace(&mut *lock(&MOMENT), Moment::Unannounced);
    if let Moment::Awaited(act) = moment {
        act();
    }
    SUCCESS
}
