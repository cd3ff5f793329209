//! Finds performance properties in an event trace.
//!
//! [`analyze`] reads a trace once, in parallel over its locations, and tells which wait states it shows: where (call
//! path), on which locations, and how much. The wait states are those of [`ats_model::WaitState`], defined at event
//! level as in Scalasca 2.6.
//!
//! The passes, and what each may assume:
//! 1. `scan`: the events of one location become its call tree, its MPI records and its OpenMP records.
//! 2. `teams`: the threads of a process find the instances of their teams, and with them the call paths that they
//!    continue; `openmp` judges what they wait for in them, and when they are idle.
//! 3. `collective`: the instances of collective operations are summed up over their members, a process being its threads'
//!    MPI records together; `init_finalize` likewise.
//! 4. Each process judges its own calls by what pass 1 and 3 know of the others: `point_to_point` (with
//!    `wrong_order`), `collective`, `init_finalize`.
//! 5. `findings`: the sums of all processes meet in one call tree. `visits`: calls and constructs are counted.
//!
//! Memory is proportional to the MPI and OpenMP operations and call paths of a trace, not to its events.
//!
//! # What is not analyzed
//!
//! As in Scalasca: waits in `taskwait`, ordered, atomic and reductions, in non-blocking collective operations, one-sided
//! communication and between groups (inter-communicators), and for threads that are not OpenMP's. Tasks count where they
//! shorten the wait at a barrier; one that moves to another thread in its middle leaves regions unbalanced, which is
//! reported. Where a trace has records of what is not analyzed, a warning says so.

mod basis;
mod calls;
mod collective;
mod communicators;
mod damage;
mod error;
mod findings;
mod groups;
mod init_finalize;
mod ledger;
pub mod notation;
mod openmp;
mod point_to_point;
mod process;
mod processes;
mod scan;
mod teams;
mod threads;
mod visits;
mod waits;
mod wrong_order;

use std::collections::BTreeMap;

use ats_model::{Analysis, Definitions, EventSource, Wait};
use rayon::prelude::*;

pub use crate::error::AnalysisError;
use crate::{
    calls::Regions,
    collective::Instances,
    damage::Damages,
    init_finalize::InitFinalize,
    ledger::Ledger,
    process::{Process, Records},
    processes::Processes,
    scan::{Scan, Scanner},
    threads::Threads,
    waits::Kept,
};

/// How to analyze.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The region that severities are relative to; by default `ats_measured` where the trace has it, else the time
    /// from the first leave of `MPI_Init` to the last enter of `MPI_Finalize`.
    pub region: Option<String>,
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
    whole(source, trace_name, options, None)
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
    whole(source, trace_name, options, Some(observe))
}

fn whole<S: EventSource>(
    source: &S,
    trace_name: &str,
    options: &Options,
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
    let mut scans = read(source, &regions, &mut warnings)?;
    let mut damages = Damages::default();
    let kept = Kept::new(observe.is_some());
    let of_threads = judge_openmp(definitions, &mut scans, &mut damages, &kept);
    let processes = processes(definitions, &mut scans);
    let instances = Instances::new(definitions, &processes, &mut damages);
    let init_finalize = InitFinalize::new(definitions, &processes);

    let (mut ledgers, judged): (Vec<Ledger>, Vec<Damages>) = processes
        .list()
        .par_iter()
        .map(|process| {
            let (mut ledger, mut damages) = (Ledger::keeping(kept.clone()), Damages::default());
            point_to_point::judge(&processes, process, &mut ledger, &mut damages);
            instances.judge(definitions, process, &mut ledger, &mut damages);
            init_finalize.judge(process, &mut ledger, &mut damages);
            (ledger, damages)
        })
        .unzip();
    ledgers.extend(of_threads);
    judged.iter().chain(scans.iter().map(|scan| &scan.damages)).for_each(|found| damages.absorb(found));
    warnings.extend(damages.warnings(definitions));

    let basis = match region.map(|region| (region, basis::of_region(definitions, &scans, region))) {
        Some((_, Some(basis))) => basis,
        Some((region, None)) if asked_for.is_some() => {
            return Err(AnalysisError::RegionNotEntered { region: region.to_owned() });
        }
        _ => basis::between_init_and_finalize(definitions, &scans, &init_finalize),
    };
    Ok(Analysis {
        schema: Analysis::SCHEMA.to_owned(),
        trace: trace_name.to_owned(),
        locations: definitions.locations.len() as u64,
        events: scans.iter().map(|scan| scan.events).sum(),
        findings: findings::findings(definitions, &scans, &ledgers, &basis, observe),
        counts: visits::counts(definitions, &regions, &scans, &basis),
        basis,
        warnings,
    })
}

