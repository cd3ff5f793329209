//! Functions that the compiler has instrumented, as a thread enters and leaves them.
//!
//! A function that is short and called often is left out from some call on: recording it would take longer than the function,
//! and its events would be most of the trace. Functions that lead to events of MPI or OpenMP, or to regions that the program marks,
//! are never left out, so that these keep their call paths.

use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use ats_model::event::RegionRef;
use rustc_hash::FxHashMap;

use super::{MINE, Track, register};
use crate::lock::{Shared, Taken};
use crate::openmp::open::Open;
use crate::{buffer, clock, region, stack, track};

/// The calls that a thread records of a function in any case: with two events of about 9 bytes each, 150 KB. Whether the
/// function is left out is decided then, and whenever their number has doubled.
const CALLS: u64 = 1 << 13;

/// The mean time of a call, with all that it calls, below which it is short. An enter and a leave cost about 120 ns: for longer
/// ones, about 1 % of their time at most.
const SHORT_NS: u64 = 10_000;

/// The most calls of a function that are inlined into each other: GCC's limit by default. More of them in one frame were left by
/// exceptions, which code of Clang does not tell.
const INLINED: usize = 8;

/// The functions of a thread.
#[derive(Debug, Default)]
pub(crate) struct Functions {
    /// Their numbers, by address.
    numbers: FxHashMap<usize, u32>,
    all: Vec<Function>,
    /// Those that have begun and not ended, from the outermost on; also those that are not recorded.
    open: Vec<OpenFunction>,
    /// The thread; none between two that go on with each other's track.
    thread: Option<u64>,
    /// The addresses of its stack, once they are looked up.
    stack: Option<(usize, usize)>,
}

/// The end of a thread, which leaves its functions, as `pthread_exit` does.
struct End;

impl Drop for End {
    fn drop(&mut self) {
        thread_ends();
    }
}

thread_local! {
    static END: End = const { End };
}

/// A function, as a thread calls it.
#[derive(Debug)]
struct Function {
    region: RegionRef,
    recorded: Recorded,
    /// Calls that were recorded while it [may be left out](Recorded::ByLength), and their ticks.
    calls: u64,
    ticks: u64,
    /// Calls that were recorded, and those that were not since they are short.
    entered: u64,
    left_out: u64,
}

/// The calls of a function that are recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Recorded {
    /// All until it turns out to be short.
    ByLength,
    /// All: it leads to other events.
    Always,
    /// None: it is short.
    NotAnyMore,
}

/// A function that has begun and not ended.
#[derive(Clone, Copy, Debug)]
struct OpenFunction {
    address: usize,
    /// Its place among the functions.
    number: usize,
    /// The number of things that are open around it; none if it is not recorded.
    depth: Option<usize>,
    /// Its stack pointer.
    stack: usize,
    entered: u64,
    /// The events of the thread before it was entered, and afterwards.
    before: u64,
    since: u64,
    /// Events of functions in it.
    of_functions: u64,
}

impl Functions {
    /// The number of a function that is new.
    #[cold]
    fn add(&mut self, address: usize) -> usize {
        let (region, recorded) = (region::of_function(address), Recorded::ByLength);
        self.all.push(Function { region, recorded, calls: 0, ticks: 0, entered: 0, left_out: 0 });
        self.numbers.insert(address, self.all.len() as u32 - 1);
        self.all.len() - 1
    }

    /// Forgets the functions at all addresses.
    pub(super) fn forget_addresses(&mut self) {
        self.numbers.clear();
    }

    /// Begins to follow this thread.
    pub(super) fn begin(&mut self) {
        END.with(|_| ());
        self.thread = Some(thread_id());
    }

    /// Forgets what is open, and the thread: another one goes on.
    pub(super) fn dismiss(&mut self) {
        self.open.clear();
        (self.thread, self.stack) = (None, None);
    }

    /// The functions, with the numbers of their calls that were recorded, and of those that were not since they are short.
    pub(crate) fn calls(&self) -> impl Iterator<Item = (RegionRef, [u64; 2])> {
        self.all.iter().map(|function| (function.region, [function.entered, function.left_out]))
    }

    /// The place of the outermost call of a function that is open in the frame with this stack pointer, if there are so many of it
    /// that it has been inlined, and left otherwise than by returning.
    #[inline]
    fn left_in_frame(&self, address: usize, stack: usize) -> Option<usize> {
        if stack == 0 || self.open.last().is_none_or(|open| open.stack != stack) {
            return None;
        }
        let in_frame = self.open.iter().enumerate().rev().take_while(|(_, open)| open.stack == stack);
        in_frame.filter(|(_, open)| open.address == address).map(|(at, _)| at).nth(INLINED - 1)
    }

