//! Contradictions between the times of different processes, and the measure that waits are computed from.

use ats_model::{Definitions, clock_correction::ClockViolations};

/// The measure that waits are computed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    /// Times: the begins and ends of calls.
    Times,
    /// Durations of calls: the clocks of processes cannot be compared.
    Durations,
}

/// Messages and collective operations that are over before they can be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Violations {
    checked: u64,
    violated: u64,
    /// The largest violation, in ticks.
    worst: u64,
    /// The sum of all violations, in ticks.
    total: u64,
    /// Ticks in the calls that were checked.
    in_calls: u64,
}

impl Violations {
    /// Checks an event that began at `begin` and was over at `end`: it cannot have been over before `cause`.
    #[inline]
    pub(crate) fn check(&mut self, begin: u64, end: u64, cause: u64) {
        let violation = cause.saturating_sub(end);
        self.checked += 1;
        self.violated += u64::from(violation > 0);
        self.worst = self.worst.max(violation);
        self.total = self.total.saturating_add(violation);
        self.in_calls = self.in_calls.saturating_add(end.saturating_sub(begin));
    }

    pub(crate) fn absorb(&mut self, other: &Violations) {
        self.checked += other.checked;
        self.violated += other.violated;
        self.worst = self.worst.max(other.worst);
        self.total = self.total.saturating_add(other.total);
        self.in_calls = self.in_calls.saturating_add(other.in_calls);
    }

    /// Whether the violations are too large to compute anything from the times: more than a hundredth of the time in
    /// the calls.
    pub(crate) fn contradict(&self) -> bool {
        self.total > self.in_calls / 100
    }

    /// Whether there are any.
    pub(crate) fn are_there(&self) -> bool {
        self.violated > 0
    }

    pub(crate) fn in_words(&self, definitions: &Definitions) -> String {
        let Violations { checked, violated, worst, .. } = self;
        let worst = definitions.clock.seconds(*worst);
        if *violated == 0 {
            return format!("none of {checked} messages and collective operations is over too early");
        }
        format!(
            "{violated} of {checked} messages and collective operations are over too early, by up to {worst:.9} s"
        )
    }

    pub(crate) fn in_seconds(&self, definitions: &Definitions) -> ClockViolations {
        ClockViolations {
            checked: self.checked,
            violated: self.violated,
            worst: definitions.clock.seconds(self.worst),
            total: definitions.clock.seconds(self.total),
            contradict: self.contradict(),
        }
    }
}
