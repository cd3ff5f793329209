//! `ats overheads`.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;

use ats_diagnosis::{Reference, Run, contradictions};
use ats_documents::Overheads;
use ats_documents::classes::Classes;
use ats_documents::experiment::Listed;
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
  ats overheads REPO
  ats overheads REPO version=1.1 'ranks>=4'
  ats overheads REPO/heat.Ranks4.threads1.size100.r1
  ats overheads REPO --sequential REPO/heat-sequential.Ranks1.threads1.size100.r1
  ats overheads REPO --sequential REPO/paper-sequential.Ranks1.threads1.r1 --check")]
pub(crate) struct OverheadsOf {
    /// The folders of the experiments, REPO/EXPERIMENT, where the last part of the experiment's name is enough; or a
    /// repository, for all its parallel runs, and conditions on them, as for `ats experiment list`.
    ///
    /// Each run is compared with one of the same application, version and parameters.
    #[arg(value_name = "EXPERIMENT", required = true)]
    parallel: Vec<PathBuf>,
    /// The folder of the experiment that they are compared with, such as a run with one process; of a repository, runs like it
    /// [default: of each run the sequential one in its repository, or else the smallest].
    #[arg(long, value_name = "EXPERIMENT")]
    sequential: Option<PathBuf>,
    /// The region that stands for the program [default: all; for tables, the region that took longest].
    #[arg(long, alias = "region", value_name = "REGION")]
    basis: Option<String>,
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
        let (kept, sequential) = self.pairs()?;
        let region = self.basis.as_deref();
        let mut document: Option<Overheads> = None;
        for base in sequential.iter().copied().collect::<BTreeSet<usize>>() {
            let of = (0..sequential.len()).filter(|&at| sequential[at] == base && at != base);
            let runs: Vec<Run> = of.map(|at| kept[at].run()).collect();
            let reference = Reference { run: kept[base].run(), classes: &classes, region };
            let own = if runs.is_empty() { continue } else { reference.overheads(&runs)? };
            match &mut document {
                Some(document) => document.experiments.extend(own.experiments),
                None => document = Some(own),
            }
        }
        let Some(mut document) = document else {
            let like = sequential.first().map(|&base| format!(" like {}", kept[base].id)).unwrap_or_default();
            let none = format!("there is no parallel run{like}; name one, `ats experiment list` shows all");
            return Err(Failure::Input(none));
        };
        let place = |id: &str| kept.iter().position(|one| one.id == id);
        document.experiments.sort_by_key(|run| place(&run.id));
        if self.check {
            document.contradictions = Some(contradictions(&document));
        }
        output.document(&document, || text::overheads(&document, width()))?;
        let differs = document.contradictions.is_some_and(|found| !found.is_empty());
        Ok(ExitCode::from(u8::from(differs)))
    }

    /// The runs, those that they are compared with behind them, and of each run the place of the one that it is compared with.
    fn pairs(&self) -> Result<(Vec<Kept>, Vec<usize>), Failure> {
        if let Some(path) = &self.sequential {
            let sequential = Kept::read(path)?;
            let mut kept = Kept::read_all(&self.parallel, |one| is_alike(one, &sequential))?;
            kept.retain(|one| one.id != sequential.id);
            let base = kept.len();
            kept.push(sequential);
            return Ok((kept, vec![base; base + 1]));
        }
        let mut kept = Kept::read_all(&self.parallel, |one| !one.experiment.experiment.sequential)?;
        let shown = kept.len();
        Kept::add_references(&mut kept)?;
        let listed: Vec<Listed> = kept.iter().map(Kept::listed).collect();
        let base = |(at, one): (usize, &Listed)| one.reference(&listed).unwrap_or(at);
        let bases = listed.iter().enumerate().take(shown).map(base).collect();
        Ok((kept, bases))
    }
}

/// Whether it is a parallel run that the sequential one is a reference of.
fn is_alike(one: &Kept, sequential: &Kept) -> bool {
    let [one, sequential] = [one, sequential].map(Kept::listed);
    let (run, base) = (one.run.configuration(), sequential.run.configuration());
    let is_reference = !sequential.run.sequential || run.sequential([base].into_iter()).is_some();
    !one.run.sequential && one.curve() == sequential.curve() && is_reference
}
