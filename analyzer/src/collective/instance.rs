//! One collective operation of all members of a communicator, and the waits in it.

use std::ops::Deref;

use ats_model::{WaitState, event::CommunicatorRef};

use super::group::Group;
use crate::{
    damage::Damage,
    flow::{Flow, flow},
    ledger::Ledger,
    processes::Processes,
    records::Collective,
};

/// An operation summed up over its members.
#[derive(Debug)]
pub(super) struct Instance {
    pub(super) flow: Flow,
    latest_begin: u64,
    earliest_end: u64,
    /// How many ticks the shortest part takes.
    shortest: u64,
    /// The latest begin of a member that sends bytes.
    latest_sender_begin: Option<u64>,
    root: Option<Root>,
    /// In a prefix operation, per member: the latest begin of a sender of its rank or a lower one.
    latest_up_to: Box<[u64]>,
}

#[derive(Clone, Copy, Debug)]
struct Root {
    /// Rank in `MPI_COMM_WORLD`.
    rank: u32,
    begin: u64,
}

/// A process's part in an instance.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    pub(super) collective: &'a Collective,
    /// In `MPI_COMM_WORLD`.
    pub(super) rank: u32,
    /// In the communicator.
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
    /// The `k`-th instance and how many members took part in it.
    pub(super) fn new(group: &Group<'_>, processes: &Processes, k: usize) -> Result<(Self, usize), Damage> {
        let mut parts = group.parts(processes, k).peekable();
        let Some(&(_, first)) = parts.peek() else { return Err(Damage::MemberMissing) };
        let flow = flow(first.operation).ok_or(Damage::OperationsDiffer)?;
        let is_rooted = matches!(flow, Flow::OneToAll | Flow::AllToOne);
        let mut instance = Instance {
            flow,
            latest_begin: 0,
            earliest_end: u64::MAX,
            shortest: u64::MAX,
            latest_sender_begin: None,
            root: None,
            latest_up_to: if flow == Flow::Prefix { vec![0; group.ranks.len()].into() } else { [].into() },
        };
        let root = first.root.and_then(|root| Some((root as usize, *group.ranks.get(root as usize)?)));
        if is_rooted && root.is_none() {
            return Err(Damage::RootUnknown);
        }
        let mut members = 0;
        for (own, part) in parts {
            if part.operation != first.operation || is_rooted && part.root != first.root {
                return Err(Damage::OperationsDiffer);
            }
            members += 1;
            instance.latest_begin = instance.latest_begin.max(part.begin);
            instance.earliest_end = instance.earliest_end.min(part.end);
            instance.shortest = instance.shortest.min(part.duration());
            if part.sends {
                instance.latest_sender_begin = instance.latest_sender_begin.max(Some(part.begin));
                if let Some(latest) = instance.latest_up_to.get_mut(own) {
                    *latest = part.begin;
                }
            }
            match root {
                Some((root, rank)) if root == own => instance.root = Some(Root { rank, begin: part.begin }),
                _ => {}
            }
        }
        let mut latest = 0;
        for begin in &mut instance.latest_up_to {
            latest = latest.max(*begin);
            *begin = latest;
        }
        Ok((instance, members))
    }

    fn is_root(&self, part: &Part<'_>) -> bool {
        self.root.is_some_and(|root| root.rank == part.rank)
    }

    /// Books the waits of one part.
    pub(super) fn judge(&self, part: &Part<'_>, ledger: &mut Ledger) {
        let mut book = |state, ticks| {
            let begin = match state {
                WaitState::BarrierCompletion | WaitState::NxNCompletion => part.end.saturating_sub(ticks),
                _ => part.begin,
            };
            ledger.add_from(begin, state, part.place, ticks, Some(part.communicator));
        };
        let wait_until = |time: u64| time.min(part.end).saturating_sub(part.begin);
        let is_root = self.is_root(part);
        match self.flow {
            Flow::Barrier => {
                book(WaitState::WaitAtBarrier, wait_until(self.latest_begin));
                book(WaitState::BarrierCompletion, self.completion(part));
            }
            Flow::AllToAll => {
                book(WaitState::WaitAtNxN, self.awaited(part).map_or(0, wait_until));
                book(WaitState::NxNCompletion, self.latest_sender_begin.map_or(0, |_| self.completion(part)));
            }
            Flow::Irregular if part.exchanges() => {
                book(WaitState::WaitAtIrregularNxN, wait_until(self.latest_begin));
            }
            Flow::OneToAll if !is_root && part.receives => {
                book(WaitState::LateBroadcast, self.root.map_or(0, |root| wait_until(root.begin)));
            }
            Flow::AllToOne if is_root => {
                book(WaitState::EarlyReduce, self.latest_sender_begin.map_or(0, wait_until));
            }
            Flow::AllToOne if part.sends => {
                let root = self.root.filter(|root| part.end >= root.begin);
                book(WaitState::WaitForRoot, root.map_or(0, |root| root.begin.saturating_sub(part.begin)));
            }
            Flow::Prefix => book(WaitState::EarlyScan, wait_until(self.latest_up_to[part.own])),
            Flow::Irregular | Flow::OneToAll | Flow::AllToOne => {}
        }
    }

    /// Books what is known of the waits of one part without comparing clocks: as if all members left at once.
    pub(super) fn judge_duration(&self, part: &Part<'_>, ledger: &mut Ledger) {
        let state = match self.flow {
            Flow::Barrier => WaitState::WaitAtBarrier,
            Flow::AllToAll if self.latest_sender_begin.is_some() => WaitState::WaitAtNxN,
            Flow::Irregular if part.exchanges() => WaitState::WaitAtIrregularNxN,
            Flow::OneToAll if !self.is_root(part) && part.receives => WaitState::LateBroadcast,
            Flow::AllToOne if self.is_root(part) && self.latest_sender_begin.is_some() => {
                WaitState::EarlyReduce
            }
            Flow::Prefix => WaitState::EarlyScan,
            _ => return,
        };
        let wait = part.duration().saturating_sub(self.shortest);
        ledger.add(state, part.place, wait, Some(part.communicator));
    }

    /// What cannot begin after a part is over.
    pub(super) fn cause_of_end(&self, part: &Part<'_>) -> Option<u64> {
        match self.flow {
            Flow::Barrier => Some(self.latest_begin),
            Flow::AllToAll if part.receives => self.latest_sender_begin,
            Flow::OneToAll if !self.is_root(part) && part.receives => self.root.map(|root| root.begin),
            Flow::AllToOne if self.is_root(part) => self.latest_sender_begin,
            Flow::Prefix => Some(self.latest_up_to[part.own]),
            _ => None,
        }
    }

    /// Whether a part gives something to the others, and whether it takes something from all that give. Of a prefix
    /// operation only that is said which the first member gives to all.
    pub(super) fn roles(&self, part: &Part<'_>) -> (bool, bool) {
        let is_root = self.is_root(part);
        match self.flow {
            Flow::Barrier => (true, true),
            Flow::AllToAll => (part.sends, part.receives),
            Flow::Irregular => (false, false),
            Flow::OneToAll => (is_root, !is_root && part.receives),
            Flow::AllToOne => (!is_root && part.sends, is_root),
            Flow::Prefix => (part.own == 0 && part.sends, part.own > 0),
        }
    }

    /// Until when a part of an n-to-n operation has to wait; none without payload.
    fn awaited(&self, part: &Collective) -> Option<u64> {
        let latest_sender_begin = self.latest_sender_begin?;
        if self.earliest_end > self.latest_begin {
            Some(self.latest_begin)
        } else {
            part.receives.then_some(latest_sender_begin)
        }
    }

    /// The time in the operation after the first member has left it.
    fn completion(&self, part: &Collective) -> u64 {
        part.end.saturating_sub(self.earliest_end.max(self.latest_begin.min(part.end)))
    }
}
