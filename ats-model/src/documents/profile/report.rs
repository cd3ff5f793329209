//! What another tool's report says of a run, as a profile.

use std::collections::{BTreeMap, BTreeSet};

use super::{Combine, Metric, Origin, ProcessingUnit, Profile, ProfiledRegion};
use crate::call_path::{CallPathId, CallTree};
use crate::definitions::Region;
use crate::regions;
use crate::{Finding, Report};

/// By call path and location.
type Values = BTreeMap<(CallPathId, (u32, u32)), f64>;

/// What a report does not have, its profile does not have either: a call path that is no call of the report has no time of its
/// own, and a metric that it lacks has no values.
impl From<&Report> for Profile {
    fn from(report: &Report) -> Self {
        let mut tree = CallTree::default();
        let mut metrics: Vec<(Metric, Values)> = Vec::new();
        let imported = |name: &str, unit: &str| Metric::new(name, unit, Origin::Imported, Combine::Sum);
        let (time, visits) = spent(report, &mut tree);
        metrics.push((imported(Profile::TIME, "s"), time));
        metrics.push((imported(Profile::VISITS, "occ"), visits));
        for finding in report.findings.iter().filter(|finding| finding.unit().is_time()) {
            let Some(name) = finding.property.map(|state| state.name()).or(finding.metric.as_deref()) else {
                continue;
            };
            let at = metrics.iter().position(|(metric, _)| metric.name == name).unwrap_or_else(|| {
                metrics.push((imported(name, "s"), Values::new()));
                metrics.len() - 1
            });
            add_waits(finding, &mut tree, &mut metrics[at].1);
        }
        metrics.retain(|(_, values)| !values.is_empty());

        let units: BTreeSet<(u32, u32)> =
            metrics.iter().flat_map(|(_, values)| values.keys().map(|&(_, unit)| unit)).collect();
        let numbers: BTreeMap<(u32, u32), u32> = units.iter().copied().zip(0..).collect();
        let mut profile = Profile::new(&report.source);
        profile.units =
            units.iter().map(|&(rank, thread)| ProcessingUnit { rank, thread, node: None }).collect();
        profile.take_paths(&tree, region);
        for (metric, values) in metrics {
            let values = values.into_iter().map(|((path, unit), value)| (path.0 - 1, numbers[&unit], value));
            profile.values.insert(metric.name.clone(), values.collect());
            profile.metrics.push(metric);
        }
        profile.warnings.clone_from(&report.warnings);
        profile
    }
}

/// A path of names in a tree; none of no names.
fn path<'a>(names: &'a [String], tree: &mut CallTree<&'a str>) -> Option<CallPathId> {
    let path = names.iter().fold(CallPathId::ROOT, |parent, name| tree.child(parent, name));
    (path != CallPathId::ROOT).then_some(path)
}

/// Time in each call alone, and visits. Where rounding makes what is inside longer than the whole, nothing is left of it.
fn spent<'a>(report: &'a Report, tree: &mut CallTree<&'a str>) -> (Values, Values) {
    let (mut inclusive, mut visits) = (Values::new(), Values::new());
    for call in &report.calls {
        let Some(path) = path(&call.call_path, tree) else { continue };
        for share in &call.locations {
            let key = (path, (share.rank, share.thread));
            *inclusive.entry(key).or_default() += share.inclusive_time;
            if let Some(count) = share.visits {
                *visits.entry(key).or_default() += count as f64;
            }
        }
    }
    let mut time = inclusive.clone();
    for (&(path, unit), inside) in &inclusive {
        // The nearest that is a call of the report.
        let mut outer = path;
        while outer != CallPathId::ROOT {
            outer = tree.parent(outer);
            if let Some(time) = time.get_mut(&(outer, unit)) {
                *time -= inside;
                break;
            }
        }
    }
    time.values_mut().for_each(|time| *time = time.max(0.0));
    (time, visits)
}

fn add_waits<'a>(finding: &'a Finding, tree: &mut CallTree<&'a str>, values: &mut Values) {
    let Some(path) = path(&finding.call_path, tree) else { return };
    for share in &finding.locations {
        *values.entry((path, (share.rank, share.thread))).or_default() += share.waiting_time;
    }
}

/// Regions are known by their names alone.
fn region(name: &str) -> ProfiledRegion {
    let Region { role, paradigm, .. } = regions::definition(name, regions::paradigm(name));
    ProfiledRegion { role, paradigm, ..ProfiledRegion::default() }
}

#[cfg(test)]
mod tests {
    use crate::documents::report::{Call, CallShare};
    use crate::{Profile, Report};

    fn call(names: &[&str], locations: &[(u32, f64, Option<u64>)]) -> Call {
        let share = |&(rank, inclusive_time, visits)| CallShare { rank, thread: 0, inclusive_time, visits };
        Call {
            call_path: names.iter().map(|&name| name.to_owned()).collect(),
            locations: locations.iter().map(share).collect(),
        }
    }

    #[test]
    fn calls_become_call_paths_with_what_they_take_alone() {
        let report: Report = serde_json::from_value(serde_json::json!({
            "schema": Report::SCHEMA, "version": null, "ranks": null, "threads": null, "names": [], "findings": [],
        }))
        .unwrap();
        let calls = vec![
            call(&["main"], &[(0, 5.0, Some(1)), (1, 6.0, Some(1))]),
            // Nobody says what `solve` takes.
            call(&["main", "solve", "MPI_Recv"], &[(1, 2.0, Some(7))]),
            call(&["main", "MPI_Send"], &[(0, 5.5, None)]),
        ];
        let profile = Profile::from(&Report { calls, source: "r".into(), ..report });
        let paths: Vec<String> = (0..4).map(|path| profile.path(path).join("/")).collect();
        assert_eq!(paths, ["main", "main/solve", "main/solve/MPI_Recv", "main/MPI_Send"]);
        assert_eq!(profile.values["time"], [(0, 0, 0.0), (0, 1, 4.0), (2, 1, 2.0), (3, 0, 5.5)]);
        assert_eq!(profile.values["visits"], [(0, 0, 1.0), (0, 1, 1.0), (2, 1, 7.0)]);
        assert_eq!(profile.metrics.len(), 2);
        assert_eq!(profile.regions[2].paradigm, crate::definitions::Paradigm::Mpi);
    }
}
