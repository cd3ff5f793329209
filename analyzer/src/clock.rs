//! Whether the times of different processes can be compared, and what is done where they cannot.
//!
//! No message is received before it is sent, and nobody leaves a barrier before the last has reached it. While the calls
//! are judged, it is counted how far that is violated ([`violations`]). Where a trace has measured its clocks, such
//! violations are told and nothing is changed, as in Scalasca. Where it has not, the same rules bound the clock of each
//! process against the others', and a line is laid between the bounds (`derive`, `corridor`): also where nothing is
//! violated, as clocks that differ may hide waits as well. Processes of one node share a clock unless they violate
//! that (`sharing`). If what is left contradicts
//! itself, times of different processes are not compared at all, but only how long calls take (`durations`).

mod clocks;
mod corridor;
mod derive;
pub(crate) mod durations;
mod evidence;
mod sharing;
pub(crate) mod violations;

use ats_model::{
    ClockCorrection, Definitions,
    clock_correction::{ClockEvidence, ClockMethod, ProcessClock},
};

use self::violations::Violations;
pub(crate) use self::{clocks::Clocks, derive::derive};

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
        (self.before.are_there() || self.are_linked()).then(|| ClockCorrection {
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
