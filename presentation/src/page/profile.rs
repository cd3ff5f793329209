//! The time by call path and location, as compact JSON.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use ats_documents::profile::{Combine, Metric, Origin, ProcessingUnit, Profile, ProfiledRegion, Spent};
use ats_model::quantity::View;
use ats_model::traffic::CallCounter;
use ats_model::wait_state::WaitState;
use serde_json::{Value, json};

use crate::{sources::Sources, timeline::Timeline, words};

/// The largest number of locations that are shown; of more, those in the timeline are shown.
const MOST_LOCATIONS: usize = 256;

/// The approximate number of numbers that are shown; beyond it, small call paths are merged with their neighbours.
const MOST_NUMBERS: usize = 10_000;

/// The largest number of regions with lines that are shown: those with most time.
const MOST_LINES: usize = 2_000;

/// The data of a profile that the script draws.
pub(super) fn data(profile: &Profile, sources: Option<&Sources>, picture: Option<&Timeline>) -> Value {
    let mut kept = Kept::of(profile, picture);
    let lines = lines(profile);
    // Only regions that are seen.
    let mut numbers: BTreeMap<u32, usize> = BTreeMap::new();
    let seen = kept.paths.iter().filter_map(|path| u32::try_from(path.1).ok());
    for region in seen.chain(lines.iter().map(|(region, _)| region.id)) {
        let number = numbers.len();
        numbers.entry(region).or_insert(number);
    }
    for (_, region) in kept.paths.iter_mut().filter(|path| path.1 >= 0) {
        *region = numbers[&(*region as u32)] as i64;
    }
    let mut regions = vec![Value::Null; numbers.len()];
    for (&region, &number) in &numbers {
        regions[number] = place(&profile.regions[region as usize]);
    }
    let waits: Vec<&Metric> = profile.waits().collect();
    let waiting = Metric::new(WAITING, "s", Origin::Derived, Combine::Sum);
    let sums = profile.metrics.iter().filter(|metric| metric.combine == Combine::Sum);
    let has_values = |metric: &Value| metric["values"].as_array().is_some_and(|values| !values.is_empty());
    let metrics = sums.map(|metric| kept.metric(profile, metric, &[metric]));
    let mut metrics: Vec<Value> = metrics.filter(has_values).collect();
    metrics.extend(Some(kept.metric(profile, &waiting, &waits)).filter(has_values));
    json!({
        "units": kept.units.iter().map(|unit| (unit.rank, unit.thread)).collect::<Vec<_>>(),
        "left": profile.units.len() - kept.units.len(),
        "regions": regions,
        "paths": kept.paths,
        "metrics": metrics,
        "files": files(profile, &lines, &waits, &numbers, sources),
    })
}

/// The name of the sum of all waits.
const WAITING: &str = "waiting";

/// The call paths and locations that a page shows; all others are in a row of their own, so that sums do not change.
struct Kept {
    units: Vec<ProcessingUnit>,
    /// The number here of each unit of the profile; omitted units have the number behind the last.
    number: Vec<usize>,
    /// Parent and region by call path; -1 is no parent, or the region of all omitted paths below the parent.
    paths: Vec<(i64, i64)>,
    /// The number here of each call path of the profile.
    place: Vec<usize>,
}

impl Kept {
    fn of(profile: &Profile, picture: Option<&Timeline>) -> Self {
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
        Kept { units, number, paths, place }
    }

    /// A metric that is the sum of others.
    fn metric(&self, profile: &Profile, metric: &Metric, of: &[&Metric]) -> Value {
        let width = self.units.len() + 1;
        let mut sums: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        for &(path, unit, value) in of.iter().filter_map(|metric| profile.values.get(&metric.name)).flatten()
        {
            let row = sums.entry(self.place[path as usize]).or_insert_with(|| vec![0.0; width]);
            row[self.number[unit as usize]] += value;
        }
        let is_time = metric.unit == "s";
        let scale = scale(sums.values().flatten().copied(), is_time);
        let values: Vec<Value> = sums
            .into_iter()
            .filter(|(_, row)| row.iter().any(|&value| value != 0.0))
            .map(|(path, row)| {
                packed(path, row.into_iter().map(|value| scaled(value, scale, is_time)).collect())
            })
            .collect();
        json!({
            "name": metric.name,
            "title": title(metric),
            "group": group(metric),
            "unit": metric.unit,
            "scale": scale,
            "values": values,
        })
    }
}

