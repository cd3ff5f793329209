//! Report of the locations that wait for each other in a deadlock.

use crate::kernel::error::{BlockedLocation, SimulationError};
use crate::world::World;

/// The locations that wait for each other in a deadlock. A replayed run has come to its end, so if its replay
/// deadlocks, its witness does not belong to this program.
pub(crate) fn deadlock(world: &World<'_>) -> SimulationError {
    let World { kernel, mpi, omp } = world;
    let mut blocked = Vec::new();
    for (number, location) in kernel.locations.iter().enumerate() {
        let mut waits_for = mpi.waits_for(kernel, number as u32);
        if kernel.aligned.contains(&(number as u32)) {
            waits_for.push("all ranks to be aligned".to_owned());
        }
        if kernel.signals.is_awaited_by(number as u32) {
            waits_for.push("another location of its process".to_owned());
        }
        if waits_for.is_empty() {
            waits_for.extend(omp.waits_for(kernel, number));
        }
        if !waits_for.is_empty() {
            let (place, call_path) = (location.place(), kernel.path(location.call_path));
            blocked.push(BlockedLocation { place, call_path, waits_for });
        }
    }
    blocked.sort_by_key(|location| location.place);
    let first = blocked.first().map(|location| location.place);
    let deadlock = SimulationError::Deadlock { ranks: kernel.ranks, blocked };
    match first {
        Some(place) if kernel.locations.iter().any(|location| location.pins.is_some()) => {
            SimulationError::Replay { place, reason: deadlock.to_string() }
        }
        _ => deadlock,
    }
}
