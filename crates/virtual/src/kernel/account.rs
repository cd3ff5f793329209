//! Sums of a location's blocked time.

use ats_model::{CallPathId, WaitState};
use rustc_hash::FxHashMap;

use crate::kernel::time::Picoseconds;

/// The key of a location's sums: the place of a wait, the partners, and the metric that counts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct WaitKey {
    pub(crate) call_path: CallPathId,
    pub(crate) among: Among,
    /// `None` if no metric counts it.
    pub(crate) state: Option<WaitState>,
}

/// Whom a location waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Among(u32);

impl Among {
    /// Threads of its own process.
    pub(crate) const PROCESS: Among = Among(u32::MAX);

    /// Processes of the group of this number.
    pub(crate) fn group(number: u32) -> Self {
        Among(number)
    }

    /// The number of the group, if it is not the own process.
    pub(crate) fn number(self) -> Option<u32> {
        (self != Among::PROCESS).then_some(self.0)
    }
}

/// The time of one kind of wait.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sum {
    pub(crate) wait: WaitKey,
    pub(crate) ticks: Picoseconds,
    pub(crate) instances: u64,
}

/// The number of sums among which searching is quicker than hashing.
const RECENT: usize = 8;

/// The sums of one location.
#[derive(Debug, Default)]
pub(crate) struct Account {
    pub(crate) sums: Vec<Sum>,
    /// The positions of the sums that are not among the last [`RECENT`].
    older: FxHashMap<WaitKey, u32>,
}

impl Account {
    fn sum(&mut self, wait: WaitKey) -> &mut Sum {
        let recent = self.sums.len().saturating_sub(RECENT);
        let found = self.sums[recent..].iter().position(|sum| sum.wait == wait).map(|at| recent + at);
        let at = match found.or_else(|| self.older.get(&wait).map(|&at| at as usize)) {
            Some(at) => at,
            None => self.add_sum(wait),
        };
        &mut self.sums[at]
    }

    #[cold]
    fn add_sum(&mut self, wait: WaitKey) -> usize {
        let at = self.sums.len();
        if let Some(old) = at.checked_sub(RECENT) {
            self.older.insert(self.sums[old].wait, old as u32);
        }
        self.sums.push(Sum { wait, ticks: 0, instances: 0 });
        at
    }

    /// Adds one wait.
    pub(crate) fn charge(&mut self, wait: WaitKey, ticks: Picoseconds) {
        if ticks > 0 {
            let sum = self.sum(wait);
            sum.ticks += ticks;
            sum.instances += 1;
        }
    }

    /// Counts a wait that was charged as something else.
    pub(crate) fn reassign(&mut self, wait: WaitKey, ticks: Picoseconds, state: WaitState) {
        let sum = self.sum(wait);
        sum.ticks -= ticks;
        sum.instances -= 1;
        self.charge(WaitKey { state: Some(state), ..wait }, ticks);
    }
}
