//! The clocks of processes, from what they did together.
//!
//! One process after the other is brought to the clock of those before it: their messages and collective operations with
//! it bound its correction from below (what it received was sent before) and from above (what it sent was received
//! after). Who is bounded from both sides comes first; who came early is moved if those who came later demand it. Between the bounds that correction is taken which lets calls end
//! together that wait for each other: those of a barrier, of a synchronous message, of one that the receiver has waited for.

use std::collections::{BTreeSet, VecDeque};

use ats_model::{Definitions, clock_correction::ClockEvidence, definitions::Members, event::CommunicatorRef};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    clocks::{Clocks, ProcessCorrection},
    corridor::{Bound, Corridor, Line, Side},
    evidence::{Ends, Meeting, Transfer},
};
use crate::{
    calls::CallKind,
    collective::Instances,
    processes::{OtherEnd, Processes},
};

/// Derives the clocks; `origins` has the first time stamp of each process, in the order of [`Processes::list`].
pub(crate) fn derive(
    definitions: &Definitions,
    processes: &Processes,
    instances: &Instances<'_>,
    origins: &[u64],
) -> Clocks {
    let list = processes.list();
    let mut alignment = Alignment {
        definitions,
        processes,
        instances,
        origins,
        ends: list.iter().map(Ends::new).collect(),
        found: vec![None; list.len()],
        meetings: FxHashMap::default(),
        asked: FxHashSet::default(),
    };
    alignment.align_all();
    alignment.settle();
    let corrections: Vec<ProcessCorrection> = alignment.found.into_iter().flatten().collect();
    Clocks::new(processes, corrections)
}

struct Alignment<'a> {
    definitions: &'a Definitions,
    processes: &'a Processes,
    instances: &'a Instances<'a>,
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
        let receivers = process.sends.groups.iter().map(|(channel, _)| channel.to);
        let senders = process.receives.groups.iter().map(|(channel, _)| channel.from);
        let mut neighbours: Vec<u32> = receivers.chain(senders).collect();
        for (communicator, _) in process.collectives.groups.iter() {
            let members = self.definitions.communicators.get(communicator.0 as usize).map(|it| &it.members);
            if let Some(Members::Ranks(ranks)) = members
                && self.asked.insert(communicator)
            {
                neighbours.extend(ranks);
            }
        }
        let indices = neighbours.iter().filter_map(|&rank| self.processes.index_of(rank));
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
            let Some(OtherEnd { process: peer, end: send }) = sender else { continue };
            let peer = peer as usize;
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
            let Some(OtherEnd { process: peer, end: receive }) = receiver else { continue };
            let peer = peer as usize;
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
