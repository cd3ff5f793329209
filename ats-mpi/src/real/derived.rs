#![allow(unsafe_code, reason = "makes MPI calls through mpi::ffi")]
//! Derived types of the MPI library.

use std::ffi::{c_int, c_void};

use ats_model::mpi::Function;
use ats_work::log;
use mpi::ffi::{self, MPI_Datatype};

use super::arguments::{address, datatype, int, parts};
use super::failure::{check, fatal};
use super::handle::{Handle, finalized};
use crate::{Column, MpiBuf};

/// The type of a column, which is committed. Dropping it frees it.
#[derive(Debug)]
pub(super) struct Vector(Handle<MPI_Datatype>);

impl Vector {
    /// Makes the type.
    pub(super) fn new(column: &Column) -> Self {
        let (count, stride) = (int(column.count), int(column.stride));
        // SAFETY: a constant of the library.
        let mut made = unsafe { ffi::RSMPI_DATATYPE_NULL };
        called(Function::Type_vector, || {
            // SAFETY: plain numbers and a predefined type; `made` is the place for the result.
            unsafe { ffi::MPI_Type_vector(count, 1, stride, datatype(column.datatype), &mut made) }
        });
        // SAFETY: the type that was made.
        called(Function::Type_commit, || unsafe { ffi::MPI_Type_commit(&mut made) });
        Vector(Handle::new(made))
    }
}

impl Drop for Vector {
    fn drop(&mut self) {
        if finalized() || std::thread::panicking() {
            return;
        }
        let mut made = self.0.for_call(Function::Type_free);
        // SAFETY: our own type. A call that is pending keeps its buffer, and the library what it needs of the type.
        called(Function::Type_free, || unsafe { ffi::MPI_Type_free(&mut made) });
    }
}

/// Makes a call, which is logged.
fn called(function: Function, call: impl FnOnce() -> c_int) {
    check(function, log::construct(function.name(), call));
}

/// Address, count and type of a message's buffer, which may be a column.
pub(super) fn message(buf: &MpiBuf) -> (*mut c_void, c_int, MPI_Datatype) {
    let Some(derived) = buf.derived() else { return parts(buf) };
    match derived.downcast_ref::<Vector>() {
        Some(Vector(vector)) => (address(Some(buf)), 1, vector.for_call(Function::Type_vector)),
        None => fatal("MPI", "a column of another engine; make it by a communicator of the real engine"),
    }
}
