//! Collective operations, by what flows in them.

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use ats_model::{
    Definitions, Event,
    definitions::Members,
    delay::{Delay, Extent},
    event::{CollectiveOperation, CommunicatorRef},
    mpi::{Collective, Flow, Kind as Does},
};

use super::{Causing, Member, Met, SyncPoint, Timeline, earliest_end, latest, meet, ticks};

struct Operation {
    communicator: CommunicatorRef,
    what: CollectiveOperation,
    root: Option<usize>,
    members: Vec<Member>,
}

/// The operations of each communicator, in order.
fn operations(definitions: &Definitions, lines: &[Timeline]) -> Vec<Operation> {
    let mut operations: BTreeMap<(CommunicatorRef, Option<u32>, usize), Operation> = BTreeMap::new();
    for (location, line) in lines.iter().enumerate() {
        let (mut begin, mut counts) = (None, BTreeMap::new());
        for (event, &(time, what, visit)) in line.events.iter().enumerate() {
            match what {
                Event::MpiCollectiveBegin => begin = Some(time),
                Event::MpiCollectiveEnd { operation, communicator, root, sent, received } => {
                    let of_self = definitions
                        .communicator(communicator)
                        .is_some_and(|communicator| communicator.members == Members::SelfOnly);
                    let number: &mut usize = counts.entry(communicator).or_default();
                    let key = (communicator, of_self.then_some(line.rank), *number);
                    *number += 1;
                    let root = root.and_then(|root| definitions.world_rank(communicator, line.rank, root));
                    let root = lines.iter().position(|line| Some(line.rank) == root);
                    let begin = begin.take().unwrap_or(line.visits[visit].enter);
                    let member = Member { location, visit, event, begin, end: time, sent, received };
                    let new = || Operation { communicator, what: operation, root, members: Vec::new() };
                    operations.entry(key).or_insert_with(new).members.push(member);
                }
                _ => {}
            }
        }
    }
    operations.into_values().collect()
}

/// Finds the operations with waits.
pub(super) fn find(definitions: &Definitions, lines: &[Timeline], extent: Extent, met: &mut Met) {
    for Operation { communicator, what, root, members } in operations(definitions, lines) {
        let carries = members.iter().any(|member| member.sent + member.received > 0);
        if members.len() > 1 && extent == Extent::All {
            management(what, lines, &members, met);
        }
        let Some(collective) = Collective::from_operation(what).filter(|_| members.len() > 1) else {
            continue;
        };
        let root = members.iter().find(|member| Some(member.location) == root);
        let senders: Vec<Member> = members.iter().copied().filter(|member| member.sent > 0).collect();
        match collective.flow {
            Flow::Barrier => {
                meet(&members, latest(&members), earliest_end(&members), Some(Delay::Barrier), met);
            }
            Flow::AllToAll if carries => {
                if earliest_end(&members) > latest(&members).begin {
                    meet(&members, latest(&members), earliest_end(&members), Some(Delay::AllToAll), met);
                } else if !senders.is_empty() {
                    let late = latest(&senders);
                    let those = members.iter().copied().filter(|member| {
                        member.location == late.location || member.received > 0 && member.begin < late.begin
                    });
                    some(&those.collect::<Vec<_>>(), late, Delay::AllToAll, met);
                }
            }
            Flow::OneToAll if carries => {
                let Some(&root) = root else { continue };
                let waiting: Vec<Member> = members
                    .iter()
                    .copied()
                    .filter(|member| {
                        member.location != root.location && member.received > 0 && member.begin < root.begin
                    })
                    .collect();
                one_to_all(&waiting, root, Delay::OneToAll, met);
            }
            Flow::AllToOne if carries => {
                let Some(&root) = root else { continue };
                let others: Vec<Member> =
                    senders.into_iter().filter(|member| member.location != root.location).collect();
                if others.is_empty() {
                    continue;
                }
                let late = latest(&others);
                some(&[root, late], late, Delay::AllToOne, met);
            }
            Flow::Irregular if carries && extent == Extent::All => {
                let late = latest(&members);
                let those = members.iter().copied().filter(|member| {
                    member.location == late.location
                        || member.sent + member.received > 0 && member.begin < late.begin
                });
                some(&those.collect::<Vec<_>>(), late, Delay::Irregular, met);
            }
            Flow::Prefix if extent == Extent::All => {
                let rank = |member: &Member| {
                    let own = lines[member.location].rank;
                    (0..)
                        .map_while(|rank| definitions.world_rank(communicator, own, rank))
                        .position(|it| it == own)
                };
                let mut by_rank = members.clone();
                by_rank.sort_by_key(rank);
                prefix(&by_rank, met);
            }
            _ => {}
        }
    }
}

/// A communicator is made or freed: who frees it and has left before the last one came did not wait.
fn management(what: CollectiveOperation, lines: &[Timeline], members: &[Member], met: &mut Met) {
    let makes = what == CollectiveOperation::CreateHandle;
    let is_it = |member: &Member| {
        let visit = lines[member.location].visits[member.visit];
        visit.is(|kind| matches!(kind, Does::Communicator(Some(_))))
    };
    if !(makes || what == CollectiveOperation::DestroyHandle) || !members.iter().all(is_it) {
        return;
    }
    let late = latest(members);
    let those = members.iter().copied().filter(|member| {
        member.location == late.location || member.begin < late.begin && (makes || member.end >= late.begin)
    });
    some(&those.collect::<Vec<_>>(), late, Delay::Management, met);
}

/// Lets some of the members meet, if any of them waits.
fn some(members: &[Member], late: Member, kind: Delay, met: &mut Met) {
    if members.iter().any(|member| member.begin < late.begin) {
        meet(members, late, earliest_end(members), Some(kind), met);
    }
}

/// Lets every member, which are sorted by rank, meet the last sender of a lower rank.
fn prefix(members: &[Member], met: &mut Met) {
    let mut waiting: BTreeMap<usize, Vec<Member>> = BTreeMap::new();
    for (rank, member) in members.iter().enumerate() {
        let senders = members[..=rank].iter().enumerate().filter(|(_, lower)| lower.sent > 0);
        if let Some((late, lower)) = senders.rev().max_by_key(|(_, lower)| lower.begin)
            && member.begin < lower.begin
        {
            waiting.entry(late).or_default().push(*member);
        }
    }
    for (late, waiting) in waiting {
        one_to_all(&waiting, members[late], Delay::Prefix, met);
    }
}

/// Lets every waiting member meet the root, and the root all of them.
fn one_to_all(waiting: &[Member], root: Member, kind: Delay, met: &mut Met) {
    if waiting.is_empty() {
        return;
    }
    let earliest_end = earliest_end(waiting);
    let point = |member: &Member, wait, partners| {
        let begun = root.begin.min(member.end);
        let completion = ticks(earliest_end.max(begun), member.end);
        SyncPoint { visit: member.visit, event: member.event, wait, completion, partners }
    };
    let partners = Rc::new(waiting.iter().map(|member| member.location).collect());
    let late = met.point(root.location, point(&root, 0, partners));
    for member in waiting {
        let wait = ticks(member.begin, root.begin.min(member.end));
        let waits = met.point(member.location, point(member, wait, Rc::new(BTreeSet::from([root.location]))));
        met.causings.push(Causing { kind, waits, late });
    }
}
