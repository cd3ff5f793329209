//! The corrections of the clocks of all processes.

use ats_model::{
    Definitions,
    clock_correction::{ClockEvidence, ProcessClock},
};
use rustc_hash::FxHashMap;

use super::offset_bounds::Line;
use crate::records::{process::Process, processes::Processes};

/// The correction of a process's clock.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProcessCorrection {
    /// Its first time stamp.
    pub(super) origin: u64,
    pub(super) line: Line,
    pub(super) evidence: ClockEvidence,
}

impl ProcessCorrection {
    /// The common time of a time stamp.
    pub(super) fn apply(&self, time: u64) -> i128 {
        let since_origin = i128::from(time) - i128::from(self.origin);
        let correction = self.line.offset + self.line.drift * since_origin as f64;
        i128::from(time) + correction.round() as i128
    }

    /// The same correction, with times since another first time stamp.
    pub(super) fn since(self, origin: u64) -> Self {
        let later = i128::from(origin) - i128::from(self.origin);
        let offset = self.line.offset + self.line.drift * later as f64;
        ProcessCorrection { origin, line: Line { offset, ..self.line }, ..self }
    }

    fn undo(&self, time: i128) -> u64 {
        let corrected = (time - i128::from(self.origin)) as f64;
        let since_origin = (corrected - self.line.offset) / (1.0 + self.line.drift);
        (i128::from(self.origin) + since_origin.round() as i128).clamp(0, u64::MAX.into()) as u64
    }
}

/// The corrections of all processes, in the order of [`Processes::list`].
pub(crate) struct Clocks {
    corrections: Vec<ProcessCorrection>,
    by_rank: FxHashMap<u32, usize>,
    /// The amount added to all times, so that none is negative.
    shift: i128,
}

impl Clocks {
    pub(super) fn new(processes: &Processes, corrections: Vec<ProcessCorrection>) -> Self {
        let ranks = processes.list().iter().map(|process| process.rank);
        let earliest = corrections.iter().map(|correction| correction.apply(correction.origin)).min();
        let shift = earliest.map_or(0, |earliest| -earliest.min(0));
        Clocks { corrections, by_rank: ranks.zip(0..).collect(), shift }
    }

    /// The common time of a time stamp of the process with this rank.
    pub(crate) fn apply(&self, rank: u32, time: u64) -> u64 {
        match self.by_rank.get(&rank) {
            Some(&index) => {
                (self.corrections[index].apply(time) + self.shift).clamp(0, u64::MAX.into()) as u64
            }
            None => time,
        }
    }

    /// The time stamp of the process with this rank that [`Clocks::apply`] makes this common time of, to a tick or two.
    pub(crate) fn recorded(&self, rank: u32, time: u64) -> u64 {
        match self.by_rank.get(&rank) {
            Some(&index) => self.corrections[index].undo(i128::from(time) - self.shift),
            None => time,
        }
    }

    /// The clocks as the document has them.
    pub(crate) fn in_seconds(&self, definitions: &Definitions, processes: &Processes) -> Vec<ProcessClock> {
        let tick = definitions.clock.seconds(1);
        let told = |(process, correction): (&Process, &ProcessCorrection)| ProcessClock {
            rank: process.rank,
            offset: correction.line.offset * tick,
            drift: correction.line.drift,
            evidence: correction.evidence,
        };
        processes.list().iter().zip(&self.corrections).map(told).collect()
    }
}
