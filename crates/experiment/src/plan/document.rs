//! The file as it is written, for its schema; `reader.rs` reads it, in order to report all mistakes at once.

use std::collections::BTreeMap;

use ats_documents::experiment::Engine;
use schemars::{JsonSchema, schema_for};

/// The JSON schema of a plan.
pub fn schema() -> schemars::Schema {
    schema_for!(Document)
}

/// The runs of a plan: a command or a program of the suite, with all combinations of values.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Plan")]
#[allow(dead_code, reason = "describes what reader.rs reads")]
struct Document {
    /// The version of the format, `ats-plan/1`.
    schema: String,
    /// The application; of a program of the suite, that by default.
    application: Option<String>,
    /// Its version; `unversioned` by default.
    version: Option<String>,
    /// The name of the experiments; that of the application by default.
    name: Option<String>,
    /// The source files of the version, whose hashes are kept.
    files: Option<Vec<String>>,
    /// The file of rules that classify the time in regions.
    classes: Option<String>,
    /// The machine.
    machine: Option<String>,
    /// The processor.
    cpu: Option<String>,
    /// The network; in virtual time, the cost of communication.
    network: Option<String>,
    /// The launcher, the program and their arguments, in which `{NAME}` is a value, `{repeat}` the number of the
    /// repetition and `{dir}` a folder of the run alone.
    command: Option<Vec<String>>,
    /// Variables that the program finds in its environment, with the same places.
    environment: Option<BTreeMap<String, String>>,
    /// The report or trace that the command leaves, in place of our recorder: a path that begins with `{dir}`, in which
    /// `*` stands for any part of a name.
    report: Option<String>,
    /// In place of a command: a property, its twin, or the file of a composition (a name with `/` or ending in
    /// `.toml`).
    program: Option<String>,
    /// The engine that runs the program; `mpi` by default.
    engine: Option<Engine>,
    /// The launcher of a program, by name or path.
    launcher: Option<String>,
    /// The kind of work of a program.
    work: Option<String>,
    /// The seed of the random accesses that work of a program makes.
    seed: Option<u64>,
    /// The number of repetitions of every run; 1 by default.
    #[schemars(range(min = 1))]
    repeats: Option<u32>,
    /// Seconds after which a run is killed, or stopped in virtual time; 60 by default.
    timeout: Option<f64>,
    /// Whether the trace of each run is kept, too, beside its experiment.
    keep_trace: Option<bool>,
    /// Whether the root causes of the waits of each run are kept, too.
    causes: Option<bool>,
    /// Combinations that are not run: conditions as for `ats experiment list`, with blanks between those that must hold
    /// together.
    exclude: Option<Vec<String>>,
    /// The values of each name; all combinations of them are run. `ranks` and `threads` are the size, or `nodes` and
    /// `units` on each; `sequential` is whether it is the sequential program; all else are parameters.
    values: Option<BTreeMap<String, Values>>,
}

/// One value, several, or a range.
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "describes what values.rs reads")]
enum Values {
    One(Value),
    List(Vec<Value>),
    Range(Numbers),
}

#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "describes what values.rs reads")]
enum Value {
    Text(String),
    Whole(i64),
    Real(f64),
    Truth(bool),
}

/// Numbers from one to another; the last one is included if a step meets it.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "describes what values.rs reads")]
struct Numbers {
    /// The first.
    from: f64,
    /// The limit of the numbers.
    to: f64,
    /// The difference between neighbours; 1 by default.
    step: Option<f64>,
    /// In place of a step: the ratio of neighbours.
    factor: Option<f64>,
}
