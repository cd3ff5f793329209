//! Events packed into bytes: a tenth of what they take as they are.
//!
//! Memory is the dearest part of an event. The machine hands it out page by page, and where it is a virtual one whose
//! host has to find a page first, each costs 10 µs.

use ats_model::Event;

use crate::packed::{self, MOST, Rest, Room};

/// An event with its raw time stamp.
pub(crate) type Stamped = (u64, Event);

/// Bytes of a chunk.
const CAPACITY: usize = 256 << 10;

/// Some events of a thread, in order.
#[derive(Debug)]
pub(crate) struct Chunk {
    bytes: Box<[u8]>,
    used: usize,
    events: usize,
    last_ticks: u64,
}

impl Chunk {
    /// What an empty one takes.
    pub(crate) const BYTES: usize = CAPACITY;

    /// An empty one, whose pages are touched, so that no event pays for them.
    pub(crate) fn new() -> Self {
        const PAGE: usize = 4096;
        let mut bytes = vec![0; CAPACITY].into_boxed_slice();
        bytes.iter_mut().step_by(PAGE).for_each(|byte| *std::hint::black_box(byte) = 1);
        Chunk { bytes, used: 0, events: 0, last_ticks: 0 }
    }

    /// Whether there is no room for one more event.
    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.used > CAPACITY - MOST
    }

    /// Appends an event; the chunk is not full.
    #[inline]
    pub(crate) fn push(&mut self, ticks: u64, event: Event) {
        let mut room = Room::of(&mut self.bytes[self.used..]);
        packed::pack(ticks.wrapping_sub(self.last_ticks) as i64, event, &mut room);
        self.used += room.used;
        self.events += 1;
        self.last_ticks = ticks;
    }

    /// How many events there are.
    pub(crate) fn len(&self) -> usize {
        self.events
    }

    /// The events.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Stamped> {
        let mut rest = Rest(&self.bytes);
        let mut ticks = 0_u64;
        (0..self.events).map(move |_| {
            let (since, event) = packed::unpack(&mut rest);
            ticks = ticks.wrapping_add_signed(since);
            (ticks, event)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ats_model::event::{CollectiveOperation, CommunicatorRef, RegionRef};

    #[test]
    fn the_largest_events_fit_and_times_may_go_back() {
        let events = [
            (u64::MAX, Event::Enter { region: RegionRef(u32::MAX) }),
            (
                0,
                Event::MpiIrecv {
                    sender: u32::MAX,
                    communicator: CommunicatorRef(u32::MAX),
                    tag: u32::MAX,
                    bytes: u64::MAX,
                    request: u64::MAX,
                },
            ),
            (
                u64::MAX >> 6,
                Event::MpiCollectiveEnd {
                    operation: CollectiveOperation::Other,
                    communicator: CommunicatorRef(u32::MAX),
                    root: Some(u32::MAX),
                    sent: u64::MAX,
                    received: u64::MAX,
                },
            ),
        ];
        let mut chunk = Chunk::new();
        for (ticks, event) in events {
            let before = chunk.used;
            chunk.push(ticks, event);
            assert!(chunk.used - before <= MOST);
        }
        assert_eq!((chunk.iter().collect::<Vec<_>>(), chunk.len()), (events.to_vec(), 3));
    }

    #[test]
    fn a_call_takes_few_bytes() {
        let mut chunk = Chunk::new();
        for call in 0..1000 {
            chunk.push(1_000_000 + call * 200, Event::Enter { region: RegionRef(20) });
            chunk.push(1_000_100 + call * 200, Event::Leave { region: RegionRef(20) });
        }
        assert!(chunk.used <= 4 * chunk.len() + 8, "{} bytes", chunk.used);
    }
}