/// Reads every location; what cannot be read to its end becomes a warning.
fn read<S: EventSource>(
    source: &S,
    regions: &Regions,
    warnings: &mut Vec<String>,
) -> Result<Vec<Scan>, AnalysisError<S::Error>> {
    let definitions = source.definitions();
    let mains = threads::mains_of_several(definitions);
    let read = |location: usize| {
        let mut scanner = Scanner::new(definitions, regions, location, mains[location]);
        let end = source.read_location(location, |time, event| scanner.visit(time, event));
        (scanner.finish(), end)
    };
    let (scans, ends): (Vec<Scan>, Vec<Result<(), S::Error>>) =
        (0..definitions.locations.len()).into_par_iter().map(read).unzip();
    let is_empty = scans.iter().all(|scan| scan.events == 0);
    for (location, end) in ends.into_iter().enumerate() {
        let Err(source) = end else { continue };
        let rank = definitions.locations[location].rank;
        if is_empty {
            return Err(AnalysisError::Unreadable { location, rank, source });
        }
        let (thread, events) = (definitions.locations[location].thread, scans[location].events);
        warnings.push(format!(
            "rank {rank}, thread {thread} could only be read in part, its first {events} events are analyzed: {source}"
        ));
    }
    if is_empty {
        warnings.push("the trace has no events".to_owned());
    }
    Ok(scans)
}

/// What the threads of each process waited for in OpenMP; takes these records out of the scans.
fn judge_openmp(
    definitions: &Definitions,
    scans: &mut [Scan],
    damages: &mut Damages,
    kept: &Kept,
) -> Vec<Ledger> {
    let mut processes: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (index, location) in definitions.locations.iter().enumerate() {
        processes.entry(location.rank).or_default().push(index);
    }
    processes.retain(|_, locations| locations.iter().any(|&location| !scans[location].threads.is_empty()));
    let with_threads = |locations: Vec<usize>| {
        let threads =
            locations.iter().map(|&location| std::mem::take(&mut scans[location].threads)).collect();
        (locations, threads)
    };
    let processes: Vec<(Vec<usize>, Vec<Threads>)> = processes.into_values().map(with_threads).collect();
    let judge = |(locations, threads)| openmp::judge(definitions, locations, threads, kept.clone());
    let judged: Vec<_> = processes.into_par_iter().map(judge).collect();
    let apply = |(bases, ledger, found): (Vec<openmp::PathBases>, Ledger, Damages)| {
        bases.into_iter().for_each(|bases| bases.apply(scans));
        damages.absorb(&found);
        ledger
    };
    judged.into_iter().map(apply).collect()
}

/// The processes of the scanned locations, by rank; takes the records out of the scans.
fn processes(definitions: &Definitions, scans: &mut [Scan]) -> Processes {
    let mut threads: BTreeMap<u32, (usize, Vec<Records>)> = BTreeMap::new();
    for (index, (location, scan)) in definitions.locations.iter().zip(scans).enumerate() {
        let (_, threads) = threads.entry(location.rank).or_insert((index, Vec::new()));
        threads.push(std::mem::take(&mut scan.records));
    }
    let process =
        |(rank, (main_location, threads))| Process::new(rank, main_location, Records::of_process(threads));
    Processes::new(threads.into_par_iter().map(process).collect())
}
