//! Facts that a reader of the witness needs to repeat the run.

use std::collections::BTreeMap;
use std::env;
use std::time::{SystemTime, UNIX_EPOCH};

use ats_model::Witness;
use ats_mpi::BaseComm;
use ats_work::machine::Machine;
use serde_json::{Value, json};

use crate::affinity;
use crate::harness::Harness;
use crate::launcher::Launcher;
use crate::team;

/// Machine, MPI library, work and command line.
pub(crate) fn describe(harness: &Harness) -> BTreeMap<String, Value> {
    let Harness { outline, options, world, work, .. } = harness;
    let with_mpi = world.communicator().is_some();
    let Machine { host, cpu_model, cores } = Machine::this();
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let command_line: Vec<_> = env::args_os().map(|part| part.to_string_lossy().into_owned()).collect();
    [
        ("suite_version", json!(env!("CARGO_PKG_VERSION"))),
        ("mpi_library", json!(world.library())),
        ("launcher", json!(Launcher::find().map(|launcher| launcher.name))),
        ("threads", json!(options.threads)),
        ("team", json!(outline.needs.team.then(team::name).flatten())),
        (Witness::PRAGMAS, json!(outline.needs.team.then_some(team::FROM_PRAGMAS))),
        ("host", json!(host)),
        ("cpu_model", json!(cpu_model)),
        ("cores", json!(cores)),
        ("affinity", json!(affinity::cores())),
        ("work", json!(work.name())),
        ("seed", json!(options.seed)),
        ("warmup", json!(options.warm_up)),
        ("harness", json!(with_mpi.then_some(if options.visible { "mpi" } else { "pmpi" }))),
        ("base_comm", json!(outline.needs.ranks.then(|| base_comm(options.base_comm)))),
        ("command_line", json!(command_line)),
        ("unix_seconds", json!(since_1970.as_secs_f64())),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into()
}

fn base_comm(BaseComm { datatype, count }: BaseComm) -> String {
    format!("{}:{count}", datatype.name())
}
