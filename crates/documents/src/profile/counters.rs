//! Metrics of a profile besides time and visits: the counters of a recorder, and metrics of the report alone.

use std::collections::BTreeMap;

use super::{CallNode, Combine, Metric, Origin, ProcessingUnit, Profile, Value};
use ats_model::derived::{Misses, Penalty};
use ats_model::hardware::{Counted, Extent, counted, seconds};
use ats_model::instances;
use ats_model::traffic::CallCounter;
use ats_model::wait_state::WaitState;

/// By counted quantity: the metrics that add up to it, and the size of one of each, in seconds if it is a time.
pub type Counters<'a> = BTreeMap<Counted, Vec<(&'a Metric, f64)>>;

impl Profile {
    /// The metrics of hardware and kernel counters; the source has no data on any that are missing.
    pub fn counters(&self) -> Counters<'_> {
        let mut found: BTreeMap<Counted, Vec<(Extent, &Metric, f64)>> = BTreeMap::new();
        for metric in &self.metrics {
            let Some((what, extent)) = counted(&metric.name) else { continue };
            let is_time = matches!(what, Counted::User | Counted::System);
            let Some(one) = (if is_time { seconds(&metric.unit) } else { Some(1.0) }) else { continue };
            found.entry(what).or_default().push((extent, metric, one));
        }
        let summed = |(what, mut metrics): (Counted, Vec<(Extent, _, f64)>)| {
            // Where there is a metric of all, its parts would count twice, and so would another of all.
            metrics.sort_by_key(|&(extent, ..)| extent);
            let count = if metrics[0].0 == Extent::Whole { 1 } else { metrics.len() };
            (what, metrics.into_iter().take(count).map(|(_, metric, one)| (metric, one)).collect())
        };
        let mut counters: Counters = found.into_iter().map(summed).collect();
        let kinds = [Counted::MajorFaults, Counted::MinorFaults];
        let faults: Vec<_> = kinds.iter().filter_map(|kind| counters.get(kind)).flatten().copied().collect();
        if !faults.is_empty() {
            counters.entry(Counted::PageFaults).or_insert(faults);
        }
        counters
    }

    /// The metrics that add up to an amount of this name, and the size of one of each: those that count the same by other names,
    /// or the metric itself. None if nothing counts it.
    pub fn counting(&self, name: &str) -> Option<Vec<(&Metric, f64)>> {
        match counted(name) {
            Some((what, Extent::Whole)) => self.counters().remove(&what),
            _ => self.metrics.iter().find(|metric| metric.name == name).map(|metric| vec![(metric, 1.0)]),
        }
    }

    /// Adds a metric of the seconds that counted misses cost for each of these penalties.
    ///
    /// # Errors
    /// Nothing counts the misses of one of them, or the metric is there already; in words.
    pub fn add_costs(&mut self, penalties: &[Penalty]) -> Result<(), String> {
        for &Penalty { of: Misses { kind, cost, counters }, seconds } in penalties {
            let has = |name: &str| self.metrics.iter().any(|metric| metric.name == name);
            if has(cost) {
                return Err(format!("there is a metric {cost} already; give a penalty of {kind} once"));
            }
            let Some(&counter) = counters.iter().find(|name| has(name)) else {
                let fix = format!("count {}", counters.join(" or "));
                return Err(format!("misses of {kind} were not counted; {fix}, or leave the penalty out"));
            };
            let of_one = |(path, unit, misses): Value| (path, unit, misses * seconds);
            let values: Vec<Value> = self.values_of(counter).map(of_one).collect();
            let rule = Some(format!("{counter} × {seconds} s"));
            let metric = Metric::new(cost, "s", Origin::Derived, Combine::Sum);
            self.metrics.push(Metric { rule, ..metric });
            self.values.insert(cost.to_owned(), values.into());
        }
        Ok(())
    }

    /// The metrics that are neither times, visits, waits nor messages: each counter of the recorder, and whatever else a report
    /// has.
    pub fn counted(&self) -> impl Iterator<Item = &Metric> {
        let spent = [Profile::TIME, Profile::VISITS, Profile::MIN_TIME, Profile::MAX_TIME];
        let is_known = move |name: &str| {
            spent.contains(&name)
                || Profile::PARTS.contains(&name)
                || WaitState::from_name(name).is_some()
                || WaitState::from_metric(name).is_some()
                || CallCounter::of_metric(name).is_some()
                || instances::row(name).is_some()
        };
        self.metrics.iter().filter(move |metric| !is_known(&metric.name))
    }

    /// The inclusive amount of a metric in each call path, over the selected units; `None` if a metric that is not a
    /// sum has no value there.
    pub fn whole_of_paths(
        &self,
        metric: &Metric,
        is_meant: impl Fn(ProcessingUnit) -> bool,
    ) -> Vec<Option<f64>> {
        let mut wholes = vec![metric.combine.of_nothing(); self.call_tree.len()];
        for (path, unit, value) in self.values_of(&metric.name) {
            if is_meant(self.units[unit as usize]) {
                metric.combine.add(&mut wholes[path as usize], value);
            }
        }
        for &CallNode { id, parent, .. } in self.call_tree.iter().rev() {
            if let (Some(parent), Some(inside)) = (parent, wholes[id as usize]) {
                metric.combine.add(&mut wholes[parent as usize], inside);
            }
        }
        wholes
    }

    /// The same of each region, all its visits wherever they are, those inside itself once.
    pub fn whole_of_regions(
        &self,
        metric: &Metric,
        is_meant: impl Fn(ProcessingUnit) -> bool,
    ) -> Vec<Option<f64>> {
        let mut wholes = vec![metric.combine.of_nothing(); self.regions.len()];
        for (node, value) in self.call_tree.iter().zip(self.whole_of_paths(metric, is_meant)) {
            if let Some(value) = value.filter(|_| self.is_outermost(node)) {
                metric.combine.add(&mut wholes[node.region as usize], value);
            }
        }
        wholes
    }
}

