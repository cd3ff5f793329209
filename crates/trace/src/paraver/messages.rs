//! Messages find their calls. The trace has pairs of a send and a receive with four times, and says of neither which call it is.

use ats_model::Event;
use ats_model::event::CommunicatorRef;

use super::thread::{Call, Thread};

/// A message between locations.
pub(super) struct Message {
    pub(super) sender: usize,
    pub(super) receiver: usize,
    /// Ranks in the world.
    pub(super) ranks: (u32, u32),
    pub(super) sent: u64,
    pub(super) posted: u64,
    pub(super) received: u64,
    pub(super) bytes: u64,
    pub(super) tag: u32,
}

/// Facts about messages that the trace does not have.
#[derive(Default)]
pub(super) struct Untold {
    /// Messages that begin or end outside every call.
    pub(super) outside: usize,
    /// Messages whose sends were started by calls that do not wait for them.
    pub(super) started: usize,
}

/// An event that goes between those of a thread.
struct Insert {
    before: usize,
    time: u64,
    event: Event,
}

/// Puts the events of messages into their threads. The communicator of a message is not in the trace: `world` stands for all.
pub(super) fn put_into(threads: &mut [Thread], messages: &[Message], world: CommunicatorRef) -> Untold {
    let mut untold = Untold::default();
    let mut inserts: Vec<Vec<Insert>> = threads.iter().map(|_| Vec::new()).collect();
    for (number, message) in messages.iter().enumerate() {
        let (Some(send), Some(receive)) = (
            threads[message.sender].call_begun(message.sent),
            threads[message.receiver].call_ending(message.received),
        ) else {
            untold.outside += 1;
            continue;
        };
        let request = 2 * number as u64;
        let Some(received) = received(message, &threads[message.receiver], receive, request + 1, world)
        else {
            untold.outside += 1;
            continue;
        };
        untold.started += usize::from(send.known.starts_send());
        inserts[message.sender].push(sent(message, send, request, world));
        inserts[message.receiver].extend(received);
    }
    for (thread, inserts) in threads.iter_mut().zip(inserts) {
        merge(&mut thread.events, inserts);
    }
    untold
}

/// The beginning of a message, in the call that sends it.
fn sent(message: &Message, call: &Call, request: u64, communicator: CommunicatorRef) -> Insert {
    let &Message { ranks: (_, receiver), tag, bytes, .. } = message;
    let event = if call.known.starts_send() {
        Event::MpiIsend { receiver, communicator, tag, bytes, request }
    } else {
        Event::MpiSend { receiver, communicator, tag, bytes }
    };
    Insert { before: call.begin + 1, time: message.sent, event }
}

/// The end of a message, in the call that it ends in, and its beginning, where that is in another one.
fn received(
    message: &Message,
    thread: &Thread,
    call: &Call,
    request: u64,
    communicator: CommunicatorRef,
) -> Option<Vec<Insert>> {
    let &Message { ranks: (sender, _), posted, received, tag, bytes, .. } = message;
    let end = |event| Insert { before: call.end, time: received, event };
    if call.enter <= posted {
        return Some(vec![end(Event::MpiRecv { sender, communicator, tag, bytes })]);
    }
    // A receive that is only started has the time when that was done.
    let started = thread.call_ending(posted)?;
    let request_event = Event::MpiIrecvRequest { request };
    Some(vec![
        Insert { before: started.end, time: posted, event: request_event },
        end(Event::MpiIrecv { sender, communicator, tag, bytes, request }),
    ])
}

/// Puts the inserts where they belong.
fn merge(events: &mut Vec<(u64, Event)>, mut inserts: Vec<Insert>) {
    inserts.sort_by_key(|insert| (insert.before, insert.time));
    let mut inserts = inserts.into_iter().peekable();
    let mut merged = Vec::with_capacity(events.len() + inserts.len());
    for (index, event) in std::mem::take(events).into_iter().enumerate() {
        while let Some(insert) = inserts.next_if(|insert| insert.before <= index) {
            merged.push((insert.time, insert.event));
        }
        merged.push(event);
    }
    merged.extend(inserts.map(|insert| (insert.time, insert.event)));
    *events = merged;
}
