//! One collective operation of all members of a communicator, and the waits in it.

use std::{ops::Deref, sync::Arc};

use ats_model::{WaitState, delay::Extent, event::CommunicatorRef};

use super::{
    group::{Group, Member, parts},
    meeting::Meetings,
};
use crate::{
    judge::{
        ledger::Ledger,
        points::{GroupMembers, Point},
    },
    records::{Arrival, Collective},
    words::{
        damage::Damage,
        flow::{Flow, flow},
    },
};

/// An operation summed up over its members.
#[derive(Debug)]
pub(super) struct Instance {
    pub(super) flow: Flow,
    /// Whether every member took part, as far as is recorded.
    is_whole: bool,
    latest: Arrival,
    earliest_end: u64,
    /// The duration of the shortest part, in ticks.
    shortest: u64,
    /// The last member that sends bytes.
    latest_sender: Option<Arrival>,
    root: Option<Root>,
    /// For each member the last one that it waits for: in a prefix operation among the senders of its rank or a lower one,
    /// between neighbours among those that it receives from.
    latest_of: Box<[Arrival]>,
    /// The members that wait for each other, if the causes of waits are asked for.
    meetings: Meetings,
}

#[derive(Clone, Copy, Debug)]
struct Root {
    /// Rank in `MPI_COMM_WORLD`.
    rank: u32,
    came: Arrival,
}

/// A process's part in an instance.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    pub(super) collective: &'a Collective,
    /// The rank in `MPI_COMM_WORLD`.
    pub(super) rank: u32,
    /// The rank in the communicator.
    pub(super) own: usize,
    pub(super) communicator: CommunicatorRef,
    /// Counts the operations on the communicator.
    pub(super) number: usize,
}

impl Part<'_> {
    fn exchanges(&self) -> bool {
        self.sends || self.receives
    }
}

impl Deref for Part<'_> {
    type Target = Collective;

    fn deref(&self) -> &Collective {
        self.collective
    }
}

