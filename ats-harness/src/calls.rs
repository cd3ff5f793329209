#![allow(unsafe_code, reason = "makes MPI calls through mpi::ffi")]
//! MPI calls that only a harness makes.

use mpi::ffi;

/// `MPI_Pcontrol`: tells tools at what level to record.
pub(crate) fn pcontrol(level: i32) {
    // SAFETY: MPI is initialised, since there is a harness; no further arguments are required.
    unsafe { ffi::MPI_Pcontrol(level) };
}

/// `MPI_Abort`: ends all ranks.
pub(crate) fn abort(code: u8) -> ! {
    // SAFETY: MPI is initialised, since there is a harness.
    unsafe { ffi::MPI_Abort(ffi::RSMPI_COMM_WORLD, code.into()) };
    std::process::exit(code.into())
}
