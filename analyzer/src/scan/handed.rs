//! Requests that one thread of a process starts and another completes, as MPI allows.
//!
//! Each location is read by itself, so it knows one end of such a request. The ends are paired by name when all locations are
//! read; only those that are left are damage. Names of recorders are unique in a process.

use ats_model::Definitions;
use rustc_hash::FxHashMap;

use crate::words::damage::{Damage, Damages};

/// The request ends of a location without their other end, as names and times.
#[derive(Debug, Default)]
pub(crate) struct Ends {
    pub(crate) started: Vec<(u64, u64)>,
    pub(crate) completed: Vec<(u64, u64)>,
}

/// The ends of all locations, in the order of locations, that no other thread of the process has the other end of.
pub(crate) fn unpaired<'a>(
    definitions: &Definitions,
    ends: impl Iterator<Item = &'a Ends> + Clone,
) -> Damages {
    let mut damages = Damages::default();
    let mut started: FxHashMap<(u32, u64), Vec<(usize, u64)>> = FxHashMap::default();
    let rank = |location: usize| definitions.locations[location].rank;
    for (location, ends) in ends.clone().enumerate() {
        for &(name, time) in &ends.started {
            started.entry((rank(location), name)).or_default().push((location, time));
        }
    }
    for (location, ends) in ends.enumerate() {
        for &(name, time) in &ends.completed {
            let starts = started.get_mut(&(rank(location), name));
            let other = starts.and_then(|starts| {
                let at = starts.iter().position(|&(of, _)| of != location)?;
                Some(starts.swap_remove(at))
            });
            if other.is_none() {
                damages.add(Damage::UnknownRequest, location, time);
            }
        }
    }
    for (location, time) in started.into_values().flatten() {
        damages.add(Damage::RequestNotCompleted, location, time);
    }
    damages
}
