//! The members of a communicator, and their operations on it.

use ats_model::{Definitions, event::CommunicatorRef};
use rustc_hash::FxHashMap;

use crate::records::{Collective, process::Process, processes::Processes};

/// The members of a communicator: ranks in `MPI_COMM_WORLD`.
pub(super) struct Group<'a> {
    pub(super) communicator: CommunicatorRef,
    pub(super) ranks: &'a [u32],
    /// The communicator rank of a member; empty if both ranks are the same.
    own_ranks: FxHashMap<u32, usize>,
    /// For each member the neighbours that it receives from, as communicator ranks; empty if there is no topology.
    sources: Vec<&'a [u32]>,
}

impl<'a> Group<'a> {
    pub(super) fn new(definitions: &'a Definitions, communicator: CommunicatorRef, ranks: &'a [u32]) -> Self {
        let is_identity = ranks.iter().enumerate().all(|(own, &rank)| own == rank as usize);
        let own_ranks = if is_identity {
            FxHashMap::default()
        } else {
            ranks.iter().enumerate().map(|(own, &rank)| (rank, own)).collect()
        };
        let neighbors = |rank: &u32| definitions.neighbors.get(&(*rank, communicator));
        let has_topology =
            !definitions.neighbors.is_empty() && ranks.iter().any(|rank| neighbors(rank).is_some());
        let of = |rank| neighbors(rank).map_or(&[][..], |neighbors| &neighbors.sources);
        let sources = if has_topology { ranks.iter().map(of).collect() } else { Vec::new() };
        Group { communicator, ranks, own_ranks, sources }
    }

    /// The neighbours that a member receives from, as far as they are known.
    pub(super) fn sources(&self, own: usize) -> &[u32] {
        self.sources.get(own).copied().unwrap_or_default()
    }

    pub(super) fn own_rank(&self, rank: u32) -> Option<usize> {
        if self.own_ranks.is_empty() {
            ((rank as usize) < self.ranks.len()).then_some(rank as usize)
        } else {
            self.own_ranks.get(&rank).copied()
        }
    }

    /// The members that are there.
    pub(super) fn members<'p>(&self, processes: &'p Processes) -> Vec<Member<'p>> {
        let member = |(own, &rank)| {
            let process = processes.of_rank(rank)?;
            Some(Member { own, process, operations: process.collectives.groups.of(self.communicator) })
        };
        self.ranks.iter().enumerate().filter_map(member).collect()
    }
}

/// The operations of a process as a member of a communicator.
pub(super) struct Member<'p> {
    /// Its rank in the communicator.
    pub(super) own: usize,
    process: &'p Process,
    /// Indices into its collective operations.
    operations: &'p [u32],
}

impl<'p> Member<'p> {
    /// The location of its first operation.
    pub(super) fn location(&self) -> Option<u32> {
        let first = *self.operations.first()?;
        Some(self.process.collectives[first as usize].place.location)
    }

    /// The number of its operations on the communicator.
    pub(super) fn count(&self) -> usize {
        self.operations.len()
    }

    /// The number of operations known to be in order.
    pub(super) fn known(&self) -> usize {
        let frontier = &self.process.frontier;
        self.operations.partition_point(|&operation| {
            let begin = self.process.collectives[operation as usize].begin;
            operation < frontier.collectives && (frontier.since == u64::MAX || begin < frontier.since)
        })
    }
}

/// The `k`-th operation of every member that has one, with its communicator rank.
pub(super) fn parts<'p>(
    members: &'p [Member<'_>],
    k: usize,
) -> impl Iterator<Item = (usize, &'p Collective)> + Clone {
    members.iter().filter_map(move |&Member { own, process, operations }| {
        Some((own, &process.collectives[*operations.get(k)? as usize]))
    })
}