    /// Whether the function that was entered last has been left, if one is entered with this stack pointer, or a jump leads to it:
    /// its frame is below, on the same stack.
    #[inline]
    fn is_left_at(&mut self, stack: usize) -> bool {
        let Some(open) = self.open.last().filter(|open| open.stack < stack) else { return false };
        let (low, high) = *self.stack.get_or_insert_with(stack::own_stack);
        open.stack >= low && stack < high
    }
}

impl Function {
    /// Counts a call that was recorded, with its ticks, or learns that it `leads` to other events.
    fn count(&mut self, ticks: u64, leads: bool) {
        if leads {
            self.recorded = Recorded::Always;
        } else if self.recorded == Recorded::ByLength {
            self.calls += 1;
            self.ticks += ticks;
            if self.calls.is_power_of_two() && self.calls >= CALLS && self.ticks / self.calls < short() {
                self.recorded = Recorded::NotAnyMore;
            }
        }
    }
}

/// A number of this thread.
fn thread_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    thread_local! {
        static OWN: u64 = NEXT.fetch_add(1, Ordering::Relaxed);
    }
    OWN.with(|own| *own)
}

/// [`SHORT_NS`] in ticks.
fn short() -> u64 {
    static SHORT: OnceLock<u64> = OnceLock::new();
    *SHORT.get_or_init(|| clock::ticks(SHORT_NS))
}

impl Track {
    /// Enters the function at this address, which has this stack pointer; 0 if that is not known.
    #[inline]
    pub(crate) fn enter_function(&mut self, address: usize, stack: usize) {
        if self.functions.is_left_at(stack) {
            self.leave_functions(clock::now(), stack);
        }
        if let Some(at) = self.functions.left_in_frame(address, stack) {
            self.leave_functions_to(clock::now(), at);
        }
        let known = self.functions.numbers.get(&address).map(|&number| number as usize);
        let number = known.unwrap_or_else(|| self.functions.add(address));
        let before = self.buffer.pushed();
        let (mut entered, mut depth) = (0, None);
        let is_recording = !self.sealed && track::is_recording();
        let function = &mut self.functions.all[number];
        match function.recorded {
            Recorded::NotAnyMore => function.left_out += u64::from(is_recording && !self.is_off),
            // If there is no room now, there is no session that could write.
            Recorded::ByLength | Recorded::Always if is_recording && !buffer::is_full() => {
                let region = function.region;
                entered = clock::now();
                if self.enters_function(entered) {
                    self.openmp.settle(&mut self.buffer);
                    self.functions.all[number].entered += 1;
                    depth = Some(self.buffer.depth());
                    self.buffer.begin(entered, Open::Function(region));
                    self.sample(entered);
                }
            }
            Recorded::ByLength | Recorded::Always => {}
        }
        let since = self.buffer.pushed();
        let open = OpenFunction { address, number, depth, stack, entered, before, since, of_functions: 0 };
        self.functions.open.push(open);
    }

    /// Leaves the function at this address, and those that were entered in it and never left. Without such a function nothing
    /// happens.
    #[inline]
    pub(crate) fn leave_function(&mut self, address: usize) {
        let open = &self.functions.open;
        let Some(at) = open.iter().rposition(|open| open.address == address) else { return };
        // Reading the clock takes longer than all else that is done for a function that is not recorded.
        let ticks = if open[at..].iter().any(|open| open.depth.is_some()) { clock::now() } else { 0 };
        self.leave_functions_to(ticks, at);
    }

    /// Leaves all but the outer `depth` functions.
    #[inline]
    fn leave_functions_to(&mut self, ticks: u64, depth: usize) {
        while self.functions.open.len() > depth {
            self.leave_innermost_function(ticks);
        }
    }

    /// Leaves all functions of this thread, which ends.
    pub(super) fn leave_all_functions(&mut self) {
        if self.functions.thread == Some(thread_id()) {
            self.leave_functions_to(clock::now(), 0);
        }
    }

    /// Leaves the functions whose frames are below this stack pointer.
    #[cold]
    pub(super) fn leave_functions(&mut self, ticks: u64, stack: usize) {
        while self.functions.is_left_at(stack) {
            self.leave_innermost_function(ticks);
        }
    }

