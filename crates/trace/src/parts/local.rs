//! Definitions of one process of a recording.

use std::collections::BTreeMap;

use ats_model::affinity::Affinity;
use ats_model::definitions::{Paradigm, Region, RegionRole};
use ats_model::metric::MetricDefinition;
use ats_model::neighbors::Neighbors;
use ats_model::{CallSite, openmp, regions};
use serde::{Deserialize, Serialize};

/// The definitions of one process; its events refer to the indices of these lists.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Local {
    /// The path of its executable.
    pub program: String,
    /// Its regions.
    pub regions: Vec<LocalRegion>,
    /// The calls in its functions that lead to its events, each after the call of its function.
    #[serde(default)]
    pub contexts: Vec<LocalContext>,
    /// The calls that its events name by [`calling_context::of_call`]; none for numbers that no event names.
    #[serde(default)]
    pub calls: Vec<Option<LocalCall>>,
    /// The places of its samples, as indices into the contexts, by numbers as those of calls.
    #[serde(default)]
    pub samples: BTreeMap<u32, u32>,
    /// The communicators that it made; the first of them has the number [`PREDEFINED`].
    pub communicators: Vec<LocalCommunicator>,
    /// The teams of its threads, as their numbers.
    pub teams: Vec<Vec<u32>>,
    /// Its metrics, which its events number behind [those of the suite](ats_model::own_metric::OwnMetric).
    #[serde(default)]
    pub metrics: Vec<MetricDefinition>,
    /// Events of each thread, by its number.
    pub events: BTreeMap<u32, u64>,
    /// The number of regions that ended because the program left one around them.
    #[serde(default)]
    pub unleft: u64,
    /// When its runtime of OpenMP ended, if that was before its own end, on rank 0's clock, in nanoseconds.
    #[serde(default)]
    pub openmp_ended_ns: Option<i64>,
    /// The processor time between two samples of a thread, in nanoseconds, if it was sampled.
    #[serde(default)]
    pub sample_period_ns: Option<u64>,
    /// The number of samples that there was no room for.
    #[serde(default)]
    pub lost_samples: u64,
    /// The share of the time, in 1/1000, that the hardware counted for the thread with the least of it, if that is not all.
    #[serde(default)]
    pub counted_permille: Option<u32>,
    /// The calls of functions that were not recorded since they are short, by region.
    #[serde(default)]
    pub left_out: BTreeMap<u32, u64>,
    /// The processors that it may run on.
    #[serde(default)]
    pub affinity: Option<Affinity>,
    /// When its recording began, on rank 0's clock, in nanoseconds.
    pub begin_ns: i64,
}

/// A call in a function, as a process defines it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LocalContext {
    /// The name of the function.
    pub function: String,
    /// The source file of the call; empty if unknown.
    pub file: String,
    /// The line of the call; 0 if unknown.
    pub line: u32,
    /// The call of the function, as an index into [`Local::contexts`]; none of the outermost function.
    pub parent: Option<u32>,
}

impl LocalContext {
    /// The place of the call, if its line is known.
    pub(super) fn call_site(&self) -> Option<CallSite> {
        let LocalContext { function, file, line, .. } = self;
        (*line > 0).then(|| CallSite { function: function.clone(), file: file.clone(), line: *line })
    }
}

/// A call of a library with the calls that lead to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LocalCall {
    /// The region that it enters: an index into [`Local::regions`].
    pub region: u32,
    /// The place of the call: an index into [`Local::contexts`]; none if no function around it is known.
    pub context: Option<u32>,
}

/// Numbers of calling contexts in the events of a process, before they are mapped to those of the trace.
///
/// How many of either kind there will be is not known when events are written, so their numbers take turns.
pub mod calling_context {
    use ats_model::event::RegionRef;

    /// The number of a call with the calls that lead to it, by its index in [`Local::calls`](super::Local::calls).
    pub fn of_call(number: u32) -> u32 {
        2 * number
    }

    /// The number of a call without the calls that lead to it, by its region.
    pub fn of_region(region: RegionRef) -> u32 {
        2 * region.0 + 1
    }
}

/// A region as a process defines it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LocalRegion {
    /// Its name.
    pub name: String,
    /// The owner of the region.
    pub owner: Owner,
    /// Its role, if it is not the one that regions of its name have.
    #[serde(default)]
    pub role: Option<RegionRole>,
    /// Its source file; empty if unknown.
    pub file: String,
    /// Its line; 0 if unknown.
    pub line: u32,
    /// The place of the call in the program.
    pub call_site: Option<CallSite>,
}

impl LocalRegion {
    /// The region of the function, if this one stands for calls of it at one place or for one purpose.
    pub(super) fn function(&self) -> Option<LocalRegion> {
        let is_call = self.call_site.is_some() || self.role.is_some();
        is_call.then(|| LocalRegion { role: None, call_site: None, ..self.clone() })
    }

    /// Whether it is a function of OpenMP, or a construct whose place is not known: one region wherever that is.
    pub(super) fn is_anywhere(&self) -> bool {
        self.owner == Owner::OpenMp && openmp::without_place(&self.name) == self.name
    }
}

/// The owner of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Owner {
    /// A call of MPI.
    Mpi,
    /// One that the program marks.
    Program,
    /// A construct of OpenMP.
    OpenMp,
    /// The compiler: a function of the program that calls lead through.
    Function,
}

impl Owner {
    /// The paradigm of its regions.
    pub fn paradigm(self) -> Paradigm {
        match self {
            Owner::Mpi => Paradigm::Mpi,
            Owner::Program => Paradigm::User,
            Owner::OpenMp => Paradigm::OpenMp,
            Owner::Function => Paradigm::Compiler,
        }
    }
}

impl LocalRegion {
    /// Its definition in the trace.
    pub fn definition(&self) -> Region {
        let region = regions::definition(&self.name, self.owner.paradigm());
        Region {
            file: self.file.clone(),
            line: self.line,
            last_line: self.line,
            role: self.role.unwrap_or(region.role),
            call_site: self.call_site.clone(),
            ..region
        }
    }
}

/// The communicators that every process has without making them: `MPI_COMM_WORLD` and `MPI_COMM_SELF`, in this order.
pub const PREDEFINED: usize = 2;

/// The identity of a communicator in all its processes: the rank in the world of its first member, and that process's
/// count. A duplicate made by a non-blocking call has the identity of its original, followed by its number among such
/// duplicates.
pub type Identity = Vec<u32>;

/// A communicator as a process defines it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LocalCommunicator {
    /// Its identity in all its processes.
    pub identity: Identity,
    /// The name that the program gives it.
    pub name: String,
    /// Ranks in the world, at the process that named it.
    pub members: Vec<u32>,
    /// The neighbours of the process, if the communicator has a topology.
    #[serde(default)]
    pub neighbors: Option<Neighbors>,
}
