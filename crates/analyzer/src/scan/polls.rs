//! Polling: receives whose requests a location tests in vain, and the time that it spends elsewhere meanwhile.
//!
//! Polling begins with the enter of the call that is the first to find a request not complete. A recorder notes that
//! with the request, or writes nothing: then a test that completes nothing tells of the only request that is open.

use ats_model::{attribute::AttributeDefinition, own_attribute::Own};

use crate::{
    records::Spans,
    words::place::{Base, Place},
};

/// The most pollings that are followed at once; a thread that begins more forgets the oldest.
const MOST: usize = 64;

/// Polling of the requests that one call was the first to find not complete.
struct Poll {
    number: u32,
    begin: u64,
    place: Place,
    /// The depth of the call stack beside the tests.
    depth: usize,
    /// Since when the thread is in a region that it has entered meanwhile, and tests nothing.
    away_since: Option<u64>,
    away: Spans,
    /// The number of its requests that are open.
    requests: u32,
}

/// The pollings of a location.
#[derive(Default)]
pub(super) struct Polls {
    open: Vec<Poll>,
    begun: u32,
    /// Whether a test without a record may tell of a request.
    pub(super) are_guessed: bool,
}

impl Polls {
    /// None yet, in a trace with these attributes.
    pub(super) fn new(attributes: &[AttributeDefinition]) -> Self {
        // Who counts tests in vain notes the first of them.
        let are_noted = attributes.iter().any(|it| Own::from_definition(it) == Some(Own::FailedTests));
        Polls { are_guessed: !are_noted, ..Polls::default() }
    }

    pub(super) fn are_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Gives the places the bases that are known by now.
    pub(super) fn renumber(&mut self, bases: &[Base]) {
        self.open.iter_mut().for_each(|poll| poll.place.base = poll.place.base.renumbered(bases));
    }

    /// Follows the location to a depth of its call stack.
    pub(super) fn go(&mut self, time: u64, depth: usize, is_testing: bool) {
        for poll in &mut self.open {
            poll.depth = poll.depth.min(depth);
            match poll.away_since {
                None if depth > poll.depth && !is_testing => poll.away_since = Some(time),
                Some(since) if depth == poll.depth || is_testing => {
                    poll.away.push(since, time);
                    poll.away_since = None;
                }
                _ => {}
            }
        }
    }

    /// A call at a place, entered at `begin`, finds a request not complete; the stack has a `depth` beside it.
    pub(super) fn begin(&mut self, begin: u64, place: Place, depth: usize) -> u32 {
        match self.open.last_mut() {
            Some(last) if last.begin == begin => last.requests += 1,
            _ => {
                if self.open.len() == MOST {
                    self.open.remove(0);
                }
                let (number, away) = (self.begun, Spans::default());
                self.open.push(Poll { number, begin, place, depth, away_since: None, away, requests: 1 });
                self.begun = self.begun.wrapping_add(1);
            }
        }
        self.begun.wrapping_sub(1)
    }

    /// A request is over: yields the begin of its polling, the place, and the time elsewhere up to `time`.
    pub(super) fn end(&mut self, number: u32, time: u64) -> Option<(u64, Place, Spans)> {
        let at = self.open.iter().position(|poll| poll.number == number)?;
        let poll = &mut self.open[at];
        poll.requests -= 1;
        let (begin, place, mut away) = (poll.begin, poll.place, poll.away);
        if let Some(since) = poll.away_since {
            away.push(since, time);
        }
        if poll.requests == 0 {
            self.open.remove(at);
        }
        Some((begin, place, away))
    }
}
