//! What all locations spent, brought together by call path.

use std::collections::BTreeMap;

use ats_model::{
    Analysis, CallPathId, CallTree, Definitions, Profile, Traffic, WaitState,
    definitions::Region,
    profile::{CallNode, Metric, Origin, ProcessingUnit, ProfiledRegion},
    traffic::Counter,
};
use rustc_hash::FxHashMap;

use crate::{
    findings::named_path,
    place::Place,
    scan::{Scan, Visits},
};

/// The profile of a trace, with the waits that were found in it; empty where nobody asked for it. Regions of one name are one.
pub(crate) fn profile(definitions: &Definitions, scans: &[Scan], analysis: &Analysis) -> Profile {
    let mut profile = Profile::new(&analysis.trace);
    if scans.iter().all(|scan| scan.profile.is_none()) {
        return profile;
    }
    let mut tree = CallTree::default();
    let mut values = Values::default();
    for (location, scan) in scans.iter().enumerate() {
        let spent = spent_by(definitions, scans, location, scan, &mut tree);
        values.add_visits(definitions, &tree, location as u32, &spent);
        values.add_traffic(definitions, scans, location, scan, &mut tree);
    }
    values.add_waits(definitions, analysis, &mut tree);

    let unit = |location: &ats_model::definitions::LocationDefinition| ProcessingUnit {
        rank: location.rank,
        thread: location.thread,
    };
    profile.units = definitions.locations.iter().map(unit).collect();
    (profile.regions, profile.call_tree) = regions_and_paths(definitions, &tree);
    profile.metrics = values.metrics;
    profile.values = values.of;
    profile.warnings.clone_from(&analysis.warnings);
    profile
}

/// What a location spent, by path in the tree of all.
fn spent_by<'a>(
    definitions: &'a Definitions,
    scans: &[Scan],
    location: usize,
    scan: &Scan,
    tree: &mut CallTree<&'a str>,
) -> BTreeMap<CallPathId, Visits> {
    let mut spent: BTreeMap<CallPathId, Visits> = BTreeMap::new();
    for (base, path, visits) in scan.profile.iter().flat_map(|profile| profile.all()) {
        let place = Place { location: location as u32, path, base };
        *spent.entry(named_path(definitions, scans, place, tree)).or_default() += visits;
    }
    spent
}

/// Values by metric, and the metrics in the order in which they came up.
#[derive(Default)]
struct Values {
    metrics: Vec<Metric>,
    of: BTreeMap<String, Vec<(u32, u32, f64)>>,
}

impl Values {
    /// Notes what a location has of a metric at a path in the tree, of which nobody sees the root.
    fn note(&mut self, metric: (&str, &str, Origin), path: CallPathId, location: u32, value: f64) {
        let (name, unit, origin) = metric;
        self.declare(name, unit, origin).push((path.0 - 1, location, value));
    }

    /// The values of a metric, of which there may be none.
    fn declare(&mut self, name: &str, unit: &str, origin: Origin) -> &mut Vec<(u32, u32, f64)> {
        self.of.entry(name.to_owned()).or_insert_with(|| {
            self.metrics.push(Metric { name: name.to_owned(), unit: unit.to_owned(), origin });
            Vec::new()
        })
    }

    fn add_visits(
        &mut self,
        definitions: &Definitions,
        tree: &CallTree<&str>,
        location: u32,
        spent: &BTreeMap<CallPathId, Visits>,
    ) {
        let mut inside: FxHashMap<CallPathId, u64> = FxHashMap::default();
        for (&path, visits) in spent {
            *inside.entry(tree.parent(path)).or_default() += visits.inclusive;
        }
        let seconds = |ticks| definitions.clock.seconds(ticks);
        for (&path, visits) in spent {
            let exclusive = visits.inclusive.saturating_sub(inside.get(&path).copied().unwrap_or_default());
            let measured = Origin::Measured;
            self.note((Profile::TIME, "s", measured), path, location, seconds(exclusive));
            self.note((Profile::VISITS, "occ", measured), path, location, visits.count as f64);
            self.note((Profile::MIN_TIME, "s", measured), path, location, seconds(visits.shortest));
            self.note((Profile::MAX_TIME, "s", measured), path, location, seconds(visits.longest));
        }
    }

