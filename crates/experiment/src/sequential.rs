//! The same work without parallelism.

use std::collections::BTreeMap;

use ats_documents::Profile;
use ats_documents::classes::Classes;
use ats_documents::profile::{Combine, ProcessingUnit};

/// The source of a run's data if one unit does all the computation of another run, whose data is from `source`.
pub fn by_one_unit(source: &str) -> String {
    format!("{source}, by one unit")
}

/// The profile of a sequential run that does the same work: the computation of all units, one after the other, on a
/// single unit that neither communicates nor waits, nor starts threads. Its times are exact if those of the profile are.
pub fn sequential(profile: &Profile, classes: &Classes) -> Profile {
    let computes = profile.computes(classes);
    let mut alone = Profile {
        source: by_one_unit(&profile.source),
        units: vec![ProcessingUnit { rank: 0, thread: 0, node: None }],
        values: BTreeMap::new(),
        ..profile.clone()
    };
    let is_kept = |name: &str| [Profile::TIME, Profile::VISITS].contains(&name);
    alone.metrics.retain(|metric| metric.combine == Combine::Sum && is_kept(&metric.name));
    for metric in &alone.metrics {
        let mut sums = profile.exclusive(&metric.name, |_| true);
        if metric.name == Profile::TIME {
            let managing = profile.forks_and_joins().map(|metric| metric.name.as_str());
            for not_work in managing.chain([Profile::OUTSIDE]) {
                let not_work = profile.exclusive(not_work, |_| true);
                sums.iter_mut().zip(not_work).for_each(|(sum, seconds)| *sum -= seconds);
            }
        }
        let values =
            (0..).zip(&computes).zip(sums).filter(|((_, computes), value)| **computes && *value != 0.0);
        alone.values.insert(metric.name.clone(), values.map(|((path, _), value)| (path, 0, value)).collect());
    }
    alone
}
