#![allow(unsafe_code, reason = "promises coroutines that the program outlives them")]
//! Running a program on virtual ranks.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;

use ats_model::definitions::{Clock, RegionRole};
use ats_model::definitions::{
    Communicator as CommunicatorDefinition, LocationDefinition, Members, Paradigm, Region,
};
use ats_model::{CallPathId, Definitions};
use ats_mpi::Communicator;
use corosensei::CoroutineResult;

use crate::collective::Group;
use crate::executor::VirtualExecutor;
use crate::network::Network;
use crate::outcome::{Outcome, Wait};
use crate::point_to_point::Kind;
use crate::rank::{self, Rank};
use crate::replay::{Pins, RankReplay};
use crate::stack::Slab;
use crate::time::{TICKS_PER_SECOND, picoseconds, seconds};
use crate::world::{self, Location, World};
use crate::{BlockedRank, SimulationError, Sink};

/// Bytes of a rank's stack. Only pages that are touched take memory.
const STACK_BYTES: usize = 64 * 1024;

/// A failed test or probe takes so long, in seconds.
const POLL_SECONDS: f64 = 1e-6;

/// A simulation that is to be run.
pub struct Simulation<'a> {
    ranks: usize,
    network: Network,
    accounts: bool,
    whole: bool,
    replay: Option<Vec<RankReplay>>,
    sink: Option<&'a mut (dyn Sink + 'a)>,
}

impl<'a> Simulation<'a> {
    /// Of a program on so many ranks.
    pub fn new(ranks: usize) -> Self {
        Simulation {
            ranks,
            network: Network::default(),
            accounts: true,
            whole: false,
            replay: None,
            sink: None,
        }
    }

    /// With a network that costs something.
    pub fn network(mut self, network: Network) -> Self {
        self.network = network;
        self
    }

    /// Between `MPI_Init` and `MPI_Finalize`, as a program of its own.
    pub fn whole_program(mut self) -> Self {
        self.whole = true;
        self
    }

    /// Without adding up waits: only times, operations and counts. Without a sink call paths are not followed either.
    pub fn without_accounts(mut self) -> Self {
        self.accounts = false;
        self
    }

    /// Hands every event to `sink`.
    pub fn record(mut self, sink: &'a mut (dyn Sink + 'a)) -> Self {
        self.sink = Some(sink);
        self
    }

    /// A replay of a real run, one entry per rank: entries and exits are pinned to its stamps, its choices obeyed.
    pub fn replay(mut self, ranks: Vec<RankReplay>) -> Self {
        self.ranks = ranks.len();
        self.replay = Some(ranks);
        self
    }

    /// Runs `program` on every rank.
    ///
    /// # Errors
    /// The ranks wait for one another, one breaks a rule of MPI or panics, or a replay does not fit the program.
    pub fn run(self, program: impl Fn(&dyn Communicator)) -> Result<Outcome, SimulationError> {
        let ranks = self.ranks;
        let slab =
            Slab::new(ranks, STACK_BYTES).map_err(|source| SimulationError::Stacks { ranks, source })?;
        let begins: Vec<u64> = match &self.replay {
            Some(replay) => replay.iter().map(|rank| rank.enter).collect(),
            None => vec![0; ranks],
        };
        let mut pins = self.replay.into_iter().flatten().map(|replay| Box::new(Pins::new(replay)));
        let locations = begins.iter().map(|&begin| Location::new(begin, pins.next())).collect();
        let mut world = World::new(locations, self.network.into());
        world.groups.push(Group::world(ranks));
        world.poll = picoseconds(POLL_SECONDS);
        world.accounts = self.accounts;
        world.sink = self.sink;
        let world = RefCell::new(world);

        let previous = ats_work::install(Some(&VirtualExecutor));
        let finished = world::enter(&world, || {
            let spawn = |rank| {
                // SAFETY: the coroutines are dropped below, before `program`.
                Some(unsafe { rank::spawn(&program, rank, ranks, self.whole, slab.stack(rank)) })
            };
            let mut coroutines: Vec<Option<Rank>> = (0..ranks).map(spawn).collect();
            let result = drive(&world, &mut coroutines);
            // Unfinished ranks are unwound here, while their world is still there.
            drop(coroutines);
            result
        });
        ats_work::install(previous);
        finished?;
        world.into_inner().outcome(begins)
    }
}

