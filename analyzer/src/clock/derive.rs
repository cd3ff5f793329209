//! The clocks of processes, from what they did together.
//!
//! One process after the other is brought to the clock of those before it: their messages and collective operations with
//! it bound its correction from below (what it received was sent before) and from above (what it sent was received
//! after). Who is bounded from both sides comes first; who came early is moved if those who came later demand it. Between the bounds that correction is taken which lets calls end
//! together that wait for each other: those of a barrier, of a synchronous message, of one that the receiver has waited for.

use std::collections::{BTreeSet, VecDeque};

use ats_model::{
    Definitions,
    clock_correction::{ClockEvidence, ProcessClock},
    definitions::Members,
    event::CommunicatorRef,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::corridor::{Bound, Corridor, Line, Side};
use crate::{
    calls::CallKind,
    collective::{Instances, Leaves, Link},
    process::{Call, Message, Process},
    processes::Processes,
};

/// The correction of a process's clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProcessCorrection {
    /// Its first time stamp.
    origin: u64,
    line: Line,
    evidence: ClockEvidence,
}

impl ProcessCorrection {
    /// The common time of a time stamp.
    fn apply(&self, time: u64) -> i128 {
        let since_origin = i128::from(time) - i128::from(self.origin);
        let correction = self.line.offset + self.line.drift * since_origin as f64;
        i128::from(time) + correction.round() as i128
    }

    fn undo(&self, time: i128) -> u64 {
        let corrected = (time - i128::from(self.origin)) as f64;
        let since_origin = (corrected - self.line.offset) / (1.0 + self.line.drift);
        (i128::from(self.origin) + since_origin.round() as i128).clamp(0, u64::MAX.into()) as u64
    }
}

/// The corrections of all processes, in the order of [`Processes::list`].
pub(crate) struct Clocks {
    corrections: Vec<ProcessCorrection>,
    by_rank: FxHashMap<u32, usize>,
    /// Added to all times, so that none is negative.
    shift: i128,
}

impl Clocks {
    /// The common time of a time stamp of the process with this rank.
    pub(crate) fn apply(&self, rank: u32, time: u64) -> u64 {
        match self.by_rank.get(&rank) {
            Some(&index) => {
                (self.corrections[index].apply(time) + self.shift).clamp(0, u64::MAX.into()) as u64
            }
            None => time,
        }
    }

    /// The time stamp of the process with this rank that [`Clocks::apply`] makes this common time of, to a tick or two.
    pub(crate) fn recorded(&self, rank: u32, time: u64) -> u64 {
        match self.by_rank.get(&rank) {
            Some(&index) => self.corrections[index].undo(i128::from(time) - self.shift),
            None => time,
        }
    }

    /// As they are told.
    pub(crate) fn in_seconds(&self, definitions: &Definitions, processes: &Processes) -> Vec<ProcessClock> {
        let tick = definitions.clock.seconds(1);
        let told = |(process, correction): (&Process, &ProcessCorrection)| ProcessClock {
            rank: process.rank,
            offset: correction.line.offset * tick,
            drift: correction.line.drift,
            evidence: correction.evidence,
        };
        processes.list().iter().zip(&self.corrections).map(told).collect()
    }
}

/// Derives the clocks; `origins` has the first time stamp of each process, in the order of [`Processes::list`].
pub(crate) fn derive(
    definitions: &Definitions,
    processes: &Processes,
    instances: &Instances<'_>,
    origins: &[u64],
) -> Clocks {
    let list = processes.list();
    let by_rank: FxHashMap<u32, usize> =
        list.iter().enumerate().map(|(index, process)| (process.rank, index)).collect();
    let mut alignment = Alignment {
        definitions,
        processes,
        instances,
        by_rank: &by_rank,
        origins,
        ends: list.iter().map(Ends::new).collect(),
        found: vec![None; list.len()],
        meetings: FxHashMap::default(),
        asked: FxHashSet::default(),
    };
    alignment.align_all();
    alignment.settle();
    let corrections: Vec<ProcessCorrection> = alignment.found.into_iter().flatten().collect();
    let earliest = corrections.iter().map(|correction| correction.apply(correction.origin)).min();
    let shift = earliest.map_or(0, |earliest| -earliest.min(0));
    Clocks { corrections, by_rank, shift }
}

