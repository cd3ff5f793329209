//! Definitions that the events of a trace refer to: regions, communicators, locations, and the clock.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::affinity::Affinity;
use crate::attribute::AttributeDefinition;
use crate::call_site::CallSite;
use crate::event::{CommunicatorRef, RegionRef};
use crate::listed;
use crate::machine_counter::MachineCounter;
use crate::metric::{Base, MetricDefinition};
use crate::neighbors::Neighbors;
use crate::strings::Strings;

/// All definitions of a trace.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Definitions {
    /// The clock of every time stamp.
    pub clock: Clock,
    /// Indexed by [`crate::event::RegionRef`].
    pub regions: Vec<Region>,
    /// By region that stands for calls of a function at one place or for one purpose: the region of the function, which
    /// events leave. In an archive only the latter is a region; each of these calls has a calling context of its own.
    pub calls: BTreeMap<RegionRef, RegionRef>,
    /// Indexed by [`crate::event::CommunicatorRef`].
    pub communicators: Vec<Communicator>,
    /// The neighbours of processes, by their rank in `MPI_COMM_WORLD`, on communicators with a topology.
    pub neighbors: BTreeMap<(u32, CommunicatorRef), Neighbors>,
    /// The end of OpenMP's runtime, where its process went on, by rank in `MPI_COMM_WORLD`: nothing of OpenMP is recorded of
    /// the process after it. In a trace it is the property [`crate::openmp::ENDED`] of the process.
    pub openmp_ended: BTreeMap<u32, u64>,
    /// The number of samples of processes that are missing, by rank in `MPI_COMM_WORLD`. In a trace it is the property
    /// [`LOST_SAMPLES`] of the process.
    pub lost_samples: BTreeMap<u32, u64>,
    /// The share of the time, in 1/1000, that the hardware counted for the thread with the least of it, of each process, by rank
    /// in `MPI_COMM_WORLD`, if that is not all. In a trace it is the property [`COUNTED_SHARE`] of the process.
    pub counted_permille: BTreeMap<u32, u32>,
    /// The calls of functions that were not recorded since the functions are short, by rank in `MPI_COMM_WORLD`. In a trace each
    /// number is a [property](left_out) of the process.
    pub left_out: BTreeMap<(u32, RegionRef), u64>,
    /// The processors that processes may run on, by their rank in `MPI_COMM_WORLD`, if they were recorded.
    pub affinities: BTreeMap<u32, Affinity>,
    /// Indexed by [`crate::event::TeamRef`].
    pub teams: Vec<Team>,
    /// In the order of the archive.
    pub locations: Vec<LocationDefinition>,
    /// The machine, and the placement of the processes on it.
    pub system_tree: SystemTree,
    /// Indexed by [`crate::event::MetricRef`].
    pub metrics: Vec<MetricDefinition>,
    /// Indexed by [`crate::event::AttributeRef`].
    pub attributes: Vec<AttributeDefinition>,
    /// Numbered by values of [`crate::attribute::AttributeType::CallingContext`]; each comes after its parent. One whose
    /// function is among the calls stands for that call.
    pub calling_contexts: Vec<CallingContext>,
    /// Indexed by [`crate::event::InterruptGeneratorRef`].
    pub interrupt_generators: Vec<InterruptGenerator>,
    /// Numbered by [`crate::event::ProgramRef`], and by values of [`crate::attribute::AttributeType::String`].
    pub strings: Strings,
}

/// Names the property with the number of a process's samples that the recorder had no room for.
pub const LOST_SAMPLES: &str = "ATS::LOST_SAMPLES";

/// Names the property with the share of the time, in 1/1000, in which the hardware counted for a process's threads. Values of
/// its counters are scaled as if it had done so all the time.
pub const COUNTED_SHARE: &str = "ATS::COUNTED_SHARE";

/// Properties with the numbers of a process's calls of functions that the recorder has left out.
pub mod left_out {
    /// The name of the property, before the region's id.
    const PROPERTY: &str = "ATS::FILTERED::";

    /// The name of the property of a region with this id.
    ///
    /// ```
    /// use ats_model::definitions::left_out;
    /// assert_eq!(left_out::region(&left_out::property(3)), Some(3));
    /// assert_eq!(left_out::region("CPU_MASK"), None);
    /// ```
    pub fn property(region: u32) -> String {
        format!("{PROPERTY}{region}")
    }

