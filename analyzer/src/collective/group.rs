//! The members of a communicator, and what they did on it.

use ats_model::event::CommunicatorRef;
use rustc_hash::FxHashMap;

use crate::{process::Process, processes::Processes, records::Collective};

/// The members of a communicator: ranks in `MPI_COMM_WORLD`.
pub(super) struct Group<'a> {
    pub(super) communicator: CommunicatorRef,
    pub(super) ranks: &'a [u32],
    /// The communicator rank of a member; empty where both ranks are the same.
    own_ranks: FxHashMap<u32, usize>,
}

impl<'a> Group<'a> {
    pub(super) fn new(communicator: CommunicatorRef, ranks: &'a [u32]) -> Self {
        let is_identity = ranks.iter().enumerate().all(|(own, &rank)| own == rank as usize);
        let own_ranks = if is_identity {
            FxHashMap::default()
        } else {
            ranks.iter().enumerate().map(|(own, &rank)| (rank, own)).collect()
        };
        Group { communicator, ranks, own_ranks }
    }

    pub(super) fn own_rank(&self, rank: u32) -> Option<usize> {
        if self.own_ranks.is_empty() {
            ((rank as usize) < self.ranks.len()).then_some(rank as usize)
        } else {
            self.own_ranks.get(&rank).copied()
        }
    }

    /// The operations of a member on this communicator.
    pub(super) fn operations<'p>(
        &self,
        processes: &'p Processes,
        rank: u32,
    ) -> Option<(&'p Process, &'p [u32])> {
        let process = processes.of_rank(rank)?;
        Some((process, process.collectives.groups.of(self.communicator)))
    }

    /// The `k`-th operation of every member that has one, with its communicator rank.
    pub(super) fn parts(&self, processes: &Processes, k: usize) -> impl Iterator<Item = (usize, Collective)> {
        self.ranks.iter().enumerate().filter_map(move |(own, &rank)| {
            let (process, operations) = self.operations(processes, rank)?;
            Some((own, process.collectives[*operations.get(k)? as usize]))
        })
    }
}
