//! State of the kernel: all locations, the one that runs, and the order of the others.

use std::collections::HashMap;
use std::rc::Rc;

use ats_model::event::{Event, RegionRef};
use ats_model::own_attribute::Own;
use ats_model::traffic::CallCount;
use ats_model::{CallPathId, CallTree};

use crate::kernel::agenda::Agenda;
use crate::kernel::costs::Costs;
use crate::kernel::error::{Place, SimulationError};
use crate::kernel::location::Location;
use crate::kernel::measuring::Measuring;
use crate::kernel::prefetch::{LINE_BYTES, prefetch, prefetch_value};
use crate::kernel::processors::Turns;
use crate::kernel::profile::Profile;
use crate::kernel::regions::Regions;
use crate::kernel::signals::Signals;
use crate::kernel::sink::Sink;
use crate::kernel::time::{LATEST, Picoseconds};

/// The state of the kernel.
pub(crate) struct Kernel<'a> {
    /// The masters of the processes by rank, then the other threads in order of first use.
    pub(crate) locations: Vec<Location>,
    /// The number of processes.
    pub(crate) ranks: usize,
    /// The location that runs.
    pub(crate) current: usize,
    /// The process of the location that runs.
    process: usize,
    /// Whether waits are added up.
    pub(crate) accounts: bool,
    pub(crate) sink: Option<&'a mut (dyn Sink + 'a)>,
    /// The function that is asked now and then whether to end; `None` once it has said so.
    pub(crate) stop: Option<&'a (dyn Fn() -> bool + 'a)>,
    /// The number of operations begun since it was asked.
    unasked: u32,
    /// Whether values are noted with events.
    pub(crate) has_notes: bool,
    pub(crate) regions: Regions,
    pub(crate) call_tree: CallTree<RegionRef>,
    /// Of each region, how often it was called.
    pub(crate) counts: Vec<CallCount>,
    /// The number of operations begun.
    pub(crate) operations: u64,
    /// Per rank, the profile of its master; empty if no profile is wanted.
    pub(crate) profiles: Vec<Profile>,
    pub(crate) measuring: Measuring,
    /// The processors that processes share; `None` if each has its own.
    pub(crate) turns: Option<Turns>,
    /// The costs of work that is described by its amount.
    pub(crate) costs: Costs,
    /// Data that all locations would compute alike, by name: computed by the first that asked.
    pub(crate) same_for_all: HashMap<String, Rc<[f64]>>,
    /// The time it takes to find that something has not happened yet.
    pub(crate) poll: Picoseconds,
    pub(crate) failure: Option<SimulationError>,
    /// Whether locations are only unwound, and nothing waits any more.
    pub(crate) is_over: bool,
    /// The number of times that bodies have caught that and gone on.
    pub(crate) caught: u32,
    /// The signals between locations.
    pub(crate) signals: Signals,
    /// Ranks that wait until all have come to be aligned.
    pub(crate) aligned: Vec<u32>,
    /// The locations that can run. The latest runs first: among thousands, the data of those few is still in the
    /// cache.
    ready: Vec<u32>,
    /// The locations that go on when nothing can happen earlier any more; lower threads of a process go first.
    agenda: Agenda<u32>,
}

/// The number of regions and pieces of work between two questions whether to end: some tenths of a millisecond.
const ASKED_AFTER: u32 = 4096;

/// The lines of a stack, from its yielder down, that are used at every turn of a program that communicates at its top
/// level.
const HOT_STACK_LINES: usize = 16;