    /// The id of the region that a property of this name is about.
    pub fn region(property: &str) -> Option<u32> {
        property.strip_prefix(PROPERTY)?.parse().ok()
    }
}

/// A number with commas between groups of three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<_> = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy).collect();
    groups.join(",")
}

/// The most functions that are named as left out.
const NAMED: usize = 5;

impl Definitions {
    /// A remark on counters of the hardware that counted only for a share of the time; `None` if all did all the time.
    pub fn scaled_counters(&self) -> Option<String> {
        let least = self.counted_permille.values().min()?;
        let is_of_hardware =
            |name: &&str| MachineCounter::named(name).is_ok_and(|of| of.hardware().is_some());
        let names = self.metrics.iter().map(|metric| metric.name.as_str()).filter(is_of_hardware);
        let names = names.collect::<Vec<_>>().join(", ");
        Some(format!(
            "the hardware's counters were taken by others at times, so {names} are scaled: they counted for {}.{} % of the \
             time on the thread where they counted least",
            least / 10,
            least % 10
        ))
    }

    /// The functions that were left out since they are short, in words, those with most calls first; none if there are none.
    pub fn functions_left_out(&self) -> Option<String> {
        let mut functions: BTreeMap<RegionRef, u64> = BTreeMap::new();
        self.left_out.iter().for_each(|(&(_, region), calls)| *functions.entry(region).or_default() += calls);
        let mut functions: Vec<_> = functions.into_iter().collect();
        functions.sort_by_key(|&(_, calls)| Reverse(calls));
        let name = |region: RegionRef| self.regions.get(region.0 as usize).map_or("", |region| &region.name);
        let named = functions.iter().take(NAMED);
        let named = named.map(|&(region, calls)| format!("{} ({} calls)", name(region), grouped(calls)));
        let more = functions.len().saturating_sub(NAMED);
        let more = (more > 0).then(|| format!("and {more} more"));
        let all: Vec<String> = named.chain(more).collect();
        (!all.is_empty()).then(|| format!("functions left out since they are short: {}", all.join(", ")))
    }

    /// The machines whose locations have to share processors.
    pub fn shared_processors(&self) -> Vec<SharedProcessors> {
        let mut machines: BTreeMap<&str, (usize, BTreeSet<u32>)> = BTreeMap::new();
        for location in &self.locations {
            let Some(affinity) = self.affinities.get(&location.rank) else { continue };
            let (locations, processors) = machines.entry(&affinity.host).or_default();
            *locations += 1;
            processors.extend(&affinity.processors);
        }
        let machine = |(host, (locations, processors)): (&str, (usize, BTreeSet<u32>))| SharedProcessors {
            host: host.to_owned(),
            locations,
            processors: processors.len(),
        };
        machines
            .into_iter()
            .map(machine)
            .filter(|of| of.locations > of.processors && of.processors > 0)
            .collect()
    }

    /// Whether an event that leaves `left` can leave a region that was entered as `entered`.
    pub fn is_left_as(&self, entered: RegionRef, left: RegionRef) -> bool {
        entered == left || self.calls.get(&entered) == Some(&left)
    }

    /// The communicator of a reference, where it is defined.
    pub fn communicator(&self, reference: CommunicatorRef) -> Option<&Communicator> {
        self.communicators.get(reference.0 as usize)
    }

    /// The rank in `MPI_COMM_WORLD` of a rank in a communicator, as seen by the process of rank `own`; `None` if the
    /// communicator has no such member.
    pub fn world_rank(&self, reference: CommunicatorRef, own: u32, rank: u32) -> Option<u32> {
        match &self.communicator(reference)?.members {
            Members::Ranks(ranks) => ranks.get(rank as usize).copied(),
            Members::SelfOnly => (rank == 0).then_some(own),
        }
    }
}

/// A machine with fewer processors than locations of the run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SharedProcessors {
    /// The name of the machine.
    pub host: String,
    /// The number of locations of its processes.
    pub locations: usize,
    /// The number of processors that one of the processes at least may run on.
    pub processors: usize,
}

