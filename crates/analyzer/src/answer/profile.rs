//! The time and counts of all locations, brought together by call path.

mod visited;

use std::collections::{BTreeMap, BTreeSet};
use std::mem::take;
use std::ops::AddAssign;

use ats_documents::{
    Analysis, Finding, Profile,
    profile::{Combine, Metric, Origin, ProcessingUnit, ProfiledRegion, Sampled},
};
use ats_model::{
    CallPathId, CallSite, CallTree, Definitions, Traffic, WaitState,
    attribute::Meaning,
    definitions::{Paradigm, Region, RegionRole},
    event::AttributeRef,
    metric::ValueProperty,
    regions::paradigm,
    traffic::CallCounter,
};
use rustc_hash::FxHashMap;

use crate::{
    answer::{
        findings::{name, regions},
        in_basis::{self, InBasis},
    },
    scan::{Paths, Samples, Scan, Spent, is_outside_of},
    words::{place::Place, sums::Sums},
};

/// A region of a profile: its name, and the place of its call. Regions of one name are one, except calls from different
/// places.
type Called<'a> = (&'a str, Option<&'a CallSite>);

/// The profile of a trace, with the waits that were found in it; also the part of its time in the basis, from the first
/// to the last tick of `span`.
pub(crate) fn profile(
    definitions: &Definitions,
    scans: Vec<Scan>,
    analysis: &Analysis,
    span: (u64, u64),
) -> (Profile, InBasis) {
    let mut in_basis = in_basis::of_locations(definitions, &scans, span);
    in_basis.is_whole = analysis.basis.region.is_none();
    let leave_init: Vec<bool> = scans.iter().map(|scan| scan.leaves_init).collect();
    let mut paths = Vec::with_capacity(scans.len());
    let mut ran = Vec::with_capacity(scans.len());
    for Scan { paths: of_location, spent, traffic, instances, time, is_worker, .. } in scans {
        paths.push(of_location);
        ran.push(Ran { spent, traffic, instances, time, is_worker });
    }
    let mut growing = Growing {
        definitions,
        paths: &paths,
        programs: programs(definitions, &ran),
        tree: CallTree::default(),
        metrics: Vec::new(),
        values: BTreeMap::new(),
        samples: BTreeMap::new(),
        outside_of_all: Vec::new(),
        polled_outside_of_all: Vec::new(),
    };
    let is_inside = |place| match &analysis.basis.region {
        Some(region) => {
            let around = regions(definitions, |location| &paths[location as usize], place);
            around.into_iter().any(|around| name(around) == region)
        }
        None => !is_outside_of(|location| &paths[location as usize], |location| leave_init[location], place),
    };
    // What a location spent is forgotten when it is in the profile.
    for (location, Ran { spent, traffic, instances, time, is_worker }) in (0..).zip(ran) {
        if let Some(spent) = &spent {
            growing.add_visits(location, spent, time.filter(|_| !is_worker));
        }
        if let (Some(spent), Some(of)) = (&spent, in_basis.locations.get_mut(location as usize)) {
            of.polled = growing.add_polled(location, spent, is_inside);
            if in_basis.is_whole {
                growing.add_inside(location, spent, is_inside, &mut in_basis.time);
            }
        }
        growing.add_traffic(location, &traffic);
        growing.add_instances(location, &instances);
        if let Some(spent) = &spent {
            growing.add_metrics(location, spent);
            growing.add_samples(location, spent);
        }
    }
    growing.add_waits(analysis);

    let (outside, polled) = (take(&mut growing.outside_of_all), take(&mut growing.polled_outside_of_all));
    let mut programs: Vec<Option<u32>> =
        definitions.locations.iter().map(|location| growing.root(location.rank).0.checked_sub(1)).collect();
    let mut profile = growing.finish(analysis);
    if !outside.is_empty() && programs.iter().all(Option::is_none) {
        profile.add_program(&outside);
        programs.fill(Some(0));
        in_basis.time.iter_mut().for_each(|(path, ..)| *path += 1);
        let polled = polled.into_iter().map(|(unit, seconds)| (0, unit, seconds)).collect();
        in_basis::add(&mut profile, Profile::POLLING, polled);
    }
    if let Some(region) = analysis.basis.region.as_deref() {
        in_basis.time = in_basis::below(&profile, region);
    }
    in_basis.mark_outside(&mut profile, &programs, definitions.clock);
    (profile, in_basis)
}

/// The largest number of regions of one name that are named one by one.
const NAMED: usize = 5;

