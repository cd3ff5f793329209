//! The end of a trace: the choice of clocks, and the judgement of all that is left.

use ats_model::{Definitions, clock_correction::ClockMethod};
use rustc_hash::FxHashMap;

use crate::{
    causes::Tape,
    clock::{self, ClockFindings, Clocks, Correction},
    judge::{
        collective::{Extent, Instances},
        init_finalize::InitFinalize,
        ledger::{Details, Ledger},
        violations::Measure,
        waits::WaitSpool,
    },
    records::processes::Processes,
    scan::Scan,
    settle::{Settled, Settling},
    words::damage::Damages,
};

/// The waits of all processes.
pub(crate) struct Judgement {
    pub(crate) ledgers: Vec<Ledger>,
    pub(crate) damages: Damages,
    pub(crate) init_finalize: InitFinalize,
    /// The times in which processes did not record: rank, begin and end.
    pub(crate) gaps: Vec<(u32, u64, u64)>,
    pub(crate) clocks: ClockFindings,
    /// The correction of the clocks, if they are corrected.
    pub(crate) correction: Option<Clocks>,
    /// The tape for root causes, if they are asked for and times can be compared.
    pub(crate) tape: Option<Tape>,
    /// The single waits, if they are asked for.
    pub(crate) waits: Option<WaitSpool>,
}

/// The reason why the trace has to be read again.
pub(crate) enum ReadAgain {
    /// Too many records are settled to correct clocks that differ: all must be kept.
    KeepingAll,
    /// Clocks that differ are corrected so while it is read.
    Corrected(Box<Correction>),
}

/// The last settling, and the results settled before.
pub(crate) struct End<'a> {
    pub(crate) definitions: &'a Definitions,
    pub(crate) settling: Settling<'a>,
    pub(crate) settled: Settled,
    /// The details that ledgers begin with.
    pub(crate) details: Details,
}

impl End<'_> {
    /// Judges the rest by the clocks as they are.
    pub(crate) fn judge_recorded(mut self) -> Judgement {
        self.settling.judge(Measure::Times, &mut self.settled);
        let clocks = ClockFindings::recorded(self.settled.violations());
        self.judgement(clocks, None)
    }

    /// Judges the rest of a trace that has not measured the differences of its clocks.
    ///
    /// # Errors
    /// As [`End::derive_clocks`] and [`End::judge_corrected`].
    pub(crate) fn judge_derived(mut self, scans: &mut [Scan]) -> Result<Judgement, ReadAgain> {
        let correction = self.derive_clocks(scans)?;
        self.judge_corrected(scans, correction)
    }

    /// Derives the clocks of a trace that has not measured how they differ, whether they contradict each other or not.
    ///
    /// # Errors
    /// Something is settled by clocks as they are.
    fn derive_clocks(&mut self, scans: &[Scan]) -> Result<Correction, ReadAgain> {
        let (definitions, processes) = (self.definitions, &self.settling.processes);
        let mut trial = Settled::default();
        let judged = self.settling.judge(Measure::Times, &mut trial);
        let mut before = trial.violations();
        before.absorb(&self.settled.violations());
        let correction = |clocks| Correction { clocks, before, contradiction: None };
        let origins = origins(definitions, processes, scans);
        if self.settled.is_empty() {
            return Ok(correction(clock::derive(definitions, processes, &judged.instances, &origins)));
        }
        let sample = std::mem::take(&mut self.settled).into_sample().ok_or(ReadAgain::KeepingAll)?;
        let sample = sample.into_processes(definitions);
        let instances = Instances::new(definitions, &sample, Extent::All, None, &mut Damages::default());
        let clocks = clock::derive(definitions, &sample, &instances, &origins);
        Err(ReadAgain::Corrected(Box::new(correction(clocks))))
    }

    /// Judges the rest with all times brought together. Settled records were corrected likewise.
    ///
    /// # Errors
    /// The correction contradicts itself, and something is settled by it.
    pub(crate) fn judge_corrected(
        mut self,
        scans: &mut [Scan],
        correction: Correction,
    ) -> Result<Judgement, ReadAgain> {
        let Correction { clocks, before, contradiction } = correction;
        self.settling.retime(&clocks);
        for (location, scan) in self.definitions.locations.iter().zip(scans) {
            scan.retime(|time| clocks.apply(location.rank, time));
        }
        let after = match contradiction {
            Some(after) => after,
            None => {
                let was_empty = self.settled.is_empty();
                self.settling.judge(Measure::Times, &mut self.settled);
                let after = self.settled.violations();
                if !after.contradict() {
                    let processes = clocks.in_seconds(self.definitions, &self.settling.processes);
                    let method = ClockMethod::Derived;
                    return Ok(
                        self.judgement(ClockFindings { method, before, after, processes }, Some(clocks))
                    );
                }
                if !was_empty {
                    let contradiction = Some(after);
                    return Err(ReadAgain::Corrected(Box::new(Correction { clocks, before, contradiction })));
                }
                // Threads were judged by their own clocks: their waits hold.
                let of_threads = self.settled.waits.take();
                self.settled = Settled::keeping(self.details.clone(), false).with(None, of_threads);
                after
            }
        };
        self.settling.judge(Measure::Durations, &mut self.settled);
        let method = ClockMethod::Durations;
        self.settled.tape = None;
        Ok(self.judgement(ClockFindings { method, before, after, processes: Vec::new() }, None))
    }

    fn judgement(self, clocks: ClockFindings, correction: Option<Clocks>) -> Judgement {
        let init_finalize = self.settling.init_finalize();
        let gaps = self.settling.gaps();
        let with_gaps = gaps.iter().map(|&(rank, ..)| rank).collect();
        let (ledgers, damages, tape, waits) = self.settled.into_ledgers(self.definitions, &with_gaps);
        Judgement { ledgers, damages, init_finalize, gaps, clocks, correction, tape, waits }
    }
}

/// The first time stamp of each process.
fn origins(definitions: &Definitions, processes: &Processes, scans: &[Scan]) -> Vec<u64> {
    let mut first = FxHashMap::default();
    for (location, scan) in definitions.locations.iter().zip(scans) {
        if let Some((time, _)) = scan.time {
            let first: &mut u64 = first.entry(location.rank).or_insert(time);
            *first = time.min(*first);
        }
    }
    processes.list().iter().map(|process| first.get(&process.rank).copied().unwrap_or(0)).collect()
}
