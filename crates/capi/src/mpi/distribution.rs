#![allow(unsafe_code, reason = "functions that C calls")]
//! Shares of the members of a communicator (report, section 3.1.2).

use ats_mpi::Communicator;
use mpi::ffi::MPI_Comm;

use crate::distribution::{distr_func_t, distr_t, distribution};
use crate::failure::call;

use super::handle::communicator;

/// The share of the calling member of a communicator.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn mpi_distr_share(df: distr_func_t, dd: *mut distr_t, c: MPI_Comm) -> f64 {
    call("mpi_distr_share", || {
        // SAFETY: the program passes a handle of MPI, and a function with a descriptor that it understands.
        let (shares, c) = unsafe { (distribution(df, dd)?, communicator(c)?) };
        Ok(shares.value(c.rank(), c.size(), 1.0))
    })
}

/// The mean share of the members of a communicator.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn mpi_distr_mean(df: distr_func_t, dd: *mut distr_t, c: MPI_Comm) -> f64 {
    call("mpi_distr_mean", || {
        // SAFETY: the program passes a handle of MPI, and a function with a descriptor that it understands.
        let (shares, c) = unsafe { (distribution(df, dd)?, communicator(c)?) };
        Ok(shares.mean(c.size(), 1.0))
    })
}
