//! The summaries of a profile.

use std::collections::{BTreeMap, BTreeSet};

use super::paths::{ByPath, Inside};
use super::statistics::statistics;
use super::{RegionSummaries, Spent, Summaries, Summary};
use crate::classes::Classes;
use crate::profile::{CallNode, Combine, Counters, Metric, Origin, Outside, ProcessingUnit, Profile, Value};
use ats_model::hardware::{Counted, counted};
use ats_model::quantity::View;
use ats_model::region_class::{Class, Reach, RegionClass, group};
use ats_model::wait_state::WaitState;

impl Profile {
    /// The amounts that the selected units spent in each region.
    pub fn summaries(&self, classes: &Classes, is_meant: impl Fn(ProcessingUnit) -> bool) -> Summaries {
        let of_regions = Spending::in_regions(self, classes);
        let groups = self.regions.iter().map(|region| group(&region.name, region.role));
        let groups = groups.map(|group| group.map(str::to_owned));
        let of_groups = Spending { labels: Labels::new(self, groups), ..of_regions.clone() };
        let summaries = of_regions.summaries(&is_meant);
        Summaries {
            schema: Summaries::SCHEMA.to_owned(),
            source: self.source.clone(),
            metrics: self.metrics.clone(),
            statistics: statistics(&summaries),
            summaries,
            groups: of_groups.summaries(&is_meant),
            warnings: self.warnings.clone(),
        }
    }

    /// The metrics whose sum is the waiting time: the wait states of the view of waits, without fork and join, which are control.
    pub fn waits(&self) -> impl Iterator<Item = &Metric> {
        self.of_states(|state| state.view() == View::Wait && state != WaitState::OmpManagement)
    }

    /// The metrics of what forks and joins cost.
    pub fn forks_and_joins(&self) -> impl Iterator<Item = &Metric> {
        self.of_states(|state| state == WaitState::OmpManagement)
    }

    /// The metrics of some wait states.
    fn of_states(&self, is_it: fn(WaitState) -> bool) -> impl Iterator<Item = &Metric> {
        let state = |name: &str| WaitState::from_name(name).or_else(|| WaitState::from_metric(name));
        self.metrics.iter().filter(move |metric| state(&metric.name).is_some_and(is_it))
    }

    /// The same of all units, region by region, in the order of their first ones in `regions`, so that the amounts of many
    /// units and regions need not be in memory at once.
    pub fn by_code_region<'a>(
        &'a self,
        classes: &'a Classes,
    ) -> impl Iterator<Item = RegionSummaries> + use<'a> {
        let spending = Spending::in_regions(self, classes);
        (0..spending.labels.names.len()).map(move |label| {
            RegionSummaries::new(&spending.labels.names[label], spending.of_label(label as u32, |_| true))
        })
    }

    /// Of each region, the index of its summaries.
    pub fn summaries_of_regions(&self) -> Vec<u32> {
        Labels::of_regions(self).of_region.into_iter().flatten().collect()
    }

    /// The amounts that every summary has, as [`Spent::AMOUNTS`] names them.
    pub fn amounts(&self, classes: &Classes) -> Vec<&'static str> {
        let nothing = Measured::new(self, classes).amounts(&Sums::default());
        Spent::AMOUNTS
            .into_iter()
            .zip(nothing.amounts())
            .filter_map(|(name, of)| of.and(Some(name)))
            .collect()
    }

    /// Of each call path, whether its time is computation, and no other class.
    pub fn computes(&self, classes: &Classes) -> Vec<bool> {
        let of_paths = self.classes_of_paths(classes);
        of_paths.into_iter().map(|class| class.is_none_or(|of| of.class == Class::Computation)).collect()
    }

    /// The class of the time of each call path; `None` is computation.
    pub fn classes_of_paths<'a>(&self, classes: &'a Classes) -> Vec<Option<RegionClass<'a>>> {
        let of_regions: Vec<_> = self.regions.iter().map(|region| classes.class(region)).collect();
        let is_ruled = |class: &RegionClass| class.reach == Reach::All;
        let mut around: Vec<Option<RegionClass>> = Vec::new();
        let class = |node: &CallNode| {
            let outer = node.parent.and_then(|parent| around[parent as usize]);
            let own = of_regions[node.region as usize]
                .filter(|own| is_ruled(own) || !outer.as_ref().is_some_and(is_ruled));
            around.push(own.filter(|class| class.reach != Reach::Itself).or(outer));
            own.or(outer)
        };
        self.call_tree.iter().map(class).collect()
    }
}