    #[inline]
    fn leave_innermost_function(&mut self, ticks: u64) {
        let Some(open) = self.functions.open.pop() else { return };
        let others = self.buffer.pushed().saturating_sub(open.since + open.of_functions);
        let region = self.functions.all[open.number].region;
        if let Some(depth) = open.depth {
            self.openmp.settle(&mut self.buffer);
            let ticks = self.leaves_function(ticks);
            self.buffer.end_within(ticks, depth, Open::Function(region));
        }
        if others > 0 || open.depth.is_some() {
            let function = &mut self.functions.all[open.number];
            function.count(ticks.saturating_sub(open.entered), others > 0);
        }
        if let Some(around) = self.functions.open.last_mut() {
            around.of_functions += self.buffer.pushed().saturating_sub(open.before + others);
        }
    }
}

/// The calls of functions that were not recorded since they are short, by region.
pub(crate) fn functions_left_out() -> BTreeMap<u32, u64> {
    let blocks = region::blocks();
    let mut all = BTreeMap::new();
    for track in super::tracks() {
        let track = track.lock();
        let calls =
            track.functions.calls().filter(|&(of, [_, left_out])| left_out > 0 && !blocks.contains(&of));
        calls.for_each(|(region, [_, left_out])| *all.entry(region.0).or_default() += left_out);
    }
    all
}

/// The longest time that a function waits for the track of its thread before it goes on without. Other threads need it for as
/// long as they take its events away. If this is the handler of a signal that has interrupted the recorder in a call of MPI, it
/// will never be free.
const PATIENCE: Duration = Duration::from_millis(100);

/// This thread's track, to enter or leave a function that the compiler has instrumented; none if nothing has been recorded of the
/// thread, and nothing is, or if a signal has interrupted the recorder.
#[inline]
pub(crate) fn of_function() -> Option<Taken<Track>> {
    let track = MINE.with(|mine| mine.get().copied()).or_else(begin_with_function)?;
    track.try_lock().or_else(|| try_again(track))
}

#[cold]
fn begin_with_function() -> Option<&'static Shared<Track>> {
    track::is_recording().then(|| MINE.with(|mine| *mine.get_or_init(|| register(None))))
}

/// Ends the functions of this thread, which ends.
fn thread_ends() {
    if let Some(mut track) = MINE.with(|mine| mine.get().copied()).and_then(try_again) {
        track.leave_all_functions();
    }
}

#[cold]
fn try_again(track: &'static Shared<Track>) -> Option<Taken<Track>> {
    let asked = Instant::now();
    loop {
        match track.try_lock() {
            None if asked.elapsed() < PATIENCE => std::thread::yield_now(),
            taken => return taken,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function() -> Function {
        let (region, recorded) = (RegionRef(0), Recorded::ByLength);
        Function { region, recorded, calls: 0, ticks: 0, entered: 0, left_out: 0 }
    }

    #[test]
    fn short_functions_are_left_out_unless_they_lead_to_something() {
        clock::calibrate();
        let state = |calls: u64, ticks: u64, leads: bool| {
            let mut function = function();
            (0..calls).for_each(|call| function.count(ticks, leads && call == 0));
            function.recorded
        };
        assert_eq!(state(CALLS - 1, 0, false), Recorded::ByLength);
        assert_eq!(state(CALLS, 0, false), Recorded::NotAnyMore);
        assert_eq!(state(2 * CALLS, short(), false), Recorded::ByLength);
        assert_eq!(state(CALLS, 0, true), Recorded::Always);
        let mut short_at_last = function();
        short_at_last.count(CALLS * short(), false);
        (1..2 * CALLS - 1).for_each(|_| short_at_last.count(0, false));
        assert_eq!(short_at_last.recorded, Recorded::ByLength);
        short_at_last.count(0, false);
        assert_eq!(short_at_last.recorded, Recorded::NotAnyMore);
        short_at_last.count(0, true);
        assert_eq!(short_at_last.recorded, Recorded::Always, "it leads to MPI after all");
    }

    #[test]
    fn functions_are_left_where_one_above_them_or_too_many_of_one_are_entered() {
        let mut functions = Functions { stack: Some((0, 100)), ..Functions::default() };
        let mut open = |address: usize, stack: usize| {
            let (depth, entered, before, since) = (None, 0, 0, 0);
            functions.open.push(OpenFunction {
                address,
                number: 0,
                depth,
                stack,
                entered,
                before,
                since,
                of_functions: 0,
            });
        };
        open(1, 90);
        (0..INLINED).for_each(|_| open(2, 80));
        assert_eq!([80, 79, 81].map(|stack| functions.is_left_at(stack)), [false, false, true]);
        assert!(!functions.is_left_at(200), "that is another stack");
        assert_eq!(functions.left_in_frame(2, 80), Some(1));
        assert_eq!([(1, 80), (2, 70)].map(|(of, at)| functions.left_in_frame(of, at)), [None; 2]);
        functions.open.pop();
        assert_eq!(functions.left_in_frame(2, 80), None);
    }
}
