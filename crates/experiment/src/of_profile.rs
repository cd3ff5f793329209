//! The experiment of a run, made of its profile.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use ats_documents::classes::Classes;
use ats_documents::experiment::{CodeRegion, IdealTimes, Run, Version, VirtualMachine};
use ats_documents::profile::{Combine, Metric, Origin, ProfiledRegion};
use ats_documents::summaries::RegionSummaries;
use ats_documents::{Experiment, Profile};
use ats_model::WaitState;
use ats_model::definitions::Paradigm;
use serde::{Serialize, Serializer};

use crate::files::written;

/// The facts about a run that are not in its profile.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// The application.
    pub application: String,
    /// Its version.
    pub version: Version,
    /// The run; if it has 0 ranks, 0 threads or no date, those of the profile are taken.
    pub run: Run,
    /// The machine; missing parts of its size are those of the profile.
    pub machine: VirtualMachine,
    /// The times of regions if communication cost nothing, if they are known.
    pub ideal: Option<IdealTimes>,
}

/// The summaries of a profile, region by region, which are worked out while they are written.
#[derive(Clone, Copy, Debug)]
pub struct OfProfile<'a> {
    profile: &'a Profile,
    classes: &'a Classes,
}

impl Serialize for OfProfile<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.profile.by_code_region(self.classes))
    }
}

impl OfProfile<'_> {
    /// All of them.
    pub fn collect(self) -> Vec<RegionSummaries> {
        self.profile.by_code_region(self.classes).collect()
    }
}

/// The experiment of a run, from its profile and the given facts.
pub fn of_profile<'a>(profile: &'a Profile, given: Given, classes: &'a Classes) -> Experiment<OfProfile<'a>> {
    let metrics = metrics(profile, classes);
    let data = program_units(profile).into_iter().zip(profile.summaries_of_regions());
    let regions = profile.regions.iter().zip(data).map(|(region, (unit, performance_data))| CodeRegion {
        performance_data,
        ..code_region(region.clone(), unit)
    });
    let Given { application, version, mut run, mut machine, ideal } = given;
    let count = |most: Option<u32>| most.map_or(1, |most| most + 1);
    if run.ranks == 0 {
        run.ranks = count(profile.units.iter().map(|unit| unit.rank).max());
    }
    if run.threads == 0 {
        run.threads = count(profile.units.iter().map(|unit| unit.thread).max());
    }
    run.repeat = run.repeat.max(1);
    run.size = run.problem_size();
    run.source.clone_from(&profile.source);
    run.date = run.date.or_else(|| written(Path::new(&profile.source)));
    size(profile, &mut machine);
    Experiment {
        schema: Experiment::SCHEMA.to_owned(),
        application,
        version,
        experiment: run,
        machine,
        units: profile.units.clone(),
        regions: regions.collect(),
        metrics,
        ideal,
        profile_bytes: None,
        summaries: OfProfile { profile, classes },
        warnings: profile.warnings.clone(),
    }
}

/// The function that each region was entered from: the nearest user's function around a construct or a call, if there
/// is exactly one.
fn program_units(profile: &Profile) -> Vec<Option<String>> {
    let region = |number: u32| &profile.regions[number as usize];
    let mut units: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); profile.regions.len()];
    for node in &profile.call_tree {
        let mut around = profile.ancestors(node.id).skip(1).map(|outer| outer.region);
        let unit = around.find(|&outer| is_users(region(outer)));
        units[node.region as usize].extend(unit.filter(|_| !is_users(region(node.region))));
    }
    let name = |unit: u32| region(unit).name.clone();
    let single =
        |units: BTreeSet<u32>| if units.len() == 1 { units.first().map(|&unit| name(unit)) } else { None };
    units.into_iter().map(single).collect()
}

fn is_users(region: &ProfiledRegion) -> bool {
    !matches!(region.paradigm, Paradigm::Mpi | Paradigm::OpenMp)
}

/// A region that has summaries.
pub(crate) fn code_region(region: ProfiledRegion, unit: Option<String>) -> CodeRegion {
    CodeRegion { performance_data: region.id, region, unit, ..CodeRegion::default() }
}

/// Fills in the missing parts of the machine's size, as far as the recorder knows the places of the units.
fn size(profile: &Profile, machine: &mut VirtualMachine) {
    machine.parts.clone_from(&profile.nodes);
    let mut on: BTreeMap<u32, u32> = BTreeMap::new();
    for node in profile.units.iter().filter_map(|unit| unit.node) {
        *on.entry(node).or_default() += 1;
    }
    if profile.units.iter().all(|unit| unit.node.is_some()) {
        machine.nodes = machine.nodes.or((!on.is_empty()).then_some(on.len() as u32));
        machine.units_per_node = machine.units_per_node.or(on.values().max().copied());
    }
}

/// The metrics of the profile, and the amounts that follow from them.
fn metrics(profile: &Profile, classes: &Classes) -> Vec<Metric> {
    let rule = |metric: &Metric| match metric.origin {
        Origin::Derived => WaitState::from_name(&metric.name).map(|state| state.definition().to_owned()),
        _ => None,
    };
    let with_rule =
        |metric: &Metric| Metric { rule: metric.rule.clone().or_else(|| rule(metric)), ..metric.clone() };
    let mut metrics: Vec<Metric> = profile.metrics.iter().map(with_rule).collect();
    for name in profile.amounts(classes) {
        if metrics.iter().all(|metric| metric.name != name) {
            let (unit, rule) = amount(name);
            let derived = Metric::new(name, unit, Origin::Derived, Combine::Sum);
            metrics.push(Metric { rule: Some(rule), ..derived });
        }
    }
    metrics
}

/// The unit of an amount of summaries, and how it is made of metrics.
pub(crate) fn amount(name: &str) -> (&'static str, String) {
    match name {
        "waiting" => ("s", "the sum of the wait states, but for fork and join".to_owned()),
        "receive" => ("s", "the time in regions of the class communication/receive".to_owned()),
        "communication" | "synchronisation" | "control" | "io" => {
            ("s", format!("the time in regions of the class {name}"))
        }
        "user" | "system" => ("s", "the counters of this time".to_owned()),
        _ => ("occ", "the counters of these events".to_owned()),
    }
}
