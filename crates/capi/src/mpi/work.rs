#![allow(unsafe_code, reason = "functions that C calls")]
//! Work of the members of a communicator (report, section 3.1.1).

use mpi::ffi::MPI_Comm;

use crate::distribution::{distr_func_t, distr_t, distribution};
use crate::failure::call;
use crate::work::set_up;

use super::handle::communicator;

/// Every member of the communicator works for its share of a distribution, times `sf`.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn par_do_mpi_work(df: distr_func_t, dd: *mut distr_t, sf: f64, c: MPI_Comm) {
    call("par_do_mpi_work", || {
        set_up()?;
        // SAFETY: the program passes handles of MPI, and a function with a descriptor that it understands.
        let (shares, c) = unsafe { (distribution(df, dd)?, communicator(c)?) };
        ats_mpi::par_do_mpi_work(&shares, sf, &c);
        Ok(())
    });
}
