//! The clocks of the processes: whether their times can be compared, and the remedy if they cannot.
//!
//! No message is received before it is sent, and no process leaves a barrier before the last one has reached it. While
//! calls are judged, violations of these rules are counted (`judge/violations.rs`). If a trace has measured its
//! clocks, violations are reported and nothing is changed, as in Scalasca. Otherwise the clocks are derived. They may
//! differ though nothing is violated, and that hides waits. They are left as they are if nothing shows that they differ:
//! each clock is bounded by others on both sides, no bound is violated, and guesses (see below) do not agree on another
//! time. So exact times of a simulation are not moved.
//!
//! # From rules to a line
//!
//! The correction of a clock is what to add to its times to get common time: an offset and a drift, a line over the
//! times of that clock. Each operation that two processes did together says something about it:
//! - A message that the process received was sent before: the correction is *at least* the common time of the send
//!   less the time of the receive. A message that it sent bounds the correction from above. Synchronous sends and
//!   collective operations give bounds likewise (`evidence`).
//! - Calls that wait for each other end at about the same time: those of a barrier, of a synchronous message, of a
//!   message that its receiver waited for. That is a *guess* at the correction.
//!
//! So a clock has a floor, a ceiling and guesses in between, each at some time (`offset_bounds`). With guesses, the
//! correction is a line through them that is resistant to outliers, moved as far as the bounds demand. Without
//! guesses, it keeps as far as possible from both sides. With bounds on one side only, it touches them: the fastest
//! message took no time. A line has no drift unless the evidence clearly shows one.
//!
//! # From one clock to all
//!
//! Bounds compare two clocks, so one of them has to be known (`derive`). The first process is the reference. Then the
//! clocks linked to known ones follow: those with bounds on both sides first, since they are certain, then those with
//! bounds on one side. A clock that was corrected early did not know the bounds that later ones set, so clocks are
//! moved again, in a limited number of rounds, until the bounds hold. Bounds that contradict each other would never
//! come to rest; therefore the rounds first believe the floors, then the ceilings, then neither. Processes that no
//! operation links to the reference start with a reference of their own.
//!
//! Processes of a node share a clock, which is corrected as one, unless its uncorrected times violate the rules
//! (`sharing`).
//!
//! # If that fails
//!
//! If the corrected times still contradict each other by more than a hundredth of the time in calls, times of
//! different processes are not compared at all, but only the durations of calls (`durations`).

mod clocks;
mod derive;
pub(crate) mod durations;
mod evidence;
mod offset_bounds;
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

    /// The clock correction for the document; `None` if nothing is wrong with the clocks and nothing was derived, nor would
    /// have been if the clocks were not `left_alone`.
    pub(crate) fn correction(&self, definitions: &Definitions, left_alone: bool) -> Option<ClockCorrection> {
        (self.before.are_there() || self.are_linked() || left_alone).then(|| ClockCorrection {
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
                if offset == 0.0 && drift == 0.0 {
                    return Some(format!(
                        "the trace has not measured how the clocks of its processes differ: {before}, and nothing shows \
                         that they do; they were left as they are"
                    ));
                }
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
