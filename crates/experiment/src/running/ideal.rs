//! The times of a run if communication cost nothing.

use std::collections::BTreeSet;
use std::path::Path;

use ats_documents::Profile;
use ats_documents::experiment::IdealTimes;
use ats_documents::finding::MEASURED_REGION;
use ats_launch::folder::RunFolder;
use ats_launch::read_witnesses;
use ats_reports::source::simulated_profile;
use ats_truth::{Network, Planned, TruthError, TruthOptions, at_no_cost};

use super::simulated::simulate;
use crate::ideal::{by_region, times};

/// The times of a run in virtual time without the cost of communication; `None` if that costs nothing anyway.
///
/// # Errors
/// The program cannot run like this.
pub fn ideal_times(planned: &Planned, options: &TruthOptions) -> Result<Option<IdealTimes>, TruthError> {
    without_cost(options).map(|options| Ok(times(&simulate(planned, &options)?, IN_VIRTUAL_TIME))).transpose()
}

/// The same options without the cost of communication; `None` if it costs nothing.
pub(super) fn without_cost(options: &TruthOptions) -> Option<TruthOptions> {
    let network = Network { eager_limit: options.network.eager_limit, ..Network::default() };
    (network != options.network).then_some(TruthOptions { network, causes: None, ..options.clone() })
}

/// The rule for a run of a program in virtual time.
pub(super) const IN_VIRTUAL_TIME: &str = "the same run in virtual time, without a network";

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
