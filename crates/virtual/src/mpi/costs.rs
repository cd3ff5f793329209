//! Cost of communication in picoseconds.

use ats_model::event::CollectiveOperation;

use crate::kernel::time::{Picoseconds, picoseconds};
use crate::mpi::algorithm::{self, Algorithm, Transfers};
use crate::mpi::network::Network;

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

    /// An operation of so many members after its last is there, without the overhead: the transfers of its algorithm, or else
    /// a tree of transfers.
    #[inline(always)]
    pub(crate) fn rounds(
        &self,
        operation: Option<CollectiveOperation>,
        members: usize,
        bytes: usize,
    ) -> Rounds {
        if let Some(chosen) = self.collectives.zip(operation)
            && let Some(rounds) = self.rounds_of(chosen, members, bytes)
        {
            return rounds;
        }
        let number = members.next_power_of_two().trailing_zeros();
        Rounds { number, duration: u64::from(number).saturating_mul(self.transfer(bytes)) }
    }

    /// The transfers of an algorithm, if the operation has one.
    fn rounds_of(
        &self,
        chosen: (Algorithm, CollectiveOperation),
        members: usize,
        bytes: usize,
    ) -> Option<Rounds> {
        let mut rounds = Rounds::NONE;
        let has_algorithm = algorithm::each_transfer(chosen, members, bytes, |transfers| {
            let Transfers { number, bytes, round } = transfers;
            let is_near = round.is_some_and(|round| round < self.near);
            let link = if is_near { self.near_link } else { self.link };
            let duration = u64::from(number).saturating_mul(link.transfer(bytes));
            rounds.number += number;
            rounds.duration = rounds.duration.saturating_add(duration);
        });
        has_algorithm.then_some(rounds)
    }
}
