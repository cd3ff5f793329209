//! Cost of communication itself.

use ats_model::event::CollectiveOperation;
use ats_mpi::Progress;

use crate::kernel::time::{Picoseconds, picoseconds};
use crate::mpi::algorithm::{self, Algorithm};
use crate::mpi::nodes::Nodes;

/// A LogGP-like model of the network. All zero by default: then every wait is one that the program planted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Network {
    /// Seconds from one process to another.
    pub latency: f64,
    /// Bytes per second; infinite by default.
    pub bandwidth: f64,
    /// Seconds that a process spends on every call that communicates.
    pub overhead: f64,
    /// Largest standard-mode message, in bytes, that is sent without waiting for its receive.
    pub eager_limit: usize,
    /// Whether transfers proceed while their processes are in no call; if this is not said, they do.
    pub progress: Option<Progress>,
    /// Links within a node, if they are others.
    pub node: Option<Node>,
    /// The algorithm of collective operations; if none is given, each takes a transfer of its block for each power of two
    /// among its members.
    pub collectives: Option<Algorithm>,
}

/// Links between processes of one node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// The number of ranks on each, in their order; `None` if that is told otherwise.
    pub ranks: Option<u32>,
    /// Seconds from one process to another.
    pub latency: f64,
    /// Bytes per second.
    pub bandwidth: f64,
}

impl Default for Network {
    /// No cost; messages up to 4096 bytes are eager, and others proceed by themselves.
    fn default() -> Self {
        Network {
            latency: 0.0,
            bandwidth: f64::INFINITY,
            overhead: 0.0,
            eager_limit: 4096,
            progress: None,
            node: None,
            collectives: None,
        }
    }
}

impl Network {
    /// The picoseconds that so many processes, all of them, take to meet after the last has come, with `nodes` as for
    /// [`crate::Simulation::nodes`].
    pub fn meeting(&self, processes: usize, nodes: Option<&[u32]>) -> Picoseconds {
        let mut costs = Costs::from(*self);
        if let Some(mut nodes) = Nodes::new(self, processes, nodes) {
            let all: Vec<u32> = (0..processes as u32).collect();
            costs = *nodes.costs_of(0, &all, &costs);
        }
        costs.overhead.saturating_add(costs.rounds(None, processes, 0).duration)
    }
}

/// The transfers of a member in a collective operation, one after the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rounds {
    pub(crate) number: u32,
    /// The duration of all.
    pub(crate) duration: Picoseconds,
}

impl Rounds {
    pub(crate) const NONE: Rounds = Rounds { number: 0, duration: 0 };

    /// Takes the next of them out; returns its duration. All are taken to be as long.
    pub(crate) fn next(&mut self) -> Picoseconds {
        let each = self.duration / u64::from(self.number.max(1));
        self.number = self.number.saturating_sub(1);
        self.duration -= each;
        each
    }
}

/// A link between two processes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Link {
    latency: Picoseconds,
    picoseconds_per_byte: f64,
}

impl Link {
    pub(crate) fn new(latency: f64, bandwidth: f64) -> Self {
        let picoseconds_per_byte = if bandwidth > 0.0 { 1e12 / bandwidth } else { 0.0 };
        Link { latency: picoseconds(latency), picoseconds_per_byte }
    }

    #[inline(always)]
    fn transfer(&self, bytes: f64) -> Picoseconds {
        self.latency.saturating_add((bytes * self.picoseconds_per_byte) as u64)
    }
}

/// The model in picoseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Costs {
    pub(crate) link: Link,
    /// The link to partners that are near: those of so many rounds at distances of 1, 2, 4 …
    pub(crate) near_link: Link,
    pub(crate) near: u32,
    pub(crate) collectives: Option<Algorithm>,
    pub(crate) overhead: Picoseconds,
    pub(crate) eager_limit: usize,
}

impl From<Network> for Costs {
    fn from(network: Network) -> Self {
        let link = Link::new(network.latency, network.bandwidth);
        Costs {
            link,
            near_link: link,
            near: 0,
            collectives: network.collectives,
            overhead: picoseconds(network.overhead),
            eager_limit: network.eager_limit,
        }
    }
}

impl Costs {
    /// From the moment a transfer starts until its last byte is there.
    pub(crate) fn transfer(&self, bytes: usize) -> Picoseconds {
        self.link.transfer(bytes as f64)
    }

    /// The same for a part of a byte, too, and perhaps to a process that is near.
    pub(crate) fn transfer_of(&self, bytes: f64, is_near: bool) -> Picoseconds {
        if is_near { self.near_link.transfer(bytes) } else { self.link.transfer(bytes) }
    }

    /// An operation of so many members after its last is there, without the overhead: the transfers of its algorithm, or else
    /// a tree of transfers.
    #[inline(always)]
    pub(crate) fn rounds(
        &self,
        operation: Option<CollectiveOperation>,
        members: usize,
        bytes: usize,
    ) -> Rounds {
        if let (Some(algorithm), Some(operation)) = (self.collectives, operation)
            && let Some(rounds) = algorithm::rounds((algorithm, operation), members, bytes, self)
        {
            return rounds;
        }
        let number = members.next_power_of_two().trailing_zeros();
        Rounds { number, duration: u64::from(number).saturating_mul(self.transfer(bytes)) }
    }
}
