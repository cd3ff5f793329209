//! Properties that hold for experiments, as text.

mod facts;

use std::collections::{BTreeSet, HashMap};

use ats_documents::Diagnosis;
use ats_documents::diagnosis::Instance;
use ats_model::locations::{Location, in_a_sentence};
use ats_model::signature::short;

use self::facts::Facts;
use super::grid::Grid;

/// The instances with at least this part of the run's time × confidence, each below the one that it explains. Of the processing
/// units of an experiment there is one row, of the worst; and one of properties and regions with the same numbers. There are at
/// most so many rows.
pub fn diagnosis(document: &Diagnosis, above: f64, most: usize, width: Option<u16>) -> String {
    let facts = Facts::new(document, above);
    if facts.facts.is_empty() {
        return "No property holds.\n".to_owned() + &lacking(document);
    }
    let runs = Runs::new(document);
    let table = Table { document, facts: &facts, runs: &runs };
    let mut text = format!("{}\n\n{}", runs.alike.join(" "), table.grid(most, width).text());
    let more = facts.facts.len().saturating_sub(most);
    if more > 0 {
        text += &format!("\n{more} more are less severe; `--top {}` shows all\n", more + most);
    }
    text + &lacking(document)
}

/// The number of instances that lack data.
fn lacking(document: &Diagnosis) -> String {
    match document.properties.iter().flat_map(|of| &of.undefined).map(|one| one.instances).sum::<u64>() {
        0 => String::new(),
        1 => "\n1 instance lacks data; `--undefined` shows why\n".to_owned(),
        several => format!("\n{several} instances lack data; `--undefined` shows why\n"),
    }
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
    let head = ["ranks", "threads", "location", "holds", "severity", "region", "experiment"];
    let mut table = Grid::new(&head, &[0, 1, 4], width);
    for one in of {
        let [ranks, threads] = sizes(document, one);
        let unit = location(document, one).unwrap_or_default();
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

/// The runs that instances are of.
struct Runs<'a> {
    /// The values that all have, as conditions on experiments.
    alike: Vec<String>,
    /// The names of what differs.
    differing: Vec<&'a str>,
    /// The values of each by name, by the number of the experiment.
    values: Vec<HashMap<&'a str, String>>,
}

impl<'a> Runs<'a> {
    fn new(document: &'a Diagnosis) -> Self {
        let meant: BTreeSet<u32> =
            document.instances.iter().flat_map(|one| one.experiments.iter().copied()).collect();
        let (mut names, mut values) = (Vec::new(), Vec::new());
        for one in &document.experiments {
            let of = one.distinctions();
            for (name, _) in &of {
                if !names.contains(name) {
                    names.push(*name);
                }
            }
            values.push(of.into_iter().collect::<HashMap<_, _>>());
        }
        // Sizes come last, after the parameters of all runs.
        names.sort_by_key(|name| Self::NUMBERS.contains(name));
        let mut runs = Runs { alike: Vec::new(), differing: Vec::new(), values };
        for name in names {
            let of = runs.values_of(name, meant.iter());
            match &of[..] {
                [one] if one.is_empty() || name == "repeat" => {}
                [one] => runs.alike.push(format!("{name}={one}")),
                _ => runs.differing.push(name),
            }
        }
        runs
    }

    /// Values that are numbers and come last.
    const NUMBERS: [&'static str; 3] = ["ranks", "threads", "repeat"];

    /// The values that experiments have under a name, each once.
    fn values_of<'n>(&self, name: &str, experiments: impl Iterator<Item = &'n u32>) -> Vec<String> {
        let mut of: Vec<String> = Vec::new();
        for &experiment in experiments {
            let value = self.values[experiment as usize].get(name).cloned().unwrap_or_default();
            if !of.contains(&value) {
                of.push(value);
            }
        }
        of
    }

    /// The values of the experiments of an instance under a name.
    fn cell(&self, name: &str, one: &Instance) -> String {
        let of = self.values_of(name, one.experiments.iter());
        let numbers: Option<Vec<u32>> = of.iter().map(|value| value.parse().ok()).collect();
        match numbers.as_deref().map(|numbers| (numbers.iter().min(), numbers.iter().max())) {
            Some((Some(least), Some(most))) if least < most => format!("{least}-{most}"),
            _ => of.join(", "),
        }
    }
}

/// A table of facts.
struct Table<'a> {
    document: &'a Diagnosis,
    facts: &'a Facts<'a>,
    runs: &'a Runs<'a>,
}

impl Table<'_> {
    fn grid(&self, most: usize, width: Option<u16>) -> Grid {
        let mut head = vec!["part", "severity"];
        head.extend(self.is_uncertain().then_some("confidence"));
        head.extend(["property", "region"]);
        let before = head.len();
        head.extend(&self.runs.differing);
        let numbers = (0..).zip(&self.runs.differing).filter(|(_, name)| Runs::NUMBERS.contains(name));
        let right: Vec<usize> = (0..before - 2).chain(numbers.map(|(at, _)| before + at)).collect();
        head.extend(["locations", "also"]);
        let mut grid = Grid::new(&head, &right, width);
        let mut room = most;
        for &root in &self.facts.roots {
            self.add(&mut grid, root, 0, &mut room);
        }
        grid
    }

    /// Whether any confidence is less than 1.
    fn is_uncertain(&self) -> bool {
        self.facts
            .facts
            .iter()
            .any(|fact| fact.instance.confidence.is_some_and(|confidence| confidence < 1.0))
    }

    /// Adds a fact, and those that explain it, as long as there is room for rows.
    fn add(&self, grid: &mut Grid, at: usize, depth: usize, room: &mut usize) {
        let Some(left) = room.checked_sub(1) else { return };
        *room = left;
        let fact = &self.facts.facts[at];
        let one = fact.instance;
        let number =
            |number: Option<f64>| number.map_or_else(|| "–".to_owned(), |number| format!("{number:.4}"));
        let mut cells = vec![number(one.part), number(one.severity)];
        cells.extend(self.is_uncertain().then(|| number(one.confidence)));
        cells.extend([format!("{}{}", "  ".repeat(depth), one.property), short(&one.region).into_owned()]);
        cells.extend(self.runs.differing.iter().map(|name| self.runs.cell(name, one)));
        cells.push(match location(self.document, one) {
            Some(only) if fact.units == 1 => only,
            Some(worst) => format!("{}, worst {worst}", fact.units),
            None => String::new(),
        });
        let list =
            |names: &BTreeSet<&str>| names.iter().map(|name| short(name)).collect::<Vec<_>>().join(", ");
        let regions = match fact.regions.is_empty() {
            true => String::new(),
            false => format!("in {}", list(&fact.regions)),
        };
        let also = [list(&fact.properties), regions];
        cells.push(also.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; "));
        grid.row(cells);
        for &below in &fact.below {
            self.add(grid, below, depth + 1, room);
        }
    }
}

/// The location of an instance that is of a single one.
fn location(document: &Diagnosis, one: &Instance) -> Option<String> {
    let (unit, run) = (one.unit?, &document.experiments[*one.experiments.first()? as usize].run);
    let location = Location { rank: unit.rank, thread: unit.thread };
    Some(in_a_sentence(&[location], run.ranks > 1, run.threads > 1))
}
