#![allow(unsafe_code, reason = "functions that C calls")]
#![allow(non_camel_case_types, reason = "the report's names")]
//! Communication patterns: those of the report (section 3.1.4) and others, and a broadcast.

use std::ffi::c_int;

use ats_mpi::{Communicator, Direction, SendMode, Transfer};
use ats_props::{CValue, Seconds};
use mpi::ffi::MPI_Comm;

use super::buffer::{borrowed, mpi_buf_t};
use super::handle::communicator;
use crate::argument::{count, value};
use crate::failure::{Problem, call};
use crate::work::set_up;

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

/// The seconds that a pattern is to work for, when work is set up.
fn seconds(work: f64) -> Result<f64, Problem> {
    let Seconds(seconds) = value("work", &[CValue::Real(work)])?;
    set_up()?;
    Ok(seconds)
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

/// Every rank receives from the rank below, works for `work` seconds, and sends to the rank above. The first does not
/// receive, the last does not send. Sends are synchronous.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn mpi_commpattern_chain(buf: *mut mpi_buf_t, work: f64, c: MPI_Comm) {
    call("mpi_commpattern_chain", || {
        // SAFETY: the program passes a buffer and a handle of MPI.
        let (buf, c) = unsafe { (borrowed("buf", buf)?, communicator(c)?) };
        ats_mpi::mpi_commpattern_chain(&buf, seconds(work)?, SendMode::Synchronous, &c);
        Ok(())
    });
}

/// Rank 0 sends to each of the others in turn, the lowest first, and works for `work` seconds before each message. Sends
/// are synchronous.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn mpi_commpattern_one_to_all(buf: *mut mpi_buf_t, work: f64, c: MPI_Comm) {
    call("mpi_commpattern_one_to_all", || {
        // SAFETY: the program passes a buffer and a handle of MPI.
        let (buf, c) = unsafe { (borrowed("buf", buf)?, communicator(c)?) };
        ats_mpi::mpi_commpattern_one_to_all(&buf, seconds(work)?, SendMode::Synchronous, &c);
        Ok(())
    });
}

/// Rank 0 receives from each of the others in turn, the lowest first. Sends are synchronous.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn mpi_commpattern_all_to_one(buf: *mut mpi_buf_t, c: MPI_Comm) {
    call("mpi_commpattern_all_to_one", || {
        // SAFETY: the program passes a buffer and a handle of MPI.
        let (buf, c) = unsafe { (borrowed("buf", buf)?, communicator(c)?) };
        ats_mpi::mpi_commpattern_all_to_one(&buf, SendMode::Synchronous, &c);
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
