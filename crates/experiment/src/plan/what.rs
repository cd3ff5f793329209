//! The subject of a plan: a command of the user's, or a program of the suite.

use std::collections::BTreeMap;

use ats_model::mistakes::nearest;

use super::reader::{Keys, Reader, entries};
use super::template::Template;
use super::values::{Axis, OWN};

/// The command or program that a plan runs.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// A command of the user's.
    Command {
        /// The launcher, the program and their arguments.
        words: Vec<Template>,
        /// Variables that the program finds in its environment.
        environment: BTreeMap<String, Template>,
        /// The report that it leaves in its folder; if it leaves none, it is recorded.
        report: Option<Template>,
    },
    /// A property, its twin, or the file of a composition.
    Program {
        /// The name of the program.
        name: String,
        /// The engine that runs it.
        engine: PlannedEngine,
    },
}

/// The engine for a program of the suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlannedEngine {
    /// Virtual time.
    Virtual,
    /// Processes and threads of this machine.
    Mpi {
        /// The launcher, by name or path.
        launcher: Option<String>,
        /// The kind of work.
        work: Option<String>,
        /// The seed of the random accesses that work makes.
        seed: Option<u64>,
    },
}

/// The keys of plans with a command, and of those with a program of the suite.
pub(super) const OF_COMMAND: [&str; 3] = ["command", "environment", "report"];
pub(super) const OF_PROGRAM: [&str; 5] = ["program", "engine", "launcher", "work", "seed"];

/// The message about counters that our recorder is asked for.
pub(super) const UNCOUNTED: &str = "our recorder counts nothing of the hardware; use another one, with its own variables for counters \
                                    in `environment`, and name the report that it writes with `report`";

/// The variables that choose the counters of other recorders.
const COUNTED_BY: [&str; 5] =
    ["SCOREP_METRIC_PAPI", "SCOREP_METRIC_PERF", "SCOREP_METRIC_RUSAGE", "TAU_METRICS", "CALI_PAPI_COUNTERS"];

/// The keys that have no meaning in virtual time.
const OF_REAL: [&str; 3] = ["launcher", "work", "seed"];

impl Reader<'_> {
    /// The command or program of the plan; `None` if it is wrong.
    pub(super) fn what(&mut self, keys: &Keys<'_, '_>, axes: &[Axis]) -> Option<What> {
        if keys.has("command") { self.command(keys, axes) } else { self.program(keys, axes) }
    }

    fn program(&mut self, keys: &Keys<'_, '_>, axes: &[Axis]) -> Option<What> {
        let name = self.text(keys, "program");
        let engine = self.text(keys, "engine").unwrap_or_else(|| "mpi".to_owned());
        let [launcher, work] = ["launcher", "work"].map(|key| self.text(keys, key));
        let seed = self.whole(keys, "seed", 0);
        let engine = match engine.as_str() {
            "virtual" => {
                for key in OF_REAL.into_iter().filter(|key| keys.has(key)) {
                    let what = format!("{key} is for real processes, and virtual time has none; omit it");
                    self.wrong(keys.position(key), what);
                }
                PlannedEngine::Virtual
            }
            "mpi" => {
                let is_so = |axis: &&Axis| {
                    axis.name == "sequential" && axis.values.iter().any(|(is, _)| is == "true")
                };
                if let Some(axis) = axes.iter().find(is_so) {
                    let what = "sequential programs of the suite are run in virtual time; write engine = \"virtual\", or omit \
                                sequential";
                    self.wrong(axis.at, what);
                }
                PlannedEngine::Mpi { launcher, work, seed }
            }
            other => {
                let at = keys.get("engine").map_or(0, |value| value.span().start);
                self.wrong(at, format!("there is no engine `{other}`; there are virtual and mpi"));
                return None;
            }
        };
        Some(What::Program { name: name?, engine })
    }

    fn command(&mut self, keys: &Keys<'_, '_>, axes: &[Axis]) -> Option<What> {
        let at = keys.get("command").map_or(0, |value| value.span().start);
        let mut templates: Vec<(Template, usize)> = Vec::new();
        for (word, at) in self.texts(keys, "command") {
            templates.extend(self.template(word, at).map(|template| (template, at)));
        }
        let words: Vec<Template> = templates.iter().map(|(template, _)| template.clone()).collect();
        let list = keys.get("command").and_then(|value| value.get_ref().as_array());
        if list.is_some_and(|list| list.is_empty()) {
            self.wrong(at, "the command has no words; write the launcher, the program and their arguments");
        }
        let environment = self.environment(keys, &mut templates);
        let report = self.text(keys, "report").and_then(|text| {
            let at = keys.get("report").map_or(0, |value| value.span().start);
            if !text.starts_with("{dir}/") {
                let what = "the report lies in the folder of the run; write {dir}/ before it, and have the command put it there";
                self.wrong(at, what);
            }
            let template = self.template(&text, at)?;
            templates.push((template.clone(), at));
            Some(template)
        });
        let named = axes.iter().map(|axis| axis.name.as_str());
        let known: Vec<&str> = named.chain(["ranks", "threads"]).chain(OWN).collect();
        let before = self.count();
        for (template, at) in &templates {
            for name in template.places().filter(|name| !known.contains(name)) {
                let fix = nearest(name, known.iter().copied())
                    .map_or("write its values below [values]".to_owned(), |near| {
                        format!("did you mean {{{near}}}?")
                    });
                self.wrong(*at, format!("there are no values for {{{name}}}; {fix}"));
            }
        }
        if self.count() > before {
            // What it is meant to be is told already.
            return None;
        }
        let used: Vec<&str> = templates.iter().flat_map(|(template, _)| template.places()).collect();
        for axis in axes.iter().filter(|axis| axis.values.len() > 1) {
            let name = axis.name.as_str();
            if name == "sequential" {
                continue;
            }
            let is_size = ["ranks", "nodes", "units"].contains(&name);
            if !(used.contains(&name) || is_size && used.iter().any(|name| ["ranks", "nodes"].contains(name)))
            {
                let what = format!(
                    "the runs would be alike: the command has no {{{name}}}; write it where it belongs"
                );
                self.wrong(axis.at, what);
            }
        }
        Some(What::Command { words, environment, report })
    }

    fn environment(
        &mut self,
        keys: &Keys<'_, '_>,
        templates: &mut Vec<(Template, usize)>,
    ) -> BTreeMap<String, Template> {
        let Some(value) = keys.get("environment") else { return BTreeMap::new() };
        let Some(table) = value.get_ref().as_table() else {
            self.kind("environment", value, "a table, as { OMP_NUM_THREADS = \"{threads}\" }");
            return BTreeMap::new();
        };
        let mut environment = BTreeMap::new();
        for (key, value) in entries(table) {
            let Some(text) = value.get_ref().as_str() else {
                self.kind(key.get_ref(), value, "a text, as \"{threads}\"");
                continue;
            };
            if key.get_ref().is_empty() || key.get_ref().contains(['=', '\0']) {
                self.wrong(
                    key.span().start,
                    format!("`{}` is not a valid name of a variable", key.get_ref()),
                );
            }
            if COUNTED_BY.contains(&&**key.get_ref()) && !keys.has("report") {
                self.wrong(key.span().start, format!("no recorder reads {}: {UNCOUNTED}", key.get_ref()));
            }
            if let Some(template) = self.template(text, value.span().start) {
                templates.push((template.clone(), value.span().start));
                environment.insert(key.get_ref().to_string(), template);
            }
        }
        environment
    }
}
