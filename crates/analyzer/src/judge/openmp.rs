//! The waits of a process's threads in OpenMP: judged as soon as they are over, and then forgotten.

mod barriers;
mod forget;
mod forks;
mod idle;
mod locks;
mod management;
mod team_time;

use std::num::Saturating;

use ats_model::{Definitions, groups::Interner};

use crate::{
    judge::ledger::{Details, Ledger},
    records::{
        processes::main_of,
        teams::{Member, ThreadedProcess},
        threads::{Progress, Renumbering, Threads},
    },
    words::{
        damage::Damages,
        place::{BasesByLocation, Place},
        sums::Sums,
        visits::Visits,
    },
};

/// The time of a thread in teams that its own visits do not contain.
#[derive(Debug, Default)]
pub(crate) struct TeamTime {
    /// Visits to add to the time that it spent.
    pub(crate) visits: Sums<Visits>,
    /// Ticks from forks to its entries into the parallel regions.
    pub(crate) forks: Sums<Saturating<u64>>,
}

/// The OpenMP of a process, so far.
pub(crate) struct OpenMp {
    /// Indices into the trace's locations.
    locations: Vec<usize>,
    pub(crate) ledger: Ledger,
    pub(crate) damages: Damages,
    /// Whether there were teams.
    pub(crate) has_teams: bool,
    /// For each thread, the places that its paths continue.
    bases: Vec<Interner<Place>>,
    workers: idle::Workers,
    last_releases: locks::LastReleases,
    /// For each thread, whether it waits for teams of the main thread while it is in none; known at the end.
    pub(crate) are_workers: Vec<bool>,
    /// The time of each thread in teams; empty if the caller does not ask for it.
    pub(crate) spent: Vec<TeamTime>,
}

impl OpenMp {
    pub(crate) fn new(
        definitions: &Definitions,
        locations: Vec<usize>,
        details: Details,
        is_profiled: bool,
    ) -> Self {
        let profiled = if is_profiled { locations.len() } else { 0 };
        OpenMp {
            spent: (0..profiled).map(|_| TeamTime::default()).collect(),
            bases: locations.iter().map(|_| Interner::default()).collect(),
            workers: idle::Workers::new(main_of(definitions, &locations), locations.len()),
            locations,
            ledger: Ledger::keeping(details),
            damages: Damages::default(),
            has_teams: false,
            are_workers: Vec::new(),
            last_releases: locks::LastReleases::default(),
        }
    }

    pub(crate) fn locations(&self) -> &[usize] {
        &self.locations
    }

    /// Judges the records that are over; returns the rest of each thread, with its new numbers.
    pub(crate) fn judge(
        &mut self,
        definitions: &Definitions,
        threads: Vec<Threads>,
        progress: Progress,
    ) -> Vec<(Threads, Renumbering)> {
        self.has_teams |= threads.iter().any(Threads::has_teams);
        let (process, known) = ThreadedProcess::new(
            definitions,
            &self.locations,
            threads,
            progress,
            &mut self.bases,
            &mut self.damages,
        );
        let known_by_location: BasesByLocation =
            self.locations.iter().map(|&location| location as u32).zip(known.iter().cloned()).collect();
        self.ledger.renumber(&known_by_location);
        let members = if self.ledger.points.are_kept() { forks::members(&process) } else { Vec::new() };
        let barriers = barriers::judge(&process, &members, &mut self.ledger, &mut self.damages);
        let locks = locks::judge(&process, &mut self.last_releases, &mut self.ledger, &mut self.damages);
        management::judge(&process, &mut self.ledger, &mut self.spent);
        team_time::add(&process, &mut self.spent);
        let mut process = process;
        if self.ledger.points.are_kept() {
            forks::meet(&mut process, &members, &mut self.ledger);
        }
        self.workers.limited_parallelism(definitions, &mut process, &mut self.ledger);
        let left = forget::forget(process, known, &barriers, &locks);
        let left_of =
            |(thread, membership): Member| (thread, left[thread].1.memberships[membership] as usize);
        self.workers.renumber(left_of);
        left
    }

    /// Judges all that is left, at the end; returns the bases of the paths of each location. Threads are idle only if
    /// the trace `has_teams`.
    pub(crate) fn finish(
        &mut self,
        definitions: &Definitions,
        mut threads: Vec<Threads>,
        has_teams: bool,
    ) -> Vec<(usize, Vec<Place>, Renumbering)> {
        let mut serial = Sums::default();
        threads.iter_mut().for_each(|threads| serial.absorb(&std::mem::take(&mut threads.serial)));
        let have_roots: Vec<bool> = threads.iter().map(|threads| threads.has_root).collect();
        let progress = Progress::end(threads.len());
        let left = self.judge(definitions, threads, progress);
        if has_teams {
            let OpenMp { workers, locations, bases, ledger, .. } = self;
            self.are_workers = workers.idle_threads(locations, bases, &serial, &have_roots, ledger);
        }
        let bases = self.bases.iter().map(|bases| bases.keys().to_vec());
        let bases = self.locations.iter().zip(bases).zip(left);
        bases.map(|((&location, bases), (_, renumbering))| (location, bases, renumbering)).collect()
    }
}
