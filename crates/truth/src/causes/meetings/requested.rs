//! Collective operations with requests: who started late, and the completions that waited for that.

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use ats_model::{
    Definitions, Event,
    definitions::Members,
    delay::Delay,
    event::{CollectiveOperation, CommunicatorRef},
    mpi::{Collective, Flow, Kind as Does},
};

use super::{At, Causing, Key, Met, SyncPoint, Timeline, ticks};

/// A member's part in an operation.
#[derive(Clone, Copy, Debug)]
struct Part {
    location: usize,
    /// The rank in the communicator.
    rank: usize,
    /// The call that starts it, and where.
    start: Key,
    /// The enter of that call.
    begin: u64,
    /// The call that completes it.
    completion: usize,
    end: u64,
    what: CollectiveOperation,
    /// The rank of the root in the communicator.
    root: Option<usize>,
    sends: bool,
    receives: bool,
}

/// A wait of a completing call for an operation, its longest one.
#[derive(Clone, Copy)]
struct Wait {
    ticks: u64,
    /// The kind of its causes, if they are known.
    kind: Option<Delay>,
    late: (usize, Key),
}

/// Finds the waits beyond those for messages, which are known.
pub(super) fn find(definitions: &Definitions, lines: &[Timeline], met: &mut Met) {
    let mut longest: BTreeMap<(usize, usize), Wait> = BTreeMap::new();
    for parts in operations(definitions, lines) {
        for part in &parts {
            let Some((kind, late)) = awaited(part, &parts) else { continue };
            let call = lines[part.location].visits[part.completion];
            let wait = ticks(call.enter, late.begin.min(call.leave));
            let tests = call.is(|kind| matches!(kind, Does::Completion { tests: true, .. }));
            if wait == 0 || tests {
                continue;
            }
            let wait = Wait { ticks: wait, kind, late: (late.location, late.start) };
            let best = longest.entry((part.location, part.completion)).or_insert(wait);
            if wait.ticks > best.ticks {
                *best = wait;
            }
        }
    }
    let mut waiting: BTreeMap<At, Vec<(Delay, At)>> = BTreeMap::new();
    for ((location, visit), Wait { ticks: whole, kind, late }) in longest {
        let of_messages: u64 =
            met.points[location].range((visit, 0)..=(visit, usize::MAX)).map(|(_, point)| point.wait).sum();
        let (wait, Some(kind)) = (ticks(of_messages, whole), kind) else { continue };
        if wait > 0 {
            let partners = Rc::new(BTreeSet::from([late.0]));
            let point = SyncPoint { visit, event: usize::MAX, wait, completion: 0, partners };
            let waits = met.point(location, point);
            waiting.entry(late).or_default().push((kind, waits));
        }
    }
    for ((location, (visit, event)), waiting) in waiting {
        let partners = Rc::new(waiting.iter().map(|(_, (location, _))| *location).collect());
        let late = met.point(location, SyncPoint { visit, event, wait: 0, completion: 0, partners });
        met.causings.extend(waiting.into_iter().map(|(kind, waits)| Causing { kind, waits, late }));
    }
}

/// The parts of each operation, by rank. Those of a communicator count in the order of their starts.
fn operations(definitions: &Definitions, lines: &[Timeline]) -> Vec<Vec<Part>> {
    let mut operations: BTreeMap<(CommunicatorRef, usize), Vec<Part>> = BTreeMap::new();
    for (location, line) in lines.iter().enumerate() {
        let mut started: BTreeMap<u64, Key> = BTreeMap::new();
        let mut of_communicator: BTreeMap<CommunicatorRef, Vec<Part>> = BTreeMap::new();
        for (event, &(time, what, visit)) in line.events.iter().enumerate() {
            match what {
                Event::NonBlockingCollectiveRequest { request } => {
                    started.insert(request, (visit, event));
                }
                Event::NonBlockingCollectiveComplete {
                    operation,
                    communicator,
                    root,
                    sent,
                    received,
                    request,
                } => {
                    let Some(Members::Ranks(ranks)) =
                        definitions.communicator(communicator).map(|communicator| &communicator.members)
                    else {
                        continue;
                    };
                    let Some(rank) = ranks.iter().position(|&rank| rank == line.rank) else { continue };
                    let start = started.remove(&request).unwrap_or((visit, event));
                    of_communicator.entry(communicator).or_default().push(Part {
                        location,
                        rank,
                        start,
                        begin: line.visits[start.0].enter,
                        completion: visit,
                        end: time,
                        what: operation,
                        root: root.rank().map(|root| root as usize),
                        sends: u64::from(sent) > 0,
                        receives: u64::from(received) > 0,
                    });
                }
                _ => {}
            }
        }
        for (communicator, mut parts) in of_communicator {
            parts.sort_by_key(|part| part.start.1);
            for (number, part) in parts.into_iter().enumerate() {
                operations.entry((communicator, number)).or_default().push(part);
            }
        }
    }
    let mut operations: Vec<Vec<Part>> = operations.into_values().collect();
    operations.iter_mut().for_each(|parts| parts.sort_by_key(|part| part.rank));
    operations
}

/// The one that a member waits for, the highest of several that came last, and the kind of that wait's causes, if they are
/// known.
fn awaited<'p>(part: &Part, parts: &'p [Part]) -> Option<(Option<Delay>, &'p Part)> {
    let last =
        |those: &mut dyn Iterator<Item = &'p Part>| those.max_by_key(|part| (part.begin, part.location));
    let last_of_all = last(&mut parts.iter())?;
    let senders = || parts.iter().filter(|part| part.sends);
    let root = parts.iter().find(|other| Some(other.rank) == part.root);
    let is_root = Some(part.rank) == part.root;
    let nonblocking = |late| Some((Some(Delay::Nonblocking), late));
    if part.what == CollectiveOperation::CreateHandle {
        return Some((Some(Delay::Management), last_of_all));
    }
    match Collective::from_operation(part.what)?.flow {
        Flow::Barrier => nonblocking(last_of_all),
        Flow::AllToAll => {
            let late = last(&mut senders())?;
            match parts.iter().all(|part| part.end > last_of_all.begin) {
                true => nonblocking(last_of_all),
                false if part.receives => nonblocking(late),
                false => None,
            }
        }
        Flow::Irregular if part.sends || part.receives => Some((Some(Delay::Irregular), last_of_all)),
        Flow::OneToAll if !is_root && part.receives => nonblocking(root?),
        Flow::AllToOne if is_root => nonblocking(last(&mut senders())?),
        Flow::AllToOne if part.sends => Some((None, root.filter(|root| part.end >= root.begin)?)),
        Flow::Prefix => nonblocking(last(&mut senders().filter(|lower| lower.rank <= part.rank))?),
        _ => None,
    }
}
