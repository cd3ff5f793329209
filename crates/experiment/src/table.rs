//! Figures from papers and spreadsheets: a table, `experiment,region,unit,metric,value`.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use ats_documents::profile::{Combine, Metric, Origin, ProcessingUnit, ProfiledRegion};
use ats_documents::summaries::{RegionSummaries, Spent};
use ats_documents::{Experiment, Profile};
use ats_model::derived::{MISSES, is_divided};
use ats_model::files::{open_regular, read_document};
use ats_model::locations::Location;
use ats_model::machine_counter::MachineCounter;
use ats_model::mistakes::{Mistakes, nearest};
use ats_model::{WaitState, regions};
use csv::{ReaderBuilder, StringRecord};
use thiserror::Error;

use crate::identity::{self, shortened};
use crate::of_profile::{Given, amount, code_region};

/// The columns; the last four may be omitted.
const COLUMNS: [&str; 9] =
    ["experiment", "region", "unit", "metric", "value", "rank", "thread", "application", "version"];
const NEEDED: usize = 5;

/// Units of time, how many seconds each has, and how many a second has of it.
const TIMES: [(&str, f64, f64); 8] = [
    ("s", 1.0, 1.0),
    ("ms", 1.0, 1e3),
    ("us", 1.0, 1e6),
    ("µs", 1.0, 1e6),
    ("μs", 1.0, 1e6),
    ("ns", 1.0, 1e9),
    ("min", 60.0, 1.0),
    ("h", 3600.0, 1.0),
];

/// Units of numbers.
const COUNTS: [&str; 3] = ["occ", "#", "count"];

/// The reason why a table has no experiments.
#[derive(Debug, Error)]
pub enum TableError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}; check the path", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// It is not a valid table.
    #[error("{}: {mistakes}", file.display())]
    Wrong {
        /// The file.
        file: PathBuf,
        /// All its mistakes.
        mistakes: Mistakes,
    },
}

/// Whether a file begins as a table of experiments does.
pub fn is_table(path: &Path) -> bool {
    let mut beginning = Vec::new();
    let read = open_regular(path).and_then(|file| file.take(4096).read_to_end(&mut beginning));
    read.is_ok() && {
        let header = header(&String::from_utf8_lossy(&beginning));
        header.iter().any(|name| name == COLUMNS[0]) && header.iter().any(|name| name == "value")
    }
}

/// The experiments in a table, in its order; `given` has the facts that are not in it.
///
/// # Errors
/// All its mistakes, line by line.
pub fn read_table(path: &Path, given: &Given) -> Result<Vec<Experiment>, TableError> {
    let bytes = read_document(path).map_err(|source| TableError::Io { file: path.to_owned(), source })?;
    parse_table(path, &bytes, given)
}

/// The experiments in a table that is in memory and was in this file.
///
/// # Errors
/// As for [`read_table`].
pub fn parse_table(file: &Path, bytes: &[u8], given: &Given) -> Result<Vec<Experiment>, TableError> {
    let wrong = |mistakes| TableError::Wrong { file: file.to_owned(), mistakes };
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_start_matches('\u{feff}');
    let mut table = Table::default();
    table.columns(&header(text));
    let mut reader = ReaderBuilder::new()
        .delimiter(delimiter(text))
        .comment(Some(b'#'))
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    if table.has_columns() {
        for record in reader.records() {
            match record {
                Ok(record) => table.row(&record, given),
                Err(error) => table.mistakes.add("", error),
            }
        }
    }
    if table.has_columns() && !table.has_lines {
        table.mistakes.add("", "it has no figures; write a line for each");
    }
    let Table { runs, mistakes, metrics, .. } = table;
    let runs = mistakes.none_in(runs).map_err(wrong)?;
    Ok(runs.into_iter().map(|run| run.experiment(file, given, &metrics)).collect())
}

fn first_line(text: &str) -> &str {
    let is_header = |line: &&str| !line.trim().is_empty() && !line.starts_with('#');
    text.trim_start_matches('\u{feff}').lines().find(is_header).unwrap_or_default()
}

fn delimiter(text: &str) -> u8 {
    let line = first_line(text).as_bytes();
    b",;\t".iter().copied().find(|byte| line.contains(byte)).unwrap_or(b',')
}

fn header(text: &str) -> Vec<String> {
    let names = first_line(text).split(delimiter(text) as char);
    names.map(|name| name.trim().trim_matches('"').to_ascii_lowercase()).collect()
}

/// The content of a table so far.
#[derive(Default)]
struct Table {
    /// The positions of the [`COLUMNS`].
    columns: [Option<usize>; COLUMNS.len()],
    /// The number of columns.
    width: usize,
    runs: Vec<Rows>,
    /// The index of an experiment in them, by its name, application and version.
    known: BTreeMap<(String, (String, String)), usize>,
    has_lines: bool,
    /// The unit of each metric, and the line that gives it first.
    metrics: BTreeMap<String, (String, u64)>,
    mistakes: Mistakes,
}

