//! Whether the times of different processes can be compared, and the remedy if they cannot.
//!
//! No message is received before it is sent, and no process leaves a barrier before the last has reached it. While it
//! judges the calls, the analysis counts violations of these rules (`judge/violations.rs`). If a trace has measured its
//! clocks, such violations are reported and nothing is changed, as in Scalasca. If it has not, the same rules bound the
//! clock of each process against the others', and a line is laid between the bounds (`derive`, `corridor`): also if
//! nothing is violated, as clocks that differ may hide waits as well. Processes of one node share a clock unless they
//! violate that (`sharing`). If the corrected times still contradict each other, times of different processes are not
//! compared at all, but only how long calls take (`durations`).

mod clocks;
mod corridor;
mod derive;
pub(crate) mod durations;
mod evidence;
mod sharing;

use ats_model::{
    ClockCorrection, Definitions,
    clock_correction::{ClockEvidence, ClockMethod, ProcessClock},
};

pub(crate) use self::{clocks::Clocks, derive::derive};
use crate::judge::violations::Violations;

/// The correction of clocks that differ.
pub(crate) struct Correction {
    pub(crate) clocks: Clocks,
    /// Contradictions without the correction.
    pub(crate) before: Violations,
    /// Contradictions with it, if there are too many of them, too: then times of different processes are not compared.
    pub(crate) contradiction: Option<Violations>,
}

/// The findings about the clocks of a trace, and their correction.
pub(crate) struct ClockFindings {
    pub(crate) method: ClockMethod,
    pub(crate) before: Violations,
    pub(crate) after: Violations,
    /// The clocks of the processes as derived, if the derivation holds.
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

    /// The clock correction for the document; `None` if nothing is wrong with the clocks and nothing was derived.
    pub(crate) fn told(&self, definitions: &Definitions) -> Option<ClockCorrection> {
        (self.before.are_there() || self.are_linked()).then(|| ClockCorrection {
            method: self.method,
            before: self.before.in_seconds(definitions),
            after: self.after.in_seconds(definitions),
            processes: self.processes.clone(),
        })
    }

    /// A warning about the clocks for readers of the findings.
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
