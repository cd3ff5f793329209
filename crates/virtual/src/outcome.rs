//! Outcome of a simulation.

use std::collections::BTreeMap;

use ats_model::WaitState;
use ats_model::mpi::{Form, Function};
use ats_model::traffic::{CallCount, Traffic};
use ats_work::{Measured, Regions};

use crate::definitions::definitions;
use crate::kernel::error::{Place, SimulationError};
use crate::kernel::location::Location as KernelLocation;
use crate::kernel::time::seconds;
use crate::openmp::thread::Thread;
use crate::world::World;

/// The result of a simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Per rank, when it was done, in seconds from the start.
    pub ends: Vec<f64>,
    /// Per rank, when it began, in seconds from the start: 0 unless a real run is replayed.
    pub begins: Vec<f64>,
    /// All threads of all ranks, by rank and thread.
    pub locations: Vec<Location>,
    /// All waits, by call path, wait state, rank and thread.
    pub waits: Vec<Wait>,
    /// Number of calls of each MPI function and entries into each OpenMP construct, over all locations.
    pub counts: BTreeMap<String, CallCount>,
    /// The regions of the program that are [measured](crate::Simulation::measure), by region, rank and thread.
    pub regions: Vec<MeasuredRegion>,
    /// The number of operations that the ranks have begun: pieces of work, sends, receives, parts of collectives and
    /// of OpenMP constructs.
    pub operations: u64,
}

/// A thread of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// Rank in `MPI_COMM_WORLD`.
    pub rank: usize,
    /// Number of the thread in its process; the master is 0.
    pub thread: usize,
    /// Whether its number depends on the order in which threads of nested regions are first used.
    pub exchangeable: bool,
}

/// The time of one location in a region of the program, and what it counts there.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredRegion {
    /// The region's name.
    pub region: &'static str,
    /// Rank in `MPI_COMM_WORLD`.
    pub rank: usize,
    /// Number of the thread in its process; the master is 0.
    pub thread: usize,
    /// Number of entries.
    pub visits: u64,
    /// Seconds in it and in all that it calls.
    pub seconds: f64,
    /// Numbers counted in it, by counter.
    pub counts: BTreeMap<&'static str, u64>,
}

/// The waiting or idle time of one location at one call path.
#[derive(Clone, Debug, PartialEq)]
pub struct Wait {
    /// Rank in `MPI_COMM_WORLD`.
    pub rank: usize,
    /// Number of the thread in its process; the master is 0.
    pub thread: usize,
    /// Whether another thread of the process could have waited instead, because OpenMP leaves the order open.
    pub exchangeable: bool,
    /// The wait state; `None` if no metric counts it.
    pub state: Option<WaitState>,
    /// The place of the wait.
    pub call_path: Vec<&'static str>,
    /// Name and size of the communicator; `None` if it waited for threads of its own process.
    pub communicator: Option<(String, usize)>,
    /// Seconds that the metric counts.
    pub waiting_time: f64,
    /// Seconds that it was blocked.
    pub physical_time: f64,
    /// The number of single waits in it.
    pub instances: u64,
}

impl Outcome {
    /// Seconds of a wait state, over all locations.
    pub fn waiting_time(&self, state: WaitState) -> f64 {
        self.waits.iter().filter(|wait| wait.state == Some(state)).map(|wait| wait.waiting_time).sum()
    }

    /// Seconds of a wait state on all threads of one rank.
    pub fn waiting_time_of(&self, state: WaitState, rank: usize) -> f64 {
        let of = |wait: &&Wait| wait.state == Some(state) && wait.rank == rank;
        self.waits.iter().filter(of).map(|wait| wait.waiting_time).sum()
    }

    /// Seconds of a wait state on one thread of a rank.
    pub fn waiting_time_at(&self, state: WaitState, rank: usize, thread: usize) -> f64 {
        let at = |wait: &&Wait| (wait.state, wait.rank, wait.thread) == (Some(state), rank, thread);
        self.waits.iter().filter(at).map(|wait| wait.waiting_time).sum()
    }

    /// Seconds from the first begin to the last end.
    pub fn wall_time(&self) -> f64 {
        let end = self.ends.iter().copied().fold(0.0, f64::max);
        let begin = self.begins.iter().copied().fold(f64::INFINITY, f64::min);
        (end - begin).max(0.0)
    }
}

