//! The clocks of processes, derived from the operations that they did together: one clock after the other is brought to
//! those before it, and an early clock is moved if later ones demand it. [`super`] explains why.

use std::collections::{BTreeSet, VecDeque};

use ats_model::{Definitions, clock_correction::ClockEvidence, definitions::Members, event::CommunicatorRef};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    clocks::{Clocks, ProcessCorrection},
    evidence::{Ends, Meeting, Transfer},
    offset_bounds::{Bound, Line, OffsetBounds, Side},
    sharing::Sharing,
};
use crate::{
    judge::collective::Instances,
    records::processes::{OtherEnd, Processes},
    words::regions::CallKind,
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
        sharing: Sharing::none(list.len()),
        found: vec![None; list.len()],
        meetings: FxHashMap::default(),
        asked: FxHashSet::default(),
    };
    alignment.share();
    if !alignment.agree() {
        alignment.align_all();
        alignment.settle();
    }
    let correction = |(process, &origin)| Some(alignment.correction(process)?.since(origin));
    Clocks::new(processes, origins.iter().enumerate().filter_map(correction).collect())
}

struct Alignment<'a> {
    definitions: &'a Definitions,
    processes: &'a Processes,
    instances: &'a Instances<'a>,
    origins: &'a [u64],
    ends: Vec<Ends>,
    sharing: Sharing,
    /// The corrections found, by clock.
    found: Vec<Option<ProcessCorrection>>,
    meetings: FxHashMap<(CommunicatorRef, usize), Meeting>,
    /// Communicators whose members are in the queue already.
    asked: FxHashSet<CommunicatorRef>,
}

impl OffsetBounds {
    fn evidence(&self) -> ClockEvidence {
        if self.has_both_sides() { ClockEvidence::BothSides } else { ClockEvidence::OneSide }
    }

    /// The evidence that a clock is right as it is: bounds on both sides that hold, and no guesses that agree on another
    /// correction; or nothing that it is compared with. `None` if it may be wrong.
    fn evidence_of_none(&self) -> Option<ClockEvidence> {
        if self.is_open() {
            return Some(ClockEvidence::Reference);
        }
        let is_right = self.has_both_sides() && !self.forbids_none() && self.guesses_straddle_none();
        is_right.then_some(ClockEvidence::BothSides)
    }

    /// Whether a clock that is right as it is, is out of the bounds.
    fn forbids_none(&self) -> bool {
        self.floor.iter().any(|bound| bound.correction > 0.0)
            || self.ceiling.iter().any(|bound| bound.correction < 0.0)
    }
}

