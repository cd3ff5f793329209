//! Conversion of another tool's report of a run into a profile.

use std::collections::{BTreeMap, BTreeSet};
use std::mem::take;

use super::{CallNode, Combine, Metric, Origin, ProcessingUnit, Profile, ProfiledRegion, Value};
use crate::finding::{LocationShare, is_harness};
use crate::report::{Call, CallShare};
use crate::{Finding, Report};
use ats_model::call_path::{CallPathId, CallTree};
use ats_model::definitions::Region;
use ats_model::machine_counter::MachineCounter;
use ats_model::regions;

/// Data missing in a report is missing in its profile, too: a call path that is not a call of the report has no time
/// of its own, and a metric that it lacks has no values.
impl From<Report> for Profile {
    fn from(mut report: Report) -> Self {
        report.calls.retain(|call| !call.call_path.is_empty());
        report.findings.retain(|finding| !finding.call_path.is_empty() && name(finding).is_some());
        // What is large goes from the one to the other, and is never there twice.
        let calls: Vec<Vec<CallShare>> =
            report.calls.iter_mut().map(|call| take(&mut call.locations)).collect();
        let waits: Vec<Vec<LocationShare>> =
            report.findings.iter_mut().map(|finding| take(&mut finding.locations)).collect();
        let of_calls = calls.iter().flatten().map(|share| (share.rank, share.thread));
        let of_waits = waits.iter().flatten().map(|share| (share.rank, share.thread));
        let units: BTreeSet<(u32, u32)> = of_calls.chain(of_waits).collect();
        let units = Units(units.into_iter().collect());

        let mut profile = Profile::new(&report.source);
        let mut tree = CallTree::default();
        let [time, visits] = units.times_and_visits(&report.calls, calls, &mut tree);
        profile.import(Profile::TIME, "s", time);
        profile.import(Profile::VISITS, "occ", visits);
        for (finding, shares) in report.findings.iter().zip(waits) {
            let Some(name) = name(finding) else { continue };
            let path = path(&finding.call_path, &mut tree);
            let value =
                |share: LocationShare| units.value(path, (share.rank, share.thread), share.waiting_time);
            profile.import(name, "s", shares.into_iter().map(value).collect());
        }
        for state in report.names {
            profile.declare(state.name(), "s");
        }
        profile.values.values_mut().for_each(|values| add_up(values.memory()));
        profile.units =
            units.0.iter().map(|&(rank, thread)| ProcessingUnit { rank, thread, node: None }).collect();
        profile.take_paths(&tree, region);
        profile.warnings = report.warnings;
        profile
    }
}

/// The metric of seconds that are waited.
fn name(finding: &Finding) -> Option<&str> {
    let name = finding.property.map(|state| state.name()).or(finding.metric.as_deref());
    name.filter(|_| finding.unit().is_time())
}

/// A path of at least one name, in a tree.
fn path<'a>(names: &'a [String], tree: &mut CallTree<&'a str>) -> CallPathId {
    names.iter().fold(CallPathId::ROOT, |parent, name| tree.child(parent, name))
}

/// The rounding error of a subtraction, in seconds.
const ROUNDING: f64 = 1e-9;

/// Puts values in the order of paths and units, each once.
fn add_up(values: &mut Vec<Value>) {
    values.sort_by_key(|&(path, unit, _)| (path, unit));
    values.dedup_by(|next, kept| {
        let is_same = (next.0, next.1) == (kept.0, kept.1);
        if is_same {
            kept.2 += next.2;
        }
        is_same
    });
}

impl Profile {
    /// The calls of a report with this profile: the inclusive time and the visits of each call path, on the locations
    /// that were in it.
    pub fn calls(&self) -> Vec<Call> {
        let path = |node: &CallNode| self.path(node.id).into_iter().map(str::to_owned).collect();
        let mut calls: Vec<Call> =
            self.call_tree.iter().map(|node| Call { call_path: path(node), locations: Vec::new() }).collect();
        for &unit in &self.units {
            let is_it = |other: ProcessingUnit| (other.rank, other.thread) == (unit.rank, unit.thread);
            let (time, visits) =
                (self.inclusive(Profile::TIME, is_it), self.exclusive(Profile::VISITS, is_it));
            for (call, (inclusive_time, visits)) in calls.iter_mut().zip(time.into_iter().zip(visits)) {
                if inclusive_time > 0.0 || visits > 0.0 {
                    let ProcessingUnit { rank, thread, .. } = unit;
                    call.locations.push(CallShare {
                        rank,
                        thread,
                        inclusive_time,
                        visits: Some(visits as u64),
                    });
                }
            }
        }
        calls
    }

