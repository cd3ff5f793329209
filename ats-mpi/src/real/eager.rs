//! Whether the library sends eagerly.

use std::ffi::c_int;
use std::time::{Duration, Instant};

use super::communicator::set_eager_limit;
use super::failure::fatal;
use super::{MpiCommunicator, quiet};
use crate::{Communicator, MpiBuf};

/// The delay of the receive.
const DELAY: Duration = Duration::from_millis(20);
const ABOUT_TO_SEND: c_int = 2;
const WILL_WORK: c_int = 3;
const MESSAGE: c_int = 4;

/// The largest limit that is looked for, in bytes.
const MOST: usize = 64 << 20;
/// The number of further times that a send has to be found waiting, each time for longer, until it is believed.
const DOUBTS: u32 = 3;

/// Whether a standard send of this buffer's size returns before its receive is posted, between every even rank and
/// the odd one above, while the receiver works: a library that needs its help does not hold this. All members of `c` call
/// it together and get the same result; a single member sends nothing, which holds.
pub fn eager_held(c: &MpiCommunicator, buf: &MpiBuf) -> bool {
    is_held(c, buf.bytes(), DELAY) || is_held_after_all(c, buf.bytes(), DELAY)
}

/// Probes for the largest message that [`eager_held`] holds for, in bytes, to the byte. All members of `c`, at least
/// two, call it together and get the same result, which becomes [`Communicator::eager_limit`] of all communicators of
/// the process.
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
        if !is_held_after_all(c, waits, delay) {
            return held;
        }
        // The machine is slow.
        (held, delay) = (waits, 2 * delay);
    }
}

const PROBE: &str = "the probe for the eager limit";

/// A send that returns is eager; one that does not may only have been slow, and is asked again for longer.
fn is_held_after_all(c: &MpiCommunicator, bytes: usize, delay: Duration) -> bool {
    (1..=DOUBTS).any(|doubt| is_held(c, bytes, delay * 2u32.pow(doubt)))
}

/// No clocks are compared. The receiver hears of the message after `start`, so a send that returns within `delay` has not waited for its receive.
fn is_held(c: &MpiCommunicator, bytes: usize, delay: Duration) -> bool {
    let comm = c.quiet();
    let partner = c.rank() ^ 1;
    let mut message = vec![0; bytes];
    let held = if partner >= c.size() {
        true
    } else if c.rank() < partner {
        let start = Instant::now();
        quiet::send(comm, partner, ABOUT_TO_SEND, &[]);
        quiet::recv(comm, partner, WILL_WORK, &mut []);
        quiet::send(comm, partner, MESSAGE, &message);
        start.elapsed() < delay
    } else {
        quiet::recv(comm, partner, ABOUT_TO_SEND, &mut []);
        // What comes while it is in a call of MPI may be taken there.
        quiet::send(comm, partner, WILL_WORK, &[]);
        std::thread::sleep(delay);
        quiet::recv(comm, partner, MESSAGE, &mut message);
        true
    };
    quiet::everywhere(comm, held)
}