/// The names of visited regions that several files have, so that different regions count as one.
fn of_several_files(definitions: &Definitions, regions: &[ProfiledRegion]) -> Vec<String> {
    let mut files: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let is_users = |region: &&Region| !matches!(region.paradigm, Paradigm::Mpi | Paradigm::OpenMp);
    for region in definitions.regions.iter().filter(is_users).filter(|region| !region.file.is_empty()) {
        files.entry(&region.name).or_default().insert(&region.file);
    }
    let files =
        |region: &ProfiledRegion| Some((region.name.clone(), files.get(region.name.as_str())?.clone()));
    let several: Vec<_> = regions.iter().filter_map(files).filter(|(_, files)| files.len() > 1).collect();
    let warning = |(name, files): &(String, BTreeSet<&str>)| {
        let files: Vec<&str> = files.iter().copied().take(NAMED).collect();
        format!(
            "{name} is in {}, and taken for one region: give one of them another name",
            files.join(" and in ")
        )
    };
    let more = several.len().saturating_sub(NAMED);
    let more = (more > 0).then(|| format!("{more} more regions have a name in several files"));
    several.iter().take(NAMED).map(warning).chain(more).collect()
}

/// The data of a location besides its call paths.
struct Ran {
    spent: Option<Spent>,
    traffic: Sums<Traffic>,
    instances: BTreeMap<&'static str, Sums<u64>>,
    /// The first and the last time stamp.
    time: Option<(u64, u64)>,
    is_worker: bool,
}

/// The name of each rank's program, without its folder.
fn programs<'a>(definitions: &'a Definitions, ran: &[Ran]) -> BTreeMap<u32, &'a str> {
    let program = |(location, ran): (&ats_model::definitions::LocationDefinition, &Ran)| {
        let name = definitions.strings.get(ran.spent.as_ref()?.program?.name.0)?;
        Some((location.rank, name.rsplit('/').next().filter(|name| !name.is_empty()).unwrap_or(name)))
    };
    definitions.locations.iter().zip(ran).filter_map(program).collect()
}

/// A column of values counted beside the events.
#[derive(Clone, Copy)]
struct Column<'a> {
    name: &'a str,
    unit: &'a str,
    /// Whether values are states rather than amounts.
    is_state: bool,
}

impl<'a> Column<'a> {
    /// The column of an attribute; `None` if the attribute names something, or if a metric or a time has its name.
    fn of_attribute(definitions: &'a Definitions, attribute: AttributeRef) -> Option<Self> {
        let definition = definitions.attributes.get(attribute.0 as usize)?;
        let name = definition.name.as_str();
        if name == Profile::TIME || definitions.metrics.iter().any(|metric| metric.name == name) {
            return None;
        }
        match definition.meaning() {
            Meaning::Amount(unit) => Some(Column { name, unit, is_state: false }),
            Meaning::State => Some(Column { name, unit: "", is_state: true }),
            Meaning::Name => None,
        }
    }
}

/// A profile, as it grows.
struct Growing<'a> {
    definitions: &'a Definitions,
    /// The call paths, by location.
    paths: &'a [Paths],
    programs: BTreeMap<u32, &'a str>,
    tree: CallTree<Called<'a>>,
    /// The metrics, in the order of their appearance.
    metrics: Vec<Metric>,
    values: BTreeMap<String, Vec<(u32, u32, f64)>>,
    /// Seconds of locations outside of all regions, that of a program included.
    outside_of_all: Vec<(u32, f64)>,
    /// Those of them between tests in vain.
    polled_outside_of_all: Vec<(u32, f64)>,
    /// The numbers of samples by call path, location and line.
    samples: BTreeMap<(CallPathId, u32, Line<'a>), u64>,
}

impl<'a> Growing<'a> {
    /// The profile, with all that it has grown to.
    fn finish(self, analysis: &Analysis) -> Profile {
        let definitions = self.definitions;
        let mut profile = Profile::new(&analysis.trace);
        let unit = |location: &ats_model::definitions::LocationDefinition| ProcessingUnit {
            rank: location.rank,
            thread: location.thread,
            node: definitions.system_tree.processes.get(&location.rank).copied(),
        };
        profile.units = definitions.locations.iter().map(unit).collect();
        profile.nodes.clone_from(&definitions.system_tree.nodes);
        let mut defined: FxHashMap<Called<'_>, &Region> = FxHashMap::default();
        for region in &definitions.regions {
            defined.entry((&region.name, region.call_site.as_ref())).or_insert(region);
        }
        profile.take_paths(&self.tree, |called| ProfiledRegion {
            name: called.0.to_owned(),
            ..profiled(defined.get(&called).copied())
        });
        profile.metrics = self.metrics;
        profile.values = self.values.into_iter().map(|(name, values)| (name, values.into())).collect();
        profile.machine.clone_from(&analysis.machine);
        profile.samples = self.samples.into_iter().map(|(of, samples)| sampled(of, samples)).collect();
        profile.warnings.clone_from(&analysis.warnings);
        profile.warnings.extend(of_several_files(definitions, &profile.regions));
        profile
    }