/// The rows of an experiment.
#[derive(Default)]
struct Rows {
    version: (String, String),
    experiment: ats_documents::experiment::Run,
    regions: Vec<String>,
    numbers: BTreeMap<String, usize>,
    /// The amounts by region and location.
    spent: BTreeMap<(usize, Location), Spent>,
    /// The line of each value.
    lines: BTreeMap<(usize, Location, String), u64>,
}

impl Table {
    fn columns(&mut self, header: &[String]) {
        self.width = header.len();
        for (column, name) in COLUMNS.iter().enumerate() {
            self.columns[column] = header.iter().position(|known| known == name);
            if column < NEEDED && self.columns[column].is_none() {
                self.mistakes.add(
                    "its first line",
                    format!("it has no column `{name}`; it has {}", header.join(", ")),
                );
            }
        }
        for name in header.iter().filter(|name| !COLUMNS.contains(&name.as_str())) {
            let near =
                nearest(name, COLUMNS).map(|near| format!("; did you mean {near}?")).unwrap_or_default();
            self.mistakes.add("its first line", format!("there is no column `{}`{near}", shortened(name)));
        }
    }

    fn has_columns(&self) -> bool {
        self.columns[..NEEDED].iter().all(Option::is_some)
    }

    fn row(&mut self, record: &StringRecord, given: &Given) {
        let line = record.position().map_or(0, csv::Position::line);
        self.has_lines = true;
        if let Err(what) = self.figure(line, record, given) {
            self.mistakes.add(&format!("line {line}"), what);
        }
    }

    fn figure(&mut self, line: u64, record: &StringRecord, given: &Given) -> Result<(), String> {
        let columns = self.columns;
        if record.len() != self.width {
            return Err(format!("it has {} cells, and the first line {}", record.len(), self.width));
        }
        let cell = |column: &str| {
            let at = COLUMNS.iter().position(|name| *name == column).and_then(|at| columns[at]);
            at.and_then(|at| record.get(at)).unwrap_or_default()
        };
        for column in ["experiment", "region", "metric", "value"] {
            if cell(column).is_empty() {
                return Err(format!("it has no {column}; write one, or omit the line if it is not known"));
            }
        }
        let number: f64 = cell("value").parse().map_err(|_| not_finite(cell("value")))?;
        if !number.is_finite() {
            return Err(not_finite(cell("value")));
        }
        let metric = cell("metric");
        let (unit, location) = unit_and_location(cell("unit"))?;
        let in_columns =
            Location { rank: whole(cell("rank"), "rank")?, thread: whole(cell("thread"), "thread")? };
        let location = location.unwrap_or(in_columns);
        let (unit, times, by) = in_units_of(metric, unit)?;
        let (known, first) = self.metrics.entry(metric.to_owned()).or_insert((unit.clone(), line));
        if *known != unit {
            return Err(format!("{metric} is in {unit} here, and in {known} in line {first}; make them one"));
        }
        if number < 0.0 && Spent::AMOUNTS.contains(&metric) {
            return Err(format!("{metric} is {number}, and cannot be less than 0"));
        }
        let or = |cell: &str, given: &str| if cell.is_empty() { given.to_owned() } else { cell.to_owned() };
        let version = (or(cell("application"), &given.application), or(cell("version"), &given.version.name));
        let rows = self.rows(cell("experiment"), version)?;
        let region = rows.region(cell("region"));
        if let Some(before) = rows.lines.insert((region, location, metric.to_owned()), line) {
            return Err(format!("it repeats line {before}; omit one of them"));
        }
        rows.spent.entry((region, location)).or_default().set(metric, number * times / by);
        Ok(())
    }

    fn rows(&mut self, name: &str, version: (String, String)) -> Result<&mut Rows, String> {
        let key = (name.to_owned(), version.clone());
        let at = match self.known.get(&key) {
            Some(at) => *at,
            None => {
                let experiment = identity::run(name)?;
                self.known.insert(key, self.runs.len());
                self.runs.push(Rows { version, experiment, ..Rows::default() });
                self.runs.len() - 1
            }
        };
        Ok(&mut self.runs[at])
    }
}

fn not_finite(text: &str) -> String {
    format!("`{}` is not a number; omit the line if the value is not known", shortened(text))
}

/// The content of the column `unit`: the unit of the value, or the processing unit that has it, as `3` or `3.1`.
fn unit_and_location(text: &str) -> Result<(&str, Option<Location>), String> {
    if !text.starts_with(|c: char| c.is_ascii_digit()) {
        return Ok((text, None));
    }
    let (rank, thread) = text.split_once('.').unwrap_or((text, ""));
    Ok(("", Some(Location { rank: whole(rank, "rank")?, thread: whole(thread, "thread")? })))
}