impl Instance {
    /// The `k`-th instance.
    pub(super) fn new(
        group: &Group<'_>,
        members: &[Member<'_>],
        k: usize,
        causes: Option<(&Arc<GroupMembers>, Extent)>,
    ) -> Result<Self, Damage> {
        let mut parts = parts(members, k).peekable();
        let Some(&(_, first)) = parts.peek() else { return Err(Damage::MemberMissing) };
        let is_requested = first.is_requested;
        let among_all = flow(first.operation).ok_or(Damage::OperationsDiffer)?;
        let flow = if first.is_among_neighbors { Flow::Neighbors } else { among_all };
        let is_rooted = matches!(flow, Flow::OneToAll | Flow::AllToOne);
        let mut instance = Instance {
            flow,
            is_whole: false,
            latest: Arrival::default(),
            earliest_end: u64::MAX,
            shortest: u64::MAX,
            latest_sender: None,
            root: None,
            latest_of: if matches!(flow, Flow::Prefix | Flow::Neighbors) {
                vec![Arrival::default(); group.ranks.len()].into()
            } else {
                [].into()
            },
            meetings: Meetings::None,
        };
        let root = first.root.rank();
        let root = root.and_then(|root| Some((root as usize, *group.ranks.get(root as usize)?)));
        if is_rooted && root.is_none() {
            return Err(Damage::RootUnknown);
        }
        let mut took_part = 0;
        for (own, part) in parts {
            if !is_like(part, first) || is_rooted && part.root != first.root {
                return Err(Damage::OperationsDiffer);
            }
            took_part += 1;
            let came = Arrival { time: part.begin, location: part.place.location, stop: part.stop };
            instance.latest = instance.latest.max(came);
            instance.earliest_end = instance.earliest_end.min(part.end);
            instance.shortest = instance.shortest.min(part.duration());
            if part.sends {
                instance.latest_sender = instance.latest_sender.max(Some(came));
            }
            if let Some(latest) =
                instance.latest_of.get_mut(own).filter(|_| part.sends || part.is_among_neighbors)
            {
                *latest = came;
            }
            match root {
                Some((root, rank)) if root == own => instance.root = Some(Root { rank, came }),
                _ => {}
            }
        }
        match flow {
            Flow::Neighbors => instance.latest_of = latest_sources(group, &instance.latest_of),
            _ => {
                let mut latest = Arrival::default();
                for came in &mut instance.latest_of {
                    latest = latest.max(*came);
                    *came = latest;
                }
            }
        }
        instance.is_whole = took_part == group.ranks.len();
        if let Some((whole, extent)) = causes.filter(|_| !is_requested) {
            let root = instance.root.map(|root| root.came.location);
            let parts = self::parts(members, k);
            instance.meetings = Meetings::new(flow, parts, root, whole, instance.is_whole, extent);
        }
        Ok(instance)
    }

    /// Whether every member took part, as far as is recorded.
    pub(super) fn is_whole(&self) -> bool {
        self.is_whole
    }

    fn is_root(&self, part: &Part<'_>) -> bool {
        self.root.is_some_and(|root| root.rank == part.rank)
    }

    /// Books the waits of one part.
    pub(super) fn judge(&self, part: &Part<'_>, ledger: &mut Ledger) {
        if let Some(point) = self.meetings.point(part.own, part) {
            let wait = ledger.inner.outside(part.place, part.begin, point.wait);
            let begin = part.end.saturating_sub(point.completion);
            let completion = ledger.inner.outside(part.place, begin, point.completion);
            // What has waited in calls inside of it meets no other.
            let led_by = point.led_by.filter(|_| wait > 0 || point.wait == 0);
            ledger.points.add(Point { wait, completion, led_by, ..point });
        }
        let communicator = Some(part.communicator);
        if let Some((state, Arrival { time, location, .. })) = self.wait(part) {
            let ticks = time.min(part.end).saturating_sub(part.begin);
            let ticks = ledger.inner.outside(part.place, part.begin, ticks);
            ledger.add_from((part.begin, Some(location)), state, part.place, ticks, communicator);
        }
        let state = match self.flow {
            // A member that is missing may have been the last: what looks like completion may have been a wait for it.
            _ if !self.is_whole => return,
            Flow::Barrier => WaitState::BarrierCompletion,
            Flow::AllToAll if self.latest_sender.is_some() => WaitState::NxNCompletion,
            _ => return,
        };
        let ticks = self.completion(part);
        let ticks = ledger.inner.outside(part.place, part.end.saturating_sub(ticks), ticks);
        ledger.add_from((part.end.saturating_sub(ticks), None), state, part.place, ticks, communicator);
    }

    /// The arrival that a part waits for, and the wait state.
    pub(super) fn wait(&self, part: &Part<'_>) -> Option<(WaitState, Arrival)> {
        use WaitState::*;
        let is_root = self.is_root(part);
        let ((blocking, requested), awaited) = match self.flow {
            Flow::Barrier => ((WaitAtBarrier, WaitAtNonblockingBarrier), Some(self.latest)),
            Flow::AllToAll => ((WaitAtNxN, WaitAtNonblockingNxN), self.awaited(part)),
            Flow::Irregular if part.exchanges() => {
                ((WaitAtIrregularNxN, WaitAtIrregularNxN), Some(self.latest))
            }
            Flow::OneToAll if !is_root && part.receives => {
                ((LateBroadcast, LateNonblockingBroadcast), self.root.map(|root| root.came))
            }
            Flow::AllToOne if is_root => ((EarlyReduce, EarlyNonblockingReduce), self.latest_sender),
            Flow::AllToOne if part.sends => {
                let is_held = |root: &Root| part.end >= root.came.time;
                ((WaitForRoot, WaitForRoot), self.root.filter(is_held).map(|root| root.came))
            }
            Flow::Prefix => ((EarlyScan, EarlyNonblockingScan), Some(self.latest_of[part.own])),
            Flow::Neighbors => ((WaitAtNeighbors, WaitAtNeighbors), Some(self.latest_of[part.own])),
            Flow::Management => {
                let latest = Some(self.latest).filter(|latest| part.makes() || part.end >= latest.time);
                ((WaitAtCommunicatorManagement, WaitAtCommunicatorManagement), latest)
            }
            Flow::Irregular | Flow::OneToAll | Flow::AllToOne => return None,
        };
        Some((if part.is_requested { requested } else { blocking }, awaited?))
    }

    /// Books the waits of one part that are known without comparing clocks: as if all members left at once.
    pub(super) fn judge_duration(&self, part: &Part<'_>, ledger: &mut Ledger) {
        let state = match self.flow {
            Flow::Barrier => WaitState::WaitAtBarrier,
            Flow::AllToAll if self.latest_sender.is_some() => WaitState::WaitAtNxN,
            Flow::Irregular if part.exchanges() => WaitState::WaitAtIrregularNxN,
            Flow::OneToAll if !self.is_root(part) && part.receives => WaitState::LateBroadcast,
            Flow::AllToOne if self.is_root(part) && self.latest_sender.is_some() => WaitState::EarlyReduce,
            Flow::Prefix => WaitState::EarlyScan,
            Flow::Management if part.makes() => WaitState::WaitAtCommunicatorManagement,
            _ => return,
        };
        let duration = ledger.inner.outside(part.place, part.begin, part.duration());
        let wait = duration.saturating_sub(self.shortest);
        ledger.add(state, part.place, wait, Some(part.communicator));
    }

    /// The begin that the end of a part cannot precede.
    pub(super) fn cause_of_end(&self, part: &Part<'_>) -> Option<u64> {
        match self.flow {
            Flow::Barrier => Some(self.latest.time),
            Flow::AllToAll if part.receives => self.latest_sender.map(|sender| sender.time),
            Flow::OneToAll if !self.is_root(part) && part.receives => self.root.map(|root| root.came.time),
            Flow::AllToOne if self.is_root(part) => self.latest_sender.map(|sender| sender.time),
            Flow::Prefix => Some(self.latest_of[part.own].time),
            _ => None,
        }
    }

    /// Whether a part gives something to the others, and whether it takes something from all that give. In a prefix
    /// operation only the first member counts as a giver.
    pub(super) fn roles(&self, part: &Part<'_>) -> (bool, bool) {
        let is_root = self.is_root(part);
        match self.flow {
            Flow::Barrier => (true, true),
            Flow::AllToAll => (part.sends, part.receives),
            Flow::Irregular | Flow::Neighbors | Flow::Management => (false, false),
            Flow::OneToAll => (is_root, !is_root && part.receives),
            Flow::AllToOne => (!is_root && part.sends, is_root),
            Flow::Prefix => (part.own == 0 && part.sends, part.own > 0),
        }
    }

    /// The last arrival that a part of an n-to-n operation has to wait for; `None` without payload.
    fn awaited(&self, part: &Collective) -> Option<Arrival> {
        let latest_sender = self.latest_sender?;
        // A member that is missing may have left before the last one came.
        if self.is_whole && self.earliest_end > self.latest.time {
            Some(self.latest)
        } else {
            part.receives.then_some(latest_sender)
        }
    }

    /// The time in the operation after the first member has left it.
    fn completion(&self, part: &Collective) -> u64 {
        part.end.saturating_sub(self.earliest_end.max(self.latest.time.min(part.end)))
    }
}

/// Whether two parts may be of one operation. Blocking operations do not match those that have requests.
fn is_like(part: &Collective, other: &Collective) -> bool {
    let kind = |part: &Collective| (part.operation, part.is_requested, part.is_among_neighbors);
    kind(part) == kind(other)
}

/// For each member the last of the neighbours that it receives from, given the arrivals of all; the earliest moment if it
/// receives from none.
fn latest_sources(group: &Group<'_>, came: &[Arrival]) -> Box<[Arrival]> {
    let latest = |own: usize| {
        let came = group.sources(own).iter().filter_map(|&source| came.get(source as usize));
        came.copied().max().unwrap_or_default()
    };
    (0..came.len()).map(latest).collect()
}
