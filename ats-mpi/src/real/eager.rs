#![allow(unsafe_code, reason = "makes PMPI calls through mpi::ffi")]
//! Whether the library sends eagerly.

use std::ffi::c_int;
use std::time::{Duration, Instant};

use ats_model::mpi::Function;
use mpi::ffi;

use super::communicator::set_eager_limit;
use super::failure::{check, fatal};
use super::{MpiCommunicator, quiet};
use crate::{Communicator, MpiBuf};

/// How long the receive is held back.
const DELAY: Duration = Duration::from_millis(20);
const POLL: Duration = Duration::from_micros(200);
const ABOUT_TO_SEND: c_int = 2;
const MESSAGE: c_int = 3;
const HAS_RETURNED: c_int = 4;

/// Beyond this nobody looks for a limit, in bytes.
const MOST: usize = 64 << 20;
/// How often more a send has to be found waiting, each time for longer, until it is believed.
const DOUBTS: u32 = 3;

/// Whether a standard send of this buffer's size returns before its receive is posted, between every even rank and
/// the odd one above. All members of `c` call it together and get the same result; a single member sends nothing,
/// which holds.
///
/// No clocks are compared: the sender says when its send has returned, and the receiver, which has not posted its
/// receive yet, either hears of it within 20 ms or does not.
pub fn eager_held(c: &MpiCommunicator, buf: &MpiBuf) -> bool {
    is_held(c, buf.bytes(), DELAY)
}

/// Probes for the largest message of a standard send, in bytes, that returns before its receive is posted, between every
/// even rank and the odd one above: to the byte. All members of `c`, at least two, call it together and get the same
/// result, which is [`Communicator::eager_limit`] of all communicators of the process from then on.
///
/// A send that returns shows that its size is eager; one that does not may only have been slow. So the smallest that is
/// found waiting is asked again before it is believed.
pub fn probe_eager_limit(c: &MpiCommunicator) -> usize {
    let limit = probed(c);
    set_eager_limit(limit);
    limit
}

fn probed(c: &MpiCommunicator) -> usize {
    if c.size() < 2 {
        fatal(PROBE, "a single rank has nobody to send to; start 2 or more, or give a number of bytes");
    }
    let (mut held, mut delay) = (0, DELAY);
    loop {
        let mut waits = held + 1;
        while waits <= MOST && is_held(c, waits, delay) {
            (held, waits) = (waits, 2 * waits);
        }
        if waits > MOST {
            fatal(PROBE, &format!("there is none up to {MOST} bytes; give a number of bytes"));
        }
        while waits - held > 1 {
            let between = held + (waits - held) / 2;
            *(if is_held(c, between, delay) { &mut held } else { &mut waits }) = between;
        }
        if (1..=DOUBTS).all(|doubt| !is_held(c, waits, delay * 2u32.pow(doubt))) {
            return held;
        }
        // The machine is slow.
        (held, delay) = (waits, 2 * delay);
    }
}

const PROBE: &str = "the probe for the eager limit";

fn is_held(c: &MpiCommunicator, bytes: usize, delay: Duration) -> bool {
    let comm = c.quiet();
    let partner = c.rank() ^ 1;
    let mut message = vec![0; bytes];
    let held = if partner >= c.size() {
        true
    } else if c.rank() < partner {
        quiet::send(comm, partner, ABOUT_TO_SEND, &[]);
        quiet::send(comm, partner, MESSAGE, &message);
        quiet::send(comm, partner, HAS_RETURNED, &[]);
        true
    } else {
        quiet::recv(comm, partner, ABOUT_TO_SEND, &mut []);
        let heard = arrives(comm, partner, HAS_RETURNED, delay);
        quiet::recv(comm, partner, MESSAGE, &mut message);
        quiet::recv(comm, partner, HAS_RETURNED, &mut []);
        heard
    };
    quiet::everywhere(comm, held)
}

fn arrives(comm: ffi::MPI_Comm, from: usize, tag: c_int, within: Duration) -> bool {
    let start = Instant::now();
    loop {
        let mut flag = 0;
        // SAFETY: the flag is ours.
        let code = unsafe { ffi::PMPI_Iprobe(from as c_int, tag, comm, &mut flag, ffi::RSMPI_STATUS_IGNORE) };
        check(Function::Iprobe, code);
        if flag != 0 || start.elapsed() >= within {
            return flag != 0;
        }
        std::thread::sleep(POLL);
    }
}