impl Alignment<'_> {
    /// Finds out which processes share a clock: those of each node whose times do not contradict each other.
    fn share(&mut self) {
        let ranks = self.processes.list().iter().map(|process| process.rank);
        let mut nodes = Sharing::of_nodes(&self.definitions.system_tree, ranks);
        nodes.split_if(|members| {
            for &member in members {
                let (origin, line) = (self.origins[member], Line::default());
                let correction = ProcessCorrection { origin, line, evidence: ClockEvidence::Reference };
                self.found[member] = Some(correction);
            }
            self.meetings.clear();
            members.iter().for_each(|&member| self.meet(member));
            let is_contradicted = members.iter().any(|&member| self.offset_bounds(member).forbids_none());
            members.iter().for_each(|&member| self.found[member] = None);
            is_contradicted
        });
        self.found = vec![None; nodes.clocks().len()];
        self.meetings.clear();
        self.sharing = nodes;
    }

    /// Whether all clocks agree as they are. Then that is what is found.
    fn agree(&mut self) -> bool {
        self.found = (0..self.found.len()).map(|clock| Some(self.uncorrected(clock))).collect();
        self.meet_again();
        let offset_boundss = (0..self.found.len()).map(|clock| self.offset_bounds(clock));
        let evidence: Option<Vec<_>> =
            offset_boundss.map(|offset_bounds| offset_bounds.evidence_of_none()).collect();
        let mut are_found = false;
        if let Some(evidence) = evidence {
            // The first clock that the others are compared with is the reference.
            for (found, evidence) in self.found.iter_mut().flatten().zip(evidence) {
                let is_first =
                    evidence == ClockEvidence::BothSides && !std::mem::replace(&mut are_found, true);
                found.evidence = if is_first { ClockEvidence::Reference } else { evidence };
            }
            return true;
        }
        self.found.fill(None);
        self.meetings.clear();
        false
    }

    /// A clock that is right as it is.
    fn uncorrected(&self, clock: usize) -> ProcessCorrection {
        ProcessCorrection {
            origin: self.origin(clock),
            line: Line::default(),
            evidence: ClockEvidence::Reference,
        }
    }

    /// Bounds on the clock of a process.
    fn correction(&self, process: usize) -> Option<ProcessCorrection> {
        self.found[self.sharing.clock_of(process)]
    }

    fn align_all(&mut self) {
        for reference in 0..self.found.len() {
            if self.found[reference].is_none() {
                self.align_linked_to(reference);
            }
        }
    }

    /// Moves clocks as long as bounds demand it, except those that the others were brought to: a clock aligned early
    /// did not know the bounds of later ones. If bounds contradict each other, one of the clocks that set them is still
    /// to be moved: first those below, then those above.
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
                let line = self.offset_bounds(index).nearest(found.line, believe, negligible);
                largest = largest.max((line.offset - found.line.offset).abs());
                self.found[index] = Some(ProcessCorrection { line, ..found });
            }
            if largest <= negligible {
                break;
            }
            self.meet_again();
        }
    }

    /// Sums up the collective operations again.
    fn meet_again(&mut self) {
        self.meetings.clear();
        (0..self.processes.list().len()).for_each(|process| self.meet(process));
    }

    /// Adds the part of a process in its collective operations, if its clock is known.
    fn meet(&mut self, process: usize) {
        let Some(correction) = self.correction(process) else { return };
        let clock = self.sharing.clock_of(process);
        for link in self.instances.links(&self.processes.list()[process]) {
            self.meetings.entry(link.instance).or_default().add(&link, clock, correction);
        }
    }

    /// Brings whatever is linked to a clock to it.
    fn align_linked_to(&mut self, reference: usize) {
        let (mut queue, mut one_sided, mut open) = (VecDeque::new(), BTreeSet::new(), BTreeSet::new());
        self.align(reference, Line::default(), ClockEvidence::Reference, &mut queue);
        let mut is_new = true;
        loop {
            while let Some(clock) = queue.pop_front() {
                if self.found[clock].is_some() {
                    continue;
                }
                let offset_bounds = self.offset_bounds(clock);
                if offset_bounds.has_both_sides() {
                    self.align(clock, offset_bounds.line(), ClockEvidence::BothSides, &mut queue);
                    is_new = true;
                } else if offset_bounds.is_open() {
                    open.insert(clock);
                } else {
                    one_sided.insert(clock);
                }
            }
            if let Some(clock) = one_sided.pop_first() {
                if self.found[clock].is_none() {
                    let offset_bounds = self.offset_bounds(clock);
                    let evidence = offset_bounds.evidence();
                    self.align(clock, offset_bounds.line(), evidence, &mut queue);
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

    /// Fixes the correction of a clock, and queues the clocks that have to do with it.
    fn align(&mut self, clock: usize, line: Line, evidence: ClockEvidence, queue: &mut VecDeque<usize>) {
        self.found[clock] = Some(ProcessCorrection { origin: self.origin(clock), line, evidence });
        let mut unknown = BTreeSet::new();
        for member in self.sharing.clocks()[clock].clone() {
            self.meet(member);
            let neighbours = self.neighbours(member);
            let indices = neighbours.into_iter().filter_map(|rank| self.processes.index_of(rank));
            let clocks = indices.map(|process| self.sharing.clock_of(process));
            unknown.extend(clocks.filter(|&clock| self.found[clock].is_none()));
        }
        queue.extend(unknown);
    }

    /// The first time stamp of a clock.
    fn origin(&self, clock: usize) -> u64 {
        self.sharing.clocks()[clock].iter().map(|&process| self.origins[process]).min().unwrap_or(0)
    }

    /// The ranks that a process has to do with, except those of communicators that were asked already.
    fn neighbours(&mut self, process: usize) -> Vec<u32> {
        let process = &self.processes.list()[process];
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
        neighbours
    }

    /// Bounds that the aligned clocks set for another.
    fn offset_bounds(&self, clock: usize) -> OffsetBounds {
        let mut bounds = Bounds { origin: self.origin(clock), offset_bounds: OffsetBounds::default() };
        for &process in &self.sharing.clocks()[clock] {
            self.bounds_of_collectives(process, &mut bounds);
            self.bounds_of_receives(process, &mut bounds);
            self.bounds_of_sends(process, &mut bounds);
        }
        bounds.offset_bounds
    }

    /// The correction of a peer that bounds a process's clock; `None` if the process shares it.
    fn correction_of_peer(&self, process: usize, peer: usize) -> Option<ProcessCorrection> {
        let is_other = self.sharing.clock_of(process) != self.sharing.clock_of(peer);
        self.correction(peer).filter(|_| is_other)
    }

    fn bounds_of_collectives(&self, index: usize, bounds: &mut Bounds) {
        let clock = self.sharing.clock_of(index);
        for link in self.instances.links(&self.processes.list()[index]) {
            let Some(meeting) = self.meetings.get(&link.instance) else { continue };
            if let (true, Some(giver)) = (link.takes, meeting.givers.without(clock)) {
                bounds.at_least(link.end, giver);
            }
            if let (true, Some(taker)) = (link.gives, meeting.takers.without(clock)) {
                bounds.at_most(link.begin, -taker);
            }
            if let Some(end) = meeting.likely_end(&link) {
                bounds.about(link.end, end);
            }
        }
    }

    fn bounds_of_receives(&self, index: usize, bounds: &mut Bounds) {
        let (process, ends) = (&self.processes.list()[index], &self.ends[index]);
        for (receive, sender) in self.processes.senders(process) {
            let Some(OtherEnd { process: peer, end: send }) = sender else { continue };
            let peer = peer as usize;
            let Some(correction) = self.correction_of_peer(index, peer) else { continue };
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
            let Some(correction) = self.correction_of_peer(index, peer) else { continue };
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

/// The bounds of a clock as they are found.
struct Bounds {
    origin: u64,
    offset_bounds: OffsetBounds,
}

impl Bounds {
    /// Bounds the clock: its `time` is not before `common`.
    fn at_least(&mut self, time: u64, common: i128) {
        let bound = self.bound(time, common);
        self.offset_bounds.floor.push(bound);
    }

    /// Bounds the clock: its `time` is not after `common`.
    fn at_most(&mut self, time: u64, common: i128) {
        let bound = self.bound(time, common);
        self.offset_bounds.ceiling.push(bound);
    }

    /// Notes that the `time` of the clock is likely about `common`.
    fn about(&mut self, time: u64, common: i128) {
        let guess = self.bound(time, common);
        self.offset_bounds.guesses.push(guess);
    }

    fn bound(&self, time: u64, common: i128) -> Bound {
        let time = i128::from(time);
        Bound { time: (time - i128::from(self.origin)) as f64, correction: (common - time) as f64 }
    }
}
