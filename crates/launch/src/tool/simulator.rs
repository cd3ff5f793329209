//! Simulators of networks: how one is given a trace, and what it answers.

use std::collections::BTreeMap;

use ats_model::simulator::TraceForm;
use regex::Regex;
use serde::{Deserialize, Serialize};

/// Names of places in the texts of a simulator.
pub(super) const PLACES_OF_SIMULATOR: [&str; 11] = [
    "dir",
    "here",
    "ranks",
    "last_rank",
    "latency",
    "overhead",
    "bandwidth",
    "latency_ns",
    "overhead_ns",
    "ns_per_byte",
    "eager",
];

/// A simulator of networks, which predicts a run by its trace.
///
/// In its files and commands, `{dir}` is the folder with the trace and the files, `{ranks}` and `{last_rank}` are numbers,
/// `{latency}` and `{overhead}` seconds, `{bandwidth}` bytes per second, `{latency_ns}`, `{overhead_ns}` and `{ns_per_byte}`
/// the same in whole nanoseconds, and `{eager}` is the largest message that does not wait.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Simulator {
    /// The form of the trace.
    pub trace: TraceForm,
    /// Files beside the trace, by name, such as a platform.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// The commands, one after the other, in the folder of the trace.
    pub commands: Vec<Vec<String>>,
    /// A regular expression of the predicted time in what the last command prints; the time is its first group.
    pub answer: String,
    /// Seconds in the unit of that time.
    pub unit: f64,
}

impl Simulator {
    pub(super) fn texts(&self) -> impl Iterator<Item = &String> {
        self.files.values().chain(self.commands.iter().flatten())
    }

    /// A mistake in the description, in words.
    pub(super) fn wrong(&self) -> Option<String> {
        if self.commands.is_empty() || self.commands.iter().any(Vec::is_empty) {
            return Some(
                "a simulator has no command, or an empty one; give a program and its arguments".to_owned(),
            );
        }
        if let Some(name) = self.files.keys().find(|name| name.contains('/')) {
            return Some(format!("`{name}` leaves the folder of the trace; give a name without `/`"));
        }
        match Regex::new(&self.answer) {
            Ok(regex) if regex.captures_len() > 1 => None,
            Ok(_) => Some(format!("`{}` has no group for the time; put it into parentheses", self.answer)),
            Err(error) => Some(format!("`{}` is no regular expression: {error}", self.answer)),
        }
    }
}
