//! The times of a run if communication cost nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use ats_documents::Profile;
use ats_documents::classes::Classes;
use ats_documents::experiment::IdealTimes;
use ats_documents::finding::MEASURED_REGION;
use ats_launch::folder::RunFolder;
use ats_launch::read_witnesses;
use ats_reports::source::simulated_profile;
use ats_truth::{Network, Planned, TruthError, TruthOptions, at_no_cost};

use super::simulated::simulate;

/// The times of a run in virtual time without the cost of communication; `None` if that costs nothing anyway.
///
/// # Errors
/// The program cannot run like this.
pub fn ideal_times(planned: &Planned, options: &TruthOptions) -> Result<Option<IdealTimes>, TruthError> {
    without_cost(options).map(|options| Ok(of_simulated(&simulate(planned, &options)?))).transpose()
}

/// The same options without the cost of communication; `None` if it costs nothing.
pub(super) fn without_cost(options: &TruthOptions) -> Option<TruthOptions> {
    let network = Network { eager_limit: options.network.eager_limit, ..Network::default() };
    (network != options.network).then_some(TruthOptions { network, causes: None, ..options.clone() })
}

/// The times of a run in virtual time where communication costs nothing.
pub(super) fn of_simulated(profile: &Profile) -> IdealTimes {
    IdealTimes {
        rule: "the same run in virtual time, without a network".to_owned(),
        program: slowest(profile),
        regions: by_region(profile),
    }
}

/// The times of a real run in its measured part, by its witness in `dir`; `None` for programs with teams of threads.
///
/// # Errors
/// There is no witness, or it does not fit the program; in words.
pub(super) fn of_witness(
    planned: &Planned,
    recorded: &Profile,
    dir: &Path,
) -> Result<Option<IdealTimes>, String> {
    let Planned { subject, size } = planned;
    if subject.needs().team {
        return Ok(None);
    }
    let witnesses = read_witnesses(&RunFolder(dir).witness(), size.ranks)?;
    let Some(trace) = at_no_cost(subject, *size, &witnesses).map_err(|error| error.to_string())? else {
        return Ok(None);
    };
    let profile = simulated_profile(&trace, subject.name(), None).map_err(|error| error.to_string())?;
    let mut regions = by_region(&profile);
    let beyond = beyond_measured(recorded);
    regions.retain(|region, _| !beyond.contains(region.as_str()));
    Ok(Some(IdealTimes {
        rule: "a replay of the run's witness without the cost of communication".to_owned(),
        program: None,
        regions,
    }))
}

/// The regions that a run also visits outside its measured part, which witnesses do not tell.
fn beyond_measured(profile: &Profile) -> BTreeSet<&str> {
    let name = |region: u32| profile.regions[region as usize].name.as_str();
    let is_measured = |path: u32| profile.ancestors(path).any(|outer| name(outer.region) == MEASURED_REGION);
    profile.call_tree.iter().filter(|node| !is_measured(node.id)).map(|node| name(node.region)).collect()
}

/// By region, the time of the slowest unit.
fn by_region(profile: &Profile) -> BTreeMap<String, f64> {
    let classes = Classes::default();
    let regions = profile.by_code_region(&classes);
    let slowest = regions.filter_map(|of| {
        let time = of.rows().filter_map(|(_, spent)| spent.time).reduce(f64::max)?;
        Some((of.region.clone(), time))
    });
    slowest.collect()
}

/// The time of the slowest unit.
fn slowest(profile: &Profile) -> Option<f64> {
    let mut of_units = vec![0.0; profile.units.len()];
    for (_, unit, seconds) in profile.values.get(Profile::TIME)?.iter() {
        of_units[unit as usize] += seconds;
    }
    of_units.into_iter().reduce(f64::max)
}
