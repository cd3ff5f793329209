//! Encoding the events of one location into the chunks of its file.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};

use ats_model::Event;
use ats_model::record::{Common, Rare};

use super::encode::{MAX_EVENT_BYTES, Room};
use crate::ChunkSize;
use crate::format::{CHUNK_HEADER_BYTES, token};

/// Bytes that a chunk must have left for its end.
const END_BYTES: usize = 2;

/// Room for the attributes of an event behind the first of them, and for the event.
const LIST_BYTES: usize = 4 * MAX_EVENT_BYTES;

/// The position in a chunk's header of the number of its last event.
const LAST_EVENT_AT: u64 = 10;

/// The event file of a location; the part not yet drained is in memory.
///
/// The buffer grows by need, so that many locations with few events take little. [`EventEncoder::drain`] may be called at
/// any time, also in the middle of a chunk; the number of the chunk's last event is then written when it is known.
pub(super) struct EventEncoder {
    /// Bytes at `drained..` of the file; the first `filled` of them are meant.
    buffer: Vec<u8>,
    filled: usize,
    /// An event may begin here at the latest: both buffer and chunk have room for it then.
    limit: usize,
    drained: u64,
    chunk_size: usize,
    /// First byte of the current chunk in the file; none before the first event.
    chunk: Option<u64>,
    /// Headers that were drained before their chunk was full: where in the file, and the number of the last event.
    late_headers: Vec<(u64, u64)>,
    events: u64,
    first_time: u64,
    last_time: u64,
    /// The next event needs a time stamp, whatever its time.
    stamp: bool,
    /// The next event belongs to attributes that were written, in one chunk with them: a reader may begin with any chunk.
    has_attributes: bool,
}

impl EventEncoder {
    pub(super) fn new(chunk_size: ChunkSize) -> Self {
        EventEncoder {
            buffer: Vec::new(),
            filled: 0,
            limit: 0,
            drained: 0,
            chunk_size: chunk_size.bytes(),
            chunk: None,
            late_headers: Vec::new(),
            events: 0,
            first_time: 0,
            last_time: 0,
            stamp: true,
            has_attributes: false,
        }
    }

    /// With room for a whole chunk from the beginning, so that no event has to wait for memory to be copied.
    pub(super) fn with_whole_chunk(chunk_size: ChunkSize) -> Self {
        EventEncoder { buffer: vec![0; chunk_size.bytes() + MAX_EVENT_BYTES], ..Self::new(chunk_size) }
    }

    /// The same position in the same file, for other events instead. Memory must be empty.
    pub(super) fn without_memory(&self) -> Self {
        EventEncoder { buffer: Vec::new(), late_headers: Vec::new(), ..*self }
    }

    /// Bytes in the file.
    pub(super) fn drained(&self) -> u64 {
        self.drained
    }

    /// Bytes in memory.
    #[inline(always)]
    pub(super) fn buffered(&self) -> usize {
        self.filled
    }

    /// The number of events.
    pub(super) fn events(&self) -> u64 {
        self.events
    }

    /// The time stamps of the first and the last event.
    pub(super) fn times(&self) -> Option<(u64, u64)> {
        (self.events > 0).then_some((self.first_time, self.last_time))
    }

    /// Appends an event. [`Event::Other`] is left out: its body is not known.
    #[inline]
    pub(super) fn event(&mut self, time: u64, event: &Event) {
        if let Event::Other { .. } = event {
            return;
        }
        let is_attribute = matches!(event, Event::Attribute { .. });
        let list = if is_attribute && !self.has_attributes { LIST_BYTES } else { 0 };
        if self.filled + list >= self.limit {
            self.make_room(time, list);
        }
        self.has_attributes = is_attribute;
        let Some(room) = self.buffer.get_mut(self.filled..).and_then(<[u8]>::first_chunk_mut) else { return };
        let mut room = Room::new(room);
        if self.last_time != time || self.stamp {
            room.time_stamp(time);
            self.last_time = time;
            self.stamp = false;
        }
        let (filled, events) = encode(room, event);
        self.filled += filled;
        self.events += events;
    }

