//! Settling OpenMP: the teams, barriers and locks of each process that are over.

use ats_model::Definitions;
use rayon::prelude::*;

use super::Settled;
use crate::{
    judge::{ledger::Ledger, openmp::OpenMp},
    records::{
        processes::locations_by_rank,
        threads::{Progress, Threads},
    },
    scan::{Scan, Scanner},
    words::{damage::Damages, place::BasesByLocation},
};

/// Judges and forgets the records that are over.
pub(super) fn settle_threads(
    definitions: &Definitions,
    scanners: &mut [&mut Scanner<'_>],
    until: &[u64],
    settled: &mut Settled,
) {
    let mut taken = Vec::new();
    for (rank, locations) in locations_by_rank(definitions) {
        let openmp = settled.of_threads.remove(&rank);
        if openmp.is_none() && locations.iter().all(|&location| scanners[location].threads().is_empty()) {
            continue;
        }
        let (threads, open) = locations.iter().map(|&location| scanners[location].take_threads()).unzip();
        let until = locations.iter().map(|&location| until[location]).min().unwrap_or(u64::MAX);
        let openmp = openmp.unwrap_or_else(|| {
            OpenMp::new(definitions, locations, settled.details.clone(), settled.is_profiled)
        });
        taken.push((rank, openmp, threads, Progress { open, until, is_end: false }));
    }
    let judge = |(rank, mut openmp, threads, progress): (u32, OpenMp, Vec<_>, Progress)| {
        let left = openmp.judge(definitions, threads, progress);
        (rank, openmp, left)
    };
    let judged: Vec<_> = taken.into_par_iter().map(judge).collect();
    let mut known = BasesByLocation::default();
    for (rank, openmp, left) in judged {
        for (&location, (threads, numbers)) in openmp.locations().iter().zip(left) {
            scanners[location].put_back_threads(threads, &numbers);
            scanners[location].renumber(&numbers.bases);
            known.insert(location as u32, numbers.bases);
        }
        settled.of_threads.insert(rank, openmp);
    }
    settled.renumber(&known);
}

/// Judges the rest at the end, and gives the scans the bases of their paths; returns the waits of the threads of each
/// process.
pub(crate) fn finish_threads(
    definitions: &Definitions,
    scans: &mut [Scan],
    settled: &mut Settled,
) -> (Vec<Ledger>, Damages) {
    // Where one process has teams, threads of the others that start none are idle all the time.
    let had_teams = settled.of_threads.values().any(|openmp| openmp.has_teams);
    let has_teams = had_teams || scans.iter().any(|scan| scan.threads.has_teams());
    let mut processes = Vec::new();
    for (rank, locations) in locations_by_rank(definitions) {
        let openmp = settled.of_threads.remove(&rank);
        let is_of_openmp = openmp.is_some()
            || has_teams && locations.len() > 1
            || locations.iter().any(|&location| !scans[location].threads.is_empty());
        if is_of_openmp {
            let take = |&location: &usize| std::mem::take(&mut scans[location].threads);
            let threads: Vec<Threads> = locations.iter().map(take).collect();
            let new = || OpenMp::new(definitions, locations, settled.details.clone(), settled.is_profiled);
            processes.push((openmp.unwrap_or_else(new), threads));
        }
    }
    let judge = |(mut openmp, threads): (OpenMp, Vec<Threads>)| {
        let bases = openmp.finish(definitions, threads, has_teams);
        (openmp, bases)
    };
    let judged: Vec<_> = processes.into_par_iter().map(judge).collect();
    let mut known = BasesByLocation::default();
    let (mut ledgers, mut damages) = (Vec::with_capacity(judged.len()), Damages::default());
    for (openmp, of_locations) in judged {
        for (location, places, numbers) in of_locations {
            scans[location].paths.bases = places;
            scans[location].renumber(&numbers.bases);
            known.insert(location as u32, numbers.bases);
        }
        for (&location, &is_worker) in openmp.locations().iter().zip(&openmp.are_workers) {
            scans[location].is_worker = is_worker;
        }
        for (&location, more) in openmp.locations().iter().zip(&openmp.spent) {
            if let Some(spent) = &mut scans[location].spent {
                spent.visits.absorb(&more.visits);
                spent.forks.absorb(&more.forks);
            }
        }
        damages.absorb(&openmp.damages);
        ledgers.push(openmp.ledger);
    }
    settled.renumber(&known);
    (ledgers, damages)
}
