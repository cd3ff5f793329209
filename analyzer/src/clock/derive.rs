//! The clocks of processes, from what they did together.
//!
//! One process after the other is brought to the clock of those before it: their messages and collective operations with
//! it bound its correction from below (what it received was sent before) and from above (what it sent was received
//! after). Who is bounded from both sides comes first.

use std::collections::{BTreeSet, VecDeque};

use ats_model::{
    Definitions,
    clock_correction::{ClockEvidence, ProcessClock},
    definitions::Members,
    event::CommunicatorRef,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::corridor::{Bound, Corridor, Line};
use crate::{
    calls::CallKind,
    collective::Instances,
    findings::seconds,
    process::{Message, Process},
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

    /// As they are told.
    pub(crate) fn in_seconds(&self, definitions: &Definitions, processes: &Processes) -> Vec<ProcessClock> {
        let tick = seconds(definitions, 1);
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
    let corrections: Vec<ProcessCorrection> = alignment.found.into_iter().flatten().collect();
    let earliest = corrections.iter().map(|correction| correction.apply(correction.origin)).min();
    let shift = earliest.map_or(0, |earliest| -earliest.min(0));
    Clocks { corrections, by_rank, shift }
}

/// The calls that complete the messages of a process: indices into [`Process::calls`], by send and by receive.
struct Ends {
    sends: Vec<Option<u32>>,
    receives: Vec<Option<u32>>,
}

impl Ends {
    fn new(process: &Process) -> Self {
        let mut ends =
            Ends { sends: vec![None; process.sends.len()], receives: vec![None; process.receives.len()] };
        for completion in &process.completions {
            match completion.message {
                Message::Send(send) => ends.sends[send as usize] = Some(completion.call),
                Message::Receive(receive) => ends.receives[receive as usize] = Some(completion.call),
            }
        }
        ends
    }
}

/// What the processes that are aligned did in a collective operation, in common time.
#[derive(Clone, Copy, Default)]
struct Meeting {
    /// The latest begin of who gives something to the others.
    latest_giver: Option<i128>,
    /// The earliest end of who takes something from them.
    earliest_taker: Option<i128>,
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
            let meeting = self.meetings.entry(link.instance).or_default();
            if link.gives {
                let begin = correction.apply(link.begin);
                meeting.latest_giver = Some(meeting.latest_giver.map_or(begin, |latest| latest.max(begin)));
            }
            if link.takes {
                let end = correction.apply(link.end);
                meeting.earliest_taker = Some(meeting.earliest_taker.map_or(end, |first| first.min(end)));
            }
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
            if let (true, Some(giver)) = (link.takes, meeting.latest_giver) {
                bounds.at_least(link.end, giver);
            }
            if let (true, Some(taker)) = (link.gives, meeting.earliest_taker) {
                bounds.at_most(link.begin, taker);
            }
        }
        self.bounds_of_receives(index, &mut bounds);
        self.bounds_of_sends(index, &mut bounds);
        bounds.corridor
    }

    fn aligned(&self, rank: u32) -> Option<(&Process, &Ends, ProcessCorrection)> {
        let index = *self.by_rank.get(&rank)?;
        Some((&self.processes.list()[index], &self.ends[index], self.found[index]?))
    }

    fn bounds_of_receives(&self, index: usize, bounds: &mut Bounds) {
        let (process, ends) = (&self.processes.list()[index], &self.ends[index]);
        for (channel, receives) in process.receives_by_channel.iter() {
            let Some((peer, peer_ends, correction)) = self.aligned(channel.from) else { continue };
            for (&receive, &send) in receives.iter().zip(peer.sends_by_channel.of(channel)) {
                let start = peer.calls[peer.sends[send as usize].start as usize];
                if let Some(end) = ends.receives[receive as usize] {
                    bounds.at_least(process.calls[end as usize].leave, correction.apply(start.enter));
                }
                if let (CallKind::Synchronous, Some(end)) = (start.kind, peer_ends.sends[send as usize]) {
                    let posted = process.calls[process.receives[receive as usize].start as usize].enter;
                    bounds.at_most(posted, correction.apply(peer.calls[end as usize].leave));
                }
            }
        }
    }

    fn bounds_of_sends(&self, index: usize, bounds: &mut Bounds) {
        let (process, ends) = (&self.processes.list()[index], &self.ends[index]);
        for (channel, sends) in process.sends_by_channel.iter() {
            let Some((peer, peer_ends, correction)) = self.aligned(channel.to) else { continue };
            for (&send, &receive) in sends.iter().zip(peer.receives_by_channel.of(channel)) {
                let start = process.calls[process.sends[send as usize].start as usize];
                if let Some(end) = peer_ends.receives[receive as usize] {
                    bounds.at_most(start.enter, correction.apply(peer.calls[end as usize].leave));
                }
                if let (CallKind::Synchronous, Some(end)) = (start.kind, ends.sends[send as usize]) {
                    let posted = peer.calls[peer.receives[receive as usize].start as usize].enter;
                    bounds.at_least(process.calls[end as usize].leave, correction.apply(posted));
                }
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

    fn bound(&self, time: u64, common: i128) -> Bound {
        let time = i128::from(time);
        Bound { time: (time - i128::from(self.origin)) as f64, correction: (common - time) as f64 }
    }
}