    /// Makes room for an event and so many bytes more in the buffer and in the chunk, or else in the next.
    #[cold]
    fn make_room(&mut self, time: u64, more: usize) {
        if self.chunk.is_none() {
            self.first_time = time;
        }
        let has_room =
            |this: &Self, chunk| this.in_chunk(chunk) + MAX_EVENT_BYTES + more + END_BYTES <= this.chunk_size;
        let chunk = match self.chunk {
            Some(chunk) if has_room(self, chunk) => chunk,
            _ => self.next_chunk(),
        };
        self.reserve(MAX_EVENT_BYTES + more);
        let left_in_chunk = self.chunk_size - self.in_chunk(chunk);
        let end = self.buffer.len().min(self.filled + left_in_chunk - END_BYTES);
        self.limit = end - MAX_EVENT_BYTES + 1;
    }

    /// The number of filled bytes of the chunk.
    fn in_chunk(&self, chunk: u64) -> usize {
        (self.drained + self.filled as u64 - chunk) as usize
    }

    fn reserve(&mut self, bytes: usize) {
        let needed = self.filled + bytes;
        if self.buffer.len() < needed {
            self.buffer.resize(needed.max(2 * self.buffer.len()).max(256), 0);
        }
    }

    fn push(&mut self, bytes: &[u8]) {
        self.reserve(bytes.len());
        self.buffer[self.filled..self.filled + bytes.len()].copy_from_slice(bytes);
        self.filled += bytes.len();
    }

    /// Fills the rest of the chunk with zeros, which mean its end, and begins the next.
    fn next_chunk(&mut self) -> u64 {
        if let Some(full) = self.chunk {
            let left = self.chunk_size - self.in_chunk(full);
            self.reserve(left);
            self.buffer[self.filled..self.filled + left].fill(token::END_OF_CHUNK);
            self.filled += left;
            self.complete_header(full);
        }
        let chunk = self.drained + self.filled as u64;
        let mut header = [0; CHUNK_HEADER_BYTES];
        header[..2].copy_from_slice(&[token::CHUNK_HEADER, token::LITTLE_ENDIAN]);
        header[2..10].copy_from_slice(&(self.events + 1).to_le_bytes());
        header[10..].copy_from_slice(&self.events.to_le_bytes());
        self.push(&header);
        self.chunk = Some(chunk);
        self.stamp = true;
        chunk
    }

    /// Sets the number of the chunk's last event, here or, where the header is drained already, later.
    fn complete_header(&mut self, chunk: u64) {
        let place = chunk + LAST_EVENT_AT;
        match place.checked_sub(self.drained) {
            Some(at) => {
                let at = at as usize;
                self.buffer[at..at + 8].copy_from_slice(&self.events.to_le_bytes());
            }
            None => self.late_headers.push((place, self.events)),
        }
    }

    /// Ends the file.
    pub(super) fn end(&mut self) {
        let chunk = self.chunk.unwrap_or_else(|| self.next_chunk());
        self.complete_header(chunk);
        self.push(&[token::END_OF_FILE, token::END_OF_BUFFER]);
    }

    /// Whether something is in its file already.
    #[cfg(feature = "archives")]
    pub(super) fn has_drained(&self) -> bool {
        self.drained() > 0
    }

    /// Moves the events in memory to the file; the memory is kept for further ones.
    pub(super) fn drain(&mut self, mut file: &File) -> io::Result<()> {
        file.seek(SeekFrom::Start(self.drained))?;
        file.write_all(&self.buffer[..self.filled])?;
        self.drained += self.filled as u64;
        self.filled = 0;
        self.limit = 0;
        for (place, last_event) in self.late_headers.drain(..) {
            file.seek(SeekFrom::Start(place))?;
            file.write_all(&last_event.to_le_bytes())?;
        }
        Ok(())
    }
}

/// Encodes an event; how much of the room is filled then, and how many events it counts as.
#[inline(always)]
fn encode(mut room: Room<'_>, event: &Event) -> (usize, u64) {
    let before = room.filled();
    event.write::<Common, _>(&mut room);
    if room.filled() > before { (room.filled(), 1) } else { encode_rare(room, event) }
}

/// Rare events apart, so that the others are encoded in registers.
#[cold]
#[inline(never)]
fn encode_rare(mut room: Room<'_>, event: &Event) -> (usize, u64) {
    event.write::<Rare, _>(&mut room);
    (room.filled(), u64::from(!matches!(event, Event::Attribute { .. })))
}

/// An event alone.
#[cfg(test)]
pub(crate) fn encoded(event: &Event) -> Vec<u8> {
    let mut bytes = [0; MAX_EVENT_BYTES];
    let (filled, _) = encode(Room::new(&mut bytes), event);
    bytes[..filled].to_vec()
}
