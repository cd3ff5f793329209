#![allow(
    unsafe_code,
    reason = "defines a function of MPI, which the program calls in place of the library's"
)]
//! The switches of recording that programs have: `MPI_Pcontrol`, and one for programs without MPI.

use std::ffi::c_int;

use mpi::ffi;

use crate::{clock, load, track};

/// Switches recording off (level 0) or on (any level above). It is no call that is recorded itself. What follows the level
/// in C is not looked at, and so needs no place.
///
/// # Safety
/// As of MPI's own function.
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "as in mpi.h")]
unsafe extern "C-unwind" fn MPI_Pcontrol(level: c_int) -> c_int {
    if level >= 0 {
        ats_measure(level);
    }
    // SAFETY: the program calls it with this level.
    unsafe { ffi::PMPI_Pcontrol(level) }
}

/// Switches recording off (0) or on.
#[unsafe(no_mangle)]
extern "C" fn ats_measure(is_on: c_int) {
    if let Some(mut track) = load::track() {
        track::switch(&mut track, clock::now(), is_on != 0);
    }
}
