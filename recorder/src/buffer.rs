//! Where events are kept until they are written: per thread, in chunks, with raw time stamps.
//!
//! An event costs a clock reading and some stores.

use std::cell::OnceCell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use ats_model::Event;
use ats_model::event::{RegionRef, TeamRef};
use ats_model::openmp::Construct;
use spin::Yield;
use spin::mutex::{SpinMutex, SpinMutexGuard};

use crate::chunk::Chunk;
use crate::openmp::Thread;
use crate::{clock, library};

/// What is held for moments only, and nearly always by one thread. Letting go is a plain store. A lock that others may
/// sleep at takes a locked instruction for that, which waits until all that was just recorded is in the cache: a third of
/// what a call cost.
pub(crate) type Shared<T> = SpinMutex<T, Yield>;
pub(crate) type Taken<T> = SpinMutexGuard<'static, T, Yield>;

/// The events of a thread.
#[derive(Debug)]
pub(crate) struct Buffer {
    /// Number of the thread in its process; the one that loaded the recorder is 0.
    pub(crate) thread: u32,
    full: Vec<Chunk>,
    current: Chunk,
    open: Vec<Open>,
    /// Events that were taken away.
    taken: u64,
    closed: bool,
    /// What it does in OpenMP.
    pub(crate) openmp: Thread,
}

/// What was begun and is not at its end yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Open {
    /// A call of MPI, or a region that the program marks.
    Region(RegionRef),
    Construct(Construct, RegionRef),
    /// A barrier of OpenMP, and what comes after it.
    Barrier(RegionRef, After),
    Fork,
    Team(TeamRef),
}

/// What comes after a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum After {
    Nothing,
    /// The end of the construct that it belongs to.
    Leave,
    /// The construct that it belongs to may have further barriers.
    MayLeave,
    /// The end of the team.
    TeamEnd,
}

impl Buffer {
    pub(crate) fn new(thread: u32) -> Self {
        Buffer {
            thread,
            full: Vec::new(),
            current: Chunk::new(),
            open: Vec::new(),
            taken: 0,
            closed: false,
            openmp: Thread::default(),
        }
    }

    #[inline]
    pub(crate) fn push(&mut self, ticks: u64, event: Event) {
        if self.current.is_full() {
            self.next_chunk();
        }
        self.current.push(ticks, event);
    }

    #[cold]
    fn next_chunk(&mut self) {
        clock::calibrate();
        self.close_chunk();
        let bytes = BYTES.fetch_add(Chunk::BYTES, Ordering::Relaxed);
        if bytes >= LIMIT.load(Ordering::Relaxed) {
            FULL.store(true, Ordering::Relaxed);
        }
    }

    fn close_chunk(&mut self) {
        self.full.push(std::mem::replace(&mut self.current, Chunk::new()));
    }

    /// Enters a region.
    #[inline]
    pub(crate) fn enter(&mut self, ticks: u64, region: RegionRef) {
        self.begin(ticks, Open::Region(region));
    }

    /// Begins something.
    #[inline]
    pub(crate) fn begin(&mut self, ticks: u64, open: Open) {
        self.open.push(open);
        match open {
            Open::Region(region) | Open::Construct(_, region) | Open::Barrier(region, _) => {
                self.push(ticks, Event::Enter { region });
            }
            Open::Team(team) => self.push(ticks, Event::ThreadTeamBegin { team }),
            // Its event says more than this knows.
            Open::Fork => {}
        }
    }

    /// Ends what was begun last.
    #[inline]
    pub(crate) fn end(&mut self, ticks: u64) {
        match self.open.pop() {
            Some(Open::Region(region) | Open::Construct(_, region) | Open::Barrier(region, _)) => {
                self.push(ticks, Event::Leave { region });
            }
            Some(Open::Team(team)) => self.push(ticks, Event::ThreadTeamEnd { team }),
            Some(Open::Fork) => self.push(ticks, Event::ThreadJoin),
            None => {}
        }
    }

