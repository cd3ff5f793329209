//! A plan read from TOML.

use std::path::PathBuf;
use std::time::Duration;

use ats_documents::experiment::VirtualMachine;
use ats_model::mistakes::Mistakes;
use toml::de::{DeTable, DeValue};

use super::Plan;
use super::product::Product;
use super::reader::{Keys, Reader, entries};
use super::values::Axis;
use super::what::{OF_COMMAND, OF_PROGRAM, UNCOUNTED};

/// The keys of every plan.
const EVERYWHERE: [&str; 15] = [
    "schema",
    "application",
    "version",
    "name",
    "files",
    "classes",
    "machine",
    "cpu",
    "network",
    "repeats",
    "timeout",
    "keep_trace",
    "causes",
    "exclude",
    "values",
];

/// The default for the longest time of a run, as for `ats run`.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Keys that users may try in order to let our recorder count.
const COUNTERS: [&str; 4] = ["counters", "metrics", "events", "papi"];

/// Reads a plan.
pub(super) fn plan(text: &str, file: &str) -> Result<Plan, Mistakes> {
    let mut reader = Reader::new(text);
    let (table, errors) = DeTable::parse_recoverable(text);
    for error in &errors {
        reader.wrong(error.span().map_or(0, |span| span.start), error.message());
    }
    let plan = if errors.is_empty() { reader.plan(table.get_ref(), file) } else { None };
    let mistakes = reader.mistakes(file);
    match plan {
        Some(plan) => mistakes.none_in(plan),
        None => Err(mistakes),
    }
}

impl Reader<'_> {
    /// The plan; `None` if something is wrong, here or elsewhere.
    fn plan(&mut self, table: &DeTable<'_>, file: &str) -> Option<Plan> {
        let keys = Keys(entries(table));
        self.known(&keys);
        let before = self.count();
        let axes = self.axes(&keys);
        let are_right = self.count() == before;
        let what = self.what(&keys, &axes);
        let excluded = self.excluded(&keys, &axes);
        let repeats = self.whole(&keys, "repeats", 1).unwrap_or(1) as u32;
        let mut text = |key: &str| self.text(&keys, key);
        let machine = VirtualMachine {
            part_of: text("machine"),
            cpu: text("cpu"),
            network: text("network"),
            ..VirtualMachine::default()
        };
        let [application, version, name, classes] =
            ["application", "version", "name", "classes"].map(&mut text);
        let files = self.texts(&keys, "files").into_iter().map(|(path, _)| PathBuf::from(path)).collect();
        let timeout = self.timeout(&keys);
        let [keep_trace, causes] = ["keep_trace", "causes"].map(|key| self.truth(&keys, key));
        if keys.has("command") && !keys.has("application") {
            self.wrong(keys.position("command"), "say which application it is, as application = \"heat\"");
        }
        for (key, _) in [("keep_trace", keep_trace), ("causes", causes)].into_iter().filter(|key| key.1) {
            if keys.has("report") {
                let what = format!(
                    "{key} is for recorded runs, and this command writes a report itself; omit one of the two"
                );
                self.wrong(keys.position(key), &what);
            }
        }
        let product = Product { axes: &axes, excluded: &excluded, repeats, of_command: keys.has("command") };
        let combinations = if are_right { product.combinations(self) } else { Vec::new() };
        let of_values = axes.iter().map(|axis| (format!("values.{}", axis.name), axis.at));
        let places = keys.0.iter().map(|(key, value)| (key.get_ref().to_string(), value.span().start));
        let is_told = |axis: &&Axis| !["ranks", "threads", "sequential"].contains(&axis.name.as_str());
        Some(Plan {
            file: file.to_owned(),
            what: what?,
            application,
            version: version.unwrap_or_else(|| "unversioned".to_owned()),
            name,
            files,
            classes: classes.map(PathBuf::from),
            machine,
            timeout,
            keep_trace,
            causes,
            told: axes.iter().filter(is_told).map(|axis| axis.name.clone()).collect(),
            combinations,
            places: places.chain(of_values).map(|(key, at)| (key, self.lines.place(at))).collect(),
        })
    }

    /// Whether all keys are known, and fit each other.
    fn known(&mut self, keys: &Keys<'_, '_>) {
        match self.text(keys, "schema") {
            Some(schema) if schema != Plan::SCHEMA => {
                self.wrong(
                    keys.position("schema"),
                    format!("its schema is `{schema}`, and not {}", Plan::SCHEMA),
                );
            }
            None if !keys.has("schema") => {
                self.wrong(
                    0,
                    format!("it does not name its schema; begin it with schema = \"{}\"", Plan::SCHEMA),
                );
            }
            _ => {}
        }
        let of_program = keys.has("program");
        match (keys.has("command"), of_program) {
            (true, true) => {
                self.wrong(
                    keys.position("program"),
                    "a plan has a command or a program; make two plans of it",
                );
            }
            (false, false) => {
                let what = "it runs nothing; give it a command, as command = [\"mpirun\", \"-np\", \"{ranks}\", \"./heat\"], or a \
                            program, as program = \"late_sender\"";
                self.wrong(0, what);
            }
            _ => {}
        }
        let known: Vec<&str> = EVERYWHERE.into_iter().chain(OF_COMMAND).chain(OF_PROGRAM).collect();
        let known: [&str; EVERYWHERE.len() + OF_COMMAND.len() + OF_PROGRAM.len()] =
            known.try_into().expect("they are as many");
        for (key, _) in &keys.0 {
            let (name, at) = (key.get_ref().as_ref(), key.span().start);
            if COUNTERS.contains(&name) {
                self.wrong(at, format!("a plan has no `{name}`; {UNCOUNTED}"));
            } else if !known.contains(&name) {
                self.unknown(at, "a plan", name, known);
            } else if of_program && OF_COMMAND[1..].contains(&name) {
                self.wrong(
                    at,
                    format!("{name} is for commands, and this is a program of the suite; omit it"),
                );
            } else if keys.has("command") && OF_PROGRAM[1..].contains(&name) {
                self.wrong(
                    at,
                    format!("{name} is for programs of the suite, and this is a command; omit it"),
                );
            }
        }
    }

    fn timeout(&mut self, keys: &Keys<'_, '_>) -> Duration {
        let Some(value) = keys.get("timeout") else { return TIMEOUT };
        let seconds = match value.get_ref() {
            DeValue::Integer(number) => number.as_str().parse().ok(),
            DeValue::Float(number) => number.as_str().parse().ok(),
            _ => None,
        };
        let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        time.filter(|time| !time.is_zero()).unwrap_or_else(|| {
            self.wrong(value.span().start, "timeout is a number of seconds above 0");
            TIMEOUT
        })
    }
}
