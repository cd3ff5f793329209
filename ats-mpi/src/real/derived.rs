#![allow(unsafe_code, reason = "makes MPI calls through mpi::ffi")]
//! Derived types of the MPI library.

use std::ffi::{c_int, c_void};

use ats_model::mpi::Function;
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
        // SAFETY: plain numbers and a predefined type; `made` is the place for the result, then a type.
        unsafe {
            let code = ffi::MPI_Type_vector(count, 1, stride, datatype(column.datatype), &mut made);
            check(Function::Type_vector, code);
            check(Function::Type_commit, ffi::MPI_Type_commit(&mut made));
        }
        Vector(Handle::new(made))
    }
}

impl Drop for Vector {
    fn drop(&mut self) {
        if finalized() {
            return;
        }
        let mut made = self.0.for_call(Function::Type_free);
        // SAFETY: our own type. A call that is pending keeps its buffer, and the library what it needs of the type.
        check(Function::Type_free, unsafe { ffi::MPI_Type_free(&mut made) });
    }
}

/// Address, count and type of a message's buffer, which may be a column.
pub(super) fn message(buf: &MpiBuf) -> (*mut c_void, c_int, MPI_Datatype) {
    let Some(derived) = buf.derived() else { return parts(buf) };
    match derived.downcast_ref::<Vector>() {
        Some(Vector(vector)) => (address(Some(buf)), 1, vector.for_call(Function::Type_vector)),
        None => fatal("MPI", "a column of another engine; make it by a communicator of the real engine"),
    }
}
