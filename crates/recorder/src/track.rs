//! The track of each thread: its events, and the things that have begun and not ended. The program [switches][switch] them
//! off and on.

mod counting;
mod functions;
mod switching;

use std::cell::OnceCell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};

use ats_model::Event;
use ats_model::event::{RegionRef, Time};

use crate::lock::{Shared, Taken, lock};
use crate::machine::{Counters, Sampling};
use crate::meter::Meter;
use crate::metrics::Counted;
use crate::openmp::open::{Buffer, Open};
use crate::openmp::thread::Thread;
use crate::samples::Samples;
pub(crate) use crate::track::functions::{Functions, functions_left_out, of_function};
pub(crate) use crate::track::switching::switch;
use crate::{belongs, call_site, clock, code, numbers};

/// A thread that is recorded.
#[derive(Debug)]
pub(crate) struct Track {
    pub(crate) buffer: Buffer,
    /// Its state in OpenMP, and the calls that lead to its events.
    pub(crate) openmp: Thread,
    /// Its calls of MPI that are open, from the outermost on; among them some that were ended with what is around them.
    calls: Vec<OpenCall>,
    /// The call sites of its calls of MPI.
    pub(crate) call_sites: call_site::Recent,
    /// The counts of the program on it.
    counted: Counted,
    /// The counters that are read where it enters and leaves regions, if any are.
    meter: Option<Box<Meter>>,
    /// The samples of what the machine does for it.
    sampling: Sampling,
    /// Where it was found now and then.
    pub(crate) samples: Samples,
    /// Whether its thread is a member of the first thread's teams, whose number another may get once it is gone.
    is_worker: bool,
    /// Whether nothing begins any more.
    sealed: bool,
    /// Whether its last call, or region of the program, was not recorded, since the program has switched recording off.
    is_off: bool,
    /// Whether [more](Track::is_plain) is to be done at its events than to record them.
    has_more: bool,
    /// Regions that the program has entered since either.
    late: Vec<RegionRef>,
    /// Its functions that the compiler has instrumented.
    pub(crate) functions: Functions,
    /// The number of regions that ended because the program left one around them.
    pub(crate) unleft: u64,
}

/// A call of MPI that has been entered and not left.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenCall {
    /// The number of things that are open around it.
    depth: usize,
    /// The time of its entry, in ticks.
    pub(crate) entered: u64,
    /// The stack pointer of its wrapper.
    frame: usize,
}

impl Track {
    fn new(thread: u32) -> Self {
        let meter = Meter::new();
        Track {
            has_more: meter.is_some(),
            meter,
            buffer: Buffer::new(),
            openmp: Thread::new(thread),
            call_sites: call_site::Recent::new(),
            is_worker: false,
            counted: Counted::default(),
            sampling: Sampling::default(),
            samples: Samples::default(),
            calls: Vec::new(),
            sealed: false,
            is_off: false,
            late: Vec::new(),
            functions: Functions::default(),
            unleft: 0,
        }
    }

    /// Number of the thread in its process; the one that loaded the recorder is 0.
    pub(crate) fn thread(&self) -> u32 {
        self.openmp.number
    }

    /// Whether it is within a call of MPI that is recorded.
    pub(crate) fn is_in_call(&self) -> bool {
        self.open_calls().next().is_some()
    }

    /// The number of its events when what is open has ended; thread `ending` has one event more to come.
    pub(crate) fn events(&self, ending: Option<u32>) -> u64 {
        let to_come = u64::from(ending == Some(self.thread())) + self.buffer.depth() as u64;
        self.buffer.events() + self.samples.count() + to_come
    }

    /// Enters a call of MPI, whose wrapper has this stack pointer.
    #[inline]
    pub(crate) fn enter_call(&mut self, entered: u64, region: RegionRef, frame: usize) {
        let depth = self.buffer.depth();
        while self.calls.last().is_some_and(|call| call.depth >= depth) {
            self.calls.pop();
        }
        self.calls.push(OpenCall { depth, entered, frame });
        self.buffer.begin(entered, Open::Call(region));
    }

    /// Leaves the call of MPI that was entered at this time, unless a jump has left it.
    #[inline]
    pub(crate) fn leave_call(&mut self, entered: u64, ticks: u64) {
        match self.calls.last() {
            Some(call) if call.entered == entered && call.depth + 1 == self.buffer.depth() => {
                self.calls.pop();
                self.buffer.end(ticks);
            }
            _ => self.leave_outer_call(entered, ticks),
        }
    }

