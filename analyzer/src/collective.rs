//! Waits in collective operations.
//!
//! The *k*-th operation of every member of a communicator is one instance. First each instance is summed up over its
//! members ([`Instances`]), then each process judges its own part.

use std::ops::Deref;

use ats_model::{
    Definitions, WaitState,
    definitions::Members,
    event::{CollectiveOperation, CommunicatorRef},
};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::{
    clock::Violations,
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
    /// How many ticks the shortest part takes.
    shortest: u64,
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

/// Which instances are meant.
#[derive(Clone, Copy)]
enum Extent {
    All,
    Complete,
}

/// Every instance of every communicator of more than one process.
pub(crate) struct Instances<'a>(Vec<Option<(Group<'a>, Vec<Option<Instance>>)>>);

impl<'a> Instances<'a> {
    /// Sums up all instances; what does not fit together is left out and counted in `damages`.
    pub(crate) fn new(definitions: &'a Definitions, processes: &Processes, damages: &mut Damages) -> Self {
        Self::of(definitions, processes, Extent::All, damages)
    }

    /// Sums up those that every member has taken part in already.
    pub(crate) fn complete(
        definitions: &'a Definitions,
        processes: &Processes,
        damages: &mut Damages,
    ) -> Self {
        Self::of(definitions, processes, Extent::Complete, damages)
    }

    fn of(
        definitions: &'a Definitions,
        processes: &Processes,
        extent: Extent,
        damages: &mut Damages,
    ) -> Self {
        let all = definitions.communicators.par_iter().enumerate().map(|(index, communicator)| {
            let Members::Ranks(ranks) = &communicator.members else { return (None, Damages::default()) };
            if ranks.len() < 2 {
                return (None, Damages::default());
            }
            let group = Group::new(CommunicatorRef(index as u32), ranks);
            let (instances, damages) = instances(&group, processes, extent);
            (Some((group, instances)), damages)
        });
        let (all, found): (Vec<_>, Vec<_>) = all.unzip();
        found.iter().for_each(|found| damages.absorb(found));
        Instances(all)
    }

    /// Books the waits of one process, and counts what its clock contradicts.
    pub(crate) fn judge(&self, process: &Process, ledger: &mut Ledger, violations: &mut Violations) {
        for (part, instance) in self.of_process(process) {
            instance.judge(&part, ledger);
            if let Some(cause) = instance.cause_of_end(&part) {
                violations.check(part.begin, part.end, cause);
            }
        }
    }

    /// Books what is known from durations alone: by how much longer each part takes than the shortest one.
    pub(crate) fn judge_durations(&self, process: &Process, ledger: &mut Ledger) {
        for (part, instance) in self.of_process(process) {
            instance.judge_duration(&part, ledger);
        }
    }

    /// Counts what a process did on communicators that it does not belong to.
    pub(crate) fn note_strangers(&self, definitions: &Definitions, process: &Process, damages: &mut Damages) {
        for (reference, operations) in process.collectives_by_communicator.iter() {
            let is_member = self.group(reference).is_some_and(|group| group.own_rank(process.rank).is_some());
            if is_member || is_alone(definitions, reference, process.rank) {
                continue;
            }
            for &operation in operations {
                let part = process.collectives[operation as usize];
                damages.add(Damage::NotAMember, part.place.location as usize, part.begin);
            }
        }
    }

    /// What a process has to do with others in collective operations.
    pub(crate) fn links<'s>(&'s self, process: &'s Process) -> impl Iterator<Item = Link> + use<'s, 'a> {
        self.of_process(process).map(|(part, instance)| {
            let (gives, takes) = instance.roles(&part);
            let leaves = match instance.flow {
                Flow::Barrier | Flow::AllToAll if gives && takes => Leaves::WithAll,
                Flow::OneToAll if gives => Leaves::AsRoot,
                Flow::OneToAll if takes => Leaves::AfterRoot,
                _ => Leaves::Alone,
            };
            Link {
                instance: (part.communicator, part.number),
                begin: part.begin,
                end: part.end,
                gives,
                takes,
                leaves,
            }
        })
    }

    /// How many operations on a communicator there are for this process; none where it is no member.
    pub(crate) fn count(&self, reference: CommunicatorRef, rank: u32) -> Option<usize> {
        let (group, instances) = self.0.get(reference.0 as usize)?.as_ref()?;
        group.own_rank(rank).map(|_| instances.len())
    }

    fn group(&self, reference: CommunicatorRef) -> Option<&Group<'a>> {
        self.0.get(reference.0 as usize)?.as_ref().map(|(group, _)| group)
    }

    /// Every part of a process in an operation that fits together.
    fn of_process<'s>(
        &'s self,
        process: &'s Process,
    ) -> impl Iterator<Item = (Part<'s>, &'s Instance)> + use<'s, 'a> {
        process.collectives_by_communicator.iter().flat_map(move |(reference, operations)| {
            let known = self.0.get(reference.0 as usize).and_then(Option::as_ref);
            let own = known.and_then(|(group, _)| group.own_rank(process.rank));
            let instances = known.filter(|_| own.is_some()).map_or(&[][..], |(_, instances)| instances);
            operations.iter().zip(instances).enumerate().filter_map(
                move |(number, (&operation, instance))| {
                    let collective = &process.collectives[operation as usize];
                    let part =
                        Part { collective, rank: process.rank, own: own?, communicator: reference, number };
                    Some((part, instance.as_ref()?))
                },
            )
        })
    }
}

