//! Single waits, by finding.

use ats_documents::Wait;

/// The single waits of an analysis.
#[derive(Clone, Debug, Default)]
pub struct SingleWaits {
    by_finding: Vec<Vec<Span>>,
}

/// A wait of a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    /// Its begin, in ticks.
    pub(super) begin: u64,
    /// Its end, in ticks.
    pub(super) end: u64,
    /// The location that waits.
    pub(super) location: u32,
    /// The location that is awaited, or [`Span::NOBODY`].
    awaited: u32,
}

impl Span {
    const NOBODY: u32 = u32::MAX;

    /// The location that is awaited.
    pub(super) fn awaited(&self) -> Option<u32> {
        (self.awaited != Span::NOBODY).then_some(self.awaited)
    }

    pub(super) fn ticks(&self) -> u64 {
        self.end - self.begin
    }
}

impl SingleWaits {
    /// Adds a wait; ignores one that an alignment of clocks has left nothing of.
    pub fn add(&mut self, wait: Wait) {
        if wait.end <= wait.begin {
            return;
        }
        if self.by_finding.len() <= wait.finding {
            self.by_finding.resize(wait.finding + 1, Vec::new());
        }
        self.by_finding[wait.finding].push(Span {
            begin: wait.begin,
            end: wait.end,
            location: wait.location as u32,
            awaited: wait.awaited.map_or(Span::NOBODY, |awaited| awaited as u32),
        });
    }

    /// Those of all findings, in no order.
    pub(super) fn all(&self) -> impl Iterator<Item = &Span> {
        self.by_finding.iter().flatten()
    }

    /// Those of a finding, in no order.
    pub(super) fn of(&self, finding: usize) -> &[Span] {
        self.by_finding.get(finding).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_of_no_ticks_is_none() {
        let mut waits = SingleWaits::default();
        for (begin, end) in [(5, 5), (5, 4), (5, 7)] {
            waits.add(Wait { finding: 0, location: 0, begin, end, awaited: None });
        }
        assert_eq!(waits.of(0).iter().map(Span::ticks).collect::<Vec<_>>(), [2]);
    }
}