    /// As [`Track::leave_call`], where the program has entered something in the call and not left it.
    #[cold]
    fn leave_outer_call(&mut self, entered: u64, ticks: u64) {
        let call = self.open_calls().find(|call| call.entered == entered);
        if let Some(call) = call {
            self.buffer.end_to(ticks, call.depth);
        }
    }

    /// The calls of MPI that are open, from the outermost on.
    fn open_calls(&self) -> impl Iterator<Item = OpenCall> {
        let is_open = |call: &&OpenCall| matches!(self.buffer.within(call.depth), Some(Open::Call(_)));
        self.calls.iter().filter(is_open).copied()
    }

    /// Leaves the calls of MPI that do not return, and what was entered in them.
    #[cold]
    pub(crate) fn abandon_calls(&mut self, ticks: u64, are_left: impl Fn(&OpenCall) -> bool) {
        let Some(outermost) = self.open_calls().find(are_left) else { return };
        self.openmp.settle(&mut self.buffer);
        for call in self.open_calls().filter(|call| call.depth >= outermost.depth).collect::<Vec<_>>() {
            // No part in a collective operation comes to its end.
            self.buffer.take_back(call.entered, Event::MpiCollectiveBegin);
        }
        self.buffer.end_to(ticks, outermost.depth);
    }

    /// Enters a region that the program marks.
    pub(crate) fn enter(&mut self, ticks: u64, region: RegionRef) {
        self.buffer.begin(ticks, Open::Region(region));
    }

    /// Leaves a region, and those that were entered in it and never left, as by an exception. Without such a region nothing
    /// happens.
    pub(crate) fn leave_region(&mut self, ticks: u64, region: RegionRef) {
        if let Some(depth) = self.buffer.find(|open| open == Open::Region(region)) {
            self.unleft += (self.buffer.depth() - depth - 1) as u64;
            self.buffer.end_to(ticks, depth);
        }
    }

    /// Notes that the program enters a region when no region is recorded but the ends of what is open.
    pub(crate) fn enter_late(&mut self, region: RegionRef) {
        self.late.push(region);
    }

    /// As [`Track::leave_region`], where it may have been entered when that was not recorded.
    pub(crate) fn leave_late(&mut self, ticks: u64, region: RegionRef) {
        match self.late.iter().rposition(|&late| late == region) {
            Some(at) => self.late.truncate(at),
            None => self.leave_region(ticks, region),
        }
    }

    /// Writes all that is known. The thread must not go on.
    fn settle(&mut self) {
        self.openmp.settle_all(&mut self.buffer);
        self.write_counted(clock::now());
    }

    /// From now on nothing is recorded but the ends of what is open.
    fn seal(&mut self) {
        self.settle();
        self.samples.close();
        (self.sealed, self.has_more) = (true, true);
    }

    /// Ends everything; nothing more is recorded.
    pub(crate) fn close(&mut self) {
        self.seal();
        self.buffer.end_to(clock::now(), 0);
    }
}

static RECORDING: AtomicBool = AtomicBool::new(false);
/// Whether OpenMP is followed; it is not any more when the ranks have agreed on definitions.
static THREADS: AtomicBool = AtomicBool::new(false);
/// They stay when a thread ends.
static ALL: Mutex<Vec<&'static Shared<Track>>> = Mutex::new(Vec::new());
/// The start of the program, in ticks.
static PROGRAM_BEGAN: AtomicU64 = AtomicU64::new(0);
/// The counters of the first thread at that time.
static COUNTERS_BEGAN: OnceLock<Option<Counters>> = OnceLock::new();

thread_local! {
    static MINE: OnceCell<&'static Shared<Track>> = const { OnceCell::new() };
}

/// Begins to record. The program begins now.
pub(crate) fn start() {
    PROGRAM_BEGAN.store(clock::now(), Ordering::Relaxed);
    COUNTERS_BEGAN.get_or_init(Counters::now);
    RECORDING.store(true, Ordering::Release);
    THREADS.store(true, Ordering::Release);
}

/// Ends recording. What was recorded stays.
pub(crate) fn stop() {
    stop_threads();
    RECORDING.store(false, Ordering::Release);
}

/// Ends recording but for the ends of what is open.
pub(crate) fn seal() {
    stop();
    counting::sample_last();
    tracks().iter().for_each(|track| track.lock().seal());
}

/// Ends everything that is open on all threads; nothing more is recorded.
pub(crate) fn close() {
    stop();
    counting::sample_last();
    tracks().iter().for_each(|track| track.lock().close());
}

