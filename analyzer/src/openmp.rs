//! What the threads of a process waited for in OpenMP.

mod barriers;
mod idle;
mod locks;
mod management;

use ats_model::Definitions;

use crate::{
    damage::Damages,
    ledger::Ledger,
    process::Place,
    scan::Scan,
    teams::{Renumbering, ThreadedProcess},
    threads::Threads,
    waits::Kept,
};

/// Judges the OpenMP constructs of a process and tells its locations what their call paths continue. Threads are idle
/// only where the trace `has_teams`.
pub(crate) fn judge(
    definitions: &Definitions,
    locations: Vec<usize>,
    threads: Vec<Threads>,
    has_teams: bool,
    waits: Kept,
) -> (Vec<PathBases>, Ledger, Damages) {
    let (mut ledger, mut damages) = (Ledger::keeping(waits), Damages::default());
    let (mut process, renumberings) = ThreadedProcess::new(definitions, locations, threads, &mut damages);
    barriers::judge(&process, &mut ledger, &mut damages);
    locks::judge(&process, &mut ledger, &mut damages);
    management::judge(&process, &mut ledger);
    if has_teams {
        idle::judge(definitions, &mut process, &mut ledger);
    }
    let of_locations = process.locations.iter().zip(process.bases.iter().zip(renumberings));
    let path_bases = of_locations.map(|(&location, (bases, renumbering))| PathBases {
        location,
        bases: bases.keys().to_vec(),
        renumbering,
    });
    (path_bases.collect(), ledger, damages)
}

/// What the call paths of a location continue.
pub(crate) struct PathBases {
    /// Index into the trace's locations.
    location: usize,
    bases: Vec<Place>,
    /// Into numbers of `bases` from those of pass 1.
    renumbering: Renumbering,
}

impl PathBases {
    /// Gives the places of the location their bases.
    pub(crate) fn apply(self, scans: &mut [Scan]) {
        let scan = &mut scans[self.location];
        scan.bases = self.bases;
        scan.visits.renumber(&self.renumbering);
        scan.records.places_mut().for_each(|place| place.base = self.renumbering[place.base as usize]);
    }
}
