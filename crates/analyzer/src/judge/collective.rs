//! Waits in collective operations.
//!
//! The *k*-th operation of every member of a communicator is one instance. First each instance is summed up over its
//! members ([`Instances`]), then each process judges its own part.

mod due;
mod group;
mod instance;
mod link;
mod meeting;

use ats_model::{Definitions, definitions::Members, delay, event::CommunicatorRef};
use rayon::prelude::*;

pub(crate) use self::due::Dues;
pub(crate) use self::link::{Leaves, Link};
use self::{
    group::{Group, Member, parts},
    instance::{Instance, Part},
};
use crate::{
    judge::{
        account::Account,
        points::GroupMembers,
        violations::{Measure, Violations},
    },
    records::{Collective, process::Process, processes::Processes},
    words::damage::{Damage, Damages},
};

/// The operations that are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// All operations, at the end.
    All,
    /// The operations that are complete so far.
    Complete,
}

/// Every instance of every communicator of more than one process.
pub(crate) struct Instances<'a>(Vec<Option<(Group<'a>, Vec<Option<Instance>>)>>);

impl<'a> Instances<'a> {
    /// Sums up all instances, or those that every member has taken part in already; operations that do not fit together
    /// are omitted and counted in `damages`.
    pub(crate) fn new(
        definitions: &'a Definitions,
        processes: &Processes,
        extent: Extent,
        causes: Option<delay::Extent>,
        damages: &mut Damages,
    ) -> Self {
        let all = definitions.communicators.par_iter().enumerate().map(|(index, communicator)| {
            let Members::Ranks(ranks) = &communicator.members else { return (None, Damages::default()) };
            if ranks.len() < 2 {
                return (None, Damages::default());
            }
            let mut group = Group::new(definitions, CommunicatorRef(index as u32), ranks);
            let (instances, damages) = instances(&mut group, processes, extent, causes);
            (Some((group, instances)), damages)
        });
        let (all, found): (Vec<_>, Vec<_>) = all.unzip();
        found.iter().for_each(|found| damages.absorb(found));
        Instances(all)
    }

    /// Books the waits of one process, and counts the contradictions with its clock; from durations alone, it books the
    /// excess of each part over the shortest one.
    pub(crate) fn judge(&self, process: &Process, measure: Measure, account: &mut Account) {
        let Account { ledger, violations, .. } = account;
        // The others wait where they are completed.
        let blocking = self.of_process(process).filter(|(part, _)| !part.is_requested);
        blocking.for_each(|(part, instance)| match measure {
            Measure::Times => {
                instance.judge(&part, ledger);
                if let Some(cause) = instance.cause_of_end(&part) {
                    violations.check(part.begin, part.end, cause);
                }
            }
            Measure::Durations => instance.judge_duration(&part, ledger),
        });
    }

    /// Counts the operations of a process on communicators that it does not belong to.
    pub(crate) fn note_strangers(&self, definitions: &Definitions, process: &Process, damages: &mut Damages) {
        for (reference, operations) in process.collectives.groups.iter() {
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

    /// The links of a process with others in collective operations.
    pub(crate) fn links<'s>(&'s self, process: &'s Process) -> impl Iterator<Item = Link> + use<'s, 'a> {
        self.of_process(process).map(|(part, instance)| Link::new(&part, instance))
    }

    /// Whether each operation of a process still has to be summed up. Operations done alone, or as a stranger, keep no
    /// other process waiting.
    pub(crate) fn unsettled(&self, process: &Process) -> Vec<bool> {
        let is_grouped = |part: &Collective| part.communicator.is_some();
        let mut kept: Vec<bool> = process.collectives.iter().map(is_grouped).collect();
        for (communicator, operations) in process.collectives.groups.iter() {
            let settled = self.count(communicator, process.rank).unwrap_or(operations.len());
            operations.iter().take(settled).for_each(|&operation| kept[operation as usize] = false);
        }
        kept
    }

    /// The number of operations on a communicator for this process; `None` if it is not a member.
    fn count(&self, reference: CommunicatorRef, rank: u32) -> Option<usize> {
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
        self.of_process_by_number(process).map(|(_, part, instance)| (part, instance))
    }

    /// The same, with the index of each part among those of the process.
    fn of_process_by_number<'s>(
        &'s self,
        process: &'s Process,
    ) -> impl Iterator<Item = (u32, Part<'s>, &'s Instance)> + use<'s, 'a> {
        process.collectives.groups.iter().flat_map(move |(reference, operations)| {
            let known = self.0.get(reference.0 as usize).and_then(Option::as_ref);
            let own = known.and_then(|(group, _)| group.own_rank(process.rank));
            let instances = known.filter(|_| own.is_some()).map_or(&[][..], |(_, instances)| instances);
            let operations = known.map_or(operations, |(group, _)| group.places(process.rank, operations));
            operations.iter().zip(instances).enumerate().filter_map(
                move |(number, (&operation, instance))| {
                    let collective = process.collectives.get(operation as usize)?;
                    let part =
                        Part { collective, rank: process.rank, own: own?, communicator: reference, number };
                    Some((operation, part, instance.as_ref()?))
                },
            )
        })
    }
}

