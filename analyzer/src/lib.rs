//! Finds performance properties in an event trace.
//!
//! [`analyze`] reads a trace once, in parallel over its locations, and tells which wait states it shows: where (call
//! path), on which locations, and how much. The wait states are those of [`ats_model::WaitState`], defined at event
//! level as in Scalasca 2.6.
//!
//! The passes, and what each may assume:
//! 1. `reading`, `scan`: the events of one location become its call tree, its MPI records and its OpenMP records.
//! 2. `teams`: the threads of a process find the instances of their teams, and with them the call paths that they
//!    continue; `openmp` judges what they wait for in them, and when they are idle.
//! 3. `collective`: the instances of collective operations are summed up over their members, a process being its threads'
//!    MPI records together; `init_finalize` likewise.
//! 4. `judge`: each process judges its own calls by what pass 1 and 3 know of the others: `point_to_point` (with
//!    `wrong_order`), `collective`, `init_finalize`. Where the trace has not measured how their clocks differ,
//!    `clock` brings them together, and passes 3 and 4 are done again.
//! 5. `findings`: the sums of all processes meet in one call tree. `visits`: calls and constructs are counted.
//!
//! Memory holds the call paths of a trace and what is under way: in a long trace `settle` judges and forgets, while it is
//! read, what is over ([`Options::records_in_memory`]). So traces larger than memory are analyzed. What becomes of requests
//! that stay open for long is found by reading ahead (`foresight`); clocks that have to be corrected are derived from a
//! `sample`, and the trace is read again. What has to be kept to the end is what a damaged trace never completes: messages
//! without their other end, teams without a member, locks that nobody gives back; and of a process with several threads in
//! MPI all that comes while one of them is in a single call.
//!
//! # What is not analyzed
//!
//! As in Scalasca: waits in `taskwait`, ordered, atomic and reductions, in non-blocking collective operations, one-sided
//! communication and between groups (inter-communicators), and for threads that are not OpenMP's. Tasks count where they
//! shorten the wait at a barrier; one that moves to another thread in its middle leaves regions unbalanced, which is
//! reported. Where a trace has records of what is not analyzed, a warning says so.

mod base;
mod basis;
mod calls;
mod clock;
mod collective;

mod damage;
mod error;
mod findings;
mod foresight;

mod init_finalize;
mod judge;
mod ledger;
mod merge;
#[cfg(feature = "notation")]
pub mod notation;
mod openmp;
mod point_to_point;
mod process;
mod processes;
mod reading;
mod retain;
mod sample;
mod scan;
mod settle;
mod teams;
mod threads;
mod visits;
mod waits;
mod wrong_order;

use ats_model::{Analysis, Definitions, EventSource, Wait};
use rayon::prelude::*;

pub use crate::error::AnalysisError;
use crate::{
    calls::Regions,
    clock::Correction,
    damage::{Damage, Damages},
    judge::{Again, Judgement},
    ledger::Ledger,
    openmp::OpenMp,
    process::{KnownBases, Process, Records},
    processes::{Processes, locations_by_rank},
    scan::Scan,
    settle::Settled,
    threads::Threads,
    waits::Kept,
};

/// How to analyze.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The region that severities are relative to; by default `ats_measured` where the trace has it, else the time
    /// from the first leave of `MPI_Init` to the last enter of `MPI_Finalize`.
    pub region: Option<String>,
    /// After about so many records of MPI calls, messages and collective operations, of teams, barriers and locks, those are
    /// judged and forgotten of which everything is known; 4 million by default, 0.2 to 0.8 GB. If the trace has
    /// not measured its clocks, their correction is then derived from a sample of about as many, and it is read again.
    pub records_in_memory: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { region: None, records_in_memory: 4_000_000 }
    }
}

/// Analyzes a whole trace; `trace_name` is what the document calls it.
///
/// What is wrong with the trace becomes a warning in the document and spoils no more than it must.
///
/// # Errors
/// No location can be read at all, or the region of [`Options::region`] does not exist or is never entered.
pub fn analyze<S: EventSource>(
    source: &S,
    trace_name: &str,
    options: &Options,
) -> Result<Analysis, AnalysisError<S::Error>> {
    whole(source, trace_name, options, None, None)
}

/// [`analyze`], and each single wait to `observe`, in no order.
///
/// Idle threads and limited parallelism are sums over many spans and have no single waits. Memory is proportional to the
/// waits, too.
///
/// ```
/// use ats_model::WaitState;
///
/// let trace = ats_analyzer::notation::parse(
///     "0: 0..5 work; 5..9 MPI_Send send 1
///      1: 2..9 MPI_Recv recv 0",
/// )?;
/// let mut waits = Vec::new();
/// let observe = &mut |wait| waits.push(wait);
/// let analysis = ats_analyzer::analyze_with(&trace, "example", &Default::default(), observe).unwrap();
/// let [late] = waits[..] else { panic!("one wait") };
/// assert_eq!(analysis.findings[late.finding].property, Some(WaitState::LateSender));
/// assert_eq!((late.location, late.begin, late.end), (1, 2, 5));
/// # Ok::<(), ats_analyzer::notation::NotationError>(())
/// ```
///
/// # Errors
/// As [`analyze`].
pub fn analyze_with<S: EventSource>(
    source: &S,
    trace_name: &str,
    options: &Options,
    observe: &mut dyn FnMut(Wait),
) -> Result<Analysis, AnalysisError<S::Error>> {
    whole(source, trace_name, options, None, Some(observe))
}