/// Ends the recording of OpenMP's events.
pub(crate) fn stop_threads() {
    THREADS.store(false, Ordering::Release);
}

/// Called by each thread that begins to record, with its track.
static FOLLOW: OnceLock<fn(&'static Shared<Track>)> = OnceLock::new();

/// Has `follow` called by each thread that begins to record from now on, with its track.
pub(crate) fn followed_by(follow: fn(&'static Shared<Track>)) {
    let _ = FOLLOW.set(follow);
}

/// The number of samples that there was no room for, of all threads.
pub(crate) fn lost_samples() -> u64 {
    tracks().into_iter().map(|track| track.lock().samples.lost).sum()
}

/// The share of the time, in 1/1000, that the hardware counted for the thread with the least of it, if that is not all.
pub(crate) fn counted_permille() -> Option<u32> {
    let of_track = |track: &Shared<Track>| track.lock().meter.as_ref().map(|meter| meter.counted_permille());
    tracks().into_iter().filter_map(of_track).min().filter(|&counted| counted < 1000)
}

/// Whether anything is recorded.
pub(crate) fn is_recording() -> bool {
    RECORDING.load(Ordering::Relaxed)
}

/// This thread's track, unless nothing is recorded. While it is held, nothing is called that may call the program.
#[inline]
pub(crate) fn mine() -> Option<Taken<Track>> {
    if !RECORDING.load(Ordering::Relaxed) {
        return None;
    }
    let mut taken = MINE.with(|mine| *mine.get_or_init(|| register(None))).lock();
    if taken.sealed {
        return None;
    }
    let track: &mut Track = &mut taken;
    track.openmp.settle(&mut track.buffer);
    Some(taken)
}

/// Hands what this thread is in OpenMP at the time `ticks` to `record`, with its buffer. A thread that has none yet gets
/// the number `number`, if that is free. Nothing happens where nothing is recorded. The counters that are asked
/// for are read before, if this is a place where it `is_metered`.
#[inline]
pub(crate) fn with_thread<R>(
    number: Option<u32>,
    ticks: u64,
    is_metered: impl FnOnce(&Thread) -> bool,
    record: impl FnOnce(&mut Thread, &mut Buffer) -> R,
) -> Option<R> {
    if !THREADS.load(Ordering::Relaxed) {
        return None;
    }
    let begin = || if belongs::thread_does() { register(number) } else { left_out() };
    let mut taken = MINE.with(|mine| *mine.get_or_init(begin)).lock();
    let track: &mut Track = &mut taken;
    if track.has_more && !track.goes_on_with_more(ticks, is_metered) {
        return None;
    }
    let recorded = record(&mut track.openmp, &mut track.buffer);
    track.sample(ticks);
    Some(recorded)
}

/// The number of this thread, if it is within a call of MPI that is recorded.
pub(crate) fn number_in_call() -> Option<u32> {
    sealed().filter(|track| track.is_in_call()).map(|track| track.thread())
}

/// This thread's track when nothing is recorded but the ends of what is open.
#[cold]
pub(crate) fn sealed() -> Option<Taken<Track>> {
    MINE.with(|mine| mine.get().map(|track| track.lock()))
}

/// Ends the calls of MPI, and the functions, that this thread leaves by a jump to where the stack pointer is `target`. A signal may have
/// interrupted the thread anywhere.
pub(crate) fn jumps(ticks: u64, target: usize) {
    let track = MINE.with(|mine| mine.get().and_then(|track| track.try_lock()));
    if let Some(mut track) = track {
        track.abandon_calls(ticks, |call| call.frame < target);
        track.leave_functions(ticks, target);
    }
}

/// Whether this thread is recording something right now, as seen from a signal that has interrupted it.
pub(crate) fn is_in_use() -> bool {
    MINE.with(|mine| mine.get().is_some_and(|track| track.is_locked()))
}

#[cold]
fn register(wanted: Option<u32>) -> &'static Shared<Track> {
    let number = numbers::take(wanted);
    let is_worker = number > 0 && wanted == Some(number);
    let track = match number {
        0 => first(),
        _ if !is_worker => keep(Track::new(number)),
        _ => of_dismissed(number).unwrap_or_else(|| keep(Track { is_worker, ..Track::new(number) })),
    };
    track.lock().functions.begin();
    if number == 0 {
        let began = PROGRAM_BEGAN.load(Ordering::Relaxed);
        track.lock().read_meter(began, || began);
    }
    FOLLOW.get().into_iter().for_each(|follow| follow(track));
    track
}

/// The track of a worker that had this number and is gone.
fn of_dismissed(number: u32) -> Option<&'static Shared<Track>> {
    tracks().into_iter().find(|track| track.lock().thread() == number)
}

