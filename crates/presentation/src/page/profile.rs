//! The time by call path and location that the script draws.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use ats_documents::page::{self as document, CallPaths, File, Lines, Number, PathValues, Region};
use ats_documents::profile::{
    CallNode, Combine, Metric, Origin, ProcessingUnit, Profile, ProfiledRegion, Spent, Values,
};
use ats_model::CallSite;
use ats_model::definitions::RegionRole;
use ats_model::delay::{Delay, Term};
use ats_model::instances;
use ats_model::quantity::View;
use ats_model::traffic::CallCounter;
use ats_model::wait_state::WaitState;

use crate::{sources::Sources, timeline::Timeline, words};

/// The largest number of locations that are shown; of more, those in the timeline are shown.
const MOST_LOCATIONS: usize = 256;

/// The approximate number of numbers that are shown; beyond it, small call paths are merged with their neighbours.
const MOST_NUMBERS: usize = 10_000;

/// The largest number of regions with lines that are shown: those with most time.
const MOST_LINES: usize = 2_000;

/// The data of a profile that the script draws.
pub(super) fn data(kept: &Kept<'_>, sources: Option<&Sources>) -> document::Profile {
    let profile = kept.profile;
    let lines = lines(profile);
    // Only regions that are seen.
    let mut numbers: BTreeMap<u32, u32> = BTreeMap::new();
    let seen = kept.paths.iter().filter_map(|path| path.1);
    for region in seen.chain(lines.iter().map(|(region, _)| region.id)) {
        let number = numbers.len() as u32;
        numbers.entry(region).or_insert(number);
    }
    let mut regions: Vec<(&u32, &u32)> = numbers.iter().collect();
    regions.sort_by_key(|(_, number)| **number);
    let waits: Vec<&Metric> = profile.waits().collect();
    let waiting = Metric::new(WAITING, "s", Origin::Derived, Combine::Sum);
    let sums = profile.metrics.iter().filter(|metric| metric.combine == Combine::Sum);
    let metrics = sums.map(|metric| kept.metric(metric, &[metric]));
    let metrics = metrics.chain([kept.metric(&waiting, &waits)]);
    document::Profile {
        units: kept.units.iter().map(|unit| (unit.rank, unit.thread)).collect(),
        omitted: (profile.units.len() - kept.units.len()) as u64,
        regions: regions.into_iter().map(|(&region, _)| place(&profile.regions[region as usize])).collect(),
        paths: CallPaths {
            parent: kept.paths.iter().map(|path| path.0).collect(),
            region: kept.paths.iter().map(|path| path.1.map(|region| numbers[&region])).collect(),
        },
        metrics: metrics.filter(|metric| !metric.values.is_empty()).collect(),
        files: files(profile, &lines, &waits, &numbers, sources),
    }
}

/// The name of the sum of all waits.
const WAITING: &str = "waiting";

/// Parent and region of a call path; all omitted paths below a parent are one without a region.
type KeptPath = (Option<u32>, Option<u32>);

/// The call paths and locations that a page shows; all others are in a row of their own, so that sums do not change.
pub(super) struct Kept<'a> {
    profile: &'a Profile,
    units: Vec<ProcessingUnit>,
    /// The number here of each unit of the profile; omitted units have the number behind the last.
    number: Vec<usize>,
    paths: Vec<KeptPath>,
    /// The number here of each call path of the profile.
    place: Vec<usize>,
}

impl<'a> Kept<'a> {
    pub(super) fn new(profile: &'a Profile, picture: Option<&Timeline>) -> Self {
        let drawn: BTreeSet<(u32, u32)> =
            picture.iter().flat_map(|picture| &picture.rows).map(|row| (row.rank, row.thread)).collect();
        let are_few = profile.units.len() <= MOST_LOCATIONS;
        let mut units = Vec::new();
        let mut is_kept = |(index, unit): (usize, &ProcessingUnit)| {
            let is_first = drawn.is_empty() && index < MOST_LOCATIONS;
            let is_kept = are_few || is_first || drawn.contains(&(unit.rank, unit.thread));
            is_kept.then(|| {
                units.push(*unit);
                units.len() - 1
            })
        };
        let number: Vec<Option<usize>> = profile.units.iter().enumerate().map(&mut is_kept).collect();
        let number = number.into_iter().map(|number| number.unwrap_or(units.len())).collect();
        let (paths, place) = paths(profile, units.len());
        Kept { profile, units, number, paths, place }
    }