/// Whether a communicator has this process and no other.
fn is_alone(definitions: &Definitions, reference: CommunicatorRef, rank: u32) -> bool {
    definitions.communicator(reference).is_some_and(|communicator| match &communicator.members {
        Members::Ranks(ranks) => ranks == &[rank],
        Members::SelfOnly => true,
    })
}

/// Takes away the members that lack an operation in the middle: each later one of theirs is in the place of its
/// predecessor, and the others would wait for it. They have fewer operations than others, and what they take part in
/// does not fit together, or is over before all have come. A member that ended early lacks the last ones, and fits.
fn misplaced<'p>(group: &Group<'_>, members: &mut Vec<Member<'p>>) -> Vec<Member<'p>> {
    let most = members.iter().map(Member::count).max().unwrap_or(0);
    let count = members.iter().map(Member::count).filter(|&count| count < most).max().unwrap_or(0);
    if count == 0 {
        return Vec::new();
    }
    let mut violations = Violations::default();
    for k in 0..count {
        match Instance::new(group, members, k, None) {
            Ok(instance) => {
                for (own, collective) in parts(members, k) {
                    let rank = group.ranks[own];
                    let part = Part { collective, rank, own, communicator: group.communicator, number: k };
                    if let Some(cause) = instance.cause_of_end(&part) {
                        violations.check(part.begin, part.end, cause);
                    }
                }
            }
            Err(Damage::OperationsDiffer) => return members.extract_if(.., |it| it.count() < most).collect(),
            Err(_) => {}
        }
    }
    if violations.contradict() {
        members.extract_if(.., |it| it.count() < most).collect()
    } else {
        Vec::new()
    }
}

fn instances(
    group: &mut Group<'_>,
    processes: &Processes,
    extent: Extent,
    causes: Option<delay::Extent>,
) -> (Vec<Option<Instance>>, Damages) {
    let mut damages = Damages::default();
    let mut members = group.members(processes);
    let have_gaps = members.iter().any(Member::has_gaps);
    if extent == Extent::All && processes.are_comparable() && !have_gaps {
        let misplaced = misplaced(group, &mut members);
        for part in misplaced.iter().flat_map(Member::operations) {
            damages.add(Damage::OperationMisplaced, part.place.location as usize, part.begin);
        }
        group.leave_out(misplaced);
    }
    let count = match extent {
        Extent::All => members.iter().map(Member::count).max(),
        Extent::Complete if members.len() < group.ranks.len() => None,
        Extent::Complete => members.iter().map(Member::known).min(),
    };
    let count = count.unwrap_or(0);
    let mut whole: Vec<u32> = members.iter().filter_map(Member::location).collect();
    whole.sort_unstable();
    let whole = GroupMembers::new(whole);
    let causes = causes.map(|extent| (&whole, extent));
    let all: Vec<_> = (0..count).into_par_iter().map(|k| Instance::new(group, &members, k, causes)).collect();
    let mut found = Vec::with_capacity(count);
    for (k, instance) in all.into_iter().enumerate() {
        let (instance, damage) = match instance {
            // The one that is missing may be the one that the others wait for.
            Ok(instance) if have_gaps && !instance.is_whole() => (None, Some(Damage::DoubtfulOperation)),
            Ok(instance) if !instance.is_whole() => (Some(instance), Some(Damage::MemberMissing)),
            Ok(instance) => (Some(instance), None),
            Err(damage) => (None, Some(damage)),
        };
        if let (Some(damage), Some((_, first))) = (damage, parts(&members, k).next()) {
            damages.add(damage, first.place.location as usize, first.begin);
        }
        found.push(instance);
    }
    if have_gaps && let Some(most) = members.iter().max_by_key(|member| member.unplaced) {
        // If a member has all, they were missing there.
        let are_counted = members.iter().any(|member| !member.has_gaps());
        let number = if are_counted { 0 } else { most.unplaced };
        (0..number).for_each(|_| most.doubt(&mut damages));
    }
    group.keep_places(members);
    (found, damages)
}
