//! Probes, and the receives of messages that matched probes have taken away.

use ats_mpi::{Matched, Source, Status, Tag};

use crate::kernel::time::Picoseconds;
use crate::mpi::call::{self, Frame};
use crate::mpi::operation::Received;
use crate::program::requests;
use crate::world::{in_order, in_order_at, kernel, mpi, pause};

/// Waits in a call for a message of a group, and leaves it where it is.
pub(crate) fn probe(frame: &Frame, group: u32, from: Source, tag: Tag) -> Status {
    let (sent, status) = await_message(group, from, tag);
    mpi(|mpi, kernel| call::leave_probe(mpi, kernel, frame, sent, group, status));
    status
}

/// The same, and takes the message away.
pub(crate) fn mprobe(frame: &Frame, group: u32, from: Source, tag: Tag) -> Matched {
    let status = probe(frame, group, from, tag);
    let (from, tag) = (Source::Rank(status.source), Tag::Is(status.tag));
    let handle = mpi(|mpi, kernel| mpi.here(kernel).mailbox.take_away(group, from, tag));
    Matched { status, handle }
}

/// Receives the message of a handle in a call that has kept the operation of this number.
pub(crate) fn receive(frame: &Frame, number: u32, handle: u64) -> Received {
    if mpi(|mpi, kernel| mpi.starts_in_order(kernel)) {
        in_order();
    }
    let failed = mpi(|mpi, kernel| {
        mpi.start_mrecv(kernel, number, handle);
        kernel.failure.is_some()
    });
    if failed {
        pause();
    }
    requests::await_all(&[number]);
    mpi(|mpi, kernel| mpi.finish_one(kernel, frame, number, None))
}

/// Looks whether a message can be received now; if not, that takes the time of a poll.
pub(crate) fn look(group: u32, from: Source, tag: Tag) -> Option<Status> {
    let now = in_order();
    let there = mpi(|mpi, kernel| mpi.here(kernel).mailbox.probe(group, from, tag));
    let there = there.filter(|message| message.arrives <= now);
    if there.is_none() {
        kernel(|kernel| kernel.poll());
    }
    there.map(|message| Status { source: message.source as usize, tag: message.tag, bytes: message.bytes })
}

/// Waits until a message can be received; returns when it was sent.
pub(crate) fn await_message(group: u32, from: Source, tag: Tag) -> (Picoseconds, Status) {
    loop {
        let now = in_order();
        match mpi(|mpi, kernel| mpi.here(kernel).mailbox.probe(group, from, tag)) {
            Some(message) if message.arrives <= now => {
                let (source, tag, bytes) = (message.source as usize, message.tag, message.bytes);
                return (message.sent, Status { source, tag, bytes });
            }
            Some(message) => kernel(|kernel| kernel.advance_to(message.arrives)),
            None if kernel(|kernel| kernel.is_over) => return (now, Status::default()),
            None => {
                mpi(|mpi, kernel| mpi.here(kernel).probing.push(kernel.number()));
                pause();
            }
        }
    }
}

/// Waits until the first message of these sources and tags has come and nothing earlier can happen; returns the index of
/// its source. Of messages that come at once, it is the one that is named first. The clock does not change.
pub(crate) fn await_first(group: u32, wanted: &[(Source, Tag)]) -> usize {
    let mut reached = 0;
    loop {
        let first = mpi(|mpi, kernel| {
            let mailbox = &mpi.here(kernel).mailbox;
            let arrival = |&(from, tag)| Some(mailbox.probe(group, from, tag)?.arrives);
            let arrivals = wanted.iter().enumerate();
            arrivals.filter_map(|(at, wanted)| Some((arrival(wanted)?, at))).min()
        });
        match first {
            Some((arrives, at)) if arrives <= reached => return at,
            Some((arrives, _)) => {
                reached = arrives.max(kernel(|kernel| kernel.now()));
                in_order_at(reached);
            }
            None if kernel(|kernel| kernel.is_over) => return 0,
            None => {
                mpi(|mpi, kernel| mpi.here(kernel).probing.push(kernel.number()));
                pause();
            }
        }
    }
}
