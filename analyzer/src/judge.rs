//! Passes 3 and 4: what the processes waited for in MPI, and whether their clocks let us know.

use ats_model::{Definitions, clock_correction::ClockMethod};
use rayon::prelude::*;

use crate::{
    clock::{self, ClockFindings, Correction, Violations, durations},
    collective::Instances,
    damage::Damages,
    init_finalize::InitFinalize,
    ledger::Ledger,
    point_to_point::{self, Peers},
    process::Process,
    processes::Processes,
    scan::Scan,
    settle::Settled,
    waits::Kept,
};

/// What all processes waited for.
pub(crate) struct Judgement {
    pub(crate) ledgers: Vec<Ledger>,
    pub(crate) damages: Damages,
    pub(crate) init_finalize: InitFinalize,
    pub(crate) clocks: ClockFindings,
}

/// What is known of the processes together.
struct Court<'a> {
    definitions: &'a Definitions,
    processes: &'a Processes,
    instances: Instances<'a>,
    init_finalize: InitFinalize,
    /// Of `instances`.
    damages: Damages,
    /// What ledgers begin with.
    waits: &'a Kept,
}

/// Why the trace has to be read again.
pub(crate) enum Again {
    /// Too much is settled already for clocks that differ to be corrected: it has to be kept.
    Whole,
    /// Clocks that differ are corrected so while it is read.
    Corrected(Box<Correction>),
}

/// Judges the calls of all processes that are not `settled`. Where the trace has not measured how their clocks differ, all
/// times are brought together first, whether they contradict each other or not, by a `correction` that is known already or
/// is derived.
///
/// # Errors
/// Something is settled that should not be.
pub(crate) fn judge(
    definitions: &Definitions,
    processes: &mut Processes,
    scans: &mut [Scan],
    settled: Settled,
    waits: &Kept,
    correction: Option<Correction>,
    has_common_clock: impl FnOnce() -> bool,
) -> Result<Judgement, Again> {
    let correction = match correction {
        Some(correction) => correction,
        None => {
            let court = Court::new(definitions, processes, waits);
            let (mut ledgers, mut damages, mut before) = court.judge_times(&settled);
            before.absorb(&settled.violations);
            if has_common_clock() {
                damages.absorb(&settled.damages);
                ledgers.extend(settled.into_ledgers().map(|(_, ledger)| ledger));
                return Ok(court.judgement(ledgers, damages, ClockFindings::recorded(before)));
            }
            let origins = origins(definitions, processes, scans);
            if !settled.is_empty() {
                let sample = settled.into_sample().ok_or(Again::Whole)?.into_processes(definitions);
                let instances = Instances::new(definitions, &sample, &mut Damages::default());
                let clocks = clock::derive(definitions, &sample, &instances, &origins);
                return Err(Again::Corrected(Box::new(Correction { clocks, before, contradiction: None })));
            }
            let clocks = clock::derive(definitions, processes, &court.instances, &origins);
            Correction { clocks, before, contradiction: None }
        }
    };
    judge_corrected(definitions, processes, scans, settled, waits, correction)
}

/// As [`judge`], when the clocks are known. What is settled was corrected by them, too.
fn judge_corrected(
    definitions: &Definitions,
    processes: &mut Processes,
    scans: &mut [Scan],
    settled: Settled,
    waits: &Kept,
    correction: Correction,
) -> Result<Judgement, Again> {
    let Correction { clocks, before, contradiction } = correction;
    processes.list_mut().par_iter_mut().for_each(|process| {
        let rank = process.rank;
        process.retime(|time| clocks.apply(rank, time));
    });
    for (location, scan) in definitions.locations.iter().zip(scans) {
        scan.retime(|time| clocks.apply(location.rank, time));
    }
    let court = Court::new(definitions, processes, waits);
    let after = match contradiction {
        Some(after) => after,
        None => {
            let (ledgers, mut damages, mut after) = court.judge_times(&settled);
            after.absorb(&settled.violations);
            if !after.contradict() {
                damages.absorb(&settled.damages);
                let of_processes = processes.list().iter().map(|process| process.rank).zip(ledgers);
                let mut ledgers: Vec<(u32, Ledger)> = of_processes.chain(settled.into_ledgers()).collect();
                // Who looks at the trace sees its own times.
                for (rank, ledger) in &mut ledgers {
                    ledger.waits.retime(|time| clocks.recorded(*rank, time));
                }
                let told = clocks.in_seconds(definitions, processes);
                let found = ClockFindings { method: ClockMethod::Derived, before, after, processes: told };
                let ledgers = ledgers.into_iter().map(|(_, ledger)| ledger).collect();
                return Ok(court.judgement(ledgers, damages, found));
            }
            if !settled.is_empty() {
                return Err(Again::Corrected(Box::new(Correction {
                    clocks,
                    before,
                    contradiction: Some(after),
                })));
            }
            after
        }
    };
    let (mut ledgers, mut damages) = court.judge_durations();
    damages.absorb(&settled.damages);
    ledgers.extend(settled.into_ledgers().map(|(_, ledger)| ledger));
    let found = ClockFindings { method: ClockMethod::Durations, before, after, processes: Vec::new() };
    Ok(court.judgement(ledgers, damages, found))
}

