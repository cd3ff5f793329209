#![allow(unsafe_code, reason = "promises coroutines that the program outlives them")]
//! Running a program on virtual ranks.

use std::cell::RefCell;
use std::hint::black_box;
use std::io;

use ats_mpi::Communicator;

use crate::kernel::costs::Costs;
use crate::kernel::error::SimulationError;
use crate::kernel::location::Location;
use crate::kernel::processors::{Processors, Turns};
use crate::kernel::profile::Profile;
use crate::kernel::replay::{Pins, RankReplay};
use crate::kernel::sink::Sink;
use crate::kernel::stack::{Guards, Pool, Slab};
use crate::kernel::state::Kernel;
use crate::kernel::time::picoseconds;
use crate::mpi::network::Network;
use crate::mpi::nodes::Nodes;
use crate::mpi::state::{Mpi, Process};
use crate::openmp::lock::LockOrder;
use crate::openmp::state::Omp;
use crate::openmp::team::ParallelRegions;
use crate::openmp::thread::Thread;
use crate::outcome::{Outcome, outcome};
use crate::program::communicator::VirtualCommunicator;
use crate::program::communicator::recorded::CommunicatorGroup;
use crate::program::executor::VirtualExecutor;
use crate::program::process::VirtualProcess;
use crate::program::rank;
use crate::program::team::VirtualTeam;
use crate::scheduler::Scheduler;
use crate::world::{self, World};

/// Bytes of a coroutine's stack. Only pages that are touched take memory.
const STACK_BYTES: usize = 64 * 1024;

/// A failed test or probe takes so long, in seconds.
const POLL_SECONDS: f64 = 1e-6;

/// A simulation that is to be run.
pub struct Simulation<'a> {
    ranks: usize,
    threads: usize,
    lock_order: LockOrder,
    fork: f64,
    network: Network,
    nodes: Option<Vec<u32>>,
    processors: Option<Processors>,
    costs: Costs,
    accounts: bool,
    stack_bytes: usize,
    communicators: Vec<CommunicatorGroup>,
    measured: Vec<&'static str>,
    whole: bool,
    guards: Guards,
    replay: Option<Vec<RankReplay>>,
    is_free: bool,
    sink: Option<&'a mut (dyn Sink + 'a)>,
    stop: Option<&'a (dyn Fn() -> bool + 'a)>,
}

impl<'a> Simulation<'a> {
    /// A simulation of a program on `ranks` ranks.
    pub fn new(ranks: usize) -> Self {
        Simulation {
            ranks,
            threads: 1,
            lock_order: LockOrder::Fair,
            fork: 0.0,
            network: Network::default(),
            nodes: None,
            processors: None,
            costs: Costs::default(),
            accounts: true,
            stack_bytes: STACK_BYTES,
            communicators: Vec::new(),
            measured: Vec::new(),
            whole: false,
            guards: Guards::All,
            replay: None,
            is_free: false,
            sink: None,
            stop: None,
        }
    }

    /// Sets the number of threads in every process, at least one, for [`Simulation::run_with_team`]; nested regions
    /// may need more.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    /// With locks that go to waiting threads in this order.
    pub fn lock_order(mut self, order: LockOrder) -> Self {
        self.lock_order = order;
        self
    }

    /// With forks that cost something: `seconds` until the other threads begin.
    pub fn fork(mut self, seconds: f64) -> Self {
        self.fork = seconds;
        self
    }

    /// With a network that costs something.
    pub fn network(mut self, network: Network) -> Self {
        self.network = network;
        self
    }

    /// With the node of each process, by rank, if the network does not tell how many are on one.
    pub fn nodes(mut self, nodes: Option<Vec<u32>>) -> Self {
        self.nodes = nodes;
        self
    }

    /// On processors that processes share. A replay ignores them: its stamps tell when processes have worked.
    pub fn processors(mut self, processors: Option<Processors>) -> Self {
        self.processors = processors;
        self
    }