/// A call that completes a message.
#[derive(Clone, Copy)]
struct End {
    /// Index into [`Process::calls`].
    call: u32,
    /// Whether it completes no other message.
    is_alone: bool,
}

/// The calls that complete the messages of a process, by send and by receive.
struct Ends {
    sends: Vec<Option<End>>,
    receives: Vec<Option<End>>,
}

impl Ends {
    fn new(process: &Process) -> Self {
        let mut ends =
            Ends { sends: vec![None; process.sends.len()], receives: vec![None; process.receives.len()] };
        for completions in process.completions.chunk_by(|a, b| a.call == b.call) {
            for completion in completions {
                let end = Some(End { call: completion.call, is_alone: completions.len() == 1 });
                match completion.message {
                    Message::Send(send) => ends.sends[send as usize] = end,
                    Message::Receive(receive) => ends.receives[receive as usize] = end,
                }
            }
        }
        ends
    }
}

/// A call that takes so many times as long as that of its partner has waited for it.
const WAITED: u64 = 10;

/// What is known of a message when its ends are seen together.
struct Transfer {
    /// The call that sends.
    send: Call,
    /// The call that posts the receive.
    receive: Call,
    /// The call that completes the send.
    sent: Option<Call>,
    /// The call that completes the receive.
    received: Option<Call>,
    /// Whether the two are likely to end together: when that which sends, or completes the send, and that which completes
    /// the receive are left.
    together: Option<(u64, u64)>,
}

impl Transfer {
    fn new(
        (from, send, sent): (&Process, u32, Option<End>),
        (to, receive, received): (&Process, u32, Option<End>),
    ) -> Self {
        let start = from.calls[from.sends[send as usize].start as usize];
        let post = to.calls[to.receives[receive as usize].start as usize];
        let call = |process: &Process, end: End| process.calls[end.call as usize];
        let completed = received.filter(|end| end.is_alone).map(|end| call(to, end));
        let together = completed.filter(|call| call.kind.may_wait_for_receiver()).and_then(|completed| {
            if start.kind == CallKind::Synchronous {
                let sent = sent.filter(|end| end.is_alone).map(|end| call(from, end))?;
                return Some((sent.leave, completed.leave));
            }
            let has_waited = completed.duration() / WAITED > start.duration();
            has_waited.then_some((start.leave, completed.leave))
        });
        Transfer {
            send: start,
            receive: post,
            sent: sent.map(|end| call(from, end)),
            received: received.map(|end| call(to, end)),
            together,
        }
    }
}

/// The largest of some times, and whose it is, and the largest of the others.
#[derive(Clone, Copy, Default)]
struct Largest {
    first: Option<(i128, usize)>,
    second: Option<i128>,
}

impl Largest {
    fn add(&mut self, time: i128, process: usize) {
        if self.first.is_none_or(|(first, _)| time > first) {
            self.second = self.first.map(|(first, _)| first);
            self.first = Some((time, process));
        } else {
            self.second = self.second.max(Some(time));
        }
    }

    fn without(&self, process: usize) -> Option<i128> {
        match self.first {
            Some((_, whose)) if whose == process => self.second,
            first => first.map(|(time, _)| time),
        }
    }
}

/// What the processes that are aligned did in a collective operation, in common time.
#[derive(Clone, Copy, Default)]
struct Meeting {
    /// The begins of those who give something to the others.
    givers: Largest,
    /// The ends of those who take something from them, negative: the earliest is the largest.
    takers: Largest,
    /// The sum of the ends of those who leave with all others, and how many these are.
    ends: (i128, i128),
    /// The root's end, and how many ticks it took.
    root: Option<(i128, u64)>,
}

impl Meeting {
    fn add(&mut self, link: &Link, process: usize, correction: ProcessCorrection) {
        if link.gives {
            self.givers.add(correction.apply(link.begin), process);
        }
        let end = correction.apply(link.end);
        if link.takes {
            self.takers.add(-end, process);
        }
        match link.leaves {
            Leaves::WithAll => self.ends = (self.ends.0 + end, self.ends.1 + 1),
            Leaves::AsRoot => self.root = Some((end, link.duration())),
            Leaves::AfterRoot | Leaves::Alone => {}
        }
    }

    /// When a part is likely to end.
    fn likely_end(&self, link: &Link) -> Option<i128> {
        match (link.leaves, self.ends, self.root) {
            (Leaves::WithAll, (sum, count @ 1..), _) => Some(sum / count),
            (Leaves::AfterRoot, _, Some((end, duration))) => {
                (link.duration() / WAITED > duration).then_some(end)
            }
            _ => None,
        }
    }
}