impl<'a> Kernel<'a> {
    /// A kernel for `ranks` processes, whose masters are ready to run, and are added next.
    pub(crate) fn new(ranks: usize, sink: Option<&'a mut (dyn Sink + 'a)>) -> Self {
        Kernel {
            locations: Vec::with_capacity(ranks),
            ranks,
            current: 0,
            process: 0,
            accounts: true,
            sink,
            stop: None,
            unasked: 0,
            has_notes: false,
            regions: Regions::default(),
            call_tree: CallTree::default(),
            counts: Vec::new(),
            operations: 0,
            profiles: Vec::new(),
            measuring: Measuring::default(),
            turns: None,
            costs: Costs::default(),
            same_for_all: HashMap::new(),
            poll: 0,
            failure: None,
            is_over: false,
            caught: 0,
            signals: Signals::default(),
            aligned: Vec::new(),
            ready: (0..ranks as u32).rev().collect(),
            agenda: Agenda::default(),
        }
    }

    /// There is a location more.
    pub(crate) fn add(&mut self, location: Location) {
        if let Some(sink) = &mut self.sink {
            sink.location(&location.definition());
        }
        self.locations.push(location);
    }

    /// The location that runs.
    #[inline(always)]
    pub(crate) fn here(&mut self) -> &mut Location {
        &mut self.locations[self.current]
    }

    /// The number of the location that runs.
    #[inline(always)]
    pub(crate) fn number(&self) -> u32 {
        self.current as u32
    }

    /// The clock of the location that runs.
    #[inline(always)]
    pub(crate) fn now(&self) -> Picoseconds {
        self.locations[self.current].clock
    }

    /// Makes a location the one that runs.
    #[inline(always)]
    pub(crate) fn switch_to(&mut self, location: u32) {
        self.current = location as usize;
        self.process = self.process_of(location) as usize;
    }

    /// The process of the location that runs.
    #[inline(always)]
    pub(crate) fn rank(&self) -> usize {
        self.process
    }

    /// The process of a location.
    #[inline(always)]
    pub(crate) fn process_of(&self, location: u32) -> u32 {
        // Masters come first, by rank: their data need not be in the cache.
        if (location as usize) < self.ranks { location } else { self.locations[location as usize].rank }
    }

    /// Rank and thread of a location.
    pub(crate) fn place(&self, location: usize) -> Place {
        self.locations[location].place()
    }

    /// Whether the location that runs replays a real run.
    #[inline(always)]
    pub(crate) fn replays(&self) -> bool {
        self.locations[self.current].pins.is_some()
    }

    /// Lets a location run again.
    #[inline(always)]
    pub(crate) fn ready(&mut self, location: u32) {
        self.ready.push(location);
    }

    /// Lets a location run again when nothing can happen before `time` any more.
    pub(crate) fn resume_at(&mut self, time: Picoseconds, location: u32) {
        let thread = self.locations[location as usize].thread;
        self.agenda.push(time, thread, location);
    }

    /// Removes the location that runs next, if any can run now.
    #[inline(always)]
    pub(crate) fn next_ready(&mut self) -> Option<u32> {
        let next = self.ready.pop()?;
        self.prefetch();
        Some(next)
    }

    /// The location that is ready after the next two.
    #[inline(always)]
    pub(crate) fn soon_ready(&self) -> Option<u32> {
        self.ready.iter().rev().nth(2).copied()
    }

    /// The time of the first location on the agenda.
    pub(crate) fn next_time(&self) -> Option<Picoseconds> {
        self.agenda.next_time()
    }

    /// Removes the first location on the agenda.
    pub(crate) fn next_due(&mut self) -> Option<u32> {
        self.agenda.pop().map(|(_, location)| location)
    }

    /// Fetches data of the location that runs soon into the cache: that of thousands of locations does not stay there
    /// between their turns.
    #[inline(always)]
    fn prefetch(&self) {
        if let Some(&next) = self.ready.last() {
            let yielder = self.locations[next as usize].yielder;
            // From the top, which is used first.
            for line in 0..HOT_STACK_LINES {
                prefetch(yielder.wrapping_byte_sub(line * LINE_BYTES));
            }
        }
        // Where its stack is must be there when the turn before comes.
        if let Some(soon) = self.soon_ready() {
            prefetch_value(&self.locations[soon as usize]);
        }
    }

    /// An event of the location that runs, at its clock.
    #[inline(always)]
    pub(crate) fn event(&mut self, event: Event) {
        if self.sink.is_some() {
            let location = &self.locations[self.current];
            if location.is_held {
                self.event_after_held(event);
            } else {
                self.send_to_sink(self.current, location.clock, event);
            }
        }
    }

    /// Notes a value with the next event of the location that runs.
    pub(crate) fn note(&mut self, attribute: Own, bits: u64) {
        self.has_notes = true;
        self.event(attribute.noted(bits));
    }

    #[inline(always)]
    pub(crate) fn send_to_sink(&mut self, location: usize, time: Picoseconds, event: Event) {
        if let Some(sink) = &mut self.sink {
            sink.event(location, time, event);
        }
    }

    /// Time passes on the location that runs.
    #[inline]
    pub(crate) fn advance(&mut self, ticks: Picoseconds) {
        self.advance_to(self.now().saturating_add(ticks));
    }

    /// The location that runs goes on when nothing can happen earlier any more; at one time, lower ranks go first.
    pub(crate) fn ask_for_processor(&mut self) {
        self.agenda.push(self.now(), self.rank() as u32, self.number());
    }

    /// The location that runs works, on its processor; if processors are shared, nothing can happen before any more.
    #[inline]
    pub(crate) fn work(&mut self, ticks: Picoseconds) {
        let (rank, now) = (self.rank() as u32, self.now());
        match &mut self.turns {
            Some(turns) => {
                let end = turns.work(rank, now, ticks);
                self.advance_to(end);
            }
            None => self.advance(ticks),
        }
    }

    /// The clock of the location that runs goes to `time`; if that cannot be told any more, the simulation ends.
    #[inline(always)]
    pub(crate) fn advance_to(&mut self, time: Picoseconds) {
        if time == LATEST {
            self.too_long();
        }
        self.here().clock = time;
    }

    #[cold]
    fn too_long(&self) -> ! {
        let place = self.place(self.current);
        std::panic::resume_unwind(Box::new(SimulationError::TooLong { place }))
    }

    /// Ends the simulation where that is wanted.
    #[inline(always)]
    pub(crate) fn may_stop(&mut self) {
        if self.stop.is_some() {
            self.ask();
        }
    }

    #[inline(never)]
    fn ask(&mut self) {
        self.unasked += 1;
        if self.unasked == ASKED_AFTER {
            self.unasked = 0;
            if self.stop.is_some_and(|stop| stop()) {
                // What is unwound now must not be stopped again.
                self.stop = None;
                std::panic::resume_unwind(Box::new(SimulationError::Stopped))
            }
        }
    }

    /// It was found that something has not happened yet: that takes time, or polling would never end.
    pub(crate) fn poll(&mut self) {
        self.advance(self.poll);
    }

    /// Whether a sink, an account or a profile needs call paths.
    #[inline(always)]
    pub(crate) fn follows_call_paths(&self) -> bool {
        self.accounts || self.sink.is_some()
    }

    /// The location that runs enters a region.
    #[inline(always)]
    pub(crate) fn enter_region(&mut self, region: RegionRef) {
        if self.follows_call_paths() {
            self.follow_into(region);
        }
    }

    #[inline(never)]
    fn follow_into(&mut self, region: RegionRef) {
        self.may_stop();
        let parent = self.here().call_path;
        self.pass(parent);
        let child = self.call_tree.child(parent, region);
        let here = self.here();
        here.call_path = child;
        if let Some(polls) = &mut here.polls {
            polls.enter(here.clock);
        }
        self.event(Event::Enter { region });
        if let Some(region) = self.measured(region) {
            self.measuring.enter(region, self.current, self.now());
        }
    }

    /// The name of a region or call whose time is measured.
    #[inline(always)]
    fn measured(&self, region: RegionRef) -> Option<&'static str> {
        // Of most programs nothing is.
        if self.measuring.chosen.is_empty() {
            return None;
        }
        Some(self.regions.name(region)).filter(|name| self.measuring.chosen.contains(name))
    }

    /// The location that runs leaves the region that it entered last.
    #[inline(always)]
    pub(crate) fn leave_region(&mut self, region: RegionRef) {
        if self.follows_call_paths() {
            self.follow_out_of(region);
        }
    }

    #[inline(never)]
    fn follow_out_of(&mut self, region: RegionRef) {
        if self.measured(region).is_some() {
            self.measuring.leave(self.current, self.now());
        }
        self.event(Event::Leave { region });
        let path = self.here().call_path;
        self.pass(path);
        let parent = self.call_tree.parent(path);
        let here = self.here();
        here.call_path = parent;
        if let Some(polls) = &mut here.polls {
            polls.leave(here.clock, path, parent);
        }
    }

    /// The location that runs is in a call, entered at `begin`, that has tested something in vain; the number of the polling that it begins.
    pub(crate) fn begin_poll(&mut self, begin: Picoseconds) -> u32 {
        let call_path = self.here().call_path;
        let beside = self.call_tree.parent(call_path);
        self.here().polls.get_or_insert_default().begin(begin, call_path, beside)
    }

    /// Until now the location that runs was at this call path.
    fn pass(&mut self, path: CallPathId) {
        if let Some(profile) = self.profiles.get_mut(self.current) {
            profile.pass(path, self.locations[self.current].clock);
        }
    }

    /// The program of a location is done, or its measured part is.
    pub(crate) fn end(&mut self, location: usize) {
        let Location { call_path, clock, ref mut end, .. } = self.locations[location];
        *end = clock;
        if let Some(profile) = self.profiles.get_mut(location) {
            profile.pass(call_path, clock);
        }
    }

    /// The rank that runs is to be aligned. Returns whether all are, and then lets them go on.
    pub(crate) fn align(&mut self) -> bool {
        self.aligned.push(self.number());
        if self.aligned.len() < self.ranks {
            return false;
        }
        let latest = self.locations[..self.ranks].iter().map(|location| location.clock).max();
        for rank in std::mem::take(&mut self.aligned) {
            let location = &mut self.locations[rank as usize];
            location.clock = latest.unwrap_or(0);
            if let Some(pins) = &mut location.pins {
                pins.aligned();
            }
            if rank as usize != self.current {
                self.ready(rank);
            }
        }
        true
    }

    /// The program breaks a rule where it runs now.
    pub(crate) fn misuse(&self, message: String) -> SimulationError {
        SimulationError::Misuse { place: self.place(self.current), message }
    }

    /// A real run's witness does not fit the program.
    pub(crate) fn misfit(&self, location: usize, reason: String) -> SimulationError {
        SimulationError::Replay { place: self.place(location), reason }
    }

    /// Stops the simulation for a reason; the first one stays.
    pub(crate) fn fail(&mut self, failure: SimulationError) {
        self.failure.get_or_insert(failure);
    }

    /// The names of the regions of a call path, from the outermost.
    pub(crate) fn path(&self, path: CallPathId) -> Vec<&'static str> {
        self.call_tree.path(path).into_iter().map(|region| self.regions.name(region)).collect()
    }
}