    /// With operations that cost this much.
    pub fn costs(mut self, costs: Costs) -> Self {
        self.costs = costs;
        self
    }

    /// With so many bytes of stack for each location, at least the usual 64 KiB: for programs that read files. Only pages
    /// that are touched take memory.
    pub fn stack_bytes(mut self, bytes: usize) -> Self {
        self.stack_bytes = bytes.max(STACK_BYTES);
        self
    }

    /// With these communicators from the begin, beside the one of all processes, for [`crate::RecordedCommunicator`].
    pub fn communicators(mut self, communicators: Vec<CommunicatorGroup>) -> Self {
        self.communicators = communicators;
        self
    }

    /// Between `MPI_Init` and `MPI_Finalize`, as a program of its own.
    pub fn whole_program(mut self) -> Self {
        self.whole = true;
        self
    }

    /// Omits the guard page below every stack if there are more than 16,384: each takes time, and Linux before 6.13
    /// has no room for many more.
    ///
    /// # Safety
    /// No location of the program needs more than the 64 KiB of stack that it has.
    #[must_use]
    pub unsafe fn unguarded(mut self) -> Self {
        self.guards = Guards::OfFew;
        self
    }

    /// Without adding up waits: only times, operations and counts. Without a sink call paths are not followed either.
    pub fn without_accounts(mut self) -> Self {
        self.accounts = false;
        self
    }

    /// With the time in these regions of the program, or calls, and what it [counts](ats_work::count) there, if call paths are
    /// followed.
    pub fn measure(mut self, regions: Vec<&'static str>) -> Self {
        self.measured = regions;
        self
    }