    /// The numbers of a report with this profile that a truth with these findings has, too, and that are neither calls nor
    /// their traffic. Each is at the innermost of the regions that the truth shows an amount of, by the name that the truth has
    /// for it: a counter that this profile has by perf's name may be there by PAPI's.
    pub fn counted_numbers(&self, expected: &[Finding]) -> Vec<Finding> {
        let shows_amount = |finding: &&Finding| finding.property.is_none();
        let shown = expected.iter().filter(shows_amount);
        let regions: BTreeSet<&str> = shown
            .flat_map(|finding| finding.call_path.last().into_iter().chain(&finding.over))
            .map(String::as_str)
            .collect();
        let counters: BTreeSet<&str> = expected.iter().filter_map(Finding::counter).collect();
        let mut findings = Vec::new();
        let is_there = |name: &str| self.values.contains_key(name);
        for counter in counters {
            let Some(name) = MachineCounter::name_among(counter, is_there) else { continue };
            let mut sums: BTreeMap<Vec<&str>, f64> = BTreeMap::new();
            for (node, number) in (0..).zip(self.exclusive(name, |_| true)) {
                let mut path = self.path(node);
                let innermost = path.iter().rposition(|region| regions.contains(region));
                path.truncate(innermost.map_or(0, |at| at + 1));
                *sums.entry(path).or_default() += number;
            }
            let there = sums.into_iter().filter(|(path, number)| !path.is_empty() && *number > 0.0);
            findings.extend(there.map(|(path, number)| {
                Finding::count(path.into_iter().map(str::to_owned).collect(), counter, number.round() as u64)
            }));
        }
        findings.extend(expected.iter().filter_map(|finding| self.processor_ratio(finding)));
        findings
    }

    /// The time in the region of an expected ratio over the processor's time there, if it is such a ratio and the profile
    /// has both.
    fn processor_ratio(&self, expected: &Finding) -> Option<Finding> {
        let counter = MachineCounter::TaskClock.name();
        let region = expected.call_path.last().filter(|_| expected.over.as_deref() == Some(counter))?;
        let sum = |metric: &str| {
            let values = (0..).zip(self.exclusive(metric, |_| true));
            let there = values.filter(|&(node, _)| {
                let path: Vec<String> = self.path(node).into_iter().map(str::to_owned).collect();
                path.contains(region) && !is_harness(&path)
            });
            there.map(|(_, value)| value).sum::<f64>()
        };
        let ratio = sum(Profile::TIME) / sum(counter);
        ratio.is_finite().then(|| Finding::time_ratio(expected.call_path.clone(), counter, ratio))
    }

    /// Adds values to those of a metric, if there are any.
    fn import(&mut self, name: &str, unit: &str, mut values: Vec<Value>) {
        if !values.is_empty() {
            self.declare(name, unit).append(&mut values);
        }
    }

    /// The values of a metric that the report knows, though it may have none.
    fn declare(&mut self, name: &str, unit: &str) -> &mut Vec<Value> {
        if !self.values.contains_key(name) {
            self.metrics.push(Metric::new(name, unit, Origin::Imported, Combine::Sum));
        }
        self.values.entry(name.to_owned()).or_default().memory()
    }
}

/// The ranks and threads, in rising order.
struct Units(Vec<(u32, u32)>);

impl Units {
    fn value(&self, path: CallPathId, unit: (u32, u32), value: f64) -> Value {
        let unit = self.0.binary_search(&unit).expect("the units are those of all shares");
        (path.0 - 1, unit as u32, value)
    }

    /// Time in each call alone, and visits. If rounding makes the inner calls longer than the whole, the time alone is
    /// 0.
    fn times_and_visits<'a>(
        &self,
        calls: &'a [Call],
        shares: Vec<Vec<CallShare>>,
        tree: &mut CallTree<&'a str>,
    ) -> [Vec<Value>; 2] {
        let count = shares.iter().map(Vec::len).sum();
        let counted = shares.iter().flatten().filter(|share| share.visits.is_some()).count();
        let (mut time, mut visits) = (Vec::with_capacity(count), Vec::with_capacity(counted));
        let paths = calls.iter().map(|call| path(&call.call_path, tree));
        let mut rows: Vec<(CallPathId, Vec<CallShare>)> = paths.zip(shares).collect();
        rows.sort_by_key(|row| row.0);
        for (path, shares) in rows {
            for CallShare { rank, thread, inclusive_time, visits: count } in shares {
                time.push(self.value(path, (rank, thread), inclusive_time));
                visits.extend(count.map(|count| self.value(path, (rank, thread), count as f64)));
            }
        }
        add_up(&mut time);
        add_up(&mut visits);
        // What a path has is whole until those come that lie in it.
        for at in 0..time.len() {
            let (path, unit, inside) = time[at];
            // The nearest that is a call of the report.
            let mut outer = tree.parent(CallPathId(path + 1));
            while outer != CallPathId::ROOT {
                let key = (outer.0 - 1, unit);
                if let Ok(there) = time[..at].binary_search_by_key(&key, |&(path, unit, _)| (path, unit)) {
                    time[there].2 -= inside;
                    break;
                }
                outer = tree.parent(outer);
            }
        }
        time.iter_mut().for_each(|value| value.2 = value.2.max(0.0));
        // Who was in a path because of what lies in it, as a worker in that of its master, was not in the path itself.
        let is_visited = |path: u32, unit: u32| {
            let visits_at = visits.binary_search_by_key(&(path, unit), |&(path, unit, _)| (path, unit));
            visits_at.map_or(true, |at| visits[at].2 > 0.0)
        };
        time.retain(|&(path, unit, seconds)| seconds > ROUNDING || is_visited(path, unit));
        visits.retain(|(.., count)| *count > 0.0);
        [time, visits]
    }
}

