//! Messages: who sent late, who received late.

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use ats_model::{
    Definitions, Event,
    delay::{Delay, Extent},
    messages::{Channel, Envelope},
    mpi::{Arity, Function, Kind as Does},
};

use super::{Causing, Key, Met, SyncPoint, Timeline, ticks};

/// One end of a message.
#[derive(Clone, Copy, Debug)]
struct End {
    location: usize,
    /// The call that starts it, and where.
    start: (usize, usize),
    /// The call that completes it, and where.
    completion: Option<(usize, usize)>,
}

/// The messages whose two ends are in the trace.
pub(super) fn find(definitions: &Definitions, lines: &[Timeline], extent: Extent, met: &mut Met) {
    let mut sends: BTreeMap<Channel, Vec<End>> = BTreeMap::new();
    let mut receives: BTreeMap<Channel, Vec<End>> = BTreeMap::new();
    for (location, line) in lines.iter().enumerate() {
        ends(definitions, location, line, &mut sends, &mut receives);
    }
    let mut pairs = Vec::new();
    for (channel, mut receives) in receives {
        // MPI keeps the order in which they are posted.
        receives.sort_by_key(|receive| (receive.location, receive.start.1));
        pairs.extend(sends.remove(&channel).unwrap_or_default().into_iter().zip(receives));
    }
    late_senders(lines, &pairs, met);
    if extent == Extent::All {
        orders(lines, &pairs, met);
    }
    late_receivers(lines, &pairs, met);
}

/// The ends of messages at a location, by channel.
fn ends(
    definitions: &Definitions,
    location: usize,
    line: &Timeline,
    sends: &mut BTreeMap<Channel, Vec<End>>,
    receives: &mut BTreeMap<Channel, Vec<End>>,
) {
    let mut posted = BTreeMap::new();
    let completions = completions(line);
    for (at, &(_, event, visit)) in line.events.iter().enumerate() {
        let here = (visit, at);
        let (start, completion, envelope, sends_it) = match event {
            Event::MpiIrecvRequest { request } => {
                posted.insert(request, here);
                continue;
            }
            Event::MpiSend { receiver: peer, communicator, tag, .. } => {
                (here, Some(here), Envelope { communicator, peer, tag }, true)
            }
            Event::MpiIsend { receiver: peer, communicator, tag, .. } => {
                let completion = completions.get(&at).copied();
                (here, completion, Envelope { communicator, peer, tag }, true)
            }
            Event::MpiRecv { sender: peer, communicator, tag, .. } => {
                (here, Some(here), Envelope { communicator, peer, tag }, false)
            }
            Event::MpiIrecv { sender: peer, communicator, tag, request, .. } => {
                let start = posted.remove(&request).unwrap_or(here);
                (start, Some(here), Envelope { communicator, peer, tag }, false)
            }
            _ => continue,
        };
        let (channel, ends) = match sends_it {
            true => (envelope.sent_by(line.rank, definitions), &mut *sends),
            false => (envelope.received_by(line.rank, definitions), &mut *receives),
        };
        if let Some(channel) = channel {
            ends.entry(channel).or_default().push(End { location, start, completion });
        }
    }
}

/// The completion of each non-blocking send at a location.
fn completions(line: &Timeline) -> BTreeMap<usize, Key> {
    let (mut next, mut completions) = (BTreeMap::new(), BTreeMap::new());
    for (at, &(_, event, visit)) in line.events.iter().enumerate().rev() {
        match event {
            Event::MpiIsendComplete { request } => {
                next.insert(request, (visit, at));
            }
            Event::MpiIsend { request, .. } => completions.extend(next.get(&request).map(|&end| (at, end))),
            _ => {}
        }
    }
    completions
}

/// Whether of what a call completes only the largest wait counts.
fn is_of_several(kind: Does) -> bool {
    matches!(kind, Does::Completion { of: Arity::All | Arity::Some, .. })
}

/// Whether a call completes requests in whatever order, so that the program has none that could be wrong.
fn is_in_any_order(kind: Does) -> bool {
    matches!(kind, Does::Completion { of: Arity::All | Arity::Some | Arity::Any, .. })
}

fn tests(kind: Does) -> bool {
    matches!(kind, Does::Completion { tests: true, .. } | Does::Finalize)
}

/// A wait for a message.
#[derive(Clone, Copy)]
struct Wait {
    /// The location that waits; `at` is the sync point.
    location: usize,
    at: Key,
    ticks: u64,
    send: End,
    receive: End,
}

/// All waits, but only the largest of each call that completes several; among equals the first.
fn charged(lines: &[Timeline], waits: Vec<Wait>) -> Vec<Wait> {
    let (several, mut charged): (Vec<_>, Vec<_>) =
        waits.into_iter().partition(|wait| lines[wait.location].visits[wait.at.0].is(is_of_several));
    let mut largest: BTreeMap<(usize, usize), Wait> = BTreeMap::new();
    for wait in several {
        let best = largest.entry((wait.location, wait.at.0)).or_insert(wait);
        if (wait.ticks, best.at) > (best.ticks, wait.at) {
            *best = wait;
        }
    }
    charged.extend(largest.into_values());
    charged
}