/// Runs coroutines until all are done.
fn drive(world: &RefCell<World<'_>>, coroutines: &mut [Option<Rank>]) -> Result<(), SimulationError> {
    let mut left = coroutines.len();
    while left > 0 {
        let next = {
            let mut world = world.borrow_mut();
            let next = world.next();
            if world.failure.is_some() {
                break;
            }
            let Some(next) = next else { return Err(world.deadlock()) };
            world.current = next as usize;
            next as usize
        };
        let Some(coroutine) = &mut coroutines[next] else { continue };
        match std::panic::catch_unwind(AssertUnwindSafe(|| coroutine.resume(()))) {
            Ok(CoroutineResult::Yield(())) => {}
            Ok(CoroutineResult::Return(())) => {
                coroutines[next] = None;
                left -= 1;
            }
            Err(payload) => return Err(failure(next, payload)),
        }
    }
    match world.borrow_mut().failure.take() {
        Some(failure) => Err(failure),
        None => Ok(()),
    }
}

fn failure(rank: usize, payload: Box<dyn std::any::Any + Send>) -> SimulationError {
    match payload.downcast::<SimulationError>() {
        Ok(failure) => *failure,
        Err(payload) => {
            let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
            let message = text.or_else(|| payload.downcast_ref::<String>().cloned());
            SimulationError::Panic { rank, message: message.unwrap_or_else(|| "no message".to_owned()) }
        }
    }
}

