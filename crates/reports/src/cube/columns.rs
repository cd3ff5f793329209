//! The parts of a report besides times, visits and waits: minima and maxima, counts, root causes, and the places of
//! regions.
//!
//! Other metrics in seconds are derived from the times by a tool, and not read, except forks of teams, which are a
//! metric of ours, too.

use std::collections::HashMap;
use std::sync::Arc;

use ats_documents::Profile;
use ats_documents::profile::{
    CallNode, Combine, Metric, Origin, ProfiledRegion, Reader, Stored, Value, Values,
};
use ats_model::definitions::RegionRole;
use ats_model::traffic::CallCounter;

use super::anchor::{Location, Region};
use super::metrics::{self, Cube};
use super::vocabulary::Meaning;
use crate::{ReportError, limits, names};

/// Adds these parts to the times, visits and waits. Metrics that all together have more than [`limits::COLUMNS`] values
/// stay in the file, which is read through once, so that damage is found.
pub(super) fn add(cube: &Cube<'_>, profile: &mut Profile) -> Result<(), ReportError> {
    complete_regions(cube, profile);
    let places = Arc::new(Places::new(cube, profile));
    let mut left = limits::COLUMNS;
    for metric in (0..cube.anchor.metrics.len()).filter(|&metric| is_column(cube, metric)) {
        let column =
            Column { stored: cube.stored(metric)?, combine: cube.combine(metric), places: places.clone() };
        let mut reader = column.read()?;
        let values = match left.checked_sub(reader.values.size()) {
            Some(rest) => {
                left = rest;
                let mut values = Vec::new();
                for path in 0..column.paths() {
                    values.append(&mut reader.read(path)?);
                }
                Values::from(values)
            }
            None => {
                for path in 0..column.paths() {
                    reader.read(path)?;
                }
                Values::stored(Arc::new(column))
            }
        };
        let definition = &cube.anchor.metrics[metric];
        let unit = if definition.unit == "sec" { "s" } else { &definition.unit };
        profile.metrics.push(Metric::new(&definition.name, unit, Origin::Imported, cube.combine(metric)));
        profile.values.insert(definition.name.clone(), values);
    }
    Ok(())
}

/// The place of a metric's values, in the file and in the profile.
struct Column {
    stored: metrics::Stored,
    combine: Combine,
    places: Arc<Places>,
}

/// Reads a column.
struct ColumnReader {
    values: metrics::Values,
    combine: Combine,
    places: Arc<Places>,
}

impl Column {
    fn read(&self) -> Result<ColumnReader, ReportError> {
        let (combine, places) = (self.combine, self.places.clone());
        Ok(ColumnReader { values: self.stored.open()?, combine, places })
    }
}

impl Stored for Column {
    fn open(&self) -> Result<Reader, String> {
        let mut reader = self.read().map_err(|error| error.to_string())?;
        Ok(Box::new(move |path| reader.read(path).map_err(|error| error.to_string())))
    }

    fn paths(&self) -> u32 {
        self.places.of_path.len() as u32
    }
}

impl ColumnReader {
    /// The values at a call path of the profile.
    fn read(&mut self, path: u32) -> Result<Vec<Value>, ReportError> {
        let mut values = Vec::new();
        let places = self.places.clone();
        for &of_report in &places.of_path[path as usize] {
            let row = match self.combine {
                Combine::Sum => self.values.exclusive(of_report as usize)?,
                Combine::Minimum | Combine::Maximum => self.values.extremes(of_report as usize)?,
            };
            places.add(path, &row.unwrap_or_default(), self.combine, &mut values);
        }
        merge(&mut values, self.combine);
        Ok(values)
    }
}

/// Whether a metric is a column of its own.
fn is_column(cube: &Cube<'_>, metric: usize) -> bool {
    let is_other = match cube.meanings[metric] {
        Some(Meaning::Count(counter)) => counter != CallCounter::Visits,
        Some(Meaning::Cost | Meaning::Machine) => true,
        Some(_) => false,
        None => !cube.is_time(metric) || Profile::PARTS.contains(&&*cube.anchor.metrics[metric].name),
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

/// The places of a report's values in a profile.
struct Places {
    /// By path of the profile, the call paths of the report.
    of_path: Vec<Vec<u32>>,
    /// The units, by column.
    units: Vec<Option<u32>>,
    /// The pairs of call path and unit that were visited, sorted, if there are minima or maxima.
    visited: Vec<(u32, u32)>,
}

impl Places {
    fn new(cube: &Cube<'_>, profile: &Profile) -> Self {
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
        let visits = profile.values.get(Profile::VISITS).filter(|_| asks).into_iter().flat_map(Values::iter);
        let visited = visits.filter(|(.., visits)| *visits > 0.0).map(|(path, unit, _)| (path, unit));
        let mut of_path = vec![Vec::new(); profile.call_tree.len()];
        let known = (0..).zip(&paths).filter_map(|(of_report, path)| Some((of_report, (*path)?)));
        known.for_each(|(of_report, path)| of_path[path as usize].push(of_report));
        Places { of_path, units, visited: visited.collect() }
    }

    /// Adds the values of a call path: sums except zeros, and minima and maxima of the units that were there.
    fn add(&self, path: u32, row: &[f64], combine: Combine, values: &mut Vec<Value>) {
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
