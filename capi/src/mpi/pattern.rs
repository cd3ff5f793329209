#![allow(unsafe_code, reason = "functions that C calls")]
#![allow(non_camel_case_types, reason = "the report's names")]
//! Communication patterns (report, section 3.1.4), and a broadcast.

use std::ffi::c_int;

use ats_mpi::{Communicator, Direction, Transfer};
use mpi::ffi::MPI_Comm;

use super::buffer::{borrowed, mpi_buf_t};
use super::handle::communicator;
use crate::argument::count;
use crate::failure::{Problem, call};

/// A value of C's enumeration; any number may come.
pub(crate) type mpi_dir_t = c_int;

fn direction(dir: mpi_dir_t) -> Result<Direction, Problem> {
    match dir {
        0 => Ok(Direction::Up),
        1 => Ok(Direction::Down),
        _ => Err(Problem(format!("dir is {dir}; it must be DIR_UP or DIR_DOWN"))),
    }
}

/// Sends are synchronous: an eager one would hide a late receiver.
fn transfer(use_isend: c_int, use_irecv: c_int) -> Transfer {
    Transfer { use_isend: use_isend != 0, use_irecv: use_irecv != 0, ..Transfer::SYNCHRONOUS }
}

/// Even ranks send to the odd rank above (`DIR_UP`) or odd ranks to the even rank below (`DIR_DOWN`). With an odd number
/// of ranks the last one takes no part. Sends are synchronous. With `use_isend` or `use_irecv` set, the send or the
/// receive is the non-blocking call and `MPI_Wait`.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn mpi_commpattern_sendrecv(
    buf: *mut mpi_buf_t,
    dir: mpi_dir_t,
    use_isend: c_int,
    use_irecv: c_int,
    c: MPI_Comm,
) {
    call("mpi_commpattern_sendrecv", || {
        // SAFETY: the program passes a buffer and a handle of MPI.
        let (buf, c) = unsafe { (borrowed("buf", buf)?, communicator(c)?) };
        ats_mpi::mpi_commpattern_sendrecv(&buf, direction(dir)?, transfer(use_isend, use_irecv), &c);
        Ok(())
    });
}

/// Every rank sends `sbuf` to one neighbour and receives `rbuf` from the other, around the ring. With neither
/// `use_isend` nor `use_irecv` set, that is one `MPI_Sendrecv`.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn mpi_commpattern_shift(
    sbuf: *mut mpi_buf_t,
    rbuf: *mut mpi_buf_t,
    dir: mpi_dir_t,
    use_isend: c_int,
    use_irecv: c_int,
    c: MPI_Comm,
) {
    call("mpi_commpattern_shift", || {
        // SAFETY: the program passes buffers and a handle of MPI.
        let (send, recv, c) = unsafe { (borrowed("sbuf", sbuf)?, borrowed("rbuf", rbuf)?, communicator(c)?) };
        ats_mpi::mpi_commpattern_shift(&send, &recv, direction(dir)?, transfer(use_isend, use_irecv), &c);
        Ok(())
    });
}

/// The root broadcasts `buf`, and the others receive into theirs: `MPI_Bcast`, with the data in the checksum. `root`
/// counts modulo the number of ranks.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_bcast(buf: *mut mpi_buf_t, root: c_int, c: MPI_Comm) {
    call("ats_bcast", || {
        // SAFETY: the program passes a buffer and a handle of MPI.
        let (buf, c) = unsafe { (borrowed("buf", buf)?, communicator(c)?) };
        let c: &dyn Communicator = &c;
        c.bcast(count("root", root)? % c.size(), &buf);
        Ok(())
    });
}
