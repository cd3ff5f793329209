//! Chunks of events, as much as is moved at a time.

use ats_model::Event;

use super::form::{MOST, Rest, Room, pack, unpack};

/// Bytes of a chunk.
const CAPACITY: usize = 256 << 10;

/// Some events of a thread, in order. Their times may be of any clock, and go back.
#[derive(Debug)]
pub struct Chunk {
    bytes: Box<[u8]>,
    used: usize,
    events: usize,
    last_ticks: u64,
}

impl Chunk {
    /// The memory of an empty one.
    pub const BYTES: usize = CAPACITY;

    /// An empty one, whose pages are touched, so that no event pays for them.
    pub fn empty() -> Self {
        const PAGE: usize = 4096;
        let mut bytes = vec![0; CAPACITY].into_boxed_slice();
        bytes.iter_mut().step_by(PAGE).for_each(|byte| *std::hint::black_box(byte) = 1);
        Chunk { bytes, used: 0, events: 0, last_ticks: 0 }
    }

    /// Whether there is no room for one more event.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.used > CAPACITY - MOST
    }

    /// Appends an event.
    ///
    /// # Panics
    /// If the chunk is full.
    #[inline]
    pub fn push(&mut self, ticks: u64, event: Event) {
        let mut room = Room::new(&mut self.bytes[self.used..]);
        pack(ticks.wrapping_sub(self.last_ticks) as i64, event, &mut room);
        self.used += room.used;
        self.events += 1;
        self.last_ticks = ticks;
    }

    /// Removes an event, if it is here. Reads all of the chunk.
    pub fn take_back(&mut self, ticks: u64, event: Event) {
        let Some(at) = self.iter().position(|it| it == (ticks, event)) else { return };
        let behind: Vec<(u64, Event)> = self.iter().skip(at + 1).collect();
        let mut rest = Rest(&self.bytes);
        self.last_ticks = (0..at).fold(0, |ticks, _| ticks.wrapping_add_signed(unpack(&mut rest).0));
        (self.used, self.events) = (CAPACITY - rest.0.len(), at);
        // They need no more room than before.
        behind.into_iter().for_each(|(ticks, event)| self.push(ticks, event));
    }

    /// The number of events.
    pub fn len(&self) -> usize {
        self.events
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.events == 0
    }

    /// The time of the last event; 0 if there is none.
    pub fn last_ticks(&self) -> u64 {
        self.last_ticks
    }

    /// The events, with their times.
    pub fn iter(&self) -> impl Iterator<Item = (u64, Event)> {
        let mut rest = Rest(&self.bytes);
        let mut ticks = 0_u64;
        (0..self.events).map(move |_| {
            let (since, event) = unpack(&mut rest);
            ticks = ticks.wrapping_add_signed(since);
            (ticks, event)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::made_up::events_of_all_rows;
    use ats_model::event::{CollectiveOperation, CommunicatorRef, Record, RegionRef};

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
        let mut chunk = Chunk::empty();
        for (ticks, event) in events {
            let before = chunk.used;
            chunk.push(ticks, event);
            assert!(chunk.used - before <= MOST);
        }
        assert_eq!((chunk.iter().collect::<Vec<_>>(), chunk.len()), (events.to_vec(), 3));
    }

    #[test]
    fn an_event_is_taken_back_wherever_it_is_and_those_around_it_stay() {
        let enter = |region| Event::Enter { region: RegionRef(region) };
        let mut chunk = Chunk::empty();
        chunk.take_back(0, enter(0));
        chunk.push(1_000_000, enter(1));
        chunk.push(3_000_000, Event::MpiCollectiveBegin);
        chunk.take_back(1_000_000, enter(2));
        chunk.take_back(3_000_001, Event::MpiCollectiveBegin);
        assert_eq!(chunk.len(), 2);
        let used = chunk.used;
        chunk.take_back(3_000_000, Event::MpiCollectiveBegin);
        assert!(chunk.used < used);
        chunk.push(4_000_000, enter(2));
        chunk.push(6_000_000, Event::MpiCollectiveBegin);
        chunk.push(5_000_000, enter(3));
        let all = [(1_000_000, enter(1)), (4_000_000, enter(2)), (5_000_000, enter(3))];
        chunk.take_back(6_000_000, Event::MpiCollectiveBegin);
        assert_eq!(chunk.iter().collect::<Vec<_>>(), all);
        chunk.take_back(1_000_000, enter(1));
        assert_eq!(chunk.iter().collect::<Vec<_>>(), all[1..]);
        chunk.push(7_000_000, enter(4));
        assert_eq!((chunk.iter().last(), chunk.len()), (Some((7_000_000, enter(4))), 3));
    }

    #[test]
    fn a_full_chunk_has_room_for_what_stays() {
        let mut chunk = Chunk::empty();
        chunk.push(u64::MAX >> 7, Event::MpiCollectiveBegin);
        while !chunk.is_full() {
            chunk.push(3 * chunk.len() as u64, Event::Enter { region: RegionRef(chunk.len() as u32) });
        }
        let behind: Vec<_> = chunk.iter().skip(1).collect();
        chunk.take_back(u64::MAX >> 7, Event::MpiCollectiveBegin);
        assert!(chunk.iter().eq(behind));
    }

    #[test]
    fn every_row_comes_back() {
        let mut events = events_of_all_rows();
        events.push(Event::Other { record: Record::RMA_PUT });
        let mut chunk = Chunk::empty();
        for (ticks, &event) in events.iter().enumerate() {
            let before = chunk.used;
            chunk.push(1_000 * ticks as u64, event);
            assert!(chunk.used - before <= MOST, "{event:?}");
        }
        assert!(chunk.iter().map(|(_, event)| event).eq(events));
    }

    #[test]
    fn a_call_takes_few_bytes() {
        let mut chunk = Chunk::empty();
        for call in 0..1000 {
            chunk.push(1_000_000 + call * 200, Event::Enter { region: RegionRef(20) });
            chunk.push(1_000_100 + call * 200, Event::Leave { region: RegionRef(20) });
        }
        assert!(chunk.used <= 4 * chunk.len() + 8, "{} bytes", chunk.used);
    }
}
