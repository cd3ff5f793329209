//! What a reader of the witness needs to repeat the run.

use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

use ats_mpi::real;
use ats_work::Kind;
use ats_work::machine::Machine;
use serde_json::{Value, json};

use crate::affinity;
use crate::launcher::Launcher;
use crate::options::Options;

/// Machine, MPI library, work and command line.
pub(crate) fn describe(options: &Options, work: Kind) -> BTreeMap<String, Value> {
    let Machine { host, cpu_model, cores } = Machine::this();
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let command_line: Vec<_> = std::env::args_os().map(|part| part.to_string_lossy().into_owned()).collect();
    [
        ("suite_version", json!(env!("CARGO_PKG_VERSION"))),
        ("mpi_library", json!(real::library_version())),
        ("launcher", json!(Launcher::find().map(|launcher| launcher.name))),
        ("host", json!(host)),
        ("cpu_model", json!(cpu_model)),
        ("cores", json!(cores)),
        ("affinity", json!(affinity::cores())),
        ("work", json!(work.name())),
        ("seed", json!(options.seed)),
        ("warmup", json!(options.warm_up)),
        ("harness", json!(if options.visible { "mpi" } else { "pmpi" })),
        ("base_comm", json!(format!("{}:{}", options.base_comm.datatype.name(), options.base_comm.count))),
        ("command_line", json!(command_line)),
        ("unix_seconds", json!(since_1970.as_secs_f64())),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into()
}