    /// The shown call paths of these names and this call site, with or without a program around them: several, if they are
    /// called from different places and the site is not known.
    pub(super) fn places(&self, names: &[String], site: Option<&CallSite>) -> Vec<u32> {
        let is_at = |node: &&CallNode| {
            let own = self.profile.call_site(node.id);
            site.is_none() || own.is_none_or(|own| Some(own) == site)
        };
        let is_it = |node: &&CallNode| {
            let mut inner = names.iter().rev();
            for node in self.profile.ancestors(node.id) {
                let region = &self.profile.regions[node.region as usize];
                match inner.next() {
                    Some(name) if *name == region.name => {}
                    Some(_) => return false,
                    None => return node.parent.is_none() && region.role == RegionRole::Artificial,
                }
            }
            inner.next().is_none()
        };
        let places = self.profile.call_tree.iter().filter(is_it).filter(is_at);
        let mut places: Vec<u32> = places.map(|node| self.place[node.id as usize] as u32).collect();
        places.dedup();
        places
    }

    /// A metric that is the sum of others.
    fn metric(&self, metric: &Metric, of: &[&Metric]) -> document::Metric {
        let width = self.units.len() + 1;
        let mut sums: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        for (path, unit, value) in of.iter().flat_map(|metric| self.profile.values_of(&metric.name)) {
            let row = sums.entry(self.place[path as usize]).or_insert_with(|| vec![0.0; width]);
            row[self.number[unit as usize]] += value;
        }
        let is_time = metric.unit == "s";
        let scale = scale(sums.values().flatten().copied(), is_time);
        let values = sums
            .into_iter()
            .filter(|(_, row)| row.iter().any(|&value| value != 0.0))
            .map(|(path, row)| {
                packed(path as u32, row.into_iter().map(|value| scaled(value, scale, is_time)).collect())
            })
            .collect();
        document::Metric {
            name: metric.name.clone(),
            title: title(metric),
            group: group(metric).to_owned(),
            unit: metric.unit.clone(),
            scale,
            values,
        }
    }
}

/// The call paths that are shown, the largest first until there are enough numbers, and the index among them for each
/// of the profile.
fn paths(profile: &Profile, units: usize) -> (Vec<KeptPath>, Vec<usize>) {
    let mut numbers = vec![0; profile.call_tree.len()];
    for (path, _, _) in profile.values.values().flat_map(Values::iter) {
        numbers[path as usize] += 1;
    }
    let whole = profile.inclusive(Profile::TIME, |_| true);
    let mut largest: Vec<usize> = (0..whole.len()).collect();
    // A parent has no less than what is inside it, and comes before.
    largest.sort_by(|&one, &other| whole[other].total_cmp(&whole[one]).then(one.cmp(&other)));
    let mut left = MOST_NUMBERS.max(units);
    let mut is_kept = vec![false; whole.len()];
    for path in largest {
        let has_parent = profile.call_tree[path].parent.is_none_or(|parent| is_kept[parent as usize]);
        is_kept[path] = has_parent && left > 0;
        left = left.saturating_sub(numbers[path]);
    }
    let mut paths: Vec<KeptPath> = Vec::new();
    let mut place: Vec<usize> = Vec::with_capacity(whole.len());
    // Of what is left out below each path, and outside of all.
    let mut rest: BTreeMap<Option<u32>, usize> = BTreeMap::new();
    for node in &profile.call_tree {
        let parent = node.parent.map(|parent| place[parent as usize]);
        let above = parent.map(|parent| parent as u32);
        if let Some(parent) = parent.filter(|&parent| paths[parent].1.is_none()) {
            place.push(parent);
        } else if is_kept[node.id as usize] {
            place.push(paths.len());
            paths.push((above, Some(node.region)));
        } else {
            let number = *rest.entry(above).or_insert(paths.len());
            if number == paths.len() {
                paths.push((above, None));
            }
            place.push(number);
        }
    }
    (paths, place)
}

/// The largest unit that makes times to a nanosecond integers; 1 for counts.
fn scale(values: impl Iterator<Item = f64> + Clone, is_time: bool) -> f64 {
    let is_whole =
        |scale: f64| values.clone().all(|value| (value / 1e-9).round() % (scale / 1e-9).round() == 0.0);
    if !is_time {
        return 1.0;
    }
    [1.0, 1e-3, 1e-6].into_iter().find(|&scale| is_whole(scale)).unwrap_or(1e-9)
}

fn scaled(value: f64, scale: f64, is_time: bool) -> f64 {
    if is_time { (value / scale).round() } else { value }
}

/// The values of a call path by location; the last one is that of all omitted locations.
fn packed(path: u32, mut row: Vec<f64>) -> PathValues {
    let (others, shown) = row.split_last().expect("there is a place for what is left out");
    if *others == 0.0 && shown.iter().all(|value| *value == shown[0]) && !shown.is_empty() {
        return PathValues::Same(path, Number(shown[0]));
    }
    let some = row.iter().filter(|value| **value != 0.0).count();
    if some * 3 < row.len() {
        let few = (0..).zip(&row).filter(|(_, value)| **value != 0.0);
        let (units, values) = few.map(|(unit, &value)| (unit, Number(value))).unzip();
        return PathValues::Few(path, units, values);
    }
    let end = row.iter().rposition(|value| *value != 0.0).map_or(0, |last| last + 1);
    row.truncate(end);
    PathValues::Each(path, row.into_iter().map(Number).collect())
}

