//! The time of the locations in the basis, by call path.

use std::collections::BTreeMap;

use ats_documents::Profile;
use ats_documents::machine::Counted;
use ats_documents::profile::{Combine, Metric, Origin, Value};
use ats_model::definitions::{Clock, Paradigm};
use ats_model::regions::paradigm;
use ats_model::{Definitions, WaitState};

use super::basis::{Presence, presences};
use crate::scan::Scan;

/// The seconds of all locations in the basis of an analysis, as far as they lie in a call path of the profile that is
/// entered in it. The rest of a location's seconds is in what it has entered before, or in nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InBasis {
    /// Its first and its last tick.
    pub ticks: (u64, u64),
    /// Whether it lies between `MPI_Init` and `MPI_Finalize`, and not in a region.
    pub is_whole: bool,
    /// Call path of the profile, location, and seconds in the path alone.
    pub time: Vec<Value>,
    /// By location.
    pub locations: Vec<LocationInBasis>,
}

/// The seconds of a location in the basis.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LocationInBasis {
    /// All of them: together, they are those of the basis.
    pub seconds: f64,
    /// Those before its first event and after its last. A worker has none, unless it is cut: it is there as long as its
    /// main thread.
    pub without_events: f64,
    /// Those in code between calls that test in vain for something else than a message: it may work, or wait.
    pub polled: f64,
    /// The most of its seconds outside of all visits in the basis that can be in code: in the program, or in functions that
    /// were entered before.
    pub code: f64,
    /// Whether only its first events could be read.
    pub is_cut: bool,
    /// Whether it does nothing but take part in teams of its process's main thread.
    pub is_worker: bool,
}

/// The seconds of the locations in the time `first` to `last`.
pub(super) fn of_locations(definitions: &Definitions, scans: &[Scan], (first, last): (u64, u64)) -> InBasis {
    let seconds = |ticks| definitions.clock.seconds(ticks);
    let location = |(presence, scan): (Presence, &Scan)| {
        let (all, is_worker) = match presence {
            Presence::Whole { is_worker } => (last.saturating_sub(first), is_worker),
            Presence::Part(ticks) => (ticks, false),
            Presence::None => return LocationInBasis::default(),
        };
        let (begin, end) = scan.time.unwrap_or((first, last));
        let begin = if is_worker { first } else { begin.max(first) };
        let end = if is_worker && !scan.is_cut { last } else { end.min(last) };
        let without_events = all.saturating_sub(end.saturating_sub(begin));
        LocationInBasis {
            seconds: seconds(all),
            without_events: seconds(without_events),
            is_cut: scan.is_cut,
            is_worker,
            polled: 0.0,
            code: 0.0,
        }
    };
    let locations = presences(definitions, scans, first, last).into_iter().zip(scans).map(location);
    InBasis { ticks: (first, last), is_whole: true, time: Vec::new(), locations: locations.collect() }
}

/// The time of a profile in call paths with a region.
pub(super) fn below(profile: &Profile, region: &str) -> Vec<Value> {
    let mut are_below = vec![false; profile.call_tree.len()];
    for node in &profile.call_tree {
        let is_it = profile.regions[node.region as usize].name == region;
        let is_around = node.parent.is_some_and(|parent| are_below[parent as usize]);
        are_below[node.id as usize] = is_it || is_around;
    }
    profile.values_of(Profile::TIME).filter(|of| are_below[of.0 as usize]).collect()
}

/// One of [`Profile::PARTS`].
pub(super) fn part(name: &str) -> Metric {
    Metric::new(name, "s", Origin::Derived, Combine::Sum)
}

/// By call path, whether it is in a call of MPI.
fn are_mpi(profile: &Profile) -> Vec<bool> {
    let mut are_mpi: Vec<bool> = Vec::new();
    for node in &profile.call_tree {
        let is_inside = node.parent.is_some_and(|parent| are_mpi[parent as usize]);
        are_mpi.push(is_inside || paradigm(&profile.regions[node.region as usize].name) == Paradigm::Mpi);
    }
    are_mpi
}

