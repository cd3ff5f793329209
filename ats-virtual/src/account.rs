//! What a location's blocked time adds up to.

use crate::rules::{Blocked, Cause, ReceiveOrder, charged, wait_state};
use ats_model::{CallPathId, WaitState};
use rustc_hash::FxHashMap;

use crate::time::Picoseconds;

/// The sum of one wait state (or of time that no metric counts) at one call path of one location.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sum {
    pub(crate) call_path: CallPathId,
    pub(crate) communicator: u32,
    pub(crate) state: Option<WaitState>,
    pub(crate) waiting: Picoseconds,
    pub(crate) physical: Picoseconds,
    pub(crate) instances: u64,
}

/// What tells the sums of a location apart.
type Key = (CallPathId, u32, Option<WaitState>);

impl Sum {
    fn key(&self) -> Key {
        (self.call_path, self.communicator, self.state)
    }
}

/// Among so many sums, looking is quicker than hashing.
const RECENT: usize = 8;

/// In the place of a communicator: the wait is one for threads of the same process.
pub(crate) const TEAM: u32 = u32::MAX;

/// A wait that was counted, in case it has to be counted as something else.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counted {
    call_path: CallPathId,
    communicator: u32,
    ticks: Picoseconds,
}

/// The sums of one location.
#[derive(Debug, Default)]
pub(crate) struct Account {
    pub(crate) sums: Vec<Sum>,
    /// Where those are that are not among the last [`RECENT`].
    older: FxHashMap<Key, u32>,
    order: ReceiveOrder<Counted>,
}

/// A stretch of blocked time with the message behind it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MessageWait {
    pub(crate) blocked: Blocked,
    pub(crate) source: u32,
    pub(crate) sent: Picoseconds,
    pub(crate) communicator: u32,
}

impl Account {
    fn sum(&mut self, call_path: CallPathId, communicator: u32, state: Option<WaitState>) -> &mut Sum {
        let key = (call_path, communicator, state);
        let recent = self.sums.len().saturating_sub(RECENT);
        let found = self.sums[recent..].iter().position(|sum| sum.key() == key).map(|at| recent + at);
        let at = match found.or_else(|| self.older.get(&key).map(|&at| at as usize)) {
            Some(at) => at,
            None => self.add(key),
        };
        &mut self.sums[at]
    }

    #[cold]
    fn add(&mut self, (call_path, communicator, state): Key) -> usize {
        let at = self.sums.len();
        if let Some(old) = at.checked_sub(RECENT) {
            self.older.insert(self.sums[old].key(), old as u32);
        }
        self.sums.push(Sum { call_path, communicator, state, waiting: 0, physical: 0, instances: 0 });
        at
    }

    fn count(&mut self, call_path: CallPathId, communicator: u32, state: WaitState, ticks: Picoseconds) {
        let sum = self.sum(call_path, communicator, Some(state));
        sum.waiting += ticks;
        sum.physical += ticks;
        sum.instances += 1;
    }

    fn count_uncharged(&mut self, call_path: CallPathId, communicator: u32, ticks: Picoseconds) {
        let sum = self.sum(call_path, communicator, None);
        sum.physical += ticks;
        sum.instances += 1;
    }

    /// A point-to-point call waited for these messages.
    pub(crate) fn messages(&mut self, call: &str, call_path: CallPathId, waits: &[MessageWait]) {
        let longest = waits.iter().map(|wait| wait.blocked.ticks).max().unwrap_or(0);
        let charge = match waits {
            [] => return,
            [one] if one.blocked.ticks == 0 => None,
            _ => charged(call, waits.iter().map(|wait| wait.blocked)),
        };
        match charge {
            Some((at, state)) => {
                self.count(call_path, waits[at].communicator, state, waits[at].blocked.ticks)
            }
            None if longest > 0 => self.count_uncharged(call_path, waits[0].communicator, longest),
            None => {}
        }
        for (at, wait) in waits.iter().enumerate() {
            if wait.blocked.cause != Cause::MessageNotSent {
                continue;
            }
            let mut reassigned = Vec::new();
            self.order.received(wait.source, wait.sent, |counted, state| reassigned.push((counted, state)));
            for (counted, state) in reassigned {
                let late = self.sum(counted.call_path, counted.communicator, Some(WaitState::LateSender));
                late.waiting -= counted.ticks;
                late.physical -= counted.ticks;
                late.instances -= 1;
                self.count(counted.call_path, counted.communicator, state, counted.ticks);
            }
            if charge == Some((at, WaitState::LateSender)) {
                let counted =
                    Counted { call_path, communicator: wait.communicator, ticks: wait.blocked.ticks };
                self.order.late(wait.source, wait.sent, counted);
            }
        }
    }

    /// A call was blocked for one reason; `analyzed` is false where no metric looks at it.
    pub(crate) fn blocked(
        &mut self,
        call: &str,
        call_path: CallPathId,
        communicator: u32,
        blocked: Blocked,
        analyzed: bool,
    ) {
        if blocked.ticks == 0 {
            return;
        }
        match wait_state(call, blocked.cause).filter(|_| analyzed) {
            Some(state) => self.count(call_path, communicator, state, blocked.ticks),
            None => self.count_uncharged(call_path, communicator, blocked.ticks),
        }
    }
}