/// A profile, arranged so that values of a label are adjacent.
#[derive(Clone)]
struct Spending<'a> {
    profile: &'a Profile,
    labels: Labels,
    classes: Vec<Option<RegionClass<'a>>>,
    measured: Measured<'a>,
    outside: Outside,
    inside: Inside,
    /// The metrics that are sums, and where their values are.
    metrics: Vec<(&'a str, ByPath<'a>)>,
}

impl<'a> Spending<'a> {
    /// By regions, whose names that tell them apart are the labels.
    fn in_regions(profile: &'a Profile, classes: &'a Classes) -> Self {
        let inside = Inside::new(profile);
        let sums = profile.metrics.iter().filter(|metric| metric.combine == Combine::Sum);
        let metrics = sums.filter_map(|metric| {
            let values = profile.values.get(&metric.name)?;
            Some((metric.name.as_str(), ByPath::new(values, &inside)))
        });
        Spending {
            profile,
            labels: Labels::of_regions(profile),
            classes: profile.classes_of_paths(classes),
            measured: Measured::new(profile, classes),
            outside: profile.outside(),
            metrics: metrics.collect(),
            inside,
        }
    }

    /// One of each label and unit.
    fn summaries(&self, is_meant: impl Fn(ProcessingUnit) -> bool) -> Vec<Summary> {
        let labels = (0..).zip(&self.labels.names);
        let counters = Spent::counters(&self.profile.metrics);
        let of_label = |(label, name): (u32, &String)| {
            let summary = |(unit, spent): (u32, Spent)| Summary {
                region: name.clone(),
                unit: self.profile.units[unit as usize],
                derived: spent.derived(&counters),
                spent,
            };
            self.of_label(label, &is_meant).map(summary).collect::<Vec<_>>()
        };
        labels.flat_map(of_label).collect()
    }

    /// The amounts of each unit that was there.
    fn of_label(
        &self,
        label: u32,
        is_meant: impl Fn(ProcessingUnit) -> bool,
    ) -> impl Iterator<Item = (u32, Spent)> {
        let mut sums: BTreeMap<u32, Sums> = BTreeMap::new();
        for (name, values) in &self.metrics {
            let is_of_unit = |&(_, unit, _): &Value| is_meant(self.profile.units[unit as usize]);
            if *name == Profile::VISITS {
                let own = self.labels.paths[label as usize].iter().map(|&path| self.inside.own(path));
                for (_, unit, value) in own.flat_map(|own| values.values(own)).filter(is_of_unit) {
                    sums.entry(unit).or_default().visits += value;
                }
                continue;
            }
            let outermost = self.labels.paths[label as usize].iter();
            let outermost = outermost.filter(|path| self.labels.outermost[**path as usize] == Some(**path));
            let inside = outermost.flat_map(|&path| values.values(self.inside.range(path)));
            for (path, unit, value) in inside.filter(is_of_unit).filter(|value| value.2 != 0.0) {
                let is_time = *name == Profile::TIME;
                let class = self.classes[path as usize].filter(|_| is_time);
                let value = if is_time { value - self.outside.seconds(path, unit, value) } else { value };
                sums.entry(unit).or_default().add(name, class, value);
            }
        }
        sums.into_iter().map(|(unit, sums)| (unit, self.measured.amounts(&sums)))
    }
}