    /// The path that all is below that a process does.
    fn root(&mut self, rank: u32) -> CallPathId {
        let program = self.programs.get(&rank);
        program.map_or(CallPathId::ROOT, |program| self.tree.child(CallPathId::ROOT, (program, None)))
    }

    /// Sums of a location, by path in the tree of all.
    fn by_path<T>(&mut self, location: u32, sums: &Sums<T>) -> BTreeMap<CallPathId, T>
    where
        T: Copy + Default + PartialEq + AddAssign,
    {
        self.by_path_where(location, sums, |_| true)
    }

    /// The same of the places that are meant.
    fn by_path_where<T>(
        &mut self,
        location: u32,
        sums: &Sums<T>,
        is_meant: impl Fn(Place) -> bool,
    ) -> BTreeMap<CallPathId, T>
    where
        T: Copy + Default + PartialEq + AddAssign,
    {
        let root = self.root(self.definitions.locations[location as usize].rank);
        let mut by_path: BTreeMap<CallPathId, T> = BTreeMap::new();
        // In the order in which paths came up, where that is known.
        let mut sums: Vec<_> = sums.iter().collect();
        sums.sort_by_key(|&(base, path, _)| (!base.is_phase(), path));
        for (base, path, sum) in sums {
            let place = Place { location, path, base };
            if !is_meant(place) {
                continue;
            }
            let regions = regions(self.definitions, |location| &self.paths[location as usize], place);
            let path = regions.into_iter().fold(root, |parent, region| {
                let call_site = region.and_then(|region| region.call_site.as_ref());
                self.tree.child(parent, (name(region), call_site))
            });
            *by_path.entry(path).or_default() += sum;
        }
        by_path
    }

    /// Notes the value of a metric at a path of a location; ignores the root of all paths, which is not in the profile.
    fn note(&mut self, metric: Metric, path: CallPathId, location: u32, value: f64) {
        if path == CallPathId::ROOT {
            return;
        }
        self.declare(metric).push((path.0 - 1, location, value));
    }

    /// The values of a metric, possibly none so far.
    fn declare(&mut self, metric: Metric) -> &mut Vec<(u32, u32, f64)> {
        self.values.entry(metric.name.clone()).or_insert_with(|| {
            self.metrics.push(metric);
            Vec::new()
        })
    }

    fn add_traffic(&mut self, location: u32, traffic: &Sums<Traffic>) {
        for (path, traffic) in self.by_path(location, traffic) {
            let Some((call, _)) = self.tree.key(path) else { continue };
            let are_bytes = |counter: &CallCounter| {
                matches!(counter, CallCounter::BytesSent | CallCounter::BytesReceived)
            };
            let numbers = CallCounter::OF_TRAFFIC.into_iter().filter(|counter| !are_bytes(counter));
            let numbers = numbers.map(|counter| (counter.metric(call), counter.of_traffic(&traffic)));
            for (name, number) in numbers.chain(traffic.bytes()).chain(traffic.collectives()) {
                let unit = if name.starts_with("bytes") { "bytes" } else { "occ" };
                if number > 0 {
                    let metric = Metric::new(name, unit, Origin::Measured, Combine::Sum);
                    self.note(metric, path, location, number as f64);
                }
            }
        }
    }

    fn add_instances(&mut self, location: u32, instances: &BTreeMap<&'static str, Sums<u64>>) {
        for (name, sums) in instances {
            for (path, count) in self.by_path(location, sums) {
                let metric = Metric::new(name, "occ", Origin::Derived, Combine::Sum);
                self.note(metric, path, location, count as f64);
            }
        }
    }