    /// Hands every event to `sink`.
    pub fn record(mut self, sink: &'a mut (dyn Sink + 'a)) -> Self {
        self.sink = Some(sink);
        self
    }

    /// Asks now and then whether to stop, and then ends with [`SimulationError::Stopped`].
    pub fn stop_if(mut self, stop: &'a (dyn Fn() -> bool + 'a)) -> Self {
        self.stop = Some(stop);
        self
    }

    /// A replay of a real run, one entry per rank: entries and exits are pinned to its stamps, its choices obeyed.
    pub fn replay(mut self, ranks: Vec<RankReplay>) -> Self {
        self.ranks = ranks.len();
        self.replay = Some(ranks);
        self
    }

    /// A replay of the work of a real run, one entry per rank: between its calls time passes as in the run, and its
    /// choices are obeyed, but calls take as long as the network and the other ranks make them. For programs without
    /// teams.
    pub fn replay_work(self, ranks: Vec<RankReplay>) -> Self {
        Simulation { is_free: true, ..self.replay(ranks) }
    }

    /// Runs `program` on every rank.
    ///
    /// # Errors
    /// The ranks wait for one another, one breaks a rule of MPI or panics, or a replay does not fit the program.
    pub fn run(self, program: impl Fn(&dyn Communicator)) -> Result<Outcome, SimulationError> {
        self.simulate(|c| program(&c), false)
    }

    /// Runs `program` on every process; it initialises and finalizes MPI itself.
    ///
    /// # Errors
    /// As [`Simulation::run`].
    pub fn run_processes(self, program: impl Fn(&dyn ats_mpi::Process)) -> Result<Outcome, SimulationError> {
        self.simulate(|c| program(&VirtualProcess(c)), false)
    }

    /// Runs `program`, which may start teams of threads, on every rank.
    ///
    /// # Errors
    /// As [`Simulation::run`], for every thread. Threads may call MPI at once, as with `MPI_THREAD_MULTIPLE`.
    pub fn run_with_team(
        self,
        program: impl Fn(&dyn Communicator, &VirtualTeam),
    ) -> Result<Outcome, SimulationError> {
        let team = VirtualTeam::new(self.threads);
        self.simulate(|c| program(&c, &team), true)
    }

    fn simulate(
        self,
        program: impl Fn(VirtualCommunicator),
        with_teams: bool,
    ) -> Result<Outcome, SimulationError> {
        let ranks = self.ranks;
        let (guards, stack_bytes) = (self.guards, self.stack_bytes);
        let locations = if with_teams { ranks.saturating_mul(self.threads) } else { ranks };
        let slab = room_for(locations)
            .and_then(|()| Slab::new(ranks, stack_bytes, 0, guards))
            .map_err(|source| SimulationError::Stacks { ranks, source })?;
        let spans: Vec<(u64, u64)> = match &self.replay {
            Some(replay) => replay.iter().map(|rank| (rank.enter, rank.leave)).collect(),
            None => vec![(0, 0); ranks],
        };
        // A tick for a send that was held last; where there are threads, they would idle meanwhile.
        let finalize_after = self.whole.then_some(if with_teams { 0 } else { 1 });
        let world = RefCell::new(self.world(&spans, with_teams));

        let previous = ats_work::install(Some(&VirtualExecutor));
        let finished = world::enter(&world, || {
            let spawn = |rank| {
                // SAFETY: the coroutines are dropped below, before `program`.
                Some(unsafe { rank::spawn(&program, rank, ranks, finalize_after, slab.stack(rank)) })
            };
            let mut scheduler =
                Scheduler::new((0..ranks).map(spawn).collect(), Pool::new(stack_bytes, ranks, guards));
            let result = scheduler.drive(&world);
            // Who is unfinished is unwound here, while the world is still there.
            scheduler.dismiss(&world);
            result
        });
        ats_work::install(previous);
        finished?;
        outcome(world.into_inner(), &spans)
    }

    /// The world before the first location runs, given begin and end of each rank.
    fn world(self, spans: &[(u64, u64)], with_teams: bool) -> World<'a> {
        let ranks = self.ranks;
        let mut kernel = Kernel::new(ranks, self.sink);
        kernel.poll = picoseconds(POLL_SECONDS);
        kernel.accounts = self.accounts;
        kernel.measuring.chosen = self.measured;
        let processors = self.processors.filter(|_| self.replay.is_none());
        kernel.turns = processors.map(Turns::new);
        kernel.costs = self.costs;
        kernel.stop = self.stop;
        let mut omp = Omp::new(self.threads as u32, self.lock_order);
        omp.fork = picoseconds(self.fork);
        let mut replays = self.replay.into_iter().flatten();
        for (rank, &(begin, _)) in (0..).zip(spans) {
            let pins = replays.next().map(|replay| {
                let others = replay.threads.into_iter();
                omp.pins.extend(others.map(|(path, pins)| ((rank, path.into()), Pins::new(pins))));
                let pins = Pins::new(replay.master);
                Box::new(if self.is_free { pins.free(begin) } else { pins })
            });
            kernel.add(Location::new(rank, 0, begin, pins));
        }
        if with_teams {
            omp.make_threads(&mut kernel);
        }
        if with_teams && self.accounts {
            kernel.profiles = spans.iter().map(|&(begin, _)| Profile::new(begin)).collect();
            omp.regions.resize_with(ranks, ParallelRegions::default);
        }
        let mut mpi = Mpi::new(ranks, self.network.into(), self.network.progress.unwrap_or_default());
        mpi.nodes = Nodes::new(&self.network, ranks, self.nodes.as_deref());
        mpi.groups.extend(self.communicators.into_iter().map(CommunicatorGroup::group));
        World { kernel, mpi, omp }
    }
}

/// Checks that there is memory for the least that the locations need: their part of the tables, and a page of a stack.
fn room_for(locations: usize) -> io::Result<()> {
    let each = size_of::<Location>() + size_of::<Process>() + size_of::<Thread>() + 4096;
    let mut room: Vec<u8> = Vec::new();
    room.try_reserve_exact(locations.saturating_mul(each)).map_err(|_| io::ErrorKind::OutOfMemory)?;
    // Else it might not be asked for at all.
    black_box(&room);
    Ok(())
}
