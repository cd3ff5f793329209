//! The time of the locations in the basis, by call path.

use ats_documents::Profile;
use ats_documents::profile::Value;
use ats_model::Definitions;

use super::basis::{Presence, presences};
use crate::scan::Scan;

/// The seconds of all locations in the basis of an analysis, as far as they lie in a call path of the profile that is
/// entered in it. The rest of a location's seconds is in what it has entered before, or in nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InBasis {
    /// Its first and its last tick.
    pub ticks: (u64, u64),
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
        }
    };
    let locations = presences(definitions, scans, first, last).into_iter().zip(scans).map(location);
    InBasis { ticks: (first, last), time: Vec::new(), locations: locations.collect() }
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
