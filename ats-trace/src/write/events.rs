//! Encoding the events of one location into the chunks of its file.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};

use ats_model::Event;
use ats_model::event::{TaskId, TeamRef};

use super::encode::{MAX_EVENT_BYTES, Room};
use crate::ChunkSize;
use crate::format::{CHUNK_HEADER_BYTES, PARADIGM_OPENMP, TEAM_IDS, event, token};

/// Bytes that a chunk must have left for its end.
const END_BYTES: usize = 2;

/// Where a chunk's header holds the number of its last event.
const LAST_EVENT_AT: u64 = 10;

/// The event file of a location, of which the part not yet drained is in memory.
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
        }
    }

    /// With room for a whole chunk from the beginning, so that no event has to wait for memory to be copied.
    pub(super) fn with_whole_chunk(chunk_size: ChunkSize) -> Self {
        EventEncoder { buffer: vec![0; chunk_size.bytes() + MAX_EVENT_BYTES], ..Self::new(chunk_size) }
    }

    /// Bytes in memory.
    #[inline(always)]
    pub(super) fn buffered(&self) -> usize {
        self.filled
    }

    /// How many events there were.
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
        if self.filled >= self.limit {
            self.make_room(time);
        }
        let Some(room) = self.buffer.get_mut(self.filled..).and_then(<[u8]>::first_chunk_mut) else { return };
        let mut room = Room::new(room);
        if self.last_time != time || self.stamp {
            room.u8(token::TIMESTAMP);
            room.full_u64(time);
            self.last_time = time;
            self.stamp = false;
        }
        self.filled += encode(room, event);
        self.events += 1;
    }

    /// Makes room for an event in the buffer and in the chunk, or else in the next.
    #[cold]
    fn make_room(&mut self, time: u64) {
        if self.events == 0 {
            self.first_time = time;
        }
        let has_room =
            |this: &Self, chunk| this.in_chunk(chunk) + MAX_EVENT_BYTES + END_BYTES <= this.chunk_size;
        let chunk = match self.chunk {
            Some(chunk) if has_room(self, chunk) => chunk,
            _ => self.next_chunk(),
        };
        self.reserve(MAX_EVENT_BYTES);
        let left_in_chunk = self.chunk_size - self.in_chunk(chunk);
        let end = self.buffer.len().min(self.filled + left_in_chunk - END_BYTES);
        self.limit = end - MAX_EVENT_BYTES + 1;
    }

    /// How much of the chunk is filled.
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

    /// Fills what is left of the chunk with zeros, which mean its end, and begins the next.
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
    pub(super) fn has_drained(&self) -> bool {
        self.drained > 0
    }

    /// Moves what is in memory to the file; the memory is kept for what comes.
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

