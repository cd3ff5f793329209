//! What a simulation found out.

use std::collections::BTreeMap;

use ats_model::WaitState;
use ats_model::truth::CallCount;

use crate::SimulationError;
use crate::account::{Sum, TEAM};
use crate::time::seconds;
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
    /// How often each MPI call was made and each OpenMP construct entered, over all locations.
    pub counts: BTreeMap<String, CallCount>,
    /// How many operations the ranks have begun: pieces of work, sends, receives, parts of collectives
    /// and of OpenMP constructs.
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

/// How long one location waited, or had nothing to do, at one call path.
#[derive(Clone, Debug, PartialEq)]
pub struct Wait {
    /// Rank in `MPI_COMM_WORLD`.
    pub rank: usize,
    /// Number of the thread in its process; the master is 0.
    pub thread: usize,
    /// Whether another thread of the process could have waited instead: who did depends on an order that OpenMP leaves open.
    pub exchangeable: bool,
    /// What it waited for; none where no metric counts it.
    pub state: Option<WaitState>,
    /// Where.
    pub call_path: Vec<&'static str>,
    /// Name and size of the communicator; none where it waited for threads of its own process.
    pub communicator: Option<(String, usize)>,
    /// Seconds that the metric counts.
    pub waiting_time: f64,
    /// Seconds that it was blocked.
    pub physical_time: f64,
    /// How many single waits make it up.
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

impl World<'_> {
    /// What came out, given begin and end of each rank; the end only counts in a replay.
    pub(crate) fn outcome(mut self, spans: &[(u64, u64)]) -> Result<Outcome, SimulationError> {
        if let Some((rank, path)) = self.threads.pins.keys().next() {
            let path: Vec<String> = path.iter().map(u32::to_string).collect();
            let reason = format!("its thread {} works in no team of the program", path.join("."));
            return Err(self.misfit(*rank as usize, reason));
        }
        for location in 0..self.locations.len() {
            let Some(pins) = &self.locations[location].pins else { continue };
            pins.finished().map_err(|reason| self.misfit(location, reason))?;
            if let Some(&(_, leave)) = spans.get(location) {
                self.locations[location].clock = leave;
                self.locations[location].end = leave;
                self.end_serial(location);
            }
        }
        let mut waits = Vec::new();
        for (number, location) in self.locations.iter().enumerate() {
            let place = self.place(number);
            let idle = self.idle_sums(number);
            let exchangeable = |sum: &Sum| {
                let thread = self.threads.of.get(number).filter(|_| sum.communicator == TEAM);
                thread.is_some_and(|thread| match sum.state {
                    Some(WaitState::LimitedParallelism) => thread.path.len() > 1,
                    _ => thread.exchangeable.contains(&sum.call_path),
                })
            };
            for sum in location.account.sums.iter().chain(&idle).filter(|sum| sum.physical > 0) {
                let group = self.groups.get(sum.communicator as usize);
                waits.push(Wait {
                    rank: place.rank,
                    thread: place.thread,
                    exchangeable: exchangeable(sum),
                    state: sum.state,
                    call_path: self.path(sum.call_path),
                    communicator: group.map(|group| (group.name.clone(), group.members.len())),
                    waiting_time: seconds(sum.waiting),
                    physical_time: seconds(sum.physical),
                    instances: sum.instances,
                });
            }
        }
        waits.sort_by(|a, b| {
            (&a.call_path, a.state, a.rank, a.thread).cmp(&(&b.call_path, b.state, b.rank, b.thread))
        });
        let mut locations: Vec<Location> = (0..self.locations.len())
            .map(|number| {
                let place = self.place(number);
                let exchangeable = self.threads.of.get(number).is_some_and(|thread| thread.path.len() > 1);
                Location { rank: place.rank, thread: place.thread, exchangeable }
            })
            .collect();
        locations.sort_by_key(|location| (location.rank, location.thread));
        let names = &self.regions.names;
        let counts: BTreeMap<_, _> = names
            .iter()
            .zip(&self.counts)
            .filter(|(_, count)| count.calls > 0)
            .map(|(&name, &count)| (name.to_owned(), count))
            .collect();
        let begins: Vec<u64> = spans.iter().map(|&(begin, _)| begin).collect();
        let definitions = self.definitions(&begins);
        if let Some(sink) = &mut self.sink {
            sink.definitions(definitions);
        }
        let ends = self.locations[..self.ranks].iter().map(|location| seconds(location.end)).collect();
        Ok(Outcome {
            ends,
            begins: begins.into_iter().map(seconds).collect(),
            locations,
            waits,
            counts,
            operations: self.operations,
        })
    }
}
