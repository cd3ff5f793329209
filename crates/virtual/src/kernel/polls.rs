//! Polling: since when a location tests something in vain, and when it was elsewhere meanwhile.

use ats_model::CallPathId;

use crate::kernel::time::Picoseconds;

/// A stretch of time, from its begin to its end.
type Stretch = (Picoseconds, Picoseconds);

/// Polling that one test in vain has begun.
#[derive(Debug)]
struct Poll {
    number: u32,
    begin: Picoseconds,
    /// The call path of that test.
    call_path: CallPathId,
    /// The call path where it polls, beside its tests.
    beside: CallPathId,
    /// Since when it is elsewhere: in a region that it has entered meanwhile, and in no test.
    away_since: Option<Picoseconds>,
    away: Vec<Stretch>,
    /// The number of operations that are not done yet.
    operations: u32,
}

/// The polling of a location.
#[derive(Debug, Default)]
pub(crate) struct Polls {
    open: Vec<Poll>,
    begun: u32,
    /// The time that has been charged.
    charged: Vec<Stretch>,
}

/// The end of polling for one operation.
#[derive(Clone, Debug)]
pub(crate) struct Polled {
    pub(crate) begin: Picoseconds,
    pub(crate) call_path: CallPathId,
    away: Vec<Stretch>,
}

impl Polls {
    /// The location enters a region.
    pub(crate) fn enter(&mut self, now: Picoseconds) {
        self.open.iter_mut().for_each(|poll| _ = poll.away_since.get_or_insert(now));
    }

    /// The region that it has entered is a test.
    pub(crate) fn test(&mut self, now: Picoseconds) {
        self.open.iter_mut().for_each(|poll| poll.back(now));
    }

    /// The location leaves a region at `path`, which is inside `parent`.
    pub(crate) fn leave(&mut self, now: Picoseconds, path: CallPathId, parent: CallPathId) {
        for poll in &mut self.open {
            if poll.beside == path {
                poll.beside = parent;
            }
            if poll.beside == parent {
                poll.back(now);
            } else {
                poll.away_since.get_or_insert(now);
            }
        }
    }

    /// A test, entered at `begin` from `beside`, finds an operation not done; the number of the polling that it begins.
    pub(crate) fn begin(&mut self, begin: Picoseconds, call_path: CallPathId, beside: CallPathId) -> u32 {
        match self.open.last_mut() {
            Some(last) if (last.begin, last.call_path) == (begin, call_path) => {
                last.operations += 1;
                last.number
            }
            _ => {
                let (number, away) = (self.begun, Vec::new());
                let poll = Poll { number, begin, call_path, beside, away_since: None, away, operations: 1 };
                self.open.push(poll);
                self.begun = self.begun.wrapping_add(1);
                number
            }
        }
    }

    /// An operation is done; the polling for it until now.
    pub(crate) fn end(&mut self, number: u32, now: Picoseconds) -> Option<Polled> {
        let at = self.open.iter().position(|poll| poll.number == number)?;
        let poll = &mut self.open[at];
        poll.operations -= 1;
        let mut away = poll.away.clone();
        away.extend(poll.away_since.map(|since| (since, now)));
        let polled = Polled { begin: poll.begin, call_path: poll.call_path, away };
        if poll.operations == 0 {
            self.open.remove(at);
        }
        Some(polled)
    }

    /// The time of polling up to `end` that has not been charged.
    pub(crate) fn uncharged(&self, polled: &Polled, end: Picoseconds) -> Picoseconds {
        let mut stretches: Vec<Stretch> = polled.away.iter().chain(&self.charged).copied().collect();
        stretches.sort_unstable();
        let (mut ticks, mut at) = (0, polled.begin);
        for (from, to) in stretches {
            ticks += from.min(end).saturating_sub(at);
            at = at.max(to.min(end));
        }
        ticks + end.saturating_sub(at)
    }

    /// Polling up to `end` is charged.
    pub(crate) fn charge(&mut self, polled: &Polled, end: Picoseconds) {
        // Polling that goes on began with what is open; no other will ask for the time before.
        let first = self.open.iter().map(|poll| poll.begin).min().unwrap_or(Picoseconds::MAX);
        self.charged.push((polled.begin, end));
        self.charged.retain(|&(_, to)| to > first);
    }
}

impl Poll {
    fn back(&mut self, now: Picoseconds) {
        if let Some(since) = self.away_since.take()
            && since < now
        {
            self.away.push((since, now));
        }
    }
}
