//! Events that are taken in the order in which they were put.

use ats_model::Event;

use super::form::{MOST, Rest, Room, pack, unpack};

/// Events of a location, packed, with times of any size and order.
///
/// ```
/// use ats_model::{Event, event::RegionRef};
/// use ats_trace::packed::Queue;
///
/// let mut queue = Queue::default();
/// queue.push(u64::MAX, Event::Enter { region: RegionRef(1) });
/// assert_eq!(queue.pop(), Some((u64::MAX, Event::Enter { region: RegionRef(1) })));
/// assert_eq!(queue.pop(), None);
/// ```
#[derive(Debug, Default)]
pub struct Queue {
    bytes: Vec<u8>,
    used: usize,
    taken: usize,
    events: usize,
    /// The times of the event that was put last, and of the one that was taken last.
    last: u64,
    time: u64,
}

impl Queue {
    /// Puts an event behind the others.
    pub fn push(&mut self, time: u64, event: Event) {
        self.bytes.resize(self.used + 2 * MOST, 0);
        let mut room = Room::new(&mut self.bytes[self.used..]);
        room.long(time.wrapping_sub(self.last));
        self.used += room.used;
        let mut room = Room::new(&mut self.bytes[self.used..]);
        pack(0, event, &mut room);
        self.used += room.used;
        self.events += 1;
        self.last = time;
    }

    /// Takes the first of the events; `None` if there is none.
    pub fn pop(&mut self) -> Option<(u64, Event)> {
        self.events = self.events.checked_sub(1)?;
        let mut rest = Rest(&self.bytes[self.taken..]);
        self.time = self.time.wrapping_add(rest.number());
        let (_, event) = unpack(&mut rest);
        self.taken = self.bytes.len() - rest.0.len();
        if self.events == 0 {
            (self.used, self.taken) = (0, 0);
        }
        Some((self.time, event))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::made_up::events_of_all_rows;

    #[test]
    fn every_row_is_taken_as_it_was_put() {
        let mut queue = Queue::default();
        let times = [0, u64::MAX, 5, 1 << 60, 1 << 60, 17];
        for _ in 0..2 {
            let events = || events_of_all_rows().into_iter().zip(times.into_iter().cycle());
            events().for_each(|(event, time)| queue.push(time, event));
            events().for_each(|(event, time)| assert_eq!(queue.pop(), Some((time, event))));
            assert_eq!(queue.pop(), None);
        }
    }
}