/// Labels that regions are summed up under.
#[derive(Clone, Default)]
struct Labels {
    names: Vec<String>,
    of_region: Vec<Option<u32>>,
    /// By label, the paths that it is of.
    paths: Vec<Vec<u32>>,
    /// Of each path the innermost, from it outwards, whose label is not around that one as well.
    outermost: Vec<Option<u32>>,
}

impl Labels {
    /// By the names of regions that tell them apart.
    fn of_regions(profile: &Profile) -> Self {
        Labels::new(profile, profile.region_names().into_iter().map(Some))
    }

    /// Labels by the names given to the regions of a profile; some may have none.
    fn new(profile: &Profile, names: impl Iterator<Item = Option<String>>) -> Self {
        let mut numbers: BTreeMap<String, u32> = BTreeMap::new();
        let mut labels = Labels::default();
        for name in names {
            let number = name.map(|name| {
                *numbers.entry(name.clone()).or_insert_with(|| {
                    labels.names.push(name);
                    labels.paths.push(Vec::new());
                    labels.names.len() as u32 - 1
                })
            });
            labels.of_region.push(number);
        }
        for node in &profile.call_tree {
            let outer = node.parent.and_then(|parent| labels.outermost[parent as usize]);
            let is_new = labels.of_region[node.region as usize].is_some_and(|own| {
                node.parent.is_none_or(|parent| labels.around(profile, parent).all(|label| label != own))
            });
            labels.outermost.push(if is_new { Some(node.id) } else { outer });
            if let Some(own) = labels.of_region[node.region as usize] {
                labels.paths[own as usize].push(node.id);
            }
        }
        labels
    }

    /// The labels on a path, each once.
    fn around(&self, profile: &Profile, path: u32) -> impl Iterator<Item = u32> {
        let outermost = |path: u32| self.outermost[path as usize];
        let parent = move |inner: &u32| profile.call_tree[*inner as usize].parent.and_then(outermost);
        let paths = std::iter::successors(outermost(path), parent);
        paths.filter_map(|path| self.of_region[profile.call_tree[path as usize].region as usize])
    }
}

/// The amounts of a unit in a region.
#[derive(Default)]
struct Sums<'a> {
    visits: f64,
    by_class: BTreeMap<(Class, &'a str), f64>,
    metrics: BTreeMap<&'a str, f64>,
}

impl<'a> Sums<'a> {
    fn add(&mut self, metric: &'a str, class: Option<RegionClass<'a>>, value: f64) {
        *self.metrics.entry(metric).or_default() += value;
        if let Some(RegionClass { class, sub, .. }) = class {
            *self.by_class.entry((class, sub)).or_default() += value;
        }
    }

    fn metric(&self, name: &str) -> f64 {
        self.metrics.get(name).copied().unwrap_or_default()
    }
}

/// The data that a profile has.
#[derive(Clone)]
struct Measured<'a> {
    has_time: bool,
    /// Whether it has data on files; it is unknown whether a report's tool sees them, unless some is reported.
    has_io: bool,
    has_visits: bool,
    /// The metrics of waits, without fork and join, which are control.
    waits: Vec<&'a str>,
    /// Those of fork and join.
    forks: Vec<&'a str>,
    counters: Counters<'a>,
}

impl<'a> Measured<'a> {
    fn new(profile: &'a Profile, classes: &Classes) -> Self {
        let is_io = |region| classes.class(region).is_some_and(|of| of.class == Class::Io);
        let is_imported = |metric: &Metric| metric.name == Profile::TIME && metric.origin == Origin::Imported;
        let has = |name: &str| profile.metrics.iter().any(|metric| metric.name == name);
        let name = |metric: &'a Metric| metric.name.as_str();
        Measured {
            has_time: has(Profile::TIME),
            has_io: !profile.metrics.iter().any(is_imported) || profile.regions.iter().any(is_io),
            has_visits: has(Profile::VISITS),
            waits: profile.waits().map(name).collect(),
            forks: profile.forks_and_joins().map(name).collect(),
            counters: profile.counters(),
        }
    }