/// The clock of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Ticks per second.
    pub resolution: u64,
    /// The first time stamp of the trace, in ticks.
    pub offset: u64,
    /// From the first time stamp to the last, in ticks.
    pub length: u64,
}

impl Default for Clock {
    fn default() -> Self {
        Clock { resolution: 1_000_000_000, offset: 0, length: 0 }
    }
}

impl Clock {
    /// A number of ticks in seconds; a clock without a resolution counts as one of 1 Hz.
    pub fn seconds(&self, ticks: u64) -> f64 {
        ticks as f64 / self.resolution.max(1) as f64
    }
}

/// A function or construct that a location can be in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Region {
    /// Its name, demangled where the recorder could.
    pub name: String,
    /// Its source file; empty if unknown.
    pub file: String,
    /// First line in the file; 0 if unknown.
    pub line: u32,
    /// Last line in the file; 0 if unknown.
    pub last_line: u32,
    /// The kind of work that it does.
    pub role: RegionRole,
    /// The paradigm that it belongs to.
    pub paradigm: Paradigm,
    /// The place of the call, if the recorder keeps calls of a function apart by place. Then several regions share its
    /// name.
    pub call_site: Option<CallSite>,
}

impl Region {
    /// Its name in a table, and its call site: `MPI_Recv in halo (heat.c:12)`.
    pub fn label(&self) -> String {
        CallSite::label(&self.name, self.call_site.as_ref())
    }
}

listed! {
    /// The kind of work that a region does, with the numbers of `OTF2_RegionRole`.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    #[serde(rename_all = "snake_case")]
    #[repr(u8)]
    #[allow(missing_docs, reason = "the names of OTF2_RegionRole")]
    pub enum RegionRole {
        #[default]
        Unknown = 0,
        Function = 1,
        Wrapper = 2,
        Loop = 3,
        Code = 4,
        Parallel = 5,
        Sections = 6,
        Section = 7,
        Workshare = 8,
        Single = 9,
        SingleSblock = 10,
        Master = 11,
        Critical = 12,
        CriticalSblock = 13,
        Atomic = 14,
        Barrier = 15,
        ImplicitBarrier = 16,
        Flush = 17,
        Ordered = 18,
        OrderedSblock = 19,
        Task = 20,
        TaskCreate = 21,
        TaskWait = 22,
        CollOneToAll = 23,
        CollAllToOne = 24,
        CollAllToAll = 25,
        CollOther = 26,
        FileIo = 27,
        PointToPoint = 28,
        Rma = 29,
        DataTransfer = 30,
        Artificial = 31,
    }
}

impl RegionRole {
    /// The role of an `OTF2_RegionRole` number; unknown where this list does not name it.
    pub fn from_otf2(number: u8) -> Self {
        Self::ALL.get(usize::from(number)).copied().unwrap_or(Self::Unknown)
    }
}

listed! {
    /// The paradigm that a region belongs to, with the numbers of `OTF2_Paradigm`.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    #[serde(rename_all = "snake_case")]
    #[repr(u8)]
    #[allow(missing_docs, reason = "the names of OTF2_Paradigm")]
    pub enum Paradigm {
        #[default]
        Unknown = 0,
        User = 1,
        Compiler = 2,
        #[serde(rename = "openmp")]
        OpenMp = 3,
        Mpi = 4,
        /// Any paradigm this list does not name.
        Other = 255,
    }
}

impl Paradigm {
    /// The paradigm of an `OTF2_Paradigm` number.
    pub fn from_otf2(number: u8) -> Self {
        Self::ALL.get(usize::from(number)).copied().unwrap_or(Self::Other)
    }
}

/// A call in a function, and the calls that lead to it; or, of a region that stands for calls, such a call itself, with
/// its own place and the call around it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CallingContext {
    /// The function, or the call.
    pub function: RegionRef,
    /// The source file of the call; empty if unknown.
    pub file: String,
    /// The line of the call; 0 if unknown.
    pub line: u32,
    /// The call of the function, as an index into [`Definitions::calling_contexts`]; none of the outermost function.
    pub parent: Option<u32>,
}

/// A source of interrupts. Each takes a sample.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InterruptGenerator {
    /// Its name.
    pub name: String,
    /// The quantity that it counts.
    pub mode: InterruptMode,
    /// The base of the period's unit.
    pub base: Base,
    /// The exponent of the period's unit.
    pub exponent: i64,
    /// The distance of two interrupts, in units of this base and exponent: of seconds if it counts time.
    pub period: u64,
}