/// The workers of the first thread's teams are gone. Others that take their places in later teams go on with their tracks.
pub(crate) fn dismiss_workers() {
    for track in tracks() {
        let track: &mut Track = &mut track.lock();
        if track.is_worker && !track.sealed {
            let number = track.thread();
            track.settle();
            track.buffer.end_to(clock::now(), 0);
            // Another thread has another stack, and counters of its own.
            track.openmp = Thread::new(number);
            track.sampling = track.sampling.of_successor();
            track.meter = track.meter.as_deref().map(Meter::of_successor);
            track.functions.dismiss();
            numbers::give_back(number);
        }
    }
}

/// Forgets what all threads remember by the addresses of code.
pub(crate) fn forget_addresses() {
    // A child that was forked must not wait for threads of its parent.
    if !RECORDING.load(Ordering::Relaxed) {
        return;
    }
    code::forget_addresses();
    for track in tracks() {
        let mut track = track.lock();
        track.call_sites = call_site::Recent::new();
        track.openmp.forget_addresses();
        track.functions.forget_addresses();
    }
}

/// The track of the first thread, which has the program's begin and end.
pub(crate) fn first() -> &'static Shared<Track> {
    static FIRST: OnceLock<&'static Shared<Track>> = OnceLock::new();
    FIRST.get_or_init(|| {
        let mut track = Track::new(0);
        let began = PROGRAM_BEGAN.load(Ordering::Relaxed);
        track.buffer.begin(began, Open::Program);
        let counters = COUNTERS_BEGAN.get().copied().flatten();
        counters.into_iter().flat_map(Counters::events).for_each(|event| track.buffer.push(began, event));
        keep(track)
    })
}

/// Notes that this thread wrote events, or waited for another one that did, if it is recorded.
pub(crate) fn flushed(begin: u64, end: u64) {
    if RECORDING.load(Ordering::Relaxed)
        && let Some(mut track) = MINE.with(|mine| mine.get().map(|track| track.lock()))
        && !track.sealed
    {
        track.buffer.push(begin, Event::BufferFlush { stop: Time(end) });
    }
}

/// Records nothing of this thread from now on, unless it is being recorded.
pub(crate) fn leave_out() {
    MINE.with(|mine| _ = mine.get_or_init(left_out));
}

/// The track of a thread that is not recorded.
#[cold]
fn left_out() -> &'static Shared<Track> {
    Box::leak(Box::new(Shared::new(Track { sealed: true, has_more: true, ..Track::new(u32::MAX) })))
}

fn keep(mut track: Track) -> &'static Shared<Track> {
    let mut all = lock(&ALL);
    // A thread that comes when all others are sealed is none of the recording.
    let comes_late = !RECORDING.load(Ordering::Acquire);
    track.sealed = comes_late;
    track.has_more |= comes_late;
    let track: &Shared<Track> = Box::leak(Box::new(Shared::new(track)));
    if !comes_late {
        all.push(track);
    }
    track
}

/// The tracks of all threads.
pub(crate) fn tracks() -> Vec<&'static Shared<Track>> {
    lock(&ALL).clone()
}

#[cfg(test)]
mod tests {
    use super::*;
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
        assert_eq!(track.unleft, 1, "the end of the program is no exception");
        let events: Vec<Event> = track.buffer.take(|_| true)[0].iter().map(|(_, event)| event).collect();
        let (enter, leave) = (|region| Event::Enter { region }, |region| Event::Leave { region });
        assert_eq!(
            events,
            [enter(outer), enter(inner), leave(inner), leave(outer), enter(inner), leave(inner)]
        );
    }

    #[test]
    fn a_sealed_track_takes_the_ends_of_what_was_open_and_nothing_else() {
        let [outer, inner] = [RegionRef(1), RegionRef(2)];
        let mut track = Track::new(0);
        track.enter(1, outer);
        track.enter(2, inner);
        track.seal();
        track.enter_late(outer);
        track.enter_late(inner);
        track.leave_late(3, outer);
        assert_eq!(track.buffer.depth(), 2, "the outer one was entered again within");
        track.leave_late(4, outer);
        assert_eq!((track.buffer.depth(), track.buffer.events()), (0, 4));
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
