//! The parts of a report besides times, visits and waits: minima and maxima, counts, and the places of regions.
//!
//! Other metrics in seconds are derived from the times by a tool, and not read, except forks of teams, which are a
//! metric of ours, too.

use std::collections::HashMap;

use ats_documents::Profile;
use ats_documents::profile::{CallNode, Combine, Metric, Origin, ProfiledRegion};
use ats_model::definitions::RegionRole;
use ats_model::traffic::CallCounter;

use super::anchor::{Location, Region};
use super::metrics::Cube;
use super::vocabulary::Meaning;
use crate::{ReportError, limits, names};

/// Adds these parts to the times, visits and waits. A warning names metrics with more values than a profile takes.
pub(super) fn add(cube: &Cube<'_>, profile: &mut Profile) -> Result<(), ReportError> {
    complete_regions(cube, profile);
    let places = Places::of(cube, profile);
    let (mut left, mut left_out) = (limits::COLUMNS, Vec::new());
    for metric in 0..cube.anchor.metrics.len() {
        if !is_column(cube, metric) {
            continue;
        }
        let mut rows = cube.values(metric)?;
        let definition = &cube.anchor.metrics[metric];
        match left.checked_sub(rows.size()) {
            Some(rest) => left = rest,
            None => {
                left_out.push(names::shortened(&definition.name));
                continue;
            }
        }
        let combine = cube.combine(metric);
        let mut values = Vec::new();
        for path in 0..cube.anchor.tree.len() {
            let row = match combine {
                Combine::Sum => rows.exclusive(path)?,
                Combine::Minimum | Combine::Maximum => rows.extremes(path)?,
            };
            places.add(path, &row.unwrap_or_default(), combine, &mut values);
        }
        merge(&mut values, combine);
        let unit = if definition.unit == "sec" { "s" } else { &definition.unit };
        profile.metrics.push(Metric::new(&definition.name, unit, Origin::Imported, combine));
        profile.values.insert(definition.name.clone(), values);
    }
    if !left_out.is_empty() {
        let count = left_out.len();
        left_out.truncate(limits::WARNINGS);
        let more = match count - left_out.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        profile.warnings.push(format!(
            "metrics were omitted, as all together have more than {} values: {}{more}",
            limits::COLUMNS,
            left_out.join(", ")
        ));
    }
    Ok(())
}

/// Whether a metric is a column of its own.
fn is_column(cube: &Cube<'_>, metric: usize) -> bool {
    let is_other = match cube.meanings[metric] {
        Some(Meaning::Count(counter)) => counter != CallCounter::Visits,
        Some(_) => false,
        None => !cube.is_time(metric) || cube.anchor.metrics[metric].name == Profile::FORK,
    };
    is_other && cube.has_values(metric)
}

/// Adds the places of regions, and marks those that are not the program's, as far as the report knows.
fn complete_regions(cube: &Cube<'_>, profile: &mut Profile) {
    let mut regions: Vec<_> = cube.anchor.regions.iter().collect();
    regions.sort_by_key(|(id, _)| **id);
    let mut known: HashMap<String, &Region> = HashMap::new();
    for (_, region) in regions {
        known.entry(names::region(&region.name)).or_insert(region);
    }
    for region in &mut profile.regions {
        let Some(found) = known.get(&region.name) else { continue };
        (region.file, region.lines) = (found.file.clone(), found.lines);
        if found.is_artificial {
            region.role = RegionRole::Artificial;
        }
    }
}

/// The call path, the location and the amount of a value.
type Value = (u32, u32, f64);

/// The places of a report's values in a profile.
struct Places {
    /// The paths of the profile, by call path.
    paths: Vec<Option<u32>>,
    /// The units, by column.
    units: Vec<Option<u32>>,
    /// The pairs of call path and unit that were visited, sorted, if there are minima or maxima.
    visited: Vec<(u32, u32)>,
}

impl Places {
    fn of(cube: &Cube<'_>, profile: &Profile) -> Self {
        let regions: HashMap<&str, u32> =
            profile.regions.iter().map(|ProfiledRegion { id, name, .. }| (&**name, *id)).collect();
        let below: HashMap<(Option<u32>, u32), u32> =
            profile.call_tree.iter().map(|&CallNode { id, parent, region }| ((parent, region), id)).collect();
        let mut paths: Vec<Option<u32>> = Vec::with_capacity(cube.anchor.tree.len());
        for (_, node) in cube.anchor.tree.nodes() {
            let region = regions.get(&*names::region(cube.anchor.region_name(node.callee)));
            let parent = node.parent.map(|parent| paths[parent as usize]);
            let path = match parent {
                // Nobody was ever where it lies.
                Some(None) => None,
                parent => region.and_then(|&region| below.get(&(parent.flatten(), region)).copied()),
            };
            paths.push(path);
        }
        let numbers: HashMap<(u32, u32), u32> =
            profile.units.iter().map(|unit| (unit.rank, unit.thread)).zip(0..).collect();
        let number = |of: &Location| numbers.get(&(of.rank, of.thread)).copied().filter(|_| of.is_thread);
        let units = cube.anchor.locations.iter().map(number).collect();
        let asks = (0..cube.anchor.metrics.len()).any(|metric| cube.combine(metric) != Combine::Sum);
        let visits = profile.values.get(Profile::VISITS).filter(|_| asks).into_iter().flatten();
        let visited = visits.filter(|(.., visits)| *visits > 0.0).map(|&(path, unit, _)| (path, unit));
        Places { paths, units, visited: visited.collect() }
    }

    /// Adds the values of a call path: sums except zeros, and minima and maxima of the units that were there.
    fn add(&self, path: usize, row: &[f64], combine: Combine, values: &mut Vec<Value>) {
        let Some(path) = self.paths[path] else { return };
        for (&unit, &value) in self.units.iter().zip(row) {
            let Some(unit) = unit else { continue };
            let is_there = match combine {
                Combine::Sum => value != 0.0,
                Combine::Minimum | Combine::Maximum => {
                    value.is_finite() && self.visited.binary_search(&(path, unit)).is_ok()
                }
            };
            if is_there {
                values.push((path, unit, value));
            }
        }
    }
}

/// Puts values in the order of paths and units, each once.
fn merge(values: &mut Vec<Value>, combine: Combine) {
    values.sort_by_key(|&(path, unit, _)| (path, unit));
    values.dedup_by(|next, kept| {
        let is_same = (next.0, next.1) == (kept.0, kept.1);
        if is_same {
            kept.2 = match combine {
                Combine::Sum => kept.2 + next.2,
                Combine::Minimum => kept.2.min(next.2),
                Combine::Maximum => kept.2.max(next.2),
            };
        }
        is_same
    });
}
