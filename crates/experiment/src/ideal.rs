//! The times of a run if communication cost nothing, by the profile of a run where it does not.

use std::collections::BTreeMap;

use ats_documents::Profile;
use ats_documents::classes::Classes;
use ats_documents::experiment::IdealTimes;

/// The rule for a run whose trace is replayed.
const OF_REPLAY: &str = "a replay of the trace, where calls take no time beside waiting";

/// The times of a recorded run, by the profile of a replay of its trace where communication costs nothing.
pub fn ideal_times_of_replay(replay: &Profile) -> IdealTimes {
    times(replay, OF_REPLAY)
}

/// The times of a run where communication costs nothing.
pub(crate) fn times(profile: &Profile, rule: &str) -> IdealTimes {
    IdealTimes { rule: rule.to_owned(), program: slowest(profile), regions: by_region(profile) }
}

/// By region, the time of the slowest unit.
pub(crate) fn by_region(profile: &Profile) -> BTreeMap<String, f64> {
    let classes = Classes::default();
    let regions = profile.by_code_region(&classes);
    let slowest = regions.filter_map(|of| {
        let time = of.rows().filter_map(|(_, spent)| spent.time).reduce(f64::max)?;
        Some((of.region.clone(), time))
    });
    slowest.collect()
}

/// The time of the slowest unit in the run.
fn slowest(profile: &Profile) -> Option<f64> {
    let mut of_units = vec![0.0; profile.units.len()];
    let outside = profile.outside();
    for (path, unit, seconds) in profile.values.get(Profile::TIME)?.iter() {
        of_units[unit as usize] += seconds - outside.seconds(path, unit, seconds);
    }
    of_units.into_iter().reduce(f64::max)
}