    /// Metrics of one name, as of several instances of a class, are one.
    fn add_metrics(&mut self, location: u32, spent: &Spent) {
        let definitions = self.definitions;
        let metrics = spent.metrics.iter().map(|(metric, sums)| {
            let definition = &definitions.metrics[metric.0 as usize];
            let is_state = definition.property == ValueProperty::Absolute;
            (Column { name: &definition.name, unit: &definition.unit, is_state }, sums)
        });
        let attributes = spent
            .attributes
            .iter()
            .filter_map(|(attribute, sums)| Some((Column::of_attribute(definitions, *attribute)?, sums)));
        let mut by_name: BTreeMap<&str, (Column<'_>, BTreeMap<CallPathId, Samples>)> = BTreeMap::new();
        for (column, sums) in metrics.chain(attributes) {
            let samples = self.by_path(location, sums);
            let (_, all) = by_name.entry(column.name).or_insert_with(|| (column, BTreeMap::new()));
            samples.into_iter().for_each(|(path, more)| *all.entry(path).or_default() += more);
        }
        for (Column { name, unit, is_state }, samples) in by_name.into_values() {
            for (path, samples) in samples {
                let of_metric = |name: &str, combine| Metric::new(name, unit, Origin::Measured, combine);
                if is_state {
                    let (least, most) = (format!("min_{name}"), format!("max_{name}"));
                    self.note(of_metric(&least, Combine::Minimum), path, location, samples.least);
                    self.note(of_metric(&most, Combine::Maximum), path, location, samples.most);
                } else {
                    self.note(of_metric(name, Combine::Sum), path, location, samples.sum);
                }
            }
        }
    }

    fn add_samples(&mut self, location: u32, spent: &Spent) {
        let definitions = self.definitions;
        for (context, sums) in &spent.contexts {
            let context = &definitions.calling_contexts[context.0 as usize];
            let function = definitions.regions[context.function.0 as usize].name.as_str();
            let line = (function, context.file.as_str(), context.line);
            for (path, samples) in self.by_path(location, sums) {
                if path != CallPathId::ROOT {
                    *self.samples.entry((path, location, line)).or_default() += samples;
                }
            }
        }
    }

    fn add_waits(&mut self, analysis: &'a Analysis) {
        let locations: FxHashMap<(u32, u32), u32> =
            self.definitions.locations.iter().map(|one| (one.rank, one.thread)).zip(0..).collect();
        let metric = |state: WaitState| Metric::new(state.name(), "s", Origin::Derived, Combine::Sum);
        // All are looked for: of what is not found there is 0.
        for state in WaitState::ALL {
            self.declare(metric(state));
        }
        self.declare(in_basis::part(Profile::FORK));
        // Inside the basis and outside of it.
        let mut sums: BTreeMap<(WaitState, CallPathId, u32), f64> = BTreeMap::new();
        for finding in &analysis.findings {
            let Some(state) = finding.property else { continue };
            for share in &finding.locations {
                let Some(&location) = locations.get(&(share.rank, share.thread)) else { continue };
                let root = self.root(share.rank);
                let path = called(finding).fold(root, |parent, called| self.tree.child(parent, called));
                *sums.entry((state, path, location)).or_default() += share.waiting_time;
            }
        }
        for ((state, path, location), seconds) in sums {
            self.note(metric(state), path, location, seconds);
        }
    }
}

/// The regions on the call path of a finding: its call site is that of the innermost call of MPI.
fn called(finding: &Finding) -> impl Iterator<Item = Called<'_>> {
    let is_call = |name: &String| paradigm(name) == Paradigm::Mpi;
    let call = finding.call_site.as_ref().and_then(|_| finding.call_path.iter().rposition(is_call));
    let site = move |at| finding.call_site.as_ref().filter(|_| call == Some(at));
    finding.call_path.iter().enumerate().map(move |(at, name)| (name.as_str(), site(at)))
}

/// A function, its file and a line there; empty and 0 where these are not known.
type Line<'a> = (&'a str, &'a str, u32);

/// Samples as the profile has them.
fn sampled((path, unit, (function, file, line)): (CallPathId, u32, Line<'_>), samples: u64) -> Sampled {
    Sampled {
        call_path: path.0 - 1,
        unit,
        function: function.to_owned(),
        file: Some(file).filter(|file| !file.is_empty()).map(str::to_owned),
        line: (line > 0).then_some(line),
        samples,
    }
}

/// A region as the profile has it; an undefined one has no place in the source.
fn profiled(region: Option<&Region>) -> ProfiledRegion {
    let Some(Region { file, line, last_line, role, paradigm, call_site, .. }) = region.cloned() else {
        return ProfiledRegion { role: RegionRole::Artificial, ..ProfiledRegion::default() };
    };
    ProfiledRegion {
        role,
        paradigm,
        file: Some(file).filter(|file| !file.is_empty()),
        lines: (line > 0).then_some([line, last_line.max(line)]),
        call_site,
        ..ProfiledRegion::default()
    }
}
