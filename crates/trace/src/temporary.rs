//! A trace that is written to be read once: in memory, and in a temporary file that no folder lists when it is large.

use std::path::Path;

use ats_model::{Definitions, Event, EventSource};
use ats_store::{Block, Store};

use crate::TraceError;
use crate::packed::form::{MOST, Rest, Room, pack, unpack};

/// Ticks between two events of a part that are too many to be packed.
const MOST_TICKS: u64 = 1 << 57;

/// A trace whose events are packed. It takes 32 MiB of memory at most, beside its definitions.
///
/// ```
/// use ats_model::{Event, EventSource, event::RegionRef};
/// use ats_trace::TemporaryTrace;
///
/// let mut trace = TemporaryTrace::new(2, None);
/// trace.push(1, 1_000, Event::Enter { region: RegionRef(0) })?;
/// let mut times = Vec::new();
/// trace.read_location(1, |time, _| times.push(time))?;
/// assert_eq!(times, [1_000]);
/// # Ok::<(), ats_trace::TraceError>(())
/// ```
#[derive(Debug)]
pub struct TemporaryTrace {
    definitions: Definitions,
    store: Store,
    locations: Vec<Location>,
}

#[derive(Debug, Default)]
struct Location {
    parts: Vec<(Block, Part)>,
    /// The events behind them.
    open: Part,
    bytes: Vec<u8>,
}

/// Packed events, the first of them at its begin.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    events: usize,
    used: usize,
    begin: u64,
    last: u64,
}

impl Part {
    fn visit(self, bytes: &[u8], mut visit: impl FnMut(u64, Event)) {
        let (mut rest, mut time) = (Rest(bytes), self.begin);
        for _ in 0..self.events {
            let (since, event) = unpack(&mut rest);
            time = time.wrapping_add_signed(since);
            visit(time, event);
        }
    }
}

impl TemporaryTrace {
    /// An empty trace of so many locations; its file is in `folder`, by default where the system has such files.
    pub fn new(locations: usize, folder: Option<&Path>) -> Self {
        TemporaryTrace {
            definitions: Definitions::default(),
            store: Store::new(locations, folder),
            locations: (0..locations).map(|_| Location::default()).collect(),
        }
    }

    /// Appends an event to a location, with its time in ticks of the definitions' clock.
    ///
    /// # Errors
    /// The temporary file cannot be written.
    ///
    /// # Panics
    /// If there is no such location.
    pub fn push(&mut self, location: usize, time: u64, event: Event) -> Result<(), TraceError> {
        let Location { parts, open, bytes } = &mut self.locations[location];
        let is_full = open.used + MOST > self.store.block_size();
        if is_full || open.events > 0 && time.abs_diff(open.last) >= MOST_TICKS {
            let kept = self.store.keep(&bytes[..open.used]);
            let block = kept.map_err(|error| TraceError::io("write to", self.store.folder(), error))?;
            parts.push((block, std::mem::take(open)));
        }
        if open.events == 0 {
            (open.begin, open.last) = (time, time);
        }
        bytes.resize(open.used + MOST, 0);
        let mut room = Room::new(&mut bytes[open.used..]);
        pack(time.wrapping_sub(open.last) as i64, event, &mut room);
        open.used += room.used;
        open.events += 1;
        open.last = time;
        Ok(())
    }

    /// Gives it the definitions that its events refer to.
    pub fn define(&mut self, definitions: Definitions) {
        self.definitions = definitions;
    }
}

impl EventSource for TemporaryTrace {
    type Error = TraceError;

    fn definitions(&self) -> &Definitions {
        &self.definitions
    }

    fn read_location(&self, index: usize, mut visit: impl FnMut(u64, Event)) -> Result<(), TraceError> {
        let mut part = 0;
        while self.read_part(index, part, &mut visit)? {
            part += 1;
        }
        Ok(())
    }

    fn read_part(
        &self,
        index: usize,
        part: usize,
        visit: impl FnMut(u64, Event),
    ) -> Result<bool, TraceError> {
        let Location { parts, open, bytes } = &self.locations[index];
        let Some(&(block, of_part)) = parts.get(part) else {
            open.visit(bytes, visit);
            return Ok(false);
        };
        // Events are unpacked with bytes beyond their ends.
        let mut read = vec![0; of_part.used + MOST];
        let kept = self.store.read(block, &mut read[..of_part.used]);
        kept.map_err(|error| TraceError::io("read from", self.store.folder(), error))?;
        of_part.visit(&read, visit);
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::made_up::events_of_all_rows;

    #[test]
    fn every_row_comes_back_from_memory_and_from_the_file() {
        let rows = events_of_all_rows();
        let mut trace = TemporaryTrace::new(3, None);
        // More than 16 MiB of blocks, and gaps that cannot be packed.
        let events = |location: usize| {
            let rounds = if location == 0 { 20_000 } else { 30 * location };
            let rows = (0..rounds).flat_map(|_| &rows).enumerate();
            let time = move |at: usize| (at as u64) << 36 | if at > 40 { 1 << 60 } else { 0 };
            rows.map(move |(at, &event)| (time(at), event))
        };
        for location in 0..3 {
            events(location).for_each(|(time, event)| trace.push(location, time, event).unwrap());
        }
        for location in 0..3 {
            let mut expected = events(location);
            trace
                .read_location(location, |time, event| assert_eq!(Some((time, event)), expected.next()))
                .unwrap();
            assert_eq!(expected.next(), None);
        }
        assert!(trace.locations[0].parts.len() > (16 << 20) / trace.store.block_size());
    }
}