    /// Leaves the region that was entered last.
    #[inline]
    pub(crate) fn leave(&mut self, ticks: u64) {
        if let Some(Open::Region(_)) = self.innermost() {
            self.end(ticks);
        }
    }

    /// Leaves a region, and those that were entered in it and never left. Without such a region nothing happens.
    pub(crate) fn leave_region(&mut self, ticks: u64, region: RegionRef) {
        if let Some(depth) = self.find(|open| open == Open::Region(region)) {
            self.end_to(ticks, depth);
        }
    }

    /// How much was open before the innermost thing that `is_it`, in this task of this team.
    #[inline]
    pub(crate) fn find(&self, is_it: impl Fn(Open) -> bool) -> Option<usize> {
        let begins = |open| matches!(open, Open::Team(_) | Open::Construct(Construct::Task, _));
        let at = self.open.iter().rposition(|&open| is_it(open) || begins(open))?;
        is_it(self.open[at]).then_some(at)
    }

    /// Ends all but the outer `depth` things that are open.
    pub(crate) fn end_to(&mut self, ticks: u64, depth: usize) {
        while self.open.len() > depth {
            self.end(ticks);
        }
    }

    /// Ends everything; nothing more is recorded.
    pub(crate) fn close(&mut self) {
        self.settle_all();
        self.end_to(clock::now(), 0);
        self.closed = true;
    }

    /// What was begun last.
    #[inline]
    pub(crate) fn innermost(&self) -> Option<Open> {
        self.open.last().copied()
    }

    /// How many things are open.
    pub(crate) fn depth(&self) -> usize {
        self.open.len()
    }

    /// How many events there were.
    pub(crate) fn events(&self) -> u64 {
        let full: usize = self.full.iter().map(Chunk::len).sum();
        self.taken + (full + self.current.len()) as u64
    }

    /// Takes events away: all before the first chunk in which one is not `ready`.
    pub(crate) fn take(&mut self, ready: impl Fn(&Event) -> bool) -> Vec<Chunk> {
        self.close_chunk();
        let is_ready = |chunk: &&Chunk| chunk.iter().all(|(_, event)| ready(&event));
        let count = self.full.iter().take_while(is_ready).count();
        let taken: Vec<Chunk> = self.full.drain(..count).collect();
        self.taken += taken.iter().map(Chunk::len).sum::<usize>() as u64;
        let bytes = taken.len() * Chunk::BYTES;
        // The chunk that was current is among them, and was not counted.
        let _ =
            BYTES.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |all| Some(all.saturating_sub(bytes)));
        taken
    }
}

static RECORDING: AtomicBool = AtomicBool::new(false);
/// Whether threads are followed; they are not any more when the ranks have agreed on definitions.
static THREADS: AtomicBool = AtomicBool::new(false);
/// Bytes of full chunks.
static BYTES: AtomicUsize = AtomicUsize::new(0);
static LIMIT: AtomicUsize = AtomicUsize::new(usize::MAX);
/// Whether more is kept than should be.
static FULL: AtomicBool = AtomicBool::new(false);
/// By the number of the thread; they stay when a thread ends. A number may be reserved for a thread to come.
static ALL: Mutex<Vec<Option<&'static Shared<Buffer>>>> = Mutex::new(Vec::new());

thread_local! {
    static MINE: OnceCell<&'static Shared<Buffer>> = const { OnceCell::new() };
}

/// Begins to record; when more than `limit` bytes are kept, [`is_full`] says so.
pub(crate) fn start(limit: usize) {
    clock::calibrate();
    LIMIT.store(limit, Ordering::Relaxed);
    RECORDING.store(true, Ordering::Release);
    THREADS.store(true, Ordering::Release);
}

/// Ends recording. What was recorded stays.
pub(crate) fn stop() {
    stop_threads();
    RECORDING.store(false, Ordering::Release);
}

