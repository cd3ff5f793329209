#![allow(unsafe_code, reason = "makes PMPI calls through mpi::ffi")]
//! Whether the library sends eagerly.

use std::ffi::c_int;
use std::time::{Duration, Instant};

use ats_model::mpi::Function;
use mpi::ffi;

use super::failure::check;
use super::{MpiCommunicator, quiet};
use crate::{Communicator, MpiBuf};

/// How long the receive is held back.
const DELAY: Duration = Duration::from_millis(20);
const POLL: Duration = Duration::from_micros(200);
const ABOUT_TO_SEND: c_int = 2;
const MESSAGE: c_int = 3;
const HAS_RETURNED: c_int = 4;

/// Whether a standard send of this buffer's size returns before its receive is posted, between every even rank and
/// the odd one above. All members of `c` call it together and get the same result; a single member sends nothing,
/// which holds.
///
/// No clocks are compared: the sender says when its send has returned, and the receiver, which has not posted its
/// receive yet, either hears of it within 20 ms or does not.
pub fn eager_held(c: &MpiCommunicator, buf: &MpiBuf) -> bool {
    let comm = c.quiet();
    let partner = c.rank() ^ 1;
    let mut message = vec![0; buf.bytes()];
    let held = if partner >= c.size() {
        true
    } else if c.rank() < partner {
        quiet::send(comm, partner, ABOUT_TO_SEND, &[]);
        quiet::send(comm, partner, MESSAGE, &message);
        quiet::send(comm, partner, HAS_RETURNED, &[]);
        true
    } else {
        quiet::recv(comm, partner, ABOUT_TO_SEND, &mut []);
        let heard = arrives(comm, partner, HAS_RETURNED);
        quiet::recv(comm, partner, MESSAGE, &mut message);
        quiet::recv(comm, partner, HAS_RETURNED, &mut []);
        heard
    };
    quiet::everywhere(comm, held)
}

fn arrives(comm: ffi::MPI_Comm, from: usize, tag: c_int) -> bool {
    let start = Instant::now();
    loop {
        let mut flag = 0;
        // SAFETY: the flag is ours.
        let code = unsafe { ffi::PMPI_Iprobe(from as c_int, tag, comm, &mut flag, ffi::RSMPI_STATUS_IGNORE) };
        check(Function::Iprobe, code);
        if flag != 0 || start.elapsed() >= DELAY {
            return flag != 0;
        }
        std::thread::sleep(POLL);
    }
}
