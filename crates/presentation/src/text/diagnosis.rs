//! Properties that hold for experiments, as text.

use std::collections::HashMap;

use ats_documents::Diagnosis;
use ats_documents::diagnosis::Instance;

use super::grid::Grid;

/// The instances with at least this severity × confidence, each below the one that it explains. Of the processing units of an
/// experiment there is one row, of the worst. There are at most so many rows.
pub fn diagnosis(document: &Diagnosis, above: f64, most: usize, width: Option<u16>) -> String {
    let rows = Rows::new(document, above);
    let mut head = vec!["severity", "confidence", "property", "region", "ranks", "threads", "units"];
    head.extend(rows.names_applications.then_some("application"));
    let mut table = Grid::new(&head, &[0, 1, 4, 5], width);
    let mut room = most;
    for &root in &rows.roots {
        rows.add(&mut table, root, 0, &mut room);
    }
    let mut text = match table.is_empty() {
        true => "No property holds.\n".to_owned(),
        false => table.text(),
    };
    let more = rows.shown().saturating_sub(most);
    if more > 0 {
        text += &format!("\n{more} more are less severe; `--top {}` shows all\n", more + most);
    }
    let undefined: u64 =
        document.properties.iter().flat_map(|of| &of.undefined).map(|one| one.instances).sum();
    if undefined > 0 {
        let instances = if undefined == 1 { "instance lacks" } else { "instances lack" };
        text += &format!("\n{undefined} {instances} data; `--undefined` shows why\n");
    }
    text
}

/// Whether a property holds, and its severity, by region and configuration.
pub fn diagnosis_of(document: &Diagnosis, property: &str, width: Option<u16>) -> String {
    let mut of: Vec<&Instance> = document.instances.iter().filter(|one| one.property == property).collect();
    let mut regions: HashMap<&str, usize> = HashMap::new();
    for one in &of {
        let place = regions.len();
        regions.entry(&one.region).or_insert(place);
    }
    of.sort_by_key(|one| (regions[one.region.as_str()], &one.experiments));
    let head = ["ranks", "threads", "unit", "holds", "severity", "region", "experiment"];
    let mut table = Grid::new(&head, &[0, 1, 4], width);
    for one in of {
        let [ranks, threads] = sizes(document, one);
        let unit = one.unit.map_or_else(String::new, |unit| format!("{}.{}", unit.rank, unit.thread));
        let holds = if one.holds { "yes" } else { "no" };
        let severity = one.severity.map_or_else(|| "-".to_owned(), |severity| format!("{severity:.4}"));
        let experiment = match &one.experiments[..] {
            [single] => document.experiments[*single as usize].id.clone(),
            several => format!("{} experiments", several.len()),
        };
        table.row([&ranks, &threads, &unit, holds, &severity, &one.region, &experiment]);
    }
    if table.is_empty() { "There is no instance with data.\n".to_owned() } else { table.text() }
}

/// The reasons why instances are undefined.
pub fn undefined(document: &Diagnosis, width: Option<u16>) -> String {
    let mut table = Grid::new(&["instances", "property", "reason"], &[0], width);
    for of in &document.properties {
        for one in &of.undefined {
            table.row([&one.instances.to_string(), &of.name, &one.reason]);
        }
    }
    if table.is_empty() { "No instance lacks data.\n".to_owned() } else { table.text() }
}

/// The numbers of ranks and threads of an instance: of one experiment, or from the least to the most.
fn sizes(document: &Diagnosis, one: &Instance) -> [String; 2] {
    let runs = || one.experiments.iter().map(|&at| &document.experiments[at as usize].run);
    let range = |numbers: Vec<u32>| match (numbers.iter().min(), numbers.iter().max()) {
        (Some(least), Some(most)) if least < most => format!("{least}-{most}"),
        (Some(only), _) => only.to_string(),
        _ => String::new(),
    };
    [range(runs().map(|run| run.ranks).collect()), range(runs().map(|run| run.threads).collect())]
}

/// The rows of a table: instances that differ only in their units are one.
struct Rows<'a> {
    document: &'a Diagnosis,
    /// Whether there are several applications.
    names_applications: bool,
    /// The worst instance, and the number of all.
    groups: Vec<(&'a Instance, u32)>,
    roots: Vec<usize>,
    below: Vec<Vec<usize>>,
}

impl<'a> Rows<'a> {
    fn new(document: &'a Diagnosis, above: f64) -> Self {
        let mut groups: Vec<(&Instance, u32)> = Vec::new();
        let mut known: HashMap<(&str, &str, &[u32]), usize> = HashMap::new();
        let mut group_of = Vec::with_capacity(document.instances.len());
        for one in &document.instances {
            let key = (one.property.as_str(), one.region.as_str(), &one.experiments[..]);
            let group = *known.entry(key).or_insert(groups.len());
            match groups.get_mut(group) {
                Some((_, count)) => *count += one.units.unwrap_or(1),
                None => groups.push((one, one.units.unwrap_or(1))),
            }
            group_of.push(group);
        }
        let is_shown = |one: &Instance| one.holds && one.importance() >= above;
        let first = document.experiments.first().map(|first| &first.application);
        let names_applications = document.experiments.iter().any(|one| Some(&one.application) != first);
        let (roots, below) = (Vec::new(), vec![Vec::new(); groups.len()]);
        let mut rows = Rows { document, names_applications, groups, roots, below };
        for (at, (worst, _)) in rows.groups.iter().enumerate() {
            if is_shown(worst) {
                match rows.above(&group_of, at, is_shown) {
                    Some(under) => rows.below[under].push(at),
                    None => rows.roots.push(at),
                }
            }
        }
        rows
    }

    /// The number of groups that are shown if there is room.
    fn shown(&self) -> usize {
        self.roots.len() + self.below.iter().map(Vec::len).sum::<usize>()
    }

    /// The nearest group above another that is shown. A property may explain another by way of itself.
    fn above(&self, group_of: &[usize], at: usize, is_shown: impl Fn(&Instance) -> bool) -> Option<usize> {
        let mut group = at;
        for _ in &self.groups {
            group = *group_of.get(self.groups[group].0.under? as usize)?;
            if group != at && is_shown(self.groups[group].0) {
                return Some(group);
            }
        }
        None
    }

    /// Adds a group, and those that explain it, as long as there is room for rows.
    fn add(&self, table: &mut Grid, at: usize, depth: usize, room: &mut usize) {
        let Some(left) = room.checked_sub(1) else { return };
        *room = left;
        let (worst, count) = self.groups[at];
        let number = |number: Option<f64>| number.map_or_else(String::new, |number| format!("{number:.4}"));
        let [ranks, threads] = sizes(self.document, worst);
        let units = match worst.unit {
            Some(unit) => format!("{count}, worst {}.{}", unit.rank, unit.thread),
            None => String::new(),
        };
        let property = format!("{}{}", "  ".repeat(depth), worst.property);
        let [severity, confidence] = [number(worst.severity), number(worst.confidence)];
        let application = worst.experiments.first().filter(|_| self.names_applications);
        let application = application.map(|&first| &self.document.experiments[first as usize].application);
        let cells = [&severity, &confidence, &property, &worst.region, &ranks, &threads, &units];
        table.row(cells.into_iter().chain(application));
        for &below in &self.below[at] {
            self.add(table, below, depth + 1, room);
        }
    }
}
