//! The basis: the span of time that severities are relative to.

use ats_documents::{
    Basis,
    finding::{Bounds, MEASURED_REGION},
};
use ats_model::{Definitions, mistakes};

use crate::{
    judge::init_finalize::InitFinalize,
    records::processes::{locations_by_rank, main_of},
    scan::Scan,
};

/// The region to look for while the events are read: the one asked for, else `ats_measured` if it is defined.
///
/// # Errors
/// The region asked for is not defined; the error holds the names nearest to it.
pub(crate) fn region<'a>(
    definitions: &Definitions,
    asked_for: Option<&'a str>,
) -> Result<Option<&'a str>, Vec<String>> {
    let is_defined = |name: &str| definitions.regions.iter().any(|region| region.name == name);
    match asked_for {
        Some(name) if !is_defined(name) => Err(near(definitions, name)),
        Some(name) => Ok(Some(name)),
        None => Ok(is_defined(MEASURED_REGION).then_some(MEASURED_REGION)),
    }
}

/// The region names nearest to `name`, nearest first.
fn near(definitions: &Definitions, name: &str) -> Vec<String> {
    let mut names: Vec<&str> = definitions.regions.iter().map(|region| region.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    mistakes::near(name, names).into_iter().map(str::to_owned).collect()
}

/// The basis with its first and its last tick, once the events are read; `None` if no location entered `region`.
pub(crate) fn of_region(
    definitions: &Definitions,
    scans: &[Scan],
    region: &str,
) -> Option<(Basis, (u64, u64))> {
    let entered = scans.iter().filter_map(|scan| scan.in_basis);
    let (first, last) = entered.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))?;
    let basis = Basis { region: Some(region.to_owned()), ..basis(definitions, scans, first, last) };
    Some((basis, (first, last)))
}

/// The time between `MPI_Init` and `MPI_Finalize`; if one of them is missing, the time from the first event or to the
/// last.
pub(crate) fn between_init_and_finalize(
    definitions: &Definitions,
    scans: &[Scan],
    init_finalize: &InitFinalize,
) -> (Basis, (u64, u64)) {
    let times = || scans.iter().filter_map(|scan| scan.time);
    let (init, finalize) = init_finalize.between();
    let first = init.or_else(|| times().map(|(first, _)| first).min()).unwrap_or(0);
    let last = finalize.or_else(|| times().map(|(_, last)| last).max()).unwrap_or(0);
    let bounds = Bounds::new(init.is_some(), finalize.is_some());
    (Basis { bounds, ..basis(definitions, scans, first, last) }, (first, last))
}

/// The time from `first` to `last`. Main threads and the workers of their teams are there all the time; a thread that the
/// program starts itself is there from its first to its last event. Other locations without an event, such as threads
/// that no recorder has seen, do not count: nothing of them can be found.
fn basis(definitions: &Definitions, scans: &[Scan], first: u64, last: u64) -> Basis {
    let (mut whole, mut of_others) = (0_u64, 0.0);
    for presence in presences(definitions, scans, first, last) {
        match presence {
            Presence::Whole { .. } => whole += 1,
            Presence::Part(ticks) => of_others += definitions.clock.seconds(ticks),
            Presence::None => {}
        }
    }
    let wall_time = definitions.clock.seconds(last.saturating_sub(first));
    Basis { location_seconds: wall_time * whole as f64 + of_others, wall_time, ..Basis::default() }
}

/// The part of the basis in which a location is there.
#[derive(Clone, Copy)]
pub(super) enum Presence {
    /// All of it: a main thread, or a worker of one's teams.
    Whole { is_worker: bool },
    /// So many ticks: a thread that the program starts itself.
    Part(u64),
    /// Nothing: it has no events.
    None,
}

/// The part of each location in the time from `first` to `last`.
pub(super) fn presences(definitions: &Definitions, scans: &[Scan], first: u64, last: u64) -> Vec<Presence> {
    let mut presences = vec![Presence::None; scans.len()];
    for locations in locations_by_rank(definitions).into_values() {
        let main = locations[main_of(definitions, &locations)];
        for location in locations {
            presences[location] = match scans[location] {
                Scan { is_worker: true, .. } => Presence::Whole { is_worker: true },
                Scan { time: None, .. } => Presence::None,
                Scan { .. } if location == main => Presence::Whole { is_worker: false },
                Scan { time: Some((begin, end)), .. } => {
                    Presence::Part(end.min(last).saturating_sub(begin.max(first)))
                }
            };
        }
    }
    presences
}