/// The call paths that are shown, the largest first until there are enough numbers, and the index among them for each
/// of the profile.
fn paths(profile: &Profile, units: usize) -> (Vec<(i64, i64)>, Vec<usize>) {
    let mut numbers = vec![0; profile.call_tree.len()];
    for &(path, _, _) in profile.values.values().flatten() {
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
    let mut paths: Vec<(i64, i64)> = Vec::new();
    let mut place: Vec<usize> = Vec::with_capacity(whole.len());
    // Of what is left out below each path, which is -1 outside of all.
    let mut rest: BTreeMap<i64, usize> = BTreeMap::new();
    for node in &profile.call_tree {
        let parent = node.parent.map_or(-1, |parent| place[parent as usize] as i64);
        let is_in_rest = usize::try_from(parent).is_ok_and(|parent| paths[parent].1 < 0);
        if is_in_rest {
            place.push(parent as usize);
        } else if is_kept[node.id as usize] {
            place.push(paths.len());
            paths.push((parent, node.region.into()));
        } else {
            let number = *rest.entry(parent).or_insert(paths.len());
            if number == paths.len() {
                paths.push((parent, -1));
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

/// The values of a call path by location: one, if all have it; all of them; or the numbers of those that have any.
fn packed(path: usize, mut row: Vec<f64>) -> Value {
    let number = |value: f64| {
        if value.fract() == 0.0 && value.abs() < 9e15 { json!(value as i64) } else { json!(value) }
    };
    let (others, shown) = row.split_last().expect("there is a place for what is left out");
    if *others == 0.0 && shown.iter().all(|value| *value == shown[0]) && !shown.is_empty() {
        return json!([path, number(shown[0])]);
    }
    let some = row.iter().filter(|value| **value != 0.0).count();
    if some * 3 < row.len() {
        let pairs = row.iter().enumerate().filter(|(_, value)| **value != 0.0);
        return json!([
            path,
            pairs.flat_map(|(unit, &value)| [json!(unit), number(value)]).collect::<Vec<_>>(),
            1
        ]);
    }
    let end = row.iter().rposition(|value| *value != 0.0).map_or(0, |last| last + 1);
    row.truncate(end);
    json!([path, row.into_iter().map(number).collect::<Vec<_>>()])
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
        None => metric.name.clone(),
    }
}

fn group(metric: &Metric) -> &'static str {
    match metric.name.as_str() {
        Profile::TIME | Profile::VISITS | WAITING => "",
        _ if state(metric).is_some_and(|state| state.view() == View::Idle) => "Idle threads",
        _ if state(metric).is_some() => "Wait states",
        name if CallCounter::of_metric(name).is_some() => "Messages",
        _ => "Counters",
    }
}

/// A region's label and, if they are known, its file and its first and last line.
fn place(region: &ProfiledRegion) -> Value {
    match region.source() {
        Some((file, [first, last])) => json!([region.label(), file, first, last]),
        None => json!([region.label()]),
    }
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
    numbers: &BTreeMap<u32, usize>,
    sources: Option<&Sources>,
) -> Vec<Value> {
    let has = |name: &str| profile.values.contains_key(name);
    let rounded = |seconds: f64| (seconds * 1e9).round() / 1e9;
    let waited: Vec<_> = waits.iter().map(|metric| profile.whole_of_regions(metric, |_| true)).collect();
    let mut files: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for (region, spent) in lines {
        let Some((file, [first, last])) = region.source() else { continue };
        let waiting: f64 = waited.iter().filter_map(|of_regions| of_regions[region.id as usize]).sum();
        let time = |seconds: f64| has(Profile::TIME).then(|| rounded(seconds));
        files.entry(file).or_default().push(json!([
            first,
            last,
            numbers[&region.id],
            has(Profile::VISITS).then_some(spent.visits),
            time(spent.exclusive),
            time(spent.inclusive),
            (!waits.is_empty()).then(|| rounded(waiting)),
        ]));
    }
    let file = |(name, lines): (&str, Vec<Value>)| {
        let source = sources.map_or(Err("source files were not looked for"), |sources| sources.file(name));
        match source {
            Ok(source) => {
                let path = source.path.display().to_string();
                json!({ "name": name, "lines": lines, "path": path, "text": source.text })
            }
            Err(why) => json!({ "name": name, "lines": lines, "why": why }),
        }
    };
    files.into_iter().map(file).collect()
}
