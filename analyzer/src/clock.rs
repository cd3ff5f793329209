//! Whether the times of different processes can be compared, and what is done where they cannot.
//!
//! No message is received before it is sent, and nobody leaves a barrier before the last has reached it. While the calls
//! are judged, it is counted how far that is violated ([`Violations`]). Where a trace has measured its clocks, such
//! violations are told and nothing is changed, as in Scalasca. Where it has not, the same rules bound the clock of each
//! process against the others', and a line is laid between the bounds (`derive`, `corridor`): also where nothing is
//! violated, as clocks that differ may hide waits as well. If what is left contradicts
//! itself, times of different processes are not compared at all, but only how long calls take (`durations`).

mod corridor;
mod derive;
pub(crate) mod durations;

use ats_model::{
    ClockCorrection, Definitions,
    clock_correction::{ClockEvidence, ClockMethod, ClockViolations, ProcessClock},
};

pub(crate) use self::derive::{Clocks, derive};

/// Messages and collective operations that are over before they can be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Violations {
    checked: u64,
    violated: u64,
    /// In ticks.
    worst: u64,
    /// In ticks.
    total: u64,
    /// Ticks in the calls that were checked.
    in_calls: u64,
}

impl Violations {
    /// What began at `begin` and was over at `end` cannot have been over before `cause`.
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

    /// Whether they are too much for what is computed from the times to mean anything: more than a hundredth of the
    /// time in the calls.
    pub(crate) fn contradict(&self) -> bool {
        self.total > self.in_calls / 100
    }

    fn in_words(&self, definitions: &Definitions) -> String {
        let Violations { checked, violated, worst, .. } = self;
        let worst = definitions.clock.seconds(*worst);
        if *violated == 0 {
            return format!("none of {checked} messages and collective operations is over too early");
        }
        format!(
            "{violated} of {checked} messages and collective operations are over too early, by up to {worst:.9} s"
        )
    }

    fn in_seconds(&self, definitions: &Definitions) -> ClockViolations {
        ClockViolations {
            checked: self.checked,
            violated: self.violated,
            worst: definitions.clock.seconds(self.worst),
            total: definitions.clock.seconds(self.total),
        }
    }
}

/// What is done about clocks that differ.
pub(crate) struct Correction {
    pub(crate) clocks: Clocks,
    /// Without it.
    pub(crate) before: Violations,
    /// With it, where that contradicts itself, too: then times of different processes are not compared.
    pub(crate) contradiction: Option<Violations>,
}

/// What was found out about the clocks of a trace, and done about it.
pub(crate) struct ClockFindings {
    pub(crate) method: ClockMethod,
    pub(crate) before: Violations,
    pub(crate) after: Violations,
    /// What was derived and holds.
    pub(crate) processes: Vec<ProcessClock>,
}

impl ClockFindings {
    /// The clocks are taken as they are.
    pub(crate) fn recorded(violations: Violations) -> Self {
        ClockFindings {
            method: ClockMethod::Recorded,
            before: violations,
            after: violations,
            processes: Vec::new(),
        }
    }

    /// Whether anything was found out of any clock.
    fn are_linked(&self) -> bool {
        self.processes.iter().any(|process| process.evidence != ClockEvidence::Reference)
    }

    /// What is told of them; nothing where nothing is wrong with them, and nothing was derived.
    pub(crate) fn told(&self, definitions: &Definitions) -> Option<ClockCorrection> {
        (self.before.violated > 0 || self.are_linked()).then(|| ClockCorrection {
            method: self.method,
            before: self.before.in_seconds(definitions),
            after: self.after.in_seconds(definitions),
            processes: self.processes.clone(),
        })
    }

    /// What should be known of the clocks before the findings are believed.
    pub(crate) fn warning(&self, definitions: &Definitions) -> Option<String> {
        let before = self.before.in_words(definitions);
        let after = self.after.in_words(definitions);
        match self.method {
            ClockMethod::Recorded => self.before.contradict().then(|| {
                format!("the clocks of the processes contradict each other, and waits between them may be wrong: {before}")
            }),
            ClockMethod::Derived if !self.are_linked() => None,
            ClockMethod::Derived => {
                let most = |of: fn(&ProcessClock) -> f64| {
                    self.processes.iter().map(|process| of(process).abs()).fold(0.0, f64::max)
                };
                let (offset, drift) = (most(|process| process.offset), most(|process| process.drift));
                Some(format!(
                    "the trace has not measured how the clocks of its processes differ: {before}; they were corrected by \
                     offsets up to {offset:.9} s and drifts up to {drift:.1e}, derived from messages and collective \
                     operations: now {after}"
                ))
            }
            ClockMethod::Durations => Some(format!(
                "the clocks of the processes contradict each other: {before}, and with the best correction {after}; waits \
                 between processes are estimated from durations, by how much longer a call takes than its partner's"
            )),
        }
    }
}