impl World<'_> {
    /// Who waits for whom, when nobody can go on.
    fn deadlock(&self) -> SimulationError {
        let mut blocked = Vec::new();
        for (rank, location) in self.locations.iter().enumerate() {
            let waits_for: Vec<String> = location
                .operations
                .iter()
                .flatten()
                .filter(|operation| operation.awaited)
                .map(|operation| self.describe(operation.group, &operation.kind))
                .collect();
            if !waits_for.is_empty() {
                blocked.push(BlockedRank { rank, call_path: self.path(location.call_path), waits_for });
            } else if location.awaits_message {
                let waits_for = vec!["a message to probe".to_owned()];
                blocked.push(BlockedRank { rank, call_path: self.path(location.call_path), waits_for });
            }
        }
        SimulationError::Deadlock { ranks: self.locations.len(), blocked }
    }

    fn describe(&self, group: u32, kind: &Kind) -> String {
        let group = &self.groups[group as usize];
        match kind {
            Kind::Send { to, tag, .. } => format!("rank {to} of {} to receive tag {tag}", group.name),
            Kind::Recv { from, tag, .. } => {
                let from = match from {
                    ats_mpi::Source::Rank(rank) => format!("rank {rank}"),
                    ats_mpi::Source::Any => "any rank".to_owned(),
                };
                let tag = match tag {
                    ats_mpi::Tag::Is(tag) => format!("tag {tag}"),
                    ats_mpi::Tag::Any => "any tag".to_owned(),
                };
                format!("{from} of {} to send {tag}", group.name)
            }
            Kind::Collective { instance, .. } => {
                let missing = group.missing(*instance);
                let mut ranks: Vec<String> = missing.iter().take(8).map(u32::to_string).collect();
                if missing.len() > ranks.len() {
                    ranks.push(format!("{} more", missing.len() - ranks.len()));
                }
                format!("rank {} to enter {} on {}", ranks.join(", "), group.call(*instance), group.name)
            }
        }
    }

    fn path(&self, path: CallPathId) -> Vec<&'static str> {
        self.call_tree.path(path).into_iter().map(|region| self.regions.names[region.0 as usize]).collect()
    }

    fn outcome(mut self, begins: Vec<u64>) -> Result<Outcome, SimulationError> {
        for (rank, location) in self.locations.iter_mut().enumerate() {
            if let Some(pins) = &location.pins {
                pins.finished().map_err(|reason| SimulationError::Replay { rank, reason })?;
                location.clock = pins.end();
                location.end = location.clock;
            }
        }
        let mut waits = Vec::new();
        for (rank, location) in self.locations.iter().enumerate() {
            for sum in location.account.sums.iter().filter(|sum| sum.physical > 0) {
                let group = &self.groups[sum.communicator as usize];
                waits.push(Wait {
                    rank,
                    state: sum.state,
                    call_path: self.path(sum.call_path),
                    communicator: (group.name.clone(), group.members.len()),
                    waiting_time: seconds(sum.waiting),
                    physical_time: seconds(sum.physical),
                    instances: sum.instances,
                });
            }
        }
        waits.sort_by(|a, b| (&a.call_path, a.state, a.rank).cmp(&(&b.call_path, b.state, b.rank)));
        let names = &self.regions.names;
        let counts: BTreeMap<_, _> = names
            .iter()
            .zip(&self.counts)
            .filter(|(_, count)| count.calls > 0)
            .map(|(&name, &count)| (name.to_owned(), count))
            .collect();
        let definitions = self.definitions(&begins);
        let ends = self.locations.iter().map(|location| location.end).collect();
        if let Some(sink) = &mut self.sink {
            sink.definitions(definitions);
        }
        let in_seconds = |times: Vec<u64>| times.into_iter().map(seconds).collect();
        Ok(Outcome {
            ends: in_seconds(ends),
            begins: in_seconds(begins),
            waits,
            counts,
            operations: self.operations,
        })
    }

    fn definitions(&self, begins: &[u64]) -> Definitions {
        let first = begins.iter().copied().min().unwrap_or(0);
        let last = self.locations.iter().map(|location| location.clock).max().unwrap_or(0);
        let region = |&name: &&'static str| {
            let mpi = name.starts_with("MPI_");
            Region {
                name: name.to_owned(),
                role: if mpi { role(name) } else { RegionRole::Function },
                paradigm: if mpi { Paradigm::Mpi } else { Paradigm::User },
                ..Region::default()
            }
        };
        let communicator = |group: &Group| CommunicatorDefinition {
            name: group.name.clone(),
            members: Members::Ranks(group.members.to_vec()),
        };
        let location = |rank: usize| LocationDefinition {
            id: rank as u64,
            name: "Master thread".to_owned(),
            rank: rank as u32,
            thread: 0,
            events: 0,
        };
        Definitions {
            clock: Clock { resolution: TICKS_PER_SECOND, offset: first, length: last - first },
            regions: self.regions.names.iter().map(region).collect(),
            communicators: self.groups.iter().map(communicator).collect(),
            teams: Vec::new(),
            locations: (0..self.locations.len()).map(location).collect(),
        }
    }
}

fn role(call: &str) -> RegionRole {
    match call {
        "MPI_Barrier" => RegionRole::Barrier,
        "MPI_Bcast" | "MPI_Scatter" | "MPI_Scatterv" => RegionRole::CollOneToAll,
        "MPI_Reduce" | "MPI_Gather" | "MPI_Gatherv" => RegionRole::CollAllToOne,
        "MPI_Scan" | "MPI_Exscan" => RegionRole::CollOther,
        _ if call.contains("send")
            || call.contains("recv")
            || call.contains("Send")
            || call.contains("Recv") =>
        {
            RegionRole::PointToPoint
        }
        _ if call.starts_with("MPI_All") || call.starts_with("MPI_Reduce_") => RegionRole::CollAllToAll,
        _ => RegionRole::Function,
    }
}
