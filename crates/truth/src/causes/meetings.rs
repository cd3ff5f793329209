//! The meetings of locations, and the waits in them.

mod collectives;
mod locks;
mod messages;
mod requested;

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use ats_model::{
    Definitions,
    delay::{Delay, Extent},
    mpi::Kind as Does,
};

use super::timeline::{Cell, Lines, Part, Team, Timeline, Visit};

/// A place where a location met others.
#[derive(Clone, Debug)]
pub(super) struct SyncPoint {
    /// Index into the location's visits.
    pub(super) visit: usize,
    /// The index into the location's events, which orders several points of a call.
    pub(super) event: usize,
    /// Ticks that it waited.
    pub(super) wait: u64,
    /// Ticks that it was late out of the call.
    pub(super) completion: u64,
    /// Whom it met: indices of locations.
    pub(super) partners: Rc<BTreeSet<usize>>,
}

/// A wait, and who made it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Causing {
    pub(super) kind: Delay,
    /// The sync point of the one that waits: location, and key in it.
    pub(super) waits: At,
    /// That of the one that was late.
    pub(super) late: At,
}

/// Orders the sync points of a location: visit, then event.
pub(super) type Key = (usize, usize);

/// One sync point of one location.
pub(super) type At = (usize, Key);

/// The visit that it lies in.
pub(super) fn visit_of(lines: &[Timeline], (location, (visit, _)): At) -> &Visit {
    &lines[location].visits[visit]
}

/// All that met.
#[derive(Debug, Default)]
pub(super) struct Met {
    /// By location.
    pub(super) points: Vec<BTreeMap<Key, SyncPoint>>,
    pub(super) causings: Vec<Causing>,
    /// Waits at no sync point, with their kinds and cells.
    pub(super) nowhere: Vec<(Delay, Cell, u64)>,
    /// Of waits for messages, the ticks that another order of receives would have saved.
    pub(super) saved: BTreeMap<At, u64>,
    /// The sync point that the critical path continues from, before a sync point of threads.
    pub(super) led_by: BTreeMap<At, At>,
}

impl Met {
    fn point(&mut self, location: usize, point: SyncPoint) -> At {
        let key = (point.visit, point.event);
        self.points[location].entry(key).or_insert(point);
        (location, key)
    }
}

pub(super) fn find(definitions: &Definitions, all: &Lines, extent: Extent) -> Met {
    let lines = &all.lines[..];
    let mut met = Met { points: vec![BTreeMap::new(); lines.len()], ..Met::default() };
    initialization(definitions, lines, extent, &mut met);
    messages::find(definitions, lines, extent, &mut met);
    collectives::find(definitions, lines, extent, &mut met);
    finalization(lines, extent, &mut met);
    all.teams.iter().for_each(|team| teams(lines, team, &mut met));
    if extent == Extent::All {
        requested::find(definitions, lines, &mut met);
        locks::find(lines, &mut met);
    }
    met
}

/// Ticks from one instant to another, none where that is before.
fn ticks(from: u64, to: u64) -> u64 {
    to.saturating_sub(from)
}

/// The visits of each location in which all meet.
fn common(lines: &[Timeline], is_it: fn(Does) -> bool) -> Vec<Option<usize>> {
    lines.iter().map(|line| line.visits.iter().position(|visit| visit.is(is_it))).collect()
}

/// From the first leave of `MPI_Init` on, time there is completion. Until then, who came waits for the last to come, the
/// highest of several.
fn initialization(definitions: &Definitions, lines: &[Timeline], extent: Extent, met: &mut Met) {
    let visits = common(lines, |kind| kind == Does::Initialize);
    let call = |location: usize| Some((location, lines[location].visits[visits[location]?]));
    let calls: Vec<(usize, Visit)> = (0..lines.len()).filter_map(call).collect();
    let all: Rc<BTreeSet<usize>> = Rc::new(calls.iter().map(|&(location, _)| location).collect());
    let Some(earliest) = calls.iter().map(|(_, call)| call.leave).min() else { return };
    let ranks = calls.iter().map(|&(location, _)| lines[location].rank);
    let are_compared = extent == Extent::All && definitions.system_tree.is_one_node(ranks);
    let last = calls.iter().max_by_key(|(_, call)| call.enter).filter(|_| are_compared);
    let mut waiting = Vec::new();
    for &(location, call) in &calls {
        let wait = last.map_or(0, |(_, last)| ticks(call.enter, last.enter.min(earliest)));
        let visit = visits[location].expect("it has a call");
        let (completion, partners) = (ticks(earliest, call.leave), Rc::clone(&all));
        let at = met.point(location, SyncPoint { visit, event: usize::MAX, wait, completion, partners });
        waiting.extend((wait > 0).then_some(at));
    }
    if let Some(&(location, _)) = last {
        let late = (location, (visits[location].expect("it has a call"), usize::MAX));
        met.causings.extend(waiting.into_iter().map(|waits| Causing { kind: Delay::Init, waits, late }));
    }
}