/// A whole number; nothing is 0.
fn whole(text: &str, what: &str) -> Result<u32, String> {
    if text.is_empty() {
        return Ok(0);
    }
    let number = text.parse().ok().filter(|number| *number < u32::MAX);
    number.ok_or_else(|| format!("`{}` is not a valid {what}; use a whole number from 0 on", shortened(text)))
}

/// The stored unit of a metric, and the factor and divisor for written values.
fn in_units_of(metric: &str, written: &str) -> Result<(String, f64, f64), String> {
    let as_it_is = |unit: &str| Ok((unit.to_owned(), 1.0, 1.0));
    let time = TIMES.into_iter().find(|(name, ..)| *name == written);
    let refused = |wanted: &str, fix: &str| {
        Err(format!("{metric} is in {wanted}, and has no unit `{}`; write {fix}", shortened(written)))
    };
    match (unit_of(metric), time) {
        (Some("s") | None, Some((_, times, by))) => Ok(("s".to_owned(), times, by)),
        (Some(wanted), _) if written.is_empty() || written == wanted => as_it_is(wanted),
        (Some("occ") | None, None) if COUNTS.contains(&written) => as_it_is("occ"),
        (Some("s"), _) => refused("s", "s, ms, us, ns, min or h"),
        (Some(wanted), _) => refused(wanted, wanted),
        (None, None) => as_it_is(written),
    }
}

/// The unit of a known metric: `s`, `bytes`, or `occ` for counts, among them counters of the machine; `None` for any other
/// metric.
pub fn unit_of(metric: &str) -> Option<&'static str> {
    if metric == Profile::TIME || metric.contains('/') || WaitState::from_name(metric).is_some() {
        Some("s")
    } else if Spent::AMOUNTS.contains(&metric) || metric.starts_with("cache_") {
        Some(amount(metric).0)
    } else if let Some(counter) = MachineCounter::known(metric) {
        Some(counter.unit())
    } else if MISSES.iter().any(|misses| misses.cost == metric) {
        Some("s")
    } else if metric.starts_with("PAPI_") || is_divided(metric) {
        Some("occ")
    } else {
        metric.starts_with("bytes_").then_some("bytes")
    }
}

impl Rows {
    fn region(&mut self, name: &str) -> usize {
        *self.numbers.entry(name.to_owned()).or_insert_with(|| {
            self.regions.push(name.to_owned());
            self.regions.len() - 1
        })
    }

    fn experiment(self, file: &Path, given: &Given, units: &BTreeMap<String, (String, u64)>) -> Experiment {
        let at = |Location { rank, thread }| ProcessingUnit { rank, thread, node: None };
        let locations: BTreeSet<Location> = self.spent.keys().map(|&(_, location)| location).collect();
        let most =
            |number: fn(&Location) -> u32| locations.iter().map(number).max().map_or(1, |most| most + 1);
        let mut run = self.experiment;
        run.ranks = if run.ranks == 0 { most(|at| at.rank) } else { run.ranks };
        run.threads = if run.threads == 0 { most(|at| at.thread) } else { run.threads };
        run.size = run.parameters.get("size").and_then(|size| size.parse().ok());
        run.source = file.display().to_string();
        run.sequential |= given.run.sequential;
        let others = given.run.clone();
        (run.command, run.date, run.seed) = (others.command, others.date, others.seed);
        let region = |(id, name): (u32, &String)| {
            let definition = regions::definition(name, regions::paradigm(name));
            let (role, paradigm) = (definition.role, definition.paradigm);
            let region =
                ProfiledRegion { id, name: name.clone(), role, paradigm, ..ProfiledRegion::default() };
            code_region(region, None)
        };
        let mut metrics: Vec<Metric> = Vec::new();
        for (_, _, name) in self.lines.keys() {
            if metrics.iter().all(|metric| metric.name != *name) {
                metrics.push(Metric::new(name, &units[name].0, Origin::Imported, Combine::Sum));
            }
        }
        let number: BTreeMap<Location, u32> = locations.iter().copied().zip(0..).collect();
        let mut rows: Vec<Vec<(u32, Spent)>> = vec![Vec::new(); self.regions.len()];
        for ((region, location), spent) in self.spent {
            rows[region].push((number[&location], spent));
        }
        let (application, version) = self.version;
        Experiment {
            schema: Experiment::SCHEMA.to_owned(),
            application,
            version: ats_documents::experiment::Version { name: version, files: given.version.files.clone() },
            experiment: run,
            machine: given.machine.clone(),
            units: locations.into_iter().map(at).collect(),
            regions: (0..).zip(&self.regions).map(region).collect(),
            metrics,
            ideal: None,
            profile_bytes: None,
            summaries: self
                .regions
                .iter()
                .zip(rows)
                .map(|(name, rows)| RegionSummaries::new(name, rows))
                .collect(),
            warnings: Vec::new(),
        }
    }
}
