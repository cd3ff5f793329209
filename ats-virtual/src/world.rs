#![allow(
    unsafe_code,
    reason = "coroutines reach their world and their yielder through thread-local pointers"
)]
//! The state of a simulation, and how coroutines reach it, wait and go on.
//!
//! A coroutine runs until it has to wait; it is resumed when somebody it waits for has come. Clocks are the
//! coroutines' own, and results do not depend on who runs first, with one exception: what happens *when* matters
//! to wildcards, tests and probes. Such an operation goes to the heap and is carried out only when nothing can happen
//! earlier any more, that is, when nobody can run and it is the earliest there.

use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use ats_model::event::{Event, RegionRef};
use ats_model::truth::CallCount;
use ats_model::{CallPathId, CallTree};
use ats_mpi::BaseComm;
use corosensei::Yielder;
use rustc_hash::FxHashMap;

use crate::account::Account;
use crate::collective::Group;
use crate::idle::Serial;
use crate::network::Costs;
use crate::operations::Operations;
use crate::point_to_point::{CompletedSend, Mailbox};
use crate::prefetch::{LINE_BYTES, prefetch};
use crate::replay::Pins;
use crate::sink::Sink;
use crate::team::Threads;
use crate::time::{LATEST, Picoseconds};

/// Everything that the coroutines of a simulation share.
pub(crate) struct World<'a> {
    /// The masters of the processes by rank, then the other threads in order of first use.
    pub(crate) locations: Vec<Location>,
    pub(crate) ranks: usize,
    pub(crate) threads: Threads,
    /// Per rank, what its master does; empty where nobody wants to know.
    pub(crate) serial: Vec<Serial>,
    pub(crate) groups: Vec<Group>,
    pub(crate) costs: Costs,
    pub(crate) poll: Picoseconds,
    pub(crate) accounts: bool,
    pub(crate) sink: Option<&'a mut (dyn Sink + 'a)>,
    pub(crate) regions: Regions,
    pub(crate) call_tree: CallTree<RegionRef>,
    pub(crate) counts: Vec<CallCount>,
    pub(crate) operations: u64,
    pub(crate) current: usize,
    pub(crate) failure: Option<crate::SimulationError>,
    /// Whether what is left is only unwound: nobody waits any more.
    pub(crate) is_over: bool,
    /// How often bodies have caught that and gone on.
    caught: u32,
    /// Sends that took time and are complete, but not received, by message number.
    pub(crate) completed_sends: FxHashMap<u64, CompletedSend>,
    /// Ranks that wait until all have come to be aligned.
    pub(crate) aligned: Vec<u32>,
    /// Who can run. Who has become so last runs first: of thousands, what those few use is still in the cache.
    ready: Vec<u32>,
    heap: BinaryHeap<Reverse<(Picoseconds, u64, Due)>>,
    entries: u64,
}

/// So much of a stack, from its yielder down, is used at every turn of a program that communicates at its top level.
const HOT_STACK_LINES: usize = 16;

/// What the heap holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Due {
    /// Messages of this location may match its wildcard receives.
    Match(u32),
    /// This location goes on.
    Resume(u32),
    /// Threads of this team that rest may execute tasks.
    Tasks(u32),
    /// This lock may go to a thread that waits for it.
    Lock(u32),
}

/// One thread of a rank.
pub(crate) struct Location {
    pub(crate) clock: Picoseconds,
    /// When its program was done.
    pub(crate) end: Picoseconds,
    pub(crate) call_path: CallPathId,
    pub(crate) mailbox: Mailbox,
    pub(crate) operations: Operations,
    /// How many operations it waits for before it can go on.
    pub(crate) awaits: u32,
    /// Whether it waits for any message to arrive.
    pub(crate) awaits_message: bool,
    pub(crate) account: Account,
    pub(crate) base: BaseComm,
    pub(crate) pins: Option<Box<Pins>>,
    yielder: *const Yielder<(), ()>,
}

impl Location {
    pub(crate) fn new(clock: Picoseconds, pins: Option<Box<Pins>>) -> Self {
        Location {
            clock,
            end: clock,
            call_path: CallPathId::ROOT,
            mailbox: Mailbox::default(),
            operations: Operations::default(),
            awaits: 0,
            awaits_message: false,
            account: Account::default(),
            base: BaseComm::default(),
            pins,
            yielder: std::ptr::null(),
        }
    }
}

