//! Finds performance properties in an event trace.
//!
//! [`analyze`] reads a trace once, in parallel over its locations, and tells which wait states it shows: where (call
//! path), on which locations, and how much. The wait states are those of [`ats_model::WaitState`], defined at event
//! level as in Scalasca 2.6.
//!
//! The passes, and what each may assume:
//! 1. `scan`: the events of one location become its call tree and its MPI records; a process is its threads' records
//!    together.
//! 2. `collective`: the instances of collective operations are summed up over their members; `init_finalize` likewise.
//! 3. Each process judges its own calls by what pass 1 and 2 know of the others: `point_to_point` (with
//!    `wrong_order`), `collective`, `init_finalize`.
//! 4. `findings`: the sums of all processes meet in one call tree.
//!
//! Memory is proportional to the MPI operations and call paths of a trace, not to its events.

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
mod point_to_point;
mod process;
mod processes;
mod scan;
mod wrong_order;

use std::collections::BTreeMap;

use ats_model::{Analysis, Definitions, EventSource};
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
    let definitions = source.definitions();
    let asked_for = options.region.as_deref();
    let region = basis::region(definitions, asked_for).map_err(|near| AnalysisError::UnknownRegion {
        region: asked_for.unwrap_or_default().to_owned(),
        near,
    })?;

    let mut warnings = Vec::new();
    let mut scans = read(source, &Regions::new(definitions, region), &mut warnings)?;
    let processes = processes(definitions, &mut scans);
    let mut damages = Damages::default();
    let instances = Instances::new(definitions, &processes, &mut damages);
    let init_finalize = InitFinalize::new(definitions, &processes);

    let (ledgers, judged): (Vec<Ledger>, Vec<Damages>) = processes
        .list()
        .par_iter()
        .map(|process| {
            let (mut ledger, mut damages) = (Ledger::default(), Damages::default());
            point_to_point::judge(&processes, process, &mut ledger, &mut damages);
            instances.judge(definitions, process, &mut ledger, &mut damages);
            init_finalize.judge(process, &mut ledger, &mut damages);
            (ledger, damages)
        })
        .unzip();
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
        findings: findings::findings(definitions, &scans, &ledgers, &basis),
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
    let read = |location| {
        let mut scanner = Scanner::new(definitions, regions, location);
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