/// Adds values of one of the parts of time to a profile.
pub(super) fn add(profile: &mut Profile, name: &str, values: Vec<Value>) {
    if !profile.values.contains_key(name) {
        profile.metrics.push(part(name));
    }
    profile.values.entry(name.to_owned()).or_default().memory().extend(values);
}

impl InBasis {
    /// Adds to a profile the part of its time that lies outside of the basis; between `MPI_Init` and `MPI_Finalize` also
    /// the part in which the locations had no processor. `programs` are the paths of their programs.
    pub(super) fn mark_outside(&mut self, profile: &mut Profile, programs: &[Option<u32>], clock: Clock) {
        let mut inside: BTreeMap<(u32, u32), f64> = BTreeMap::new();
        let mut rests: Vec<f64> = self.locations.iter().map(|of| of.seconds).collect();
        let scales = self.scales();
        for &(path, unit, seconds) in &self.time {
            let seconds = seconds * scales[unit as usize];
            rests[unit as usize] -= seconds;
            *inside.entry((path, unit)).or_default() += seconds;
        }
        if self.is_whole {
            self.locations.iter().zip(&mut rests).for_each(|(of, rest)| *rest -= of.without_events);
            for state in [WaitState::WaitAtFinalize, WaitState::InitCompletion] {
                for (path, unit, seconds) in profile.values_of(state.name()) {
                    let rest = &mut rests[unit as usize];
                    let seconds = seconds.min(rest.max(0.0));
                    *rest -= seconds;
                    *inside.entry((path, unit)).or_default() += seconds;
                }
            }
            // Outer functions first: the rest is in what was entered before.
            let are_mpi = are_mpi(profile);
            let mut time: Vec<Value> =
                profile.values_of(Profile::TIME).filter(|of| !are_mpi[of.0 as usize]).collect();
            time.sort_by_key(|of| of.0);
            for (path, unit, seconds) in time {
                let (of, rest) = (&mut self.locations[unit as usize], &mut rests[unit as usize]);
                let known = inside.entry((path, unit)).or_default();
                let code = (seconds - *known).min(*rest);
                if !of.is_worker && code > 0.0 {
                    *known += code;
                    *rest -= code;
                    of.code += code;
                }
            }
            let not_running = |(unit, program): (u32, &Option<u32>)| {
                let of = profile.units[unit as usize];
                let is_it = |counted: &&Counted| {
                    (counted.location.rank, counted.location.thread) == (of.rank, of.thread)
                };
                let seconds = profile.machine.locations.iter().find(is_it)?.not_running;
                Some(((*program)?, unit, seconds)).filter(|_| seconds > 0.0)
            };
            let not_running: Vec<Value> = (0..).zip(programs).filter_map(not_running).collect();
            if !not_running.is_empty() {
                add(profile, Profile::NOT_RUNNING, not_running);
            }
        }
        // Sums of seconds are rounded.
        let tick = clock.seconds(1);
        let outside = profile.values_of(Profile::TIME).filter_map(|(path, unit, seconds)| {
            let outside = seconds - inside.get(&(path, unit)).copied().unwrap_or_default();
            (outside > tick / 2.0).then_some((path, unit, outside))
        });
        let outside = outside.collect();
        add(profile, Profile::OUTSIDE, outside);
    }

    /// By location, the factor that its recorded times are to be multiplied by: clocks that were aligned may leave less than a
    /// location has recorded.
    pub fn scales(&self) -> Vec<f64> {
        let mut recorded = vec![0.0; self.locations.len()];
        self.time.iter().for_each(|&(_, unit, seconds)| recorded[unit as usize] += seconds);
        let scale = |(of, recorded): (&LocationInBasis, f64)| {
            if recorded > of.seconds { of.seconds / recorded } else { 1.0 }
        };
        self.locations.iter().zip(recorded).map(scale).collect()
    }
}