/// The regions that were entered, numbered by first use.
pub(crate) struct Regions {
    pub(crate) names: Vec<&'static str>,
    by_name: BTreeMap<&'static str, RegionRef>,
    /// By address first: comparing text at every call would cost more than the call. Few names are in use at a time,
    /// so a small table that forgets does.
    recent: [Option<(&'static str, RegionRef)>; 64],
}

impl Regions {
    #[inline]
    pub(crate) fn get(&mut self, name: &'static str) -> RegionRef {
        let address = name.as_ptr() as usize;
        let slot = (address ^ address >> 6 ^ name.len()) % self.recent.len();
        match self.recent[slot] {
            Some((recent, region)) if std::ptr::eq(recent, name) => region,
            _ => self.find(name, slot),
        }
    }

    #[cold]
    fn find(&mut self, name: &'static str, slot: usize) -> RegionRef {
        let Regions { names, by_name, recent } = self;
        let region = *by_name.entry(name).or_insert_with(|| {
            names.push(name);
            RegionRef(names.len() as u32 - 1)
        });
        recent[slot] = Some((name, region));
        region
    }
}

impl Default for Regions {
    fn default() -> Self {
        Regions { names: Vec::new(), by_name: BTreeMap::new(), recent: [None; 64] }
    }
}

thread_local! {
    static WORLD: Cell<*const ()> = const { Cell::new(std::ptr::null()) };
}

/// Makes `world` the one that coroutines on this thread reach, as long as `run` runs.
pub(crate) fn enter<R>(world: &RefCell<World<'_>>, run: impl FnOnce() -> R) -> R {
    struct Restore(*const ());
    impl Drop for Restore {
        fn drop(&mut self) {
            WORLD.set(self.0);
        }
    }
    let _restore = Restore(WORLD.replace(std::ptr::from_ref(world).cast()));
    run()
}

/// Works on the world that this coroutine lives in. Must not be nested, and nothing inside may yield.
///
/// # Panics
/// The caller is no coroutine of a simulation: a communicator has outlived its simulation.
#[inline(always)]
pub(crate) fn world<R>(work: impl FnOnce(&mut World<'_>) -> R) -> R {
    let world = WORLD.get();
    assert!(!world.is_null(), "a virtual communicator is used outside its simulation");
    // SAFETY: `enter` has set the pointer to a `RefCell<World>` that it borrows until it returns. The lifetime of the
    // sink inside is shortened to that of the call.
    let world = unsafe { &*world.cast::<RefCell<World<'_>>>() };
    work(&mut world.borrow_mut())
}

/// Keeps the yielder of the coroutine that starts to run.
pub(crate) fn started(yielder: &Yielder<(), ()>) {
    world(|world| world.here().yielder = yielder);
}

/// Notes that the program of the location that runs is done.
pub(crate) fn finished() {
    world(|world| {
        world.here().end = world.here().clock;
        world.end_serial(world.current);
    });
}

/// Gives the processor to others until this location is resumed. Returns at once in a destructor that runs because the
/// simulation is over.
pub(crate) fn pause() {
    let Some(yielder) = world(|world| (!world.is_over).then(|| world.here().yielder)) else {
        return after_the_end();
    };
    // SAFETY: the yielder lives as long as its coroutine, and it is this coroutine that runs.
    unsafe { &*yielder }.suspend(());
}

/// So often a body may catch the end of its simulation.
const MOST_CAUGHT: u32 = 1000;

/// A body that has caught the unwinding and wants to wait again is unwound again.
#[cold]
fn after_the_end() {
    if std::thread::panicking() {
        return;
    }
    world(|world| {
        world.caught += 1;
        if world.caught > MOST_CAUGHT {
            let place = world.place(world.current);
            eprintln!("{place} catches every panic: its simulation is over, and cannot be ended otherwise");
            std::process::abort();
        }
    });
    std::panic::resume_unwind(Box::new("the simulation is over"));
}

/// Waits until nothing can happen before `time` any more. The clock does not change.
pub(crate) fn in_order_at(time: Picoseconds) {
    world(|world| {
        let here = world.current as u32;
        world.push(time, Due::Resume(here));
    });
    pause();
}

impl World<'_> {
    pub(crate) fn new(locations: Vec<Location>, costs: Costs) -> Self {
        let ranks = locations.len();
        let ready = (0..ranks as u32).rev().collect();
        World {
            locations,
            ranks,
            threads: Threads::default(),
            serial: Vec::new(),
            groups: Vec::new(),
            costs,
            poll: 0,
            accounts: true,
            sink: None,
            regions: Regions::default(),
            call_tree: CallTree::default(),
            counts: Vec::new(),
            operations: 0,
            current: 0,
            failure: None,
            is_over: false,
            caught: 0,
            completed_sends: FxHashMap::default(),
            aligned: Vec::new(),
            ready,
            heap: BinaryHeap::new(),
            entries: 0,
        }
    }

    /// The location that runs.
    pub(crate) fn here(&mut self) -> &mut Location {
        &mut self.locations[self.current]
    }

    /// Whether the location that runs replays a real run.
    pub(crate) fn replays(&self) -> bool {
        self.locations[self.current].pins.is_some()
    }

    /// Puts something that depends on order on the heap. Among equals, matching goes before resuming, that of lower threads
    /// before that of higher ones, and what is given to who waits comes last.
    pub(crate) fn push(&mut self, time: Picoseconds, due: Due) {
        self.entries += 1;
        let class = match due {
            Due::Match(_) => 0,
            Due::Resume(location) => {
                1 << 62
                    | self
                        .threads
                        .of
                        .get(location as usize)
                        .map_or(0, |thread| u64::from(thread.number) << 40)
            }
            Due::Tasks(_) | Due::Lock(_) => 2 << 62,
        };
        self.heap.push(Reverse((time, class | self.entries, due)));
    }

    /// Lets a location run again.
    pub(crate) fn ready(&mut self, location: u32) {
        self.ready.push(location);
    }

    /// Fetches what runs soon into the cache: those of thousands of locations do not stay there between their turns.
    #[inline]
    fn prefetch(&self) {
        let mut next = self.ready.iter().rev();
        if let Some(&next) = next.next() {
            let yielder = self.locations[next as usize].yielder;
            // From the top, which is used first.
            for line in 0..HOT_STACK_LINES {
                prefetch(yielder.wrapping_byte_sub(line * LINE_BYTES));
            }
        }
        // Where its stack is must be there when the turn before comes.
        if let Some(&soon) = next.nth(1) {
            let location = &raw const self.locations[soon as usize];
            for line in 0..size_of::<Location>().div_ceil(LINE_BYTES) {
                prefetch(location.wrapping_byte_add(line * LINE_BYTES));
            }
        }
    }

    /// Who runs next.
    pub(crate) fn next(&mut self) -> Option<u32> {
        loop {
            if let Some(location) = self.ready.pop() {
                self.prefetch();
                return Some(location);
            }
            match self.heap.pop()?.0 {
                (_, _, Due::Resume(location)) => return Some(location),
                (time, _, Due::Match(location)) => self.match_wildcards(location as usize, time),
                (time, _, Due::Tasks(team)) => self.hand_out_tasks(team, time),
                (time, _, Due::Lock(lock)) => self.lock_due(lock, time),
            }
        }
    }

    /// An event of the location that runs, at its clock.
    pub(crate) fn event(&mut self, event: Event) {
        if let Some(sink) = &mut self.sink {
            let here = self.current;
            sink.event(here, self.locations[here].clock, event);
        }
    }

    /// Time passes on the location that runs.
    #[inline]
    pub(crate) fn advance(&mut self, ticks: Picoseconds) {
        let time = self.here().clock.saturating_add(ticks);
        self.advance_to(time);
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
        std::panic::resume_unwind(Box::new(crate::SimulationError::TooLong { place }))
    }

    /// Whether anybody wants to know where things happen.
    pub(crate) fn follows_call_paths(&self) -> bool {
        self.accounts || self.sink.is_some()
    }

    /// The location that runs enters a region.
    #[inline]
    pub(crate) fn enter_region(&mut self, region: RegionRef) {
        if self.follows_call_paths() {
            self.follow_into(region);
        }
    }

    fn follow_into(&mut self, region: RegionRef) {
        let parent = self.here().call_path;
        self.pass(parent);
        let child = self.call_tree.child(parent, region);
        self.here().call_path = child;
        self.event(Event::Enter { region });
    }

    /// The location that runs leaves the region that it entered last.
    #[inline]
    pub(crate) fn leave_region(&mut self, region: RegionRef) {
        if self.follows_call_paths() {
            self.follow_out_of(region);
        }
    }

    fn follow_out_of(&mut self, region: RegionRef) {
        self.event(Event::Leave { region });
        let path = self.here().call_path;
        self.pass(path);
        self.here().call_path = self.call_tree.parent(path);
    }

    /// Until now the location that runs was at this call path.
    fn pass(&mut self, path: CallPathId) {
        if let Some(serial) = self.serial.get_mut(self.current) {
            serial.pass(path, self.locations[self.current].clock);
        }
    }

    /// The program breaks a rule where it runs now.
    pub(crate) fn misuse(&self, message: String) -> crate::SimulationError {
        crate::SimulationError::Misuse { place: self.place(self.current), message }
    }

    /// A real run's witness does not fit the program.
    pub(crate) fn misfit(&self, location: usize, reason: String) -> crate::SimulationError {
        crate::SimulationError::Replay { place: self.place(location), reason }
    }

    /// Stops the simulation for a reason; the first one stays.
    pub(crate) fn fail(&mut self, failure: crate::SimulationError) {
        self.failure.get_or_insert(failure);
    }

    /// The names of the regions of a call path, from the outermost.
    pub(crate) fn path(&self, path: CallPathId) -> Vec<&'static str> {
        self.call_tree.path(path).into_iter().map(|region| self.regions.names[region.0 as usize]).collect()
    }
}
