//! The members of a communicator, and their operations on it.

use std::borrow::Cow;

use ats_model::{Definitions, event::CommunicatorRef};
use rustc_hash::FxHashMap;

use crate::records::{
    Collective,
    gaps::{Known, MISSING, Sequence, aligned, first_open},
    process::Process,
    processes::Processes,
};
use crate::words::damage::{Damage, Damages};

/// The members of a communicator: ranks in `MPI_COMM_WORLD`.
pub(super) struct Group<'a> {
    pub(super) communicator: CommunicatorRef,
    pub(super) ranks: &'a [u32],
    /// The communicator rank of a member; empty if both ranks are the same.
    own_ranks: FxHashMap<u32, usize>,
    /// For each member the neighbours that it receives from, as communicator ranks; empty if there is no topology.
    sources: Vec<&'a [u32]>,
    /// The operations of each member by their places, if recording was off in one of them: by rank.
    places: FxHashMap<u32, Vec<u32>>,
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
        Group { communicator, ranks, own_ranks, sources, places: FxHashMap::default() }
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
            let operations = process.collectives.groups.members(self.communicator);
            Some(Member { own, process, operations: Cow::Borrowed(operations), unplaced: 0 })
        };
        let mut members: Vec<_> = self.ranks.iter().enumerate().filter_map(member).collect();
        if processes.known() == Known::All && members.iter().any(Member::has_gaps) {
            let sequences: Vec<_> = members.iter().map(Member::sequence).collect();
            let places = aligned(&sequences, Known::All);
            for (member, places) in members.iter_mut().zip(places) {
                let placed = places.iter().filter(|operation| **operation != MISSING).count();
                member.unplaced = member.operations.len() - placed;
                member.operations = places.into();
            }
        }
        members
    }

    /// Keeps the places of the operations of members, if these are not just in order.
    pub(super) fn keep_places(&mut self, members: Vec<Member<'_>>) {
        for Member { process, operations, .. } in members {
            if let Cow::Owned(places) = operations {
                self.places.insert(process.rank, places);
            }
        }
    }

    /// Gives the operations of members no place.
    pub(super) fn leave_out(&mut self, members: Vec<Member<'_>>) {
        self.places.extend(members.into_iter().map(|member| (member.process.rank, Vec::new())));
    }

    /// The operations of a process in the places of those of other members, given them in order.
    pub(super) fn places<'p>(&'p self, rank: u32, operations: &'p [u32]) -> &'p [u32] {
        self.places.get(&rank).map_or(operations, Vec::as_slice)
    }
}

/// The operations of a process as a member of a communicator.
pub(super) struct Member<'p> {
    /// Its rank in the communicator.
    pub(super) own: usize,
    process: &'p Process,
    /// Indices into its collective operations; [`MISSING`] in the place of one that was not recorded.
    operations: Cow<'p, [u32]>,
    /// The number of those whose places are not known.
    pub(super) unplaced: usize,
}

impl<'p> Member<'p> {
    /// The location of its first operation.
    pub(super) fn location(&self) -> Option<u32> {
        let first = *self.operations.iter().find(|operation| **operation != MISSING)?;
        Some(self.process.collectives[first as usize].place.location)
    }

    /// The number of its operations on the communicator.
    pub(super) fn count(&self) -> usize {
        self.operations.len()
    }

    /// Its operations on the communicator that are recorded.
    pub(super) fn operations(&self) -> impl Iterator<Item = &'p Collective> + '_ {
        let recorded = self.operations.iter().filter(|operation| **operation != MISSING);
        recorded.map(|&operation| &self.process.collectives[operation as usize])
    }

    /// Whether it did not record all the time.
    pub(super) fn has_gaps(&self) -> bool {
        self.process.has_gaps()
    }

    /// Counts an operation whose place is not known.
    pub(super) fn doubt(&self, damages: &mut Damages) {
        let first = self.process.gaps.first();
        first.into_iter().for_each(|gap| {
            damages.add(Damage::DoubtfulOperation, gap.location as usize, gap.begin);
        });
    }

    /// Its operations, as far as they are known to be in order.
    fn sequence<'s>(&'s self) -> Sequence<'s> {
        let open = first_open(self.process, |gap| gap.open_operation);
        let begin = |operation| self.begin(operation);
        Sequence::new(self.process, &self.operations, begin, |operation| operation < open)
    }

    fn begin(&self, operation: u32) -> u64 {
        self.process.collectives[operation as usize].begin
    }

    /// The number of operations known to be in order.
    pub(super) fn known(&self) -> usize {
        let frontier = &self.process.frontier;
        let gap = self.process.gaps.first().map_or(u64::MAX, |gap| gap.begin);
        let open = first_open(self.process, |gap| gap.open_operation).min(frontier.collectives);
        self.operations.partition_point(|&operation| {
            let begin = self.begin(operation);
            operation < open && (frontier.since == u64::MAX || begin < frontier.since) && begin <= gap
        })
    }
}

/// The `k`-th operation of every member that has one, with its communicator rank.
pub(super) fn parts<'p>(
    members: &'p [Member<'_>],
    k: usize,
) -> impl Iterator<Item = (usize, &'p Collective)> + Clone {
    members.iter().filter_map(move |Member { own, process, operations, .. }| {
        let operation = *operations.get(k).filter(|operation| **operation != MISSING)?;
        Some((*own, &process.collectives[operation as usize]))
    })
}
