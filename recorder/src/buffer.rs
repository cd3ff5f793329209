//! Where events are kept until they are written: per thread, in chunks, with raw time stamps.
//!
//! An event costs a clock reading and a store. A new chunk is touched before it is used, so that no event pays for the
//! page faults of its neighbours.

use std::cell::OnceCell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use ats_model::Event;
use ats_model::event::RegionRef;

use crate::clock::{self, Calibration};

/// Events of a chunk: less than 1 MiB of them.
const CHUNK_EVENTS: usize = 1 << 14;

/// An event with its raw time stamp.
pub(crate) type Stamped = (u64, Event);

/// The events of a thread.
#[derive(Debug)]
pub(crate) struct Buffer {
    /// Number of the thread in its process; the one that was first is 0.
    pub(crate) thread: u32,
    full: Vec<Chunk>,
    current: Vec<Stamped>,
    /// Both clocks when the current chunk was begun.
    begun: Calibration,
    /// Regions that were entered and not left yet.
    open: Vec<RegionRef>,
    /// Events that were taken away.
    taken: u64,
}

/// Events between two calibrations.
#[derive(Debug)]
pub(crate) struct Chunk {
    events: Vec<Stamped>,
    begun: Calibration,
    ended: Calibration,
}

impl Chunk {
    /// The events with their time in nanoseconds of the monotonic clock.
    pub(crate) fn events(&self) -> impl Iterator<Item = (u64, &Event)> {
        self.events.iter().map(|(ticks, event)| (self.begun.ns(self.ended, *ticks), event))
    }
}

impl Buffer {
    fn new(thread: u32) -> Self {
        Buffer {
            thread,
            full: Vec::new(),
            current: touched(),
            begun: Calibration::now(),
            open: Vec::new(),
            taken: 0,
        }
    }

    #[inline]
    fn push(&mut self, ticks: u64, event: Event) {
        if self.current.len() == CHUNK_EVENTS {
            self.next_chunk();
        }
        self.current.push((ticks, event));
    }

    #[cold]
    fn next_chunk(&mut self) {
        self.close_chunk();
        let bytes = BYTES.fetch_add(CHUNK_EVENTS * size_of::<Stamped>(), Ordering::Relaxed);
        if bytes >= LIMIT.load(Ordering::Relaxed) {
            FULL.store(true, Ordering::Relaxed);
        }
    }

    fn close_chunk(&mut self) {
        let ended = Calibration::now();
        let events = std::mem::replace(&mut self.current, touched());
        self.full.push(Chunk { events, begun: self.begun, ended });
        self.begun = ended;
    }

    /// Enters a region.
    #[inline]
    pub(crate) fn enter(&mut self, ticks: u64, region: RegionRef) {
        self.open.push(region);
        self.push(ticks, Event::Enter { region });
    }

    /// Leaves the region that was entered last.
    #[inline]
    pub(crate) fn leave(&mut self, ticks: u64) {
        if let Some(region) = self.open.pop() {
            self.push(ticks, Event::Leave { region });
        }
    }

    /// Leaves a region, and those that were entered in it and never left. Without such a region nothing happens.
    pub(crate) fn leave_region(&mut self, ticks: u64, region: RegionRef) {
        if self.open.contains(&region) {
            while self.open.last() != Some(&region) {
                self.leave(ticks);
            }
            self.leave(ticks);
        }
    }

    /// Leaves all regions.
    pub(crate) fn leave_all(&mut self) {
        let ticks = clock::now();
        while !self.open.is_empty() {
            self.leave(ticks);
        }
    }

    /// How many events there were.
    pub(crate) fn events(&self) -> u64 {
        let full: usize = self.full.iter().map(|chunk| chunk.events.len()).sum();
        self.taken + (full + self.current.len()) as u64
    }

    /// How many regions are open.
    pub(crate) fn depth(&self) -> u64 {
        self.open.len() as u64
    }

    /// Takes all events away.
    pub(crate) fn take(&mut self) -> Vec<Chunk> {
        self.taken = self.events();
        self.close_chunk();
        let bytes = (self.full.len() - 1) * CHUNK_EVENTS * size_of::<Stamped>();
        BYTES.fetch_sub(bytes, Ordering::Relaxed);
        std::mem::take(&mut self.full)
    }
}

