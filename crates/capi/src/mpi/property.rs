#![allow(unsafe_code, reason = "functions that C calls")]
//! The properties of the catalogue (report, section 3.1.5).

use std::ffi::c_int;

use ats_mpi::Communicator;
use ats_props::CValue;
use mpi::ffi::MPI_Comm;

use super::handle::communicator;
use crate::argument::value;
use crate::distribution::{distr_func_t, distr_t, distribution};
use crate::failure::{Problem, call};
use crate::work;

/// Runs a property on the program's communicator.
///
/// # Safety
/// `c` is a handle of MPI, or null.
unsafe fn property(name: &str, c: MPI_Comm, run: impl FnOnce(&dyn Communicator) -> Result<(), Problem>) {
    call(name, || {
        // SAFETY: the caller's promise.
        let c = unsafe { communicator(c) }?;
        work::set_up()?;
        run(&c)
    });
}

include!("../../generated/properties.rs");