    fn amounts(&self, sums: &Sums) -> Spent {
        let of = |names: &[&str]| total(names.iter().map(|name| sums.metric(name)));
        let mut by_class = sums.by_class.clone();
        let forks = of(&self.forks);
        if forks != 0.0 {
            let RegionClass { class, sub, .. } = RegionClass::FORK_JOIN;
            *by_class.entry((class, sub)).or_default() += forks;
        }
        let class = |class: Class| {
            let parts = by_class.iter().filter(|((of, _), _)| *of == class);
            self.has_time.then(|| total(parts.map(|(_, &value)| value)))
        };
        let RegionClass { class: communication, sub: receive, .. } = RegionClass::RECEIVE;
        let receive = by_class.get(&(communication, receive)).copied().unwrap_or_default();
        // A counter that has the name of an amount is that amount.
        let metrics = sums.metrics.iter().filter(|(name, _)| !Spent::is_amount(name));
        let sub = |(&(class, sub), &value): (&(Class, &str), &f64)| {
            (RegionClass { class, sub, reach: Reach::Itself }.to_string(), value)
        };
        let parts = by_class.iter().filter(|((_, sub), _)| !sub.is_empty());
        Spent {
            visits: self.has_visits.then_some(sums.visits),
            time: self.has_time.then(|| sums.metric(Profile::TIME)),
            communication: class(Class::Communication),
            receive: self.has_time.then_some(receive),
            synchronisation: class(Class::Synchronisation),
            waiting: (!self.waits.is_empty()).then(|| of(&self.waits)),
            control: class(Class::Control),
            io: class(Class::Io).filter(|_| self.has_io),
            instructions: self.counted(Counted::Instructions, sums),
            cycles: self.counted(Counted::Cycles, sums),
            cache_accesses: self.cache_accesses(sums),
            cache_misses: self.by_level(Counted::CacheMisses, sums),
            user: self.counted(Counted::User, sums),
            system: self.counted(Counted::System, sums),
            page_faults: self.counted(Counted::PageFaults, sums),
            major_faults: self.counted(Counted::MajorFaults, sums),
            minor_faults: self.counted(Counted::MinorFaults, sums),
            swaps: self.counted(Counted::Swaps, sums),
            subs: parts.map(sub).collect(),
            metrics: metrics.map(|(&name, &value)| (name.to_owned(), value)).collect(),
        }
    }

    /// The amount of a counted quantity; `None` if no metric counts it.
    fn counted(&self, what: Counted, sums: &Sums) -> Option<f64> {
        let metrics = self.counters.get(&what)?;
        Some(total(metrics.iter().map(|(metric, one)| one * sums.metric(&metric.name))))
    }

    /// The accesses of each level; undefined where misses of another kind are counted, too, which are no share of them.
    fn cache_accesses(&self, sums: &Sums) -> BTreeMap<u8, f64> {
        let extents = |what: Counted| {
            let metrics = self.counters.get(&what).into_iter().flatten();
            metrics.filter_map(|(metric, _)| Some(counted(&metric.name)?.1)).collect::<BTreeSet<_>>()
        };
        let mut accesses = self.by_level(Counted::CacheAccesses, sums);
        accesses.retain(|&level, _| {
            extents(Counted::CacheMisses(level)).is_subset(&extents(Counted::CacheAccesses(level)))
        });
        accesses
    }

    fn by_level(&self, what: fn(u8) -> Counted, sums: &Sums) -> BTreeMap<u8, f64> {
        // No machine has more.
        (1..=9).filter_map(|level| Some((level, self.counted(what(level), sums)?))).collect()
    }
}

/// The sum, which is 0 of nothing: that of the standard library is -0.
fn total(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, |sum, value| sum + value)
}