struct Alignment<'a> {
    definitions: &'a Definitions,
    processes: &'a Processes,
    instances: &'a Instances<'a>,
    by_rank: &'a FxHashMap<u32, usize>,
    origins: &'a [u64],
    ends: Vec<Ends>,
    found: Vec<Option<ProcessCorrection>>,
    meetings: FxHashMap<(CommunicatorRef, usize), Meeting>,
    /// Communicators whose members are in the queue already.
    asked: FxHashSet<CommunicatorRef>,
}

impl Corridor {
    fn evidence(&self) -> ClockEvidence {
        if self.has_both_sides() { ClockEvidence::BothSides } else { ClockEvidence::OneSide }
    }
}

impl Alignment<'_> {
    fn align_all(&mut self) {
        for reference in 0..self.found.len() {
            if self.found[reference].is_none() {
                self.align_linked_to(reference);
            }
        }
    }

    /// Who was aligned early did not know the bounds that those set who came later: as long as these demand it, clocks are
    /// moved, but for those that the others were brought to. Where bounds contradict each other, one of the clocks that set
    /// them is still to be moved: first those below, then those above.
    fn settle(&mut self) {
        const ROUNDS: usize = 10;
        let negligible = (10e-6 * self.definitions.clock.resolution as f64).max(0.5);
        let sides = [Side::Floor, Side::Ceiling, Side::Neither];
        for believe in sides.into_iter().flat_map(|side| std::iter::repeat_n(side, ROUNDS)) {
            let mut largest = 0.0f64;
            for index in 0..self.found.len() {
                let Some(found) = self.found[index] else { continue };
                if found.evidence == ClockEvidence::Reference {
                    continue;
                }
                let line = self.corridor(index).nearest(found.line, believe, negligible);
                largest = largest.max((line.offset - found.line.offset).abs());
                self.found[index] = Some(ProcessCorrection { line, ..found });
            }
            if largest <= negligible {
                break;
            }
            self.meet_again();
        }
    }

    /// Sums up the collective operations anew.
    fn meet_again(&mut self) {
        self.meetings.clear();
        for (index, (process, found)) in self.processes.list().iter().zip(&self.found).enumerate() {
            let Some(correction) = *found else { continue };
            for link in self.instances.links(process) {
                self.meetings.entry(link.instance).or_default().add(&link, index, correction);
            }
        }
    }

    /// Brings whatever is linked to a process to its clock.
    fn align_linked_to(&mut self, reference: usize) {
        let (mut queue, mut one_sided, mut open) = (VecDeque::new(), BTreeSet::new(), BTreeSet::new());
        self.align(reference, Line::default(), ClockEvidence::Reference, &mut queue);
        let mut is_new = true;
        loop {
            while let Some(process) = queue.pop_front() {
                if self.found[process].is_some() {
                    continue;
                }
                let corridor = self.corridor(process);
                if corridor.has_both_sides() {
                    self.align(process, corridor.line(), ClockEvidence::BothSides, &mut queue);
                    is_new = true;
                } else if corridor.is_open() {
                    open.insert(process);
                } else {
                    one_sided.insert(process);
                }
            }
            if let Some(process) = one_sided.pop_first() {
                if self.found[process].is_none() {
                    let corridor = self.corridor(process);
                    let evidence = corridor.evidence();
                    self.align(process, corridor.line(), evidence, &mut queue);
                    is_new = true;
                }
            } else if is_new {
                is_new = false;
                queue.extend(std::mem::take(&mut open));
            } else {
                break;
            }
        }
    }

    /// Takes the correction of a process for known, and asks for those that have to do with it.
    fn align(&mut self, index: usize, line: Line, evidence: ClockEvidence, queue: &mut VecDeque<usize>) {
        let correction = ProcessCorrection { origin: self.origins[index], line, evidence };
        self.found[index] = Some(correction);
        let process = &self.processes.list()[index];
        for link in self.instances.links(process) {
            self.meetings.entry(link.instance).or_default().add(&link, index, correction);
        }
        let receivers = process.sends_by_channel.iter().map(|(channel, _)| channel.to);
        let senders = process.receives_by_channel.iter().map(|(channel, _)| channel.from);
        let mut neighbours: Vec<u32> = receivers.chain(senders).collect();
        for (communicator, _) in process.collectives_by_communicator.iter() {
            let members = self.definitions.communicators.get(communicator.0 as usize).map(|it| &it.members);
            if let Some(Members::Ranks(ranks)) = members
                && self.asked.insert(communicator)
            {
                neighbours.extend(ranks);
            }
        }
        let indices = neighbours.iter().filter_map(|rank| self.by_rank.get(rank)).copied();
        let unknown: BTreeSet<usize> = indices.filter(|&index| self.found[index].is_none()).collect();
        queue.extend(unknown);
    }

    /// What the aligned processes say of the clock of another.
    fn corridor(&self, index: usize) -> Corridor {
        let process = &self.processes.list()[index];
        let mut bounds = Bounds { origin: self.origins[index], corridor: Corridor::default() };
        for link in self.instances.links(process) {
            let Some(meeting) = self.meetings.get(&link.instance) else { continue };
            if let (true, Some(giver)) = (link.takes, meeting.givers.without(index)) {
                bounds.at_least(link.end, giver);
            }
            if let (true, Some(taker)) = (link.gives, meeting.takers.without(index)) {
                bounds.at_most(link.begin, -taker);
            }
            if let Some(end) = meeting.likely_end(&link) {
                bounds.about(link.end, end);
            }
        }
        self.bounds_of_receives(index, &mut bounds);
        self.bounds_of_sends(index, &mut bounds);
        bounds.corridor
    }

    fn bounds_of_receives(&self, index: usize, bounds: &mut Bounds) {
        let (process, ends) = (&self.processes.list()[index], &self.ends[index]);
        for (receive, sender) in self.processes.senders(process) {
            let Some((peer, send)) = sender else { continue };
            let Some(correction) = self.found[peer] else { continue };
            let (from, from_ends) = (&self.processes.list()[peer], &self.ends[peer]);
            let transfer = Transfer::new(
                (from, send, from_ends.sends[send as usize]),
                (process, receive, ends.receives[receive as usize]),
            );
            if let Some(received) = transfer.received {
                bounds.at_least(received.leave, correction.apply(transfer.send.enter));
            }
            if let (CallKind::Synchronous, Some(sent)) = (transfer.send.kind, transfer.sent) {
                bounds.at_most(transfer.receive.enter, correction.apply(sent.leave));
            }
            if let Some((sent, received)) = transfer.together {
                bounds.about(received, correction.apply(sent));
            }
        }
    }

    fn bounds_of_sends(&self, index: usize, bounds: &mut Bounds) {
        let (process, ends) = (&self.processes.list()[index], &self.ends[index]);
        for (send, receiver) in self.processes.receivers(process) {
            let Some((peer, receive)) = receiver else { continue };
            let Some(correction) = self.found[peer] else { continue };
            let (to, to_ends) = (&self.processes.list()[peer], &self.ends[peer]);
            let transfer = Transfer::new(
                (process, send, ends.sends[send as usize]),
                (to, receive, to_ends.receives[receive as usize]),
            );
            if let Some(received) = transfer.received {
                bounds.at_most(transfer.send.enter, correction.apply(received.leave));
            }
            if let (CallKind::Synchronous, Some(sent)) = (transfer.send.kind, transfer.sent) {
                bounds.at_least(sent.leave, correction.apply(transfer.receive.enter));
            }
            if let Some((sent, received)) = transfer.together {
                bounds.about(sent, correction.apply(received));
            }
        }
    }
}

/// The bounds of a process's clock as they are found.
struct Bounds {
    origin: u64,
    corridor: Corridor,
}

impl Bounds {
    /// What the process did at `time` was not before `common`.
    fn at_least(&mut self, time: u64, common: i128) {
        let bound = self.bound(time, common);
        self.corridor.floor.push(bound);
    }

    /// What the process did at `time` was not after `common`.
    fn at_most(&mut self, time: u64, common: i128) {
        let bound = self.bound(time, common);
        self.corridor.ceiling.push(bound);
    }

    /// What the process did at `time` was likely at about `common`.
    fn about(&mut self, time: u64, common: i128) {
        let guess = self.bound(time, common);
        self.corridor.guesses.push(guess);
    }

    fn bound(&self, time: u64, common: i128) -> Bound {
        let time = i128::from(time);
        Bound { time: (time - i128::from(self.origin)) as f64, correction: (common - time) as f64 }
    }
}
