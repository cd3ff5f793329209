//! Waits for a message before the call that completes its receive: in a probe, or while its request is tested.

use ats_model::WaitState;

use super::{KeptRecord, MpiCall, Numbers};
use crate::words::place::Place;

/// A thread may have waited for a message before the call that completes its receive.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EarlyWait {
    /// Its receive: index into [`super::Records::receives`].
    pub(crate) receive: u32,
    pub(crate) state: WaitState,
    /// The enter of the probe, or of the first test in vain.
    pub(crate) begin: u64,
    /// The leave of the probe; [`u64::MAX`] if the wait lasts as long as the completing call lets it.
    pub(crate) end: u64,
    /// The place of the probe, or of the first test in vain.
    pub(crate) place: Place,
    /// The time that the thread spent elsewhere meanwhile.
    pub(crate) away: Spans,
}

impl EarlyWait {
    /// The wait in a probe, from its enter to its leave.
    pub(crate) fn in_probe(receive: u32, (enter, leave): (u64, u64), place: Place) -> Self {
        let (state, away) = (WaitState::LateSenderInProbe, Spans::default());
        EarlyWait { receive, state, place, away, begin: enter, end: leave }
    }

    /// The wait since the first test in vain.
    pub(crate) fn in_tests(receive: u32, begin: u64, place: Place, away: Spans) -> Self {
        EarlyWait { receive, state: WaitState::LateSenderInTest, begin, end: u64::MAX, place, away }
    }
}

impl KeptRecord for EarlyWait {
    type Groups = ();

    fn location(&self, _calls: &[MpiCall]) -> u32 {
        self.place.location
    }

    fn place_mut(&mut self) -> Option<&mut Place> {
        Some(&mut self.place)
    }

    fn times_mut(&mut self) -> impl Iterator<Item = &mut u64> {
        [&mut self.begin, &mut self.end].into_iter().chain(self.away.times_mut())
    }

    fn renumber(&mut self, numbers: &Numbers) {
        self.receive = numbers.receives.new_number(self.receive);
    }
}

/// The early waits of a process, by receive.
pub(crate) struct EarlyWaits(Vec<(u32, u32)>);

impl EarlyWaits {
    /// Those of a process.
    pub(crate) fn new(all: &[EarlyWait]) -> Self {
        let numbered = all.iter().zip(0..);
        let mut by_receive: Vec<_> = numbered.map(|(early, number)| (early.receive, number)).collect();
        by_receive.sort_unstable();
        EarlyWaits(by_receive)
    }

    /// The numbers of those of a receive.
    pub(crate) fn for_receive(&self, receive: u32) -> impl Iterator<Item = u32> {
        let first = self.0.partition_point(|&(it, _)| it < receive);
        self.0[first..].iter().take_while(move |&&(it, _)| it == receive).map(|&(_, number)| number)
    }
}

/// The number of spans that are remembered each by itself.
const MOST: usize = 8;

/// The last spans of time, from the oldest to the latest. Older ones are remembered by their length, as one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spans {
    spans: [(u64, u64); MOST],
    count: usize,
}

impl Spans {
    /// Adds a span that ends after all others.
    pub(crate) fn push(&mut self, from: u64, to: u64) {
        if to <= from {
            return;
        }
        // Those inside it are no more than that.
        while self.count > 0 && self.spans[self.count - 1].0 >= from {
            self.count -= 1;
        }
        if self.count == MOST {
            let [first, second] = [self.spans[0], self.spans[1]];
            let both = (first.0, first.1.saturating_add(second.1.saturating_sub(second.0)));
            self.spans.copy_within(1.., 0);
            (self.spans[0], self.count) = (both, MOST - 1);
        }
        self.spans[self.count] = (from, to);
        self.count += 1;
    }

    fn times_mut(&mut self) -> impl Iterator<Item = &mut u64> {
        self.spans[..self.count].iter_mut().flat_map(|(from, to)| [from, to])
    }

    fn as_slice(&self) -> &[(u64, u64)] {
        &self.spans[..self.count]
    }

    /// The time between two moments that is in none of these spans, nor in any of the `others`.
    pub(crate) fn time_outside(&self, others: &Spans, (from, to): (u64, u64)) -> u64 {
        let mut spans = [(u64::MAX, u64::MAX); 2 * MOST];
        for (slot, span) in spans.iter_mut().zip(self.as_slice().iter().chain(others.as_slice())) {
            *slot = *span;
        }
        spans.sort_unstable();
        let (mut outside, mut at) = (0, from);
        for (begin, end) in spans {
            outside += begin.min(to).saturating_sub(at);
            at = at.max(end.min(to));
        }
        outside + to.saturating_sub(at)
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST, Spans};

    fn spans(all: &[(u64, u64)]) -> Spans {
        let mut spans = Spans::default();
        all.iter().for_each(|&(from, to)| spans.push(from, to));
        spans
    }

    #[test]
    fn time_outside_counts_no_moment_twice() {
        let (some, others) = (spans(&[(2, 4), (6, 8)]), spans(&[(3, 7), (9, 12)]));
        let outside = |from, to| some.time_outside(&others, (from, to));
        assert_eq!(outside(0, 10), 3);
        assert_eq!(outside(3, 5), 0);
        assert_eq!(outside(8, 9), 1);
        assert_eq!(outside(9, 2), 0);
        assert_eq!(Spans::default().time_outside(&Spans::default(), (2, 9)), 7);
    }

    #[test]
    fn a_span_takes_the_place_of_those_inside_it() {
        let outer = spans(&[(2, 4), (5, 6), (1, 8), (9, 9)]);
        assert_eq!(outer.as_slice(), [(1, 8)]);
    }

    #[test]
    fn older_spans_keep_their_length() {
        let all: Vec<_> = (0..100).map(|at| (10 * at, 10 * at + 3)).collect();
        let last = spans(&all);
        assert_eq!(last.as_slice().len(), MOST);
        assert_eq!(last.time_outside(&Spans::default(), (0, 1000)), 700);
        assert_eq!(last.time_outside(&Spans::default(), (991, 1000)), 7);
    }
}