/// Ends the recording of OpenMP's events.
pub(crate) fn stop_threads() {
    THREADS.store(false, Ordering::Release);
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

/// This thread's buffer, unless nothing is recorded. While it is held, nothing is called that may call the program.
#[inline]
pub(crate) fn mine() -> Option<Taken<Buffer>> {
    if !RECORDING.load(Ordering::Relaxed) {
        return None;
    }
    let mut buffer = of_this_thread(None)?;
    buffer.settle();
    Some(buffer)
}

/// Hands this thread's buffer to `record` for an event of OpenMP. A thread that has none yet gets the number `number`, if
/// that is free.
#[inline]
pub(crate) fn with_thread(number: Option<u32>, record: impl FnOnce(&mut Buffer)) {
    if THREADS.load(Ordering::Relaxed)
        && let Some(mut buffer) = of_this_thread(number)
    {
        record(&mut buffer);
    }
}

#[inline]
fn of_this_thread(number: Option<u32>) -> Option<Taken<Buffer>> {
    let buffer = MINE.with(|mine| *mine.get_or_init(|| register(number))).lock();
    (!buffer.closed).then_some(buffer)
}

#[cold]
fn register(number: Option<u32>) -> &'static Shared<Buffer> {
    let mut all = lock(&ALL);
    reserve_in(&mut all, 1);
    let free = number.filter(|&number| all.get(number as usize).is_some_and(Option::is_none) && number > 0);
    let number = match free {
        Some(number) => number,
        None if library::on_first_thread() => 0,
        None => {
            all.push(None);
            all.len() as u32 - 1
        }
    };
    let buffer: &Shared<Buffer> = Box::leak(Box::new(Shared::new(Buffer::new(number))));
    all[number as usize] = Some(buffer);
    buffer
}

/// Keeps the numbers below `numbers` for the threads of the first thread's teams.
pub(crate) fn reserve(numbers: u32) {
    reserve_in(&mut lock(&ALL), numbers as usize);
}

fn reserve_in(all: &mut Vec<Option<&'static Shared<Buffer>>>, numbers: usize) {
    if all.len() < numbers {
        all.resize(numbers, None);
    }
}

/// The buffers of all threads.
pub(crate) fn all() -> Vec<&'static Shared<Buffer>> {
    lock(&ALL).iter().flatten().copied().collect()
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
        // Each takes two bytes at least, mostly four or five.
        let count = Chunk::BYTES as u64;
        let mut buffer = buffer_of(count);
        assert_eq!(buffer.events(), count);
        let chunks = buffer.take(|_| true);
        assert!(chunks.len() > 2);
        let events: Vec<_> = chunks.iter().flat_map(Chunk::iter).collect();
        assert!(events.is_sorted_by_key(|(ticks, _)| *ticks));
        let requests = events.iter().map(|(_, event)| match event {
            Event::MpiIsendComplete { request } => *request,
            other => panic!("{other:?}"),
        });
        assert!(requests.eq(0..count));
        assert_eq!((buffer.events(), buffer.take(|_| true).len()), (count, 1));
    }

    #[test]
    fn what_is_not_ready_stays_with_all_that_follows() {
        let count = Chunk::BYTES;
        let mut buffer = buffer_of(count as u64);
        let first = buffer.full[0].len();
        let taken = buffer.take(|event| *event != Event::MpiIsendComplete { request: first as u64 });
        assert_eq!(taken.iter().map(Chunk::len).collect::<Vec<_>>(), [first]);
        assert_eq!(buffer.take(|_| true).iter().map(Chunk::len).sum::<usize>(), count - first);
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
        buffer.close();
        let events: Vec<Event> = buffer.take(|_| true)[0].iter().map(|(_, event)| event).collect();
        let (enter, leave) = (|region| Event::Enter { region }, |region| Event::Leave { region });
        assert_eq!(
            events,
            [enter(outer), enter(inner), leave(inner), leave(outer), enter(inner), leave(inner)]
        );
    }

    #[test]
    fn a_region_that_was_entered_before_the_team_is_not_left_in_it() {
        let mut buffer = Buffer::new(0);
        buffer.enter(1, RegionRef(1));
        buffer.begin(2, Open::Team(TeamRef(0)));
        buffer.leave_region(3, RegionRef(1));
        assert_eq!((buffer.depth(), buffer.events()), (2, 2));
    }
}