/// The count with its remaining calls as parts in collective operations that have moved nothing.
fn with_syncs(call: &str, count: CallCount) -> CallCount {
    let is_collective =
        |function: &Function| function.form() == Form::Blocking && function.collective().is_some();
    match Function::of_name(call).filter(is_collective) {
        Some(_) => {
            let syncs_coll = count.calls - count.moved.comms_coll;
            CallCount { moved: Traffic { syncs_coll, ..count.moved }, ..count }
        }
        None => count,
    }
}

/// The outcome, given begin and end of each rank; the end only counts in a replay.
pub(crate) fn outcome(mut world: World<'_>, spans: &[(u64, u64)]) -> Result<Outcome, SimulationError> {
    end_replay(&mut world, spans)?;
    let waits = waits(&world);
    let begins: Vec<u64> = spans.iter().map(|&(begin, _)| begin).collect();
    world.kernel.let_all_go();
    let definitions = definitions(&world, &begins);
    let World { mut kernel, omp, .. } = world;
    if let Some(sink) = &mut kernel.sink {
        sink.definitions(definitions);
    }
    let location = |(number, location): (usize, &KernelLocation)| {
        let Place { rank, thread } = location.place();
        let exchangeable = omp.threads.get(number).is_some_and(Thread::is_nested);
        Location { rank, thread, exchangeable }
    };
    let mut locations: Vec<Location> = kernel.locations.iter().enumerate().map(location).collect();
    locations.sort_by_key(|location| (location.rank, location.thread));
    let measured = |(&location, regions): (&usize, &Regions)| {
        let Place { rank, thread } = kernel.place(location);
        let region = |(region, sum): (&'static str, Measured)| MeasuredRegion {
            region,
            rank,
            thread,
            visits: sum.visits,
            seconds: seconds(sum.time),
            counts: sum.counts,
        };
        regions.sums().into_iter().map(region).collect::<Vec<_>>()
    };
    let mut regions: Vec<_> = kernel.measuring.by_location.iter().flat_map(measured).collect();
    regions.sort_by_key(|region| (region.region, region.rank, region.thread));
    let counts = kernel.regions.names.iter().zip(&kernel.counts).filter(|(_, count)| count.calls > 0);
    Ok(Outcome {
        ends: kernel.locations[..kernel.ranks].iter().map(|location| seconds(location.end)).collect(),
        begins: begins.into_iter().map(seconds).collect(),
        locations,
        waits,
        counts: counts.map(|(&name, &count)| (name.to_owned(), with_syncs(name, count))).collect(),
        regions,
        operations: kernel.operations,
    })
}

/// Everything that a real run did, the program must have done; its ends are those of the run.
fn end_replay(world: &mut World<'_>, spans: &[(u64, u64)]) -> Result<(), SimulationError> {
    let World { kernel, omp, .. } = world;
    if let Some((rank, path)) = omp.pins.keys().next() {
        let path: Vec<String> = path.iter().map(u32::to_string).collect();
        let reason = format!("its thread {} works in no team of the program", path.join("."));
        return Err(kernel.misfit(*rank as usize, reason));
    }
    for number in 0..kernel.locations.len() {
        let location = &mut kernel.locations[number];
        let Some(pins) = &mut location.pins else { continue };
        if let Some(&(_, leave)) = spans.get(number) {
            location.clock = pins.end(location.clock, leave);
        }
        pins.finished().map_err(|reason| kernel.misfit(number, reason))?;
        if number < spans.len() {
            kernel.end(number);
        }
    }
    Ok(())
}

/// All waits, by call path, wait state, rank and thread.
fn waits(world: &World<'_>) -> Vec<Wait> {
    let World { kernel, mpi, omp } = world;
    let mut waits = Vec::new();
    for (number, location) in kernel.locations.iter().enumerate() {
        let Place { rank, thread } = location.place();
        let idle = omp.idle_sums(kernel, number);
        for sum in location.account.sums.iter().chain(&idle).filter(|sum| sum.ticks > 0) {
            let group = sum.wait.among.number().map(|group| &mpi.groups[group as usize]);
            let physical_time = seconds(sum.ticks);
            waits.push(Wait {
                rank,
                thread,
                exchangeable: omp.is_exchangeable(number, &sum.wait),
                state: sum.wait.state,
                call_path: kernel.path(sum.wait.call_path),
                communicator: group.map(|group| (group.name.clone(), group.members.len())),
                waiting_time: if sum.wait.state.is_some() { physical_time } else { 0.0 },
                physical_time,
                instances: sum.instances,
            });
        }
    }
    waits.sort_by(|a, b| {
        (&a.call_path, a.state, a.rank, a.thread).cmp(&(&b.call_path, b.state, b.rank, b.thread))
    });
    waits
}
