//! The environment of a run: the facts that a reader of a document needs to repeat it.

use std::collections::BTreeMap;
use std::process::Command;

use ats_model::Witness;
use serde_json::{Value, json};

/// The facts that hold for everything that this process does.
pub fn of_machine() -> BTreeMap<String, Value> {
    let machine = ats_work::machine::Machine::this();
    let command_line: Vec<_> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    [
        ("suite_version", json!(env!("CARGO_PKG_VERSION"))),
        ("command_line", json!(command_line)),
        ("cpu_model", json!(machine.cpu_model)),
        ("cores", json!(machine.cores)),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into()
}

/// A run's description of itself: the first rank's words.
pub fn of_run(witnesses: Vec<Witness>) -> BTreeMap<String, Value> {
    witnesses.into_iter().next().map_or_else(BTreeMap::new, |witness| witness.environment)
}

/// Notes how the program in a folder was started.
pub fn note_command(environment: &mut BTreeMap<String, Value>, folder: &str, command: &Command) {
    let words: Vec<_> = std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    if let Some(Value::Object(lines)) = environment.get_mut("command_lines") {
        lines.insert(folder.to_owned(), json!(words));
    }
}

/// The facts that all programs report alike, taken from each of them.
pub fn common<'a>(environments: impl Iterator<Item = &'a mut BTreeMap<String, Value>>) -> Option<Value> {
    let mut environments: Vec<_> = environments.filter(|environment| !environment.is_empty()).collect();
    let mut common: BTreeMap<String, Value> = BTreeMap::clone(environments.first()?);
    common.retain(|name, value| environments.iter().all(|other| other.get(name) == Some(value)));
    for environment in &mut environments {
        environment.retain(|name, _| !common.contains_key(name));
    }
    Some(json!(common))
}