fn late_senders(lines: &[Timeline], pairs: &[(End, End)], met: &mut Met) {
    let mut waits = Vec::new();
    for &(send, receive) in pairs {
        let Some(completion) = receive.completion else { continue };
        let call = lines[receive.location].visits[completion.0];
        let sent = lines[send.location].visits[send.start.0].enter;
        let ticks = ticks(call.enter, sent.min(call.leave));
        if ticks > 0 && !call.is(tests) {
            waits.push(Wait { location: receive.location, at: completion, ticks, send, receive });
        }
    }
    for Wait { at: (visit, event), ticks: wait, send, receive, .. } in charged(lines, waits) {
        let leave = lines[receive.location].visits[visit].leave;
        let send_leave = lines[send.location].visits[send.start.0].leave;
        let waits = met.point(
            receive.location,
            SyncPoint {
                visit,
                event,
                wait,
                completion: ticks(send_leave, leave),
                partners: Rc::new(BTreeSet::from([send.location])),
            },
        );
        let late = met.point(
            send.location,
            SyncPoint {
                visit: send.start.0,
                event: send.start.1,
                wait: 0,
                completion: ticks(leave, send_leave),
                partners: Rc::new(BTreeSet::from([receive.location])),
            },
        );
        met.causings.push(Causing { kind: Delay::LateSender, waits, late });
    }
}

/// The late receives of a location that are remembered.
const REMEMBERED: usize = 100;

/// Finds what another order of receives would have saved: up to when the first message was sent that was received later
/// though it was sent earlier.
fn orders(lines: &[Timeline], pairs: &[(End, End)], met: &mut Met) {
    let sent = |send: &End| lines[send.location].visits[send.start.0].enter;
    // Of each call, when its messages were sent, in the order of their completions.
    let mut received: BTreeMap<(usize, usize), BTreeMap<usize, u64>> = BTreeMap::new();
    for (send, receive) in pairs {
        if let Some((visit, event)) = receive.completion {
            received.entry((receive.location, visit)).or_default().insert(event, sent(send));
        }
    }
    let waits: BTreeSet<(usize, Key)> = met.causings.iter().map(|causing| causing.waits).collect();
    let mut late: Vec<((usize, Key), u64)> = Vec::new();
    for ((location, visit), messages) in received {
        late.retain(|&((of, _), _)| of == location);
        for &earlier in messages.values() {
            late.retain(|&(at, sent)| {
                let call = lines[location].visits[at.1.0];
                if sent > earlier && !call.is(is_in_any_order) {
                    let wait = met.points[location][&at.1].wait;
                    met.saved.insert(at, wait.saturating_sub(ticks(call.enter, earlier)));
                }
                sent <= earlier
            });
        }
        let here = messages.iter().map(|(&event, &sent)| ((location, (visit, event)), sent));
        late.extend(here.filter(|(at, _)| waits.contains(at)));
        if late.len() > REMEMBERED {
            late.remove(0);
        }
    }
}

fn late_receivers(lines: &[Timeline], pairs: &[(End, End)], met: &mut Met) {
    let has_late_sender: BTreeSet<(usize, usize)> =
        met.causings.iter().map(|causing| (causing.waits.0, causing.waits.1.0)).collect();
    let mut waits = Vec::new();
    for &(send, receive) in pairs {
        let Some(completion) = send.completion else { continue };
        let call = lines[send.location].visits[completion.0];
        let posted = lines[receive.location].visits[receive.start.0].enter;
        let may_wait = call.function.is_some_and(Function::may_wait_for_receiver);
        let is_suppressed =
            call.is(is_of_several) && has_late_sender.contains(&(send.location, completion.0));
        let ticks = if call.leave >= posted { ticks(call.enter, posted) } else { 0 };
        if ticks > 0 && may_wait && !call.is(tests) && !is_suppressed {
            waits.push(Wait { location: send.location, at: completion, ticks, send, receive });
        }
    }
    for Wait { at: (visit, event), ticks: wait, send, receive, .. } in charged(lines, waits) {
        let leave = lines[send.location].visits[visit].leave;
        let posted = lines[receive.location].visits[receive.start.0];
        let partners = Rc::new(BTreeSet::from([receive.location]));
        let waits = met.point(send.location, SyncPoint { visit, event, wait, completion: 0, partners });
        let late = met.point(
            receive.location,
            SyncPoint {
                visit: receive.start.0,
                event: receive.start.1,
                wait: 0,
                completion: ticks(leave, posted.leave),
                partners: Rc::new(BTreeSet::from([send.location])),
            },
        );
        met.causings.push(Causing { kind: Delay::LateReceiver, waits, late });
    }
}