listed! {
    /// The quantity that a source of interrupts counts, with the numbers of `OTF2_InterruptGeneratorMode`.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    #[repr(u8)]
    pub enum InterruptMode {
        /// Time that passes.
        #[default]
        Time = 0,
        /// Events of a counter.
        Count = 1,
    }
}

/// A communicator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Communicator {
    /// Its name; empty if it has none.
    pub name: String,
    /// Its members.
    pub members: Members,
}

/// The members of a communicator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Members {
    /// Member *i* is the process with this rank in `MPI_COMM_WORLD`.
    Ranks(Vec<u32>),
    /// Every process has one of its own, with itself alone (`MPI_COMM_SELF`).
    SelfOnly,
}

/// A team of threads. Teams of equal members may share a definition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Team {
    /// Its name; empty if it has none.
    pub name: String,
    /// Member *i*, as an index into [`Definitions::locations`]; the master is member 0.
    pub members: Vec<u32>,
}

/// A location: a thread of a process, with events of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocationDefinition {
    /// The archive's own id (it names the event file).
    pub id: u64,
    /// Its name.
    pub name: String,
    /// Rank of its process in `MPI_COMM_WORLD`.
    pub rank: u32,
    /// Number of the thread in its process; the master is 0.
    pub thread: u32,
    /// The number of its events according to the archive.
    pub events: u64,
}

/// The machine that a program ran on: nodes inside each other, and processes on them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SystemTree {
    /// The nodes; a parent comes before its children.
    pub nodes: Vec<SystemNode>,
    /// By rank in `MPI_COMM_WORLD`, the node that the process runs on: an index into `nodes`.
    pub processes: BTreeMap<u32, u32>,
}

/// A part of the machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SystemNode {
    /// Its name, such as that of a host.
    pub name: String,
    /// Its kind: `machine`, `node`, `rack` …
    pub class: String,
    /// The node that it is a part of: an index into the nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<u32>,
}

impl SystemTree {
    /// The name of the node that a process runs on, where that is known.
    pub fn node_of(&self, rank: u32) -> Option<&str> {
        let node = *self.processes.get(&rank)?;
        self.nodes.get(node as usize).map(|node| node.name.as_str())
    }

    /// Whether all these processes run on one node, as far as the tree names nodes; else on one part of it.
    pub fn is_one_node(&self, ranks: impl IntoIterator<Item = u32>) -> bool {
        let place = |rank: u32| self.shared_memory_of(rank).or(self.processes.get(&rank).copied());
        let mut places = ranks.into_iter().map(place);
        let first = places.next();
        places.all(|place| Some(place) == first)
    }

    /// The node of class `node` that a process runs on, or on a part of: an index into `nodes`. Its processors share memory,
    /// and so a clock; those of a `machine` need not.
    pub fn shared_memory_of(&self, rank: u32) -> Option<u32> {
        let innermost = self.processes.get(&rank).copied();
        let parent = |&id: &u32| self.nodes.get(id as usize)?.parent.filter(|&parent| parent < id);
        let mut nodes = std::iter::successors(innermost, parent);
        nodes.find(|&id| self.nodes.get(id as usize).is_some_and(|node| node.class == "node"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_of_a_machine_share_the_processors_of_all_its_processes() {
        let affinity = |host: &str, processors: &[u32]| Affinity {
            host: host.into(),
            processors: processors.iter().copied().collect(),
        };
        let location =
            |rank, thread| LocationDefinition { id: 0, name: String::new(), rank, thread, events: 0 };
        let definitions = Definitions {
            locations: [(0, 0), (0, 1), (1, 0), (2, 0), (3, 0)]
                .map(|(rank, thread)| location(rank, thread))
                .into(),
            // Nothing is known of rank 3.
            affinities: [(0, affinity("a", &[0])), (1, affinity("a", &[0, 1])), (2, affinity("b", &[0]))]
                .into(),
            ..Definitions::default()
        };
        let of_a = SharedProcessors { host: "a".into(), locations: 3, processors: 2 };
        assert_eq!(definitions.shared_processors(), [of_a]);
    }
}