/// The first time stamp of each process.
fn origins(definitions: &Definitions, processes: &Processes, scans: &[Scan]) -> Vec<u64> {
    let mut first = rustc_hash::FxHashMap::default();
    for (location, scan) in definitions.locations.iter().zip(scans) {
        if let Some((time, _)) = scan.time {
            let first: &mut u64 = first.entry(location.rank).or_insert(time);
            *first = time.min(*first);
        }
    }
    processes.list().iter().map(|process| first.get(&process.rank).copied().unwrap_or(0)).collect()
}

impl<'a> Court<'a> {
    fn new(definitions: &'a Definitions, processes: &'a Processes, waits: &'a Kept) -> Self {
        let mut damages = Damages::default();
        Court {
            definitions,
            processes,
            instances: Instances::new(definitions, processes, &mut damages),
            init_finalize: InitFinalize::new(definitions, processes),
            damages,
            waits,
        }
    }

    /// By when calls began and ended.
    fn judge_times(&self, settled: &Settled) -> (Vec<Ledger>, Damages, Violations) {
        let judge = |process: &Process, ledger: &mut Ledger, damages: &mut Damages| {
            let mut violations = Violations::default();
            let peers = Peers::new(self.processes, process, damages);
            let mut history = settled.history(process.rank);
            point_to_point::judge(
                process,
                &process.completions,
                &peers,
                &mut history,
                ledger,
                &mut violations,
            );
            history.finish(ledger);
            self.instances.judge(process, ledger, &mut violations);
            self.init_finalize.judge(process, ledger, damages);
            violations
        };
        let (ledgers, damages, of_processes) = self.judge_all(judge);
        let mut violations = Violations::default();
        of_processes.iter().for_each(|found| violations.absorb(found));
        (ledgers, damages, violations)
    }

    /// By how long calls took.
    fn judge_durations(&self) -> (Vec<Ledger>, Damages) {
        let judge = |process: &Process, ledger: &mut Ledger, damages: &mut Damages| {
            let peers = Peers::new(self.processes, process, damages);
            durations::judge(process, &process.completions, &peers, ledger);
            self.instances.judge_durations(process, ledger);
            self.init_finalize.judge_durations(process, ledger);
        };
        let (ledgers, damages, _) = self.judge_all(judge);
        (ledgers, damages)
    }

    fn judge_all<T: Send>(
        &self,
        judge: impl Fn(&Process, &mut Ledger, &mut Damages) -> T + Sync,
    ) -> (Vec<Ledger>, Damages, Vec<T>) {
        let judge = |process: &Process| {
            let (mut ledger, mut damages) = (Ledger::keeping(self.waits.clone()), Damages::default());
            let judged = judge(process, &mut ledger, &mut damages);
            self.instances.note_strangers(self.definitions, process, &mut damages);
            ((ledger, damages), judged)
        };
        let (booked, judged): (Vec<(Ledger, Damages)>, Vec<T>) =
            self.processes.list().par_iter().map(judge).unzip();
        let mut damages = self.damages.clone();
        booked.iter().for_each(|(_, found)| damages.absorb(found));
        (booked.into_iter().map(|(ledger, _)| ledger).collect(), damages, judged)
    }

    fn judgement(self, ledgers: Vec<Ledger>, damages: Damages, clocks: ClockFindings) -> Judgement {
        Judgement { ledgers, damages, init_finalize: self.init_finalize, clocks }
    }
}