/// A process's part in an instance.
#[derive(Clone, Copy)]
struct Part<'a> {
    collective: &'a Collective,
    /// In `MPI_COMM_WORLD`.
    rank: u32,
    /// In the communicator.
    own: usize,
    communicator: CommunicatorRef,
    /// Counts the operations on the communicator.
    number: usize,
}

impl Deref for Part<'_> {
    type Target = Collective;

    fn deref(&self) -> &Collective {
        self.collective
    }
}

/// How a process's part in an operation is linked to the others': nobody who takes is done before everybody who gives
/// has begun.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub(crate) instance: (CommunicatorRef, usize),
    pub(crate) begin: u64,
    pub(crate) end: u64,
    pub(crate) gives: bool,
    pub(crate) takes: bool,
    pub(crate) leaves: Leaves,
}

impl Link {
    /// In ticks.
    pub(crate) fn duration(&self) -> u64 {
        self.end.saturating_sub(self.begin)
    }
}

/// Whose end of an operation is likely to be about when a part ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leaves {
    /// Everybody's.
    WithAll,
    /// The part is the root's; others end with it if they have waited for it.
    AsRoot,
    /// The root's, if the part has waited for it.
    AfterRoot,
    /// Nobody's.
    Alone,
}

/// Whether a communicator has this process and no other.
fn is_alone(definitions: &Definitions, reference: CommunicatorRef, rank: u32) -> bool {
    definitions.communicator(reference).is_some_and(|communicator| match &communicator.members {
        Members::Ranks(ranks) => ranks == &[rank],
        Members::SelfOnly => true,
    })
}

fn instances(group: &Group<'_>, processes: &Processes, extent: Extent) -> (Vec<Option<Instance>>, Damages) {
    let operations = group.ranks.iter().map(|&rank| group.operations(processes, rank));
    let count = match extent {
        Extent::All => operations.flatten().map(|(_, operations)| operations.len()).max(),
        Extent::Complete => operations.map(|operations| operations.map_or(0, known)).min(),
    };
    let count = count.unwrap_or(0);
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

/// How many operations are known to be in order.
fn known((process, operations): (&Process, &[u32])) -> usize {
    operations.partition_point(|&operation| {
        process.collectives_until == u64::MAX
            || process.collectives[operation as usize].begin < process.collectives_until
    })
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
            shortest: u64::MAX,
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
            instance.shortest = instance.shortest.min(part.duration());
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

    fn is_root(&self, part: &Part<'_>) -> bool {
        self.root.is_some_and(|root| root.rank == part.rank)
    }

    /// Books the waits of one part.
    fn judge(&self, part: &Part<'_>, ledger: &mut Ledger) {
        let mut book = |state, ticks| {
            let begin = match state {
                WaitState::BarrierCompletion | WaitState::NxNCompletion => part.end.saturating_sub(ticks),
                _ => part.begin,
            };
            ledger.add_from(begin, state, part.place, ticks, Some(part.communicator));
        };
        let wait_until = |time: u64| time.min(part.end).saturating_sub(part.begin);
        let is_root = self.is_root(part);
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
            Flow::Prefix => book(WaitState::EarlyScan, wait_until(self.latest_up_to[part.own])),
            Flow::OneToAll | Flow::AllToOne => {}
        }
    }

    /// Books what is known of the waits of one part without comparing clocks: as if all members left at once.
    fn judge_duration(&self, part: &Part<'_>, ledger: &mut Ledger) {
        let state = match self.flow {
            Flow::Barrier => WaitState::WaitAtBarrier,
            Flow::AllToAll if self.latest_sender_begin.is_some() => WaitState::WaitAtNxN,
            Flow::OneToAll if !self.is_root(part) && part.receives => WaitState::LateBroadcast,
            Flow::AllToOne if self.is_root(part) && self.latest_sender_begin.is_some() => {
                WaitState::EarlyReduce
            }
            Flow::Prefix => WaitState::EarlyScan,
            _ => return,
        };
        let wait = part.duration().saturating_sub(self.shortest);
        ledger.add(state, part.place, wait, Some(part.communicator));
    }

    /// What cannot begin after a part is over.
    fn cause_of_end(&self, part: &Part<'_>) -> Option<u64> {
        match self.flow {
            Flow::Barrier => Some(self.latest_begin),
            Flow::AllToAll if part.receives => self.latest_sender_begin,
            Flow::OneToAll if !self.is_root(part) && part.receives => self.root.map(|root| root.begin),
            Flow::AllToOne if self.is_root(part) => self.latest_sender_begin,
            Flow::Prefix => Some(self.latest_up_to[part.own]),
            _ => None,
        }
    }

    /// Whether a part gives something to the others, and whether it takes something from all that give. Of a prefix
    /// operation only that is said which the first member gives to all.
    fn roles(&self, part: &Part<'_>) -> (bool, bool) {
        let is_root = self.is_root(part);
        match self.flow {
            Flow::Barrier => (true, true),
            Flow::AllToAll => (part.sends, part.receives),
            Flow::OneToAll => (is_root, !is_root && part.receives),
            Flow::AllToOne => (!is_root && part.sends, is_root),
            Flow::Prefix => (part.own == 0 && part.sends, part.own > 0),
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