impl Combine {
    fn of_nothing(self) -> Option<f64> {
        (self == Combine::Sum).then_some(0.0)
    }

    fn add(self, to: &mut Option<f64>, value: f64) {
        *to = Some(match (self, *to) {
            (_, None) => value,
            (Combine::Sum, Some(sum)) => sum + value,
            (Combine::Minimum, Some(least)) => least.min(value),
            (Combine::Maximum, Some(most)) => most.max(value),
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::profile::{CallNode, Combine, Metric, Origin, ProcessingUnit, Profile, ProfiledRegion};
    use ats_model::derived::{Misses, Penalty};
    use ats_model::hardware::Counted;

    /// A metric, how its values become one, and the values.
    type Values<'a> = (&'a str, Combine, &'a [(u32, u32, f64)]);

    /// Two ranks: `main` calls `f`, which calls itself.
    fn profile(metrics: &[Values]) -> Profile {
        let mut profile = Profile::new("test");
        profile.units = [0, 1].map(|rank| ProcessingUnit { rank, thread: 0, node: None }).to_vec();
        let region = |(id, name): (u32, &str)| ProfiledRegion {
            id,
            name: name.to_owned(),
            ..ProfiledRegion::default()
        };
        profile.regions = (0..).zip(["main", "f"]).map(region).collect();
        let node = |(id, (parent, region))| CallNode { id, parent, region };
        profile.call_tree = (0..).zip([(None, 0), (Some(0), 1), (Some(1), 1)]).map(node).collect();
        for &(name, combine, values) in metrics {
            profile.metrics.push(Metric::new(name, "", Origin::Measured, combine));
            profile.values.insert(name.to_owned(), values.to_vec().into());
        }
        profile
    }

    #[test]
    fn faults_are_those_with_and_without_a_disk_where_nobody_counts_all() {
        let of = |names: &[&str]| {
            let metrics: Vec<_> = names.iter().map(|&name| (name, Combine::Sum, &[][..])).collect();
            let profile = profile(&metrics);
            let counters = profile.counters();
            let names = |what| {
                counters
                    .get(&what)
                    .map(|metrics| metrics.iter().map(|(metric, _)| metric.name.clone()).collect())
            };
            [Counted::PageFaults, Counted::MajorFaults, Counted::MinorFaults, Counted::Swaps].map(names)
        };
        let some = |names: &[&str]| Some(names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>());
        assert_eq!(
            of(&["ru_minflt", "ru_majflt"]),
            [some(&["ru_majflt", "ru_minflt"]), some(&["ru_majflt"]), some(&["ru_minflt"]), None]
        );
        assert_eq!(of(&["minor-faults", "page-faults"])[0], some(&["page-faults"]));
        assert_eq!(of(&["ru_nswap"]), [None, None, None, some(&["ru_nswap"])]);
    }

    #[test]
    fn counters_are_what_is_no_time_visit_wait_or_message() {
        let names =
            ["time", "visits", "min_time", "late_sender", "bytes_sent", "PAPI_TOT_INS", "min_t", "omp_time"];
        let profile = profile(&names.map(|name| (name, Combine::Sum, &[][..])));
        let counted: Vec<&str> = profile.counted().map(|metric| metric.name.as_str()).collect();
        assert_eq!(counted, ["PAPI_TOT_INS", "min_t", "omp_time"]);
    }

    /// Rank 0 has 2 misses in `main` and 4 in `f`, rank 1 has 1 there; each costs half a second.
    #[test]
    fn misses_cost_what_their_penalty_says() {
        let misses = [(0, 0, 2.0), (1, 0, 4.0), (1, 1, 1.0)];
        let mut profile = profile(&[("PAPI_L1_DCM", Combine::Sum, &misses)]);
        let penalty = |kind: &str| Penalty { of: Misses::named(kind).unwrap(), seconds: 0.5 };
        profile.add_costs(&[penalty("L1")]).unwrap();
        assert_eq!(profile.values["l1_miss_cost"], [(0, 0, 1.0), (1, 0, 2.0), (1, 1, 0.5)]);
        let metric = profile.metrics.last().unwrap();
        assert_eq!((&*metric.unit, metric.rule.as_deref()), ("s", Some("PAPI_L1_DCM × 0.5 s")));
        let error = |kind: &str, profile: &mut Profile| profile.add_costs(&[penalty(kind)]).unwrap_err();
        assert!(error("TLB", &mut profile).contains("count dTLB-load-misses or PAPI_TLB_DM"));
        assert!(error("L1", &mut profile).ends_with("give a penalty of L1 once"));
    }

    #[test]
    fn a_whole_has_all_that_is_inside() {
        let values = [(0, 0, 1.0), (1, 0, 2.0), (2, 0, 4.0), (2, 1, 0.5)];
        let whole = |combine, values: &[(u32, u32, f64)]| {
            let profile = profile(&[("m", combine, values)]);
            let metric = &profile.metrics[0];
            (
                profile.whole_of_paths(metric, |_| true),
                profile.whole_of_regions(metric, |unit| unit.rank == 0),
            )
        };
        let some = |values: [f64; 3]| values.map(Some).to_vec();
        assert_eq!(whole(Combine::Sum, &values), (some([7.5, 6.5, 4.5]), vec![Some(7.0), Some(6.0)]));
        assert_eq!(whole(Combine::Minimum, &values), (some([0.5; 3]), vec![Some(1.0), Some(2.0)]));
        assert_eq!(whole(Combine::Maximum, &values).0, some([4.0; 3]));
        assert_eq!(
            whole(Combine::Maximum, &[(1, 1, 3.0)]),
            (vec![Some(3.0), Some(3.0), None], vec![None, None])
        );
        assert_eq!(whole(Combine::Sum, &[]).1, [Some(0.0); 2]);
    }
}