fn state(metric: &Metric) -> Option<WaitState> {
    WaitState::from_name(&metric.name).or_else(|| WaitState::from_metric(&metric.name))
}

fn title(metric: &Metric) -> String {
    match state(metric) {
        Some(state) => words::title(state.name()),
        None if [Profile::TIME, Profile::VISITS, WAITING].contains(&metric.name.as_str()) => {
            words::title(&metric.name)
        }
        None if is_cost(metric) => cost_title(&metric.name),
        None => metric.name.clone(),
    }
}

/// Whether a metric is of root causes or of the critical path.
fn is_cost(metric: &Metric) -> bool {
    metric.origin == Origin::Derived && metric.unit == "s" && !Profile::PARTS.contains(&metric.name.as_str())
}

fn cost_title(name: &str) -> String {
    let mut costs = Delay::ALL.into_iter().flat_map(|delay| [(delay, Term::Short), (delay, Term::Long)]);
    let title =
        costs.find(|(delay, term)| delay.metric(*term) == name).map(|(delay, term)| delay.title(term));
    title.map_or_else(|| words::title(name), str::to_owned)
}

fn group(metric: &Metric) -> &'static str {
    match metric.name.as_str() {
        Profile::TIME | Profile::VISITS | WAITING => "",
        _ if state(metric).is_some_and(|state| state.view() == View::Idle) => "Idle threads",
        _ if state(metric).is_some() => "Wait states",
        name if CallCounter::of_metric(name).is_some() || instances::row(name).is_some() => "Messages",
        _ if is_cost(metric) => "Root causes",
        _ => "Counters",
    }
}

fn place(region: &ProfiledRegion) -> Region {
    let (file, lines) = region.source().map(|(file, lines)| (file.to_owned(), lines)).unzip();
    Region { label: region.label(), file, lines }
}

/// The regions with known lines, in the order of these lines, and the time spent in each of them over all locations.
fn lines(profile: &Profile) -> Vec<(&ProfiledRegion, Spent)> {
    let all = profile.regions.iter().zip(profile.by_region(|_| true));
    let mut lines: Vec<_> = all.filter(|(region, _)| region.source().is_some()).collect();
    lines.sort_by(|(_, one), (_, other)| other.inclusive.total_cmp(&one.inclusive));
    lines.truncate(MOST_LINES);
    // What is around comes before what is inside.
    lines.sort_by_key(|(region, _)| {
        (region.source().map(|(_, [first, last])| (first, Reverse(last))), region.id)
    });
    lines
}

/// The files of these regions, and beside the first lines of regions the time spent in them, in seconds.
fn files(
    profile: &Profile,
    lines: &[(&ProfiledRegion, Spent)],
    waits: &[&Metric],
    numbers: &BTreeMap<u32, u32>,
    sources: Option<&Sources>,
) -> Vec<File> {
    let has = |name: &str| profile.values.contains_key(name);
    let rounded = |seconds: f64| (seconds * 1e9).round() / 1e9;
    let waited: Vec<_> = waits.iter().map(|metric| profile.whole_of_regions(metric, |_| true)).collect();
    let mut files: BTreeMap<&str, Lines> = BTreeMap::new();
    for (region, spent) in lines {
        let Some((file, [first, last])) = region.source() else { continue };
        let waiting: f64 = waited.iter().filter_map(|of_regions| of_regions[region.id as usize]).sum();
        let time = |seconds: f64| has(Profile::TIME).then(|| rounded(seconds));
        let of_file = files.entry(file).or_default();
        of_file.first.push(first);
        of_file.last.push(last);
        of_file.region.push(numbers[&region.id]);
        of_file.visits.push(has(Profile::VISITS).then_some(spent.visits));
        of_file.exclusive.push(time(spent.exclusive));
        of_file.inclusive.push(time(spent.inclusive));
        of_file.waiting.push((!waits.is_empty()).then(|| rounded(waiting)));
    }
    let file = |(name, lines): (&str, Lines)| {
        let file = File { name: name.to_owned(), lines, ..File::default() };
        match sources.map_or(Err("source files were not looked for"), |sources| sources.file(name)) {
            Ok(source) => {
                let path = source.path.display().to_string();
                File { path: Some(path), text: Some(source.text.clone()), ..file }
            }
            Err(why) => File { why: Some(why.to_owned()), ..file },
        }
    };
    files.into_iter().map(file).collect()
}
