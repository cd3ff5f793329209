//! What each thread records: its events, and what it is in the middle of.

use std::cell::OnceCell;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use ats_model::event::RegionRef;

use crate::lock::{Shared, Taken, lock};
use crate::openmp::open::{Buffer, Open};
use crate::openmp::thread::Thread;
use crate::{clock, numbers};

/// A thread that is recorded.
#[derive(Debug)]
pub(crate) struct Track {
    pub(crate) buffer: Buffer,
    /// What it does in OpenMP.
    openmp: Thread,
    closed: bool,
}

impl Track {
    fn new(thread: u32) -> Self {
        Track { buffer: Buffer::new(), openmp: Thread::new(thread), closed: false }
    }

    /// Number of the thread in its process; the one that loaded the recorder is 0.
    pub(crate) fn thread(&self) -> u32 {
        self.openmp.number
    }

    /// Enters a region: a call of MPI, or one that the program marks.
    #[inline]
    pub(crate) fn enter(&mut self, ticks: u64, region: RegionRef) {
        self.buffer.begin(ticks, Open::Region(region));
    }

    /// Leaves the region that was entered last.
    #[inline]
    pub(crate) fn leave(&mut self, ticks: u64) {
        if let Some(Open::Region(_)) = self.buffer.innermost() {
            self.buffer.end(ticks);
        }
    }

    /// Leaves a region, and those that were entered in it and never left. Without such a region nothing happens.
    pub(crate) fn leave_region(&mut self, ticks: u64, region: RegionRef) {
        if let Some(depth) = self.buffer.find(|open| open == Open::Region(region)) {
            self.buffer.end_to(ticks, depth);
        }
    }

    /// Writes all that is known. The thread must not go on.
    pub(crate) fn settle(&mut self) {
        self.openmp.settle_all(&mut self.buffer);
    }

    /// Ends everything; nothing more is recorded.
    pub(crate) fn close(&mut self) {
        self.settle();
        self.buffer.end_to(clock::now(), 0);
        self.closed = true;
    }
}

static RECORDING: AtomicBool = AtomicBool::new(false);
/// Whether OpenMP is followed; it is not any more when the ranks have agreed on definitions.
static THREADS: AtomicBool = AtomicBool::new(false);
/// They stay when a thread ends.
static ALL: Mutex<Vec<&'static Shared<Track>>> = Mutex::new(Vec::new());

thread_local! {
    static MINE: OnceCell<&'static Shared<Track>> = const { OnceCell::new() };
}

/// Begins to record.
pub(crate) fn start() {
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

/// This thread's track, unless nothing is recorded. While it is held, nothing is called that may call the program.
#[inline]
pub(crate) fn mine() -> Option<Taken<Track>> {
    if !RECORDING.load(Ordering::Relaxed) {
        return None;
    }
    let mut taken = of_this_thread(None)?;
    let track: &mut Track = &mut taken;
    track.openmp.settle(&mut track.buffer);
    Some(taken)
}

/// Hands what this thread is in OpenMP to `record`, with its buffer. A thread that has none yet gets the number `number`, if
/// that is free.
#[inline]
pub(crate) fn with_thread(number: Option<u32>, record: impl FnOnce(&mut Thread, &mut Buffer)) {
    if THREADS.load(Ordering::Relaxed)
        && let Some(mut taken) = of_this_thread(number)
    {
        let track: &mut Track = &mut taken;
        record(&mut track.openmp, &mut track.buffer);
    }
}

#[inline]
fn of_this_thread(number: Option<u32>) -> Option<Taken<Track>> {
    let track = MINE.with(|mine| *mine.get_or_init(|| register(number))).lock();
    (!track.closed).then_some(track)
}

#[cold]
fn register(number: Option<u32>) -> &'static Shared<Track> {
    let track: &Shared<Track> = Box::leak(Box::new(Shared::new(Track::new(numbers::take(number)))));
    lock(&ALL).push(track);
    track
}

/// The tracks of all threads.
pub(crate) fn all() -> Vec<&'static Shared<Track>> {
    lock(&ALL).clone()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ats_model::Event;
    use ats_model::event::TeamRef;

    #[test]
    fn leaving_a_region_leaves_what_was_entered_in_it() {
        let [outer, inner] = [RegionRef(1), RegionRef(2)];
        let mut track = Track::new(0);
        track.leave_region(0, outer);
        track.enter(1, outer);
        track.enter(2, inner);
        track.leave_region(3, outer);
        track.enter(4, inner);
        track.close();
        let events: Vec<Event> = track.buffer.take(|_| true)[0].iter().map(|(_, event)| event).collect();
        let (enter, leave) = (|region| Event::Enter { region }, |region| Event::Leave { region });
        assert_eq!(
            events,
            [enter(outer), enter(inner), leave(inner), leave(outer), enter(inner), leave(inner)]
        );
    }

    #[test]
    fn a_region_that_was_entered_before_the_team_is_not_left_in_it() {
        let mut track = Track::new(0);
        track.enter(1, RegionRef(1));
        track.buffer.begin(2, Open::Team(TeamRef(0)));
        track.leave_region(3, RegionRef(1));
        assert_eq!((track.buffer.depth(), track.buffer.events()), (2, 2));
    }
}
