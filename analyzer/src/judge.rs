//! Passes 3 and 4: what the processes waited for in MPI, and whether their clocks let us know.

use ats_model::{Definitions, clock_correction::ClockMethod};
use rayon::prelude::*;

use crate::{
    clock::{self, ClockFindings, Violations, durations},
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

/// Judges the calls of all processes that are not `settled`. Where the trace has not measured how their clocks differ, all
/// times are brought together first, whether they contradict each other or not; none if it is too late for that, because
/// something is settled.
pub(crate) fn judge(
    definitions: &Definitions,
    processes: &mut Processes,
    scans: &mut [Scan],
    settled: Settled,
    waits: &Kept,
    has_common_clock: impl FnOnce() -> bool,
) -> Option<Judgement> {
    let court = Court::new(definitions, processes, waits);
    let (mut ledgers, mut damages, mut before) = court.judge_times(&settled);
    damages.absorb(&settled.damages);
    before.absorb(&settled.violations);
    let is_whole = settled.is_empty();
    ledgers.extend(settled.into_ledgers());
    if has_common_clock() {
        return Some(court.judgement(ledgers, damages, ClockFindings::recorded(before)));
    }
    if !is_whole {
        return None;
    }
    let origins = origins(definitions, processes, scans);
    let clocks = clock::derive(definitions, processes, &court.instances, &origins);
    drop((court, ledgers, damages));
    processes.list_mut().par_iter_mut().for_each(|process| {
        let rank = process.rank;
        process.retime(|time| clocks.apply(rank, time));
    });
    for (scan, location) in scans.iter_mut().zip(&definitions.locations) {
        scan.retime(|time| clocks.apply(location.rank, time));
    }
    let court = Court::new(definitions, processes, waits);
    let (mut ledgers, damages, after) = court.judge_times(&Settled::default());
    // Who looks at the trace sees its own times.
    for (ledger, process) in ledgers.iter_mut().zip(processes.list()) {
        ledger.waits.retime(|time| clocks.recorded(process.rank, time));
    }
    if after.contradict() {
        let (ledgers, damages) = court.judge_durations();
        let found = ClockFindings { method: ClockMethod::Durations, before, after, processes: Vec::new() };
        return Some(court.judgement(ledgers, damages, found));
    }
    let told = clocks.in_seconds(definitions, processes);
    let found = ClockFindings { method: ClockMethod::Derived, before, after, processes: told };
    Some(court.judgement(ledgers, damages, found))
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
            durations::judge(process, &peers, ledger);
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