fn finalization(lines: &[Timeline], extent: Extent, met: &mut Met) {
    let visits = common(lines, |kind| kind == Does::Finalize);
    let members: Vec<Member> = (0..lines.len())
        .filter_map(|location| {
            let visit = visits[location]?;
            let call = lines[location].visits[visit];
            let (begin, end) = (call.enter, call.leave);
            Some(Member { location, visit, event: usize::MAX, begin, end, sent: 1, received: 1 })
        })
        .collect();
    if !members.is_empty() {
        let (latest, earliest_end) = (latest(&members), earliest_end(&members));
        let kind = (extent == Extent::All).then_some(Delay::Finalize);
        meet(&members, latest, earliest_end, kind, met);
    }
}

/// A member of a collective operation.
#[derive(Clone, Copy, Debug)]
struct Member {
    location: usize,
    visit: usize,
    event: usize,
    begin: u64,
    end: u64,
    sent: u64,
    received: u64,
}

/// The member that began last; of several the lowest.
fn latest(members: &[Member]) -> Member {
    *members.iter().rev().max_by_key(|member| member.begin).expect("somebody takes part")
}

fn earliest_end(members: &[Member]) -> u64 {
    members.iter().map(|member| member.end).min().expect("somebody takes part")
}

/// All of these meet, and who began before the latest waited for it.
fn meet(members: &[Member], latest: Member, earliest_end: u64, kind: Option<Delay>, met: &mut Met) {
    let all: Rc<BTreeSet<usize>> = Rc::new(members.iter().map(|member| member.location).collect());
    let mut waiting = Vec::new();
    let mut late = None;
    for member in members {
        let begun = latest.begin.min(member.end);
        let wait = ticks(member.begin, begun);
        let completion = ticks(earliest_end.max(begun), member.end);
        let point =
            SyncPoint { visit: member.visit, event: member.event, wait, completion, partners: all.clone() };
        let at = met.point(member.location, point);
        match member.location == latest.location {
            true => late = Some(at),
            false if wait > 0 => waiting.push(at),
            false => {}
        }
    }
    if let (Some(kind), Some(late)) = (kind, late) {
        met.causings.extend(waiting.into_iter().map(|waits| Causing { kind, waits, late }));
    }
}

/// Forks and barriers.
fn teams(lines: &[Timeline], team: &Team, met: &mut Met) {
    let members = team.members.iter().map(|&(location, _)| location);
    let all: Rc<BTreeSet<usize>> = Rc::new(members.collect());
    let point = |visit, wait, completion| SyncPoint {
        visit,
        event: usize::MAX,
        wait,
        completion,
        partners: Rc::clone(&all),
    };
    let entry = |&(location, visit): &(usize, usize)| lines[location].visits[visit].leave;
    let earliest = team.members.iter().map(entry).min().unwrap_or_default();
    for member in &team.members {
        let at = met.point(member.0, point(member.1, 0, ticks(earliest, entry(member))));
        if let Some((location, visit)) = team.master() {
            met.led_by.insert(at, (location, (visit, usize::MAX)));
        }
    }
    for barrier in &team.barriers {
        let enter = |part: &Part| lines[part.location].visits[part.visit].enter;
        let Some(latest) = barrier.iter().rev().max_by_key(|part| enter(part)) else { continue };
        let late = met.point(latest.location, point(latest.visit, 0, 0));
        met.led_by.insert(late, late);
        for part in barrier.iter().filter(|part| part.location != latest.location) {
            let wait = ticks(enter(part) + part.in_tasks, enter(latest));
            let waits = met.point(part.location, point(part.visit, wait, 0));
            met.led_by.insert(waits, late);
            if wait > 0 {
                met.causings.push(Causing { kind: Delay::OmpBarrier, waits, late });
            }
        }
    }
}