/// Encodes an event; how much of the room is filled then.
#[inline(always)]
fn encode(mut room: Room<'_>, event: &Event) -> usize {
    let out = &mut room;
    match *event {
        Event::Enter { region } => {
            out.u8(event::ENTER);
            out.u32(region.0);
        }
        Event::Leave { region } => {
            out.u8(event::LEAVE);
            out.u32(region.0);
        }
        Event::MpiSend { receiver, communicator, tag, bytes } => {
            out.record(event::MPI_SEND, |room| message(room, receiver, communicator.0, tag, bytes));
        }
        Event::MpiRecv { sender, communicator, tag, bytes } => {
            out.record(event::MPI_RECV, |room| message(room, sender, communicator.0, tag, bytes));
        }
        Event::MpiIsend { receiver, communicator, tag, bytes, request } => {
            out.record(event::MPI_ISEND, |room| {
                message(room, receiver, communicator.0, tag, bytes);
                room.u64(request);
            });
        }
        Event::MpiIrecv { sender, communicator, tag, bytes, request } => {
            out.record(event::MPI_IRECV, |room| {
                message(room, sender, communicator.0, tag, bytes);
                room.u64(request);
            });
        }
        Event::MpiIsendComplete { request } => lone(out, event::MPI_ISEND_COMPLETE, request),
        Event::MpiIrecvRequest { request } => lone(out, event::MPI_IRECV_REQUEST, request),
        Event::MpiRequestTest { request } => lone(out, event::MPI_REQUEST_TEST, request),
        Event::MpiRequestCancelled { request } => lone(out, event::MPI_REQUEST_CANCELLED, request),
        Event::MpiCollectiveBegin => out.record(event::MPI_COLLECTIVE_BEGIN, |_| {}),
        Event::MpiCollectiveEnd { operation, communicator, root, sent, received } => {
            out.record(event::MPI_COLLECTIVE_END, |room| {
                room.u8(operation as u8);
                room.u32(communicator.0);
                room.u32(root.unwrap_or(u32::MAX));
                room.u64(sent);
                room.u64(received);
            });
        }
        Event::ThreadFork { .. }
        | Event::ThreadJoin
        | Event::ThreadTeamBegin { .. }
        | Event::ThreadTeamEnd { .. }
        | Event::ThreadAcquireLock { .. }
        | Event::ThreadReleaseLock { .. }
        | Event::ThreadTaskCreate { .. }
        | Event::ThreadTaskSwitch { .. }
        | Event::ThreadTaskComplete { .. } => return encode_thread(room, event),
        // Left out before.
        Event::Other { .. } => {}
    }
    room.filled()
}

/// Rare events apart, so that the others are encoded in registers.
#[cold]
#[inline(never)]
fn encode_thread(mut room: Room<'_>, event: &Event) -> usize {
    let out = &mut room;
    match *event {
        Event::ThreadFork { requested } => out.record(event::THREAD_FORK, |room| {
            room.u8(PARADIGM_OPENMP);
            room.u32(requested);
        }),
        Event::ThreadJoin => out.record(event::THREAD_JOIN, |room| room.u8(PARADIGM_OPENMP)),
        Event::ThreadTeamBegin { team } => out.record(event::THREAD_TEAM_BEGIN, |room| team_id(room, team)),
        Event::ThreadTeamEnd { team } => out.record(event::THREAD_TEAM_END, |room| team_id(room, team)),
        Event::ThreadAcquireLock { lock: id, order } => lock(out, event::THREAD_ACQUIRE_LOCK, id, order),
        Event::ThreadReleaseLock { lock: id, order } => lock(out, event::THREAD_RELEASE_LOCK, id, order),
        Event::ThreadTaskCreate { team, task: id } => task(out, event::THREAD_TASK_CREATE, team, id),
        Event::ThreadTaskSwitch { team, task: id } => task(out, event::THREAD_TASK_SWITCH, team, id),
        Event::ThreadTaskComplete { team, task: id } => task(out, event::THREAD_TASK_COMPLETE, team, id),
        // Encoded by the caller.
        _ => {}
    }
    room.filled()
}

#[inline(always)]
fn team_id(room: &mut Room<'_>, team: TeamRef) {
    room.u32(TEAM_IDS | team.0);
}

#[inline(always)]
fn lock(room: &mut Room<'_>, record: u8, lock: u32, order: u32) {
    room.record(record, |room| {
        room.u8(PARADIGM_OPENMP);
        room.u32(lock);
        room.u32(order);
    });
}

#[inline(always)]
fn task(room: &mut Room<'_>, record: u8, team: TeamRef, task: TaskId) {
    room.record(record, |room| {
        team_id(room, team);
        room.u32(task.creator);
        room.u32(task.generation);
    });
}

#[inline(always)]
fn message(room: &mut Room<'_>, peer: u32, communicator: u32, tag: u32, bytes: u64) {
    room.u32(peer);
    room.u32(communicator);
    room.u32(tag);
    room.u64(bytes);
}

/// A lone compressed field has no length before it.
#[inline(always)]
fn lone(room: &mut Room<'_>, record: u8, field: u64) {
    room.u8(record);
    room.u64(field);
}
