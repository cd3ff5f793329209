//! `ats overheads`.

use std::path::PathBuf;
use std::process::ExitCode;

use ats_diagnosis::{Reference, Run, contradictions};
use ats_documents::classes::Classes;
use ats_presentation::text;
use clap::Args;

use crate::failure::Failure;
use crate::options::compared::Kept;
use crate::output::{Output, width};

/// Show the overheads of parallel runs over a sequential run
///
/// The time that a run on p units takes beyond a p-th of the sequential run is divided into data movement,
/// synchronisation, control of parallelism, additional computation, loss of parallelism, and an unidentified rest.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ats overheads REPO/heat.Ranks4.threads1.size100.r1 --sequential REPO/heat-sequential.Ranks1.threads1.size100.r1
  ats overheads REPO --sequential REPO/heat-sequential.Ranks1.threads1.size100.r1
  ats overheads REPO --sequential REPO/paper-sequential.Ranks1.threads1.r1 --check")]
pub(crate) struct OverheadsOf {
    /// The folders of the experiments, REPO/EXPERIMENT, where the last part of the experiment's name is enough; or a
    /// repository, for all parallel runs that have the name, version and parameters of the sequential one.
    #[arg(value_name = "EXPERIMENT", required = true)]
    parallel: Vec<PathBuf>,
    /// The folder of the experiment that they are compared with: the sequential program, or a run with one process.
    #[arg(long, value_name = "EXPERIMENT")]
    sequential: PathBuf,
    /// The region that stands for the program [default: all; for tables, the region that took longest].
    #[arg(long, value_name = "NAME")]
    region: Option<String>,
    /// Rules in TOML that say what the time in regions is spent on, as for `ats profile --summaries`.
    #[arg(long, value_name = "FILE")]
    classes: Option<PathBuf>,
    /// Check the sums, above all those that a table states, within 0.2 % or 2 ms.
    #[arg(long)]
    check: bool,
}

impl OverheadsOf {
    pub(crate) fn run(&self, output: Output) -> Result<ExitCode, Failure> {
        let classes = self.classes.as_deref().map(Classes::read).transpose().map_err(Failure::input)?;
        let classes = classes.unwrap_or_default();
        let sequential = Kept::read(&self.sequential)?;
        let kept = Kept::read_all(&self.parallel, |one| is_alike(one, &sequential))?;
        let runs: Vec<Run> = kept.iter().filter(|one| one.id != sequential.id).map(Kept::run).collect();
        if runs.is_empty() {
            let none = format!(
                "there is no parallel run like {}; name one, `ats experiment list` shows all",
                sequential.id
            );
            return Err(Failure::Input(none));
        }
        let region = self.region.as_deref();
        let reference = Reference { run: sequential.run(), classes: &classes, region };
        let mut document = reference.overheads(&runs)?;
        if self.check {
            document.contradictions = Some(contradictions(&document));
        }
        output.document(&document, || text::overheads(&document, width()))?;
        let differs = document.contradictions.is_some_and(|found| !found.is_empty());
        Ok(ExitCode::from(u8::from(differs)))
    }
}

/// Whether it is a parallel run that the sequential one is a reference of.
fn is_alike(one: &Kept, sequential: &Kept) -> bool {
    let [one, sequential] = [one, sequential].map(|kept| kept.experiment.listed(&kept.id));
    let (run, base) = (one.run.configuration(), sequential.run.configuration());
    let is_reference = !sequential.run.sequential || run.sequential([base].into_iter()).is_some();
    !one.run.sequential && one.curve() == sequential.curve() && is_reference
}