    fn add_traffic<'a>(
        &mut self,
        definitions: &'a Definitions,
        scans: &[Scan],
        location: usize,
        scan: &Scan,
        tree: &mut CallTree<&'a str>,
    ) {
        let mut moved: BTreeMap<CallPathId, Traffic> = BTreeMap::new();
        for (base, path, traffic) in scan.traffic.all() {
            let place = Place { location: location as u32, path, base };
            *moved.entry(named_path(definitions, scans, place, tree)).or_default() += traffic;
        }
        for (path, traffic) in moved {
            let Some(call) = tree.key(path) else { continue };
            for counter in Counter::OF_TRAFFIC {
                let (name, number) = (counter.metric(call), counter.of_traffic(&traffic));
                let unit = if name.starts_with("bytes") { "bytes" } else { "occ" };
                if number > 0 {
                    self.note((name, unit, Origin::Measured), path, location as u32, number as f64);
                }
            }
        }
    }

    fn add_waits<'a>(
        &mut self,
        definitions: &Definitions,
        analysis: &'a Analysis,
        tree: &mut CallTree<&'a str>,
    ) {
        let locations: FxHashMap<(u32, u32), u32> =
            definitions.locations.iter().map(|one| (one.rank, one.thread)).zip(0..).collect();
        // All are looked for: of what is not found there is 0.
        for state in WaitState::ALL {
            self.declare(state.name(), "s", Origin::Derived);
        }
        for finding in &analysis.findings {
            let Some(state) = finding.property else { continue };
            let names = finding.call_path.iter().map(String::as_str);
            let path = names.fold(CallPathId::ROOT, |parent, name| tree.child(parent, name));
            for share in &finding.locations {
                let location = locations.get(&(share.rank, share.thread));
                if let Some(&location) = location.filter(|_| path != CallPathId::ROOT) {
                    self.note((state.name(), "s", Origin::Derived), path, location, share.waiting_time);
                }
            }
        }
    }
}

/// The regions of a tree in the order in which they came up, and its paths.
fn regions_and_paths(
    definitions: &Definitions,
    tree: &CallTree<&str>,
) -> (Vec<ProfiledRegion>, Vec<CallNode>) {
    let mut defined: FxHashMap<&str, &Region> = FxHashMap::default();
    for region in &definitions.regions {
        defined.entry(&region.name).or_insert(region);
    }
    let mut regions: Vec<ProfiledRegion> = Vec::new();
    let mut numbers: FxHashMap<&str, u32> = FxHashMap::default();
    let mut node = |path: CallPathId| {
        let name = tree.key(path)?;
        let region = *numbers.entry(name).or_insert_with(|| {
            let id = regions.len() as u32;
            regions.push(profiled(id, name, defined.get(name).copied()));
            id
        });
        let parent = Some(tree.parent(path)).filter(|&parent| parent != CallPathId::ROOT);
        Some(CallNode { id: path.0 - 1, parent: parent.map(|parent| parent.0 - 1), region })
    };
    let paths = (1..tree.len() as u32).filter_map(|path| node(CallPathId(path))).collect();
    (regions, paths)
}

fn profiled(id: u32, name: &str, region: Option<&Region>) -> ProfiledRegion {
    let Some(Region { file, line, role, paradigm, .. }) = region.cloned() else {
        return ProfiledRegion { id, name: name.to_owned(), ..ProfiledRegion::default() };
    };
    ProfiledRegion {
        id,
        name: name.to_owned(),
        role,
        paradigm,
        file: Some(file).filter(|file| !file.is_empty()),
        lines: (line > 0).then_some([line, line]),
    }
}
