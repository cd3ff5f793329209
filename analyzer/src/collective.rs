//! Waits in collective operations.
//!
//! The *k*-th operation of every member of a communicator is one instance. First each instance is summed up over its
//! members ([`Instances`]), then each process judges its own part.

use ats_model::{
    Definitions, WaitState,
    definitions::Members,
    event::{CollectiveOperation, CommunicatorRef},
};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::{
    communicators::communicator,
    damage::{Damage, Damages},
    ledger::Ledger,
    process::{Collective, Process},
    processes::Processes,
};

/// Who waits for whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    Barrier,
    AllToAll,
    OneToAll,
    AllToOne,
    Prefix,
}

fn flow(operation: CollectiveOperation) -> Option<Flow> {
    use CollectiveOperation::*;
    match operation {
        Barrier => Some(Flow::Barrier),
        Allgather | Allgatherv | Allreduce | Alltoall | ReduceScatter | ReduceScatterBlock => {
            Some(Flow::AllToAll)
        }
        Bcast | Scatter | Scatterv => Some(Flow::OneToAll),
        Reduce | Gather | Gatherv => Some(Flow::AllToOne),
        Scan | Exscan => Some(Flow::Prefix),
        _ => None,
    }
}

/// Whether waits in an operation are known; the others need not be kept.
pub(crate) fn is_analyzed(operation: CollectiveOperation) -> bool {
    flow(operation).is_some()
}

/// An operation summed up over its members.
#[derive(Debug)]
struct Instance {
    flow: Flow,
    latest_begin: u64,
    earliest_end: u64,
    /// The latest begin of a member that sends bytes.
    latest_sender_begin: Option<u64>,
    root: Option<Root>,
    /// In a prefix operation, per member: the latest begin of a sender of its rank or a lower one.
    latest_up_to: Box<[u64]>,
}

#[derive(Clone, Copy, Debug)]
struct Root {
    /// Rank in `MPI_COMM_WORLD`.
    rank: u32,
    begin: u64,
}

/// The members of a communicator: ranks in `MPI_COMM_WORLD`.
struct Group<'a> {
    communicator: CommunicatorRef,
    ranks: &'a [u32],
    /// The communicator rank of a member; empty where both ranks are the same.
    own_ranks: FxHashMap<u32, usize>,
}

impl<'a> Group<'a> {
    fn new(communicator: CommunicatorRef, ranks: &'a [u32]) -> Self {
        let is_identity = ranks.iter().enumerate().all(|(own, &rank)| own == rank as usize);
        let own_ranks = if is_identity {
            FxHashMap::default()
        } else {
            ranks.iter().enumerate().map(|(own, &rank)| (rank, own)).collect()
        };
        Group { communicator, ranks, own_ranks }
    }

    fn own_rank(&self, rank: u32) -> Option<usize> {
        if self.own_ranks.is_empty() {
            ((rank as usize) < self.ranks.len()).then_some(rank as usize)
        } else {
            self.own_ranks.get(&rank).copied()
        }
    }

    /// The operations of a member on this communicator.
    fn operations<'p>(&self, processes: &'p Processes, rank: u32) -> Option<(&'p Process, &'p [u32])> {
        let process = processes.of_rank(rank)?;
        Some((process, process.collectives_by_communicator.of(self.communicator)))
    }

    /// The `k`-th operation of every member that has one, with its communicator rank.
    fn parts(&self, processes: &Processes, k: usize) -> impl Iterator<Item = (usize, Collective)> {
        self.ranks.iter().enumerate().filter_map(move |(own, &rank)| {
            let (process, operations) = self.operations(processes, rank)?;
            Some((own, process.collectives[*operations.get(k)? as usize]))
        })
    }
}

/// Every instance of every communicator of more than one process.
pub(crate) struct Instances<'a>(Vec<Option<(Group<'a>, Vec<Option<Instance>>)>>);

impl<'a> Instances<'a> {
    /// Sums up all instances; what does not fit together is left out and counted in `damages`.
    pub(crate) fn new(definitions: &'a Definitions, processes: &Processes, damages: &mut Damages) -> Self {
        let all = definitions.communicators.par_iter().enumerate().map(|(index, communicator)| {
            let Members::Ranks(ranks) = &communicator.members else { return (None, Damages::default()) };
            if ranks.len() < 2 {
                return (None, Damages::default());
            }
            let group = Group::new(CommunicatorRef(index as u32), ranks);
            let (instances, damages) = instances(&group, processes);
            (Some((group, instances)), damages)
        });
        let (all, found): (Vec<_>, Vec<_>) = all.unzip();
        found.iter().for_each(|found| damages.absorb(found));
        Instances(all)
    }

    /// Books the waits of one process.
    pub(crate) fn judge(
        &self,
        definitions: &Definitions,
        process: &Process,
        ledger: &mut Ledger,
        damages: &mut Damages,
    ) {
        for (reference, operations) in process.collectives_by_communicator.iter() {
            let known = self.0.get(reference.0 as usize).and_then(Option::as_ref);
            let own_rank = known.and_then(|(group, _)| group.own_rank(process.rank));
            if let (Some((_, instances)), Some(own_rank)) = (known, own_rank) {
                for (&operation, instance) in operations.iter().zip(instances) {
                    if let Some(instance) = instance {
                        let part = &process.collectives[operation as usize];
                        instance.judge(part, process.rank, own_rank, reference, ledger);
                    }
                }
            } else if !is_alone(definitions, reference, process.rank) {
                for &operation in operations {
                    let part = process.collectives[operation as usize];
                    damages.add(Damage::NotAMember, part.place.location as usize, part.begin);
                }
            }
        }
    }
}

