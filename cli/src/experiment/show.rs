//! `ats experiment show`.

use std::path::{Path, PathBuf};

use ats_documents::Experiment;
use ats_experiment::Repository;
use ats_presentation::text::printable;
use clap::Args;

use crate::failure::Failure;
use crate::output::{Output, grid, remark};
use crate::profile::amounts;

/// Show an experiment: how it was run, on what, and what was spent in its regions
///
/// Its call paths are shown by `ats profile REPO/EXPERIMENT`.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ats experiment show REPO heat/1.0/heat.Ranks4.threads2.size100.r1
  ats experiment show REPO heat.Ranks4.threads2.size100.r1 --format json")]
pub(crate) struct Show {
    /// The folder of the repository.
    #[arg(value_name = "REPO")]
    repository: PathBuf,
    /// The experiment, as `ats experiment list` shows it; the last part is enough where no other has it.
    #[arg(value_name = "EXPERIMENT")]
    experiment: String,
}

impl Show {
    pub(crate) fn run(&self, output: Output) -> Result<(), Failure> {
        let repository = Repository::open(&self.repository)?;
        let id = repository.find(&self.experiment)?;
        let experiment = repository.read(&id)?;
        for warning in &experiment.warnings {
            remark(&format!("warning: {id}: {warning}"));
        }
        let trace = repository.trace(&id);
        output.document(&experiment, || text(&id, trace.as_deref(), &experiment))
    }
}

fn text(id: &str, trace: Option<&Path>, experiment: &Experiment) -> String {
    let rows = experiment.totals();
    let mut metrics = grid(&["value", "unit", "origin", "metric", "region"], &[0]);
    for (region, spent) in &rows {
        for (name, value) in &spent.metrics {
            let metric = experiment.metrics.iter().find(|metric| metric.name == *name);
            let unit = metric.map_or("", |metric| &metric.unit);
            let origin = metric.map_or("", |metric| metric.origin.name());
            metrics.row([&value.to_string(), unit, origin, name, region]);
        }
    }
    let others = if metrics.is_empty() { String::new() } else { format!("\n{}", metrics.text()) };
    format!("{}\n{}{others}", head(id, trace, experiment), amounts(&rows, "region", &[]))
}

/// The facts known about how it was run.
fn head(id: &str, trace: Option<&Path>, experiment: &Experiment) -> String {
    let (run, machine) = (&experiment.experiment, &experiment.machine);
    let number = |number: Option<u32>| number.map(|number| number.to_string());
    let files: Vec<&str> = experiment.version.files.iter().map(|file| file.name.as_str()).collect();
    let parameters: Vec<String> =
        run.parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let some = |text: String| Some(text).filter(|text| !text.is_empty());
    let known = [
        ("source", Some(run.source.clone())),
        ("trace", trace.map(|trace| trace.display().to_string())),
        ("files", some(files.join(", "))),
        ("command", run.command.clone()),
        ("parameters", some(parameters.join(" "))),
        ("ranks", Some(run.ranks.to_string())),
        ("threads", Some(run.threads.to_string())),
        ("sequential", run.sequential.then(|| "yes".to_owned())),
        ("engine", run.engine.map(|engine| engine.name().to_owned())),
        ("date", run.date.clone()),
        ("seed", run.seed.map(|seed| seed.to_string())),
        ("machine", machine.part_of.clone()),
        ("nodes", number(machine.nodes)),
        ("units per node", number(machine.units_per_node)),
        ("cpu", machine.cpu.clone()),
        ("network", machine.network.clone()),
    ];
    let line = |(name, value): (&str, Option<String>)| Some(format!("{name}: {}\n", printable(&value?)));
    format!("{}\n{}", printable(id), known.into_iter().filter_map(line).collect::<String>())
}