/// Regions are known by their names alone.
fn region(name: &str) -> ProfiledRegion {
    let Region { role, paradigm, .. } = regions::definition(name, regions::paradigm(name));
    ProfiledRegion { name: name.to_owned(), role, paradigm, ..ProfiledRegion::default() }
}

#[cfg(test)]
mod tests {
    use crate::profile::{CallNode, ProcessingUnit, ProfiledRegion};
    use crate::report::{Call, CallShare};
    use crate::{Finding, Profile, Report};

    fn call(names: &[&str], locations: &[(u32, f64, Option<u64>)]) -> Call {
        let share = |&(rank, inclusive_time, visits)| CallShare { rank, thread: 0, inclusive_time, visits };
        Call {
            call_path: names.iter().map(|&name| name.to_owned()).collect(),
            locations: locations.iter().map(share).collect(),
        }
    }

    /// perf's names in a trace are what a truth has by PAPI's; what was not counted is not 0.
    #[test]
    fn counts_are_found_by_other_names_of_their_counters() {
        let mut profile = Profile::new("t");
        profile.units = vec![ProcessingUnit { rank: 0, thread: 0, node: None }];
        let region =
            |(id, name): (u32, &str)| ProfiledRegion { id, name: name.to_owned(), ..Default::default() };
        profile.regions = (0..).zip(["main", "loop", "inner"]).map(region).collect();
        let node = |(id, parent)| CallNode { id, parent, region: id };
        profile.call_tree = (0..).zip([None, Some(0), Some(1)]).map(node).collect();
        for (name, value) in [("instructions", 300.0), ("cycles", 7.0)] {
            profile.values.insert(name.to_owned(), vec![(1, 0, value), (2, 0, 100.0)].into());
        }
        let wanted = |counter: &str| Finding::count(vec!["main".to_owned(), "loop".to_owned()], counter, 1);
        let found = profile.counted_numbers(&["PAPI_TOT_INS", "PAPI_BR_MSP"].map(wanted));
        let numbers: Vec<_> =
            found.iter().map(|one| (one.call_path.join("/"), one.counter(), one.instances)).collect();
        assert_eq!(numbers, [("main/loop".to_owned(), Some("PAPI_TOT_INS"), 400)]);
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
        let profile = Profile::from(Report { calls, source: "r".into(), ..report });
        let paths: Vec<String> = (0..4).map(|path| profile.path(path).join("/")).collect();
        assert_eq!(paths, ["main", "main/solve", "main/solve/MPI_Recv", "main/MPI_Send"]);
        assert_eq!(profile.values["time"], [(0, 0, 0.0), (0, 1, 4.0), (2, 1, 2.0), (3, 0, 5.5)]);
        assert_eq!(profile.values["visits"], [(0, 0, 1.0), (0, 1, 1.0), (2, 1, 7.0)]);
        assert_eq!(profile.metrics.len(), 2);
        let seconds =
            |call: &Call| call.locations.iter().map(|share| share.inclusive_time).collect::<Vec<_>>();
        let calls: Vec<_> =
            profile.calls().iter().map(|call| (call.call_path.join("/"), seconds(call))).collect();
        let of = |path: &str, seconds: &[f64]| (path.to_owned(), seconds.to_vec());
        assert_eq!(
            calls,
            [
                of("main", &[5.5, 6.0]),
                of("main/solve", &[2.0]),
                of("main/solve/MPI_Recv", &[2.0]),
                of("main/MPI_Send", &[5.5])
            ]
        );
        assert_eq!(profile.regions[2].paradigm, ats_model::definitions::Paradigm::Mpi);
    }
}