/// Room for a chunk whose pages are there already.
fn touched() -> Vec<Stamped> {
    const EVENTS_OF_A_PAGE: usize = 4096 / size_of::<Stamped>();
    let mut room = Vec::with_capacity(CHUNK_EVENTS);
    for place in room.spare_capacity_mut().iter_mut().step_by(EVENTS_OF_A_PAGE) {
        place.write((0, Event::MpiCollectiveBegin));
    }
    room
}

static RECORDING: AtomicBool = AtomicBool::new(false);
/// Bytes of full chunks.
static BYTES: AtomicUsize = AtomicUsize::new(0);
static LIMIT: AtomicUsize = AtomicUsize::new(usize::MAX);
/// Whether more is kept than should be.
static FULL: AtomicBool = AtomicBool::new(false);
/// Of all threads; they stay when a thread ends.
static ALL: Mutex<Vec<&'static Mutex<Buffer>>> = Mutex::new(Vec::new());

thread_local! {
    static MINE: OnceCell<&'static Mutex<Buffer>> = const { OnceCell::new() };
}

/// Begins to record; when more than `limit` bytes are kept, [`is_full`] says so.
pub(crate) fn start(limit: usize) {
    LIMIT.store(limit, Ordering::Relaxed);
    RECORDING.store(true, Ordering::Release);
}

/// Ends recording. What was recorded stays.
pub(crate) fn stop() {
    RECORDING.store(false, Ordering::Release);
}

/// Whether the memory for events is used up, so that they should be written.
#[inline]
pub(crate) fn is_full() -> bool {
    FULL.load(Ordering::Relaxed)
}

/// Says that events were written.
pub(crate) fn written() {
    FULL.store(false, Ordering::Relaxed);
}

/// Hands this thread's buffer to `record`, unless nothing is recorded.
#[inline]
pub(crate) fn with(record: impl FnOnce(&mut Buffer)) {
    if !RECORDING.load(Ordering::Relaxed) {
        return;
    }
    MINE.with(|mine| record(&mut lock(mine.get_or_init(register))));
}

/// Appends an event.
#[inline]
pub(crate) fn push(ticks: u64, event: Event) {
    with(|buffer| buffer.push(ticks, event));
}

#[cold]
fn register() -> &'static Mutex<Buffer> {
    let mut all = lock(&ALL);
    let buffer: &Mutex<Buffer> = Box::leak(Box::new(Mutex::new(Buffer::new(all.len() as u32))));
    all.push(buffer);
    buffer
}

/// The buffers of all threads.
pub(crate) fn all() -> Vec<&'static Mutex<Buffer>> {
    lock(&ALL).clone()
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn buffer_of(events: u64) -> Buffer {
        let mut buffer = Buffer::new(0);
        for request in 0..events {
            buffer.push(clock::now(), Event::MpiIsendComplete { request });
        }
        buffer
    }

    #[test]
    fn events_come_back_in_order_across_chunks_with_rising_times() {
        let count = 2 * CHUNK_EVENTS as u64 + 5;
        let mut buffer = buffer_of(count);
        assert_eq!(buffer.events(), count);
        let chunks = buffer.take();
        assert_eq!(chunks.len(), 3);
        let events: Vec<_> = chunks.iter().flat_map(Chunk::events).collect();
        assert!(events.is_sorted_by_key(|(time, _)| *time));
        let requests = events.iter().map(|(_, event)| match event {
            Event::MpiIsendComplete { request } => *request,
            other => panic!("{other:?}"),
        });
        assert!(requests.eq(0..count));
        assert_eq!((buffer.events(), buffer.take().iter().flat_map(Chunk::events).count()), (count, 0));
    }

    #[test]
    fn leaving_a_region_leaves_what_was_entered_in_it() {
        let [outer, inner] = [RegionRef(1), RegionRef(2)];
        let mut buffer = Buffer::new(0);
        buffer.leave_region(0, outer);
        buffer.enter(1, outer);
        buffer.enter(2, inner);
        buffer.leave_region(3, outer);
        buffer.enter(4, inner);
        buffer.leave_all();
        let events: Vec<Event> = buffer.take()[0].events().map(|(_, event)| *event).collect();
        let (enter, leave) = (|region| Event::Enter { region }, |region| Event::Leave { region });
        assert_eq!(
            events,
            [enter(outer), enter(inner), leave(inner), leave(outer), enter(inner), leave(inner)]
        );
    }
}