/// Whether a communicator has this process and no other.
fn is_alone(definitions: &Definitions, reference: CommunicatorRef, rank: u32) -> bool {
    communicator(definitions, reference).is_some_and(|communicator| match &communicator.members {
        Members::Ranks(ranks) => ranks == &[rank],
        Members::SelfOnly => true,
    })
}

fn instances(group: &Group<'_>, processes: &Processes) -> (Vec<Option<Instance>>, Damages) {
    let counts = group
        .ranks
        .iter()
        .map(|&rank| group.operations(processes, rank).map_or(0, |(_, operations)| operations.len()));
    let count = counts.max().unwrap_or(0);
    let all: Vec<_> = (0..count).into_par_iter().map(|k| Instance::new(group, processes, k)).collect();
    let mut damages = Damages::default();
    for (k, instance) in all.iter().enumerate() {
        let damage = match instance {
            Ok((_, members)) if *members < group.ranks.len() => Damage::MemberMissing,
            Ok(_) => continue,
            Err(damage) => *damage,
        };
        if let Some((_, first)) = group.parts(processes, k).next() {
            damages.add(damage, first.place.location as usize, first.begin);
        }
    }
    (all.into_iter().map(|instance| instance.ok().map(|(instance, _)| instance)).collect(), damages)
}

impl Instance {
    /// The `k`-th instance and how many members took part in it.
    fn new(group: &Group<'_>, processes: &Processes, k: usize) -> Result<(Self, usize), Damage> {
        let mut parts = group.parts(processes, k).peekable();
        let Some(&(_, first)) = parts.peek() else { return Err(Damage::MemberMissing) };
        let flow = flow(first.operation).ok_or(Damage::OperationsDiffer)?;
        let is_rooted = matches!(flow, Flow::OneToAll | Flow::AllToOne);
        let mut instance = Instance {
            flow,
            latest_begin: 0,
            earliest_end: u64::MAX,
            latest_sender_begin: None,
            root: None,
            latest_up_to: if flow == Flow::Prefix { vec![0; group.ranks.len()].into() } else { [].into() },
        };
        let root = first.root.and_then(|root| Some((root as usize, *group.ranks.get(root as usize)?)));
        if is_rooted && root.is_none() {
            return Err(Damage::RootUnknown);
        }
        let mut members = 0;
        for (own, part) in parts {
            if part.operation != first.operation || is_rooted && part.root != first.root {
                return Err(Damage::OperationsDiffer);
            }
            members += 1;
            instance.latest_begin = instance.latest_begin.max(part.begin);
            instance.earliest_end = instance.earliest_end.min(part.end);
            if part.sends {
                instance.latest_sender_begin = instance.latest_sender_begin.max(Some(part.begin));
                if let Some(latest) = instance.latest_up_to.get_mut(own) {
                    *latest = part.begin;
                }
            }
            match root {
                Some((root, rank)) if root == own => instance.root = Some(Root { rank, begin: part.begin }),
                _ => {}
            }
        }
        let mut latest = 0;
        for begin in &mut instance.latest_up_to {
            latest = latest.max(*begin);
            *begin = latest;
        }
        Ok((instance, members))
    }

    /// Books the waits of one part.
    fn judge(
        &self,
        part: &Collective,
        rank: u32,
        own_rank: usize,
        communicator: CommunicatorRef,
        ledger: &mut Ledger,
    ) {
        let mut book = |state, ticks| {
            let begin = match state {
                WaitState::BarrierCompletion | WaitState::NxNCompletion => part.end.saturating_sub(ticks),
                _ => part.begin,
            };
            ledger.add_from(begin, state, part.place, ticks, Some(communicator));
        };
        let wait_until = |time: u64| time.min(part.end).saturating_sub(part.begin);
        let is_root = self.root.is_some_and(|root| root.rank == rank);
        match self.flow {
            Flow::Barrier => {
                book(WaitState::WaitAtBarrier, wait_until(self.latest_begin));
                book(WaitState::BarrierCompletion, self.completion(part));
            }
            Flow::AllToAll => {
                book(WaitState::WaitAtNxN, self.awaited(part).map_or(0, wait_until));
                book(WaitState::NxNCompletion, self.latest_sender_begin.map_or(0, |_| self.completion(part)));
            }
            Flow::OneToAll if !is_root && part.receives => {
                book(WaitState::LateBroadcast, self.root.map_or(0, |root| wait_until(root.begin)));
            }
            Flow::AllToOne if is_root => {
                book(WaitState::EarlyReduce, self.latest_sender_begin.map_or(0, wait_until));
            }
            Flow::Prefix => book(WaitState::EarlyScan, wait_until(self.latest_up_to[own_rank])),
            Flow::OneToAll | Flow::AllToOne => {}
        }
    }

    /// Until when a part of an n-to-n operation has to wait; none without payload.
    fn awaited(&self, part: &Collective) -> Option<u64> {
        let latest_sender_begin = self.latest_sender_begin?;
        if self.earliest_end > self.latest_begin {
            Some(self.latest_begin)
        } else {
            part.receives.then_some(latest_sender_begin)
        }
    }

    /// The time in the operation after the first member has left it.
    fn completion(&self, part: &Collective) -> u64 {
        part.end.saturating_sub(self.earliest_end.max(self.latest_begin.min(part.end)))
    }
}