fn whole<S: EventSource>(
    source: &S,
    trace_name: &str,
    options: &Options,
    correction: Option<Correction>,
    observe: Option<&mut dyn FnMut(Wait)>,
) -> Result<Analysis, AnalysisError<S::Error>> {
    let definitions = source.definitions();
    let asked_for = options.region.as_deref();
    let region = basis::region(definitions, asked_for).map_err(|near| AnalysisError::UnknownRegion {
        region: asked_for.unwrap_or_default().to_owned(),
        near,
    })?;

    let mut warnings = Vec::new();
    let regions = Regions::new(definitions, region);
    let kept = Kept::new(observe.is_some());
    let (records, known) = (options.records_in_memory, correction.as_ref());
    let (mut scans, mut settled) = reading::read(source, &regions, records, known, &kept, &mut warnings)?;
    let mut damages = Damages::default();
    let of_threads = judge_openmp(definitions, &mut scans, &mut settled, &mut damages, &kept);
    let mut processes = processes(definitions, &mut scans);
    let has_common_clock = || source.has_common_clock();
    let judged =
        judge::judge(definitions, &mut processes, &mut scans, settled, &kept, correction, has_common_clock);
    let Judgement { mut ledgers, damages: of_processes, init_finalize, clocks } = match judged {
        Ok(judgement) => judgement,
        Err(again) => {
            drop((processes, scans));
            let (records_in_memory, correction) = match again {
                Again::Whole => (usize::MAX, None),
                Again::Corrected(correction) => (options.records_in_memory, Some(*correction)),
            };
            let options = Options { records_in_memory, ..options.clone() };
            return whole(source, trace_name, &options, correction, observe);
        }
    };
    ledgers.extend(of_threads);
    damages.absorb(&of_processes);
    scans.iter().for_each(|scan| damages.absorb(&scan.damages));
    warnings.extend(clocks.warning(definitions));
    warnings.extend(damages.warnings(definitions));

    let basis = match region.map(|region| (region, basis::of_region(definitions, &scans, region))) {
        Some((_, Some(basis))) => basis,
        Some((region, None)) if asked_for.is_some() => {
            return Err(AnalysisError::RegionNotEntered { region: region.to_owned() });
        }
        _ => basis::between_init_and_finalize(definitions, &scans, &init_finalize),
    };
    let runs_backwards = damages.has(Damage::TimeRunsBackwards);
    Ok(Analysis {
        schema: Analysis::SCHEMA.to_owned(),
        trace: trace_name.to_owned(),
        locations: definitions.locations.len() as u64,
        events: scans.iter().map(|scan| scan.events).sum(),
        findings: findings::findings(definitions, &scans, &ledgers, &basis, runs_backwards, observe),
        counts: visits::counts(definitions, &regions, &scans, &basis),
        basis,
        clock_correction: clocks.told(definitions),
        warnings,
    })
}

/// What the threads of each process waited for in OpenMP; takes these records out of the scans.
fn judge_openmp(
    definitions: &Definitions,
    scans: &mut [Scan],
    settled: &mut Settled,
    damages: &mut Damages,
    kept: &Kept,
) -> Vec<Ledger> {
    // Where one process has teams, threads of the others that start none are idle all the time.
    let has_teams = settled.has_teams() || scans.iter().any(|scan| scan.threads.has_teams());
    let mut processes = Vec::new();
    for (rank, locations) in locations_by_rank(definitions) {
        let openmp = settled.take_openmp(rank);
        let is_of_openmp = openmp.is_some()
            || has_teams && locations.len() > 1
            || locations.iter().any(|&location| !scans[location].threads.is_empty());
        if is_of_openmp {
            let threads: Vec<Threads> =
                locations.iter().map(|&location| std::mem::take(&mut scans[location].threads)).collect();
            processes.push((openmp.unwrap_or_else(|| OpenMp::new(locations, kept.clone())), threads));
        }
    }
    let judge = |(mut openmp, threads): (OpenMp, Vec<Threads>)| {
        let bases = openmp.finish(definitions, threads, has_teams);
        (openmp, bases)
    };
    let judged: Vec<_> = processes.into_par_iter().map(judge).collect();
    let mut known = KnownBases::default();
    let mut ledgers = Vec::with_capacity(judged.len());
    for (openmp, of_locations) in judged {
        for (location, places, numbers) in of_locations {
            scans[location].bases = places;
            scans[location].renumber(&numbers.bases);
            known.insert(location as u32, numbers.bases);
        }
        damages.absorb(&openmp.damages);
        ledgers.push(openmp.ledger);
    }
    settled.renumber(&known);
    ledgers
}

/// The processes of the scanned locations, by rank; takes the records out of the scans.
fn processes(definitions: &Definitions, scans: &mut [Scan]) -> Processes {
    let process = |(rank, locations): (u32, Vec<usize>)| {
        let main_location = locations[0];
        let records: Vec<(usize, Records)> = locations
            .into_iter()
            .map(|location| (location, std::mem::take(&mut scans[location].records)))
            .filter(|(_, records)| !records.is_empty())
            .collect();
        (rank, main_location, records)
    };
    let processes: Vec<_> = locations_by_rank(definitions).into_iter().map(process).collect();
    let process = |(rank, main_location, threads)| Process::new(rank, main_location, merge::merge(threads).0);
    Processes::new(processes.into_par_iter().map(process).collect())
}
