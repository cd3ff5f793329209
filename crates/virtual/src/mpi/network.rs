//! Cost of communication itself.

use ats_mpi::Progress;

use crate::kernel::time::{Picoseconds, picoseconds};

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
}

impl Default for Network {
    /// No cost; messages up to 4096 bytes are eager, and others proceed by themselves.
    fn default() -> Self {
        let (bandwidth, progress) = (f64::INFINITY, None);
        Network { latency: 0.0, bandwidth, overhead: 0.0, eager_limit: 4096, progress }
    }
}

impl Network {
    /// The picoseconds that a collective operation without data takes after the last of its members has come.
    pub fn meeting(&self, members: usize) -> Picoseconds {
        let costs = Costs::from(*self);
        costs.overhead.saturating_add(costs.rounds(members, 0).duration())
    }
}

/// The transfers of a member in a collective operation, one after the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rounds {
    pub(crate) number: u32,
    /// The duration of each.
    pub(crate) each: Picoseconds,
}

impl Rounds {
    pub(crate) const NONE: Rounds = Rounds { number: 0, each: 0 };

    /// The duration of all.
    #[inline(always)]
    pub(crate) fn duration(self) -> Picoseconds {
        u64::from(self.number).saturating_mul(self.each)
    }
}

/// The model in picoseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Costs {
    latency: Picoseconds,
    picoseconds_per_byte: f64,
    pub(crate) overhead: Picoseconds,
    pub(crate) eager_limit: usize,
}

impl From<Network> for Costs {
    fn from(network: Network) -> Self {
        Costs {
            latency: picoseconds(network.latency),
            picoseconds_per_byte: if network.bandwidth > 0.0 { 1e12 / network.bandwidth } else { 0.0 },
            overhead: picoseconds(network.overhead),
            eager_limit: network.eager_limit,
        }
    }
}

impl Costs {
    /// From the moment a transfer starts until its last byte is there.
    pub(crate) fn transfer(&self, bytes: usize) -> Picoseconds {
        self.latency.saturating_add((bytes as f64 * self.picoseconds_per_byte) as u64)
    }

    /// A collective operation after its last participant is there: a tree of transfers, without the overhead.
    #[inline(always)]
    pub(crate) fn rounds(&self, members: usize, bytes: usize) -> Rounds {
        let number = members.next_power_of_two().trailing_zeros();
        Rounds { number, each: self.transfer(bytes) }
    }
}
