//! `ats truth`.

use std::process::ExitCode;

use ats_model::Truth as Document;
use ats_model::WaitState;
use ats_props::Catalogue;
use ats_validation::pipeline::Planned;
use ats_validation::size::Size;
use ats_validation::truth::{TruthOptions, nominal};
use clap::Args;

use crate::failure::Failure;
use crate::findings;
use crate::output::Output;
use crate::program::ProgramArgs;

/// Say what a program shows with these parameters: computed on the virtual engine, exact.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ats truth late_sender
  ats truth late_sender --np 8 basework=0.01 extrawork=0.05 r=10 --format json
  ats truth imbalance_at_mpi_barrier distribution=block2:10ms:50ms --np 16
  ats truth imbalance_at_omp_barrier --threads 8
  ats truth late_sender_hybrid --np 4 --threads 2
  ats truth examples/report-figure-3.5.toml --np 16")]
pub(crate) struct Truth {
    #[command(flatten)]
    program: ProgramArgs,
}

impl Truth {
    pub(crate) fn run(&self, catalogue: &Catalogue, output: Output) -> Result<ExitCode, Failure> {
        let Planned { subject, size } = self.program.resolve(catalogue)?;
        let truth = nominal(&subject, size, &TruthOptions::default())?;
        output.document(&truth, || text(&truth))?;
        Ok(ExitCode::SUCCESS)
    }
}

fn text(truth: &Document) -> String {
    let size = Size { ranks: truth.ranks as usize, threads: truth.threads as usize };
    let parameters: String =
        truth.parameters.iter().map(|(name, value)| format!(" {name}={value}")).collect();
    let separator = if parameters.is_empty() { "" } else { "," };
    let mut text =
        format!("{} on {size}{separator}{parameters}\n{}\n\n", truth.program, findings::basis(&truth.basis));
    if truth.findings.is_empty() {
        text += "Nothing is to be found.\n";
    } else {
        text += &findings::table(&truth.findings.iter().collect::<Vec<_>>());
    }
    let formulas = truth.findings.iter().filter_map(|finding| finding.formula.as_ref());
    text.extend(formulas.map(|formula| format!("\nformula: {formula}\n")));
    let absent: Vec<&str> = truth.absent.iter().copied().map(WaitState::name).collect();
    text + &format!("\nabsent: {}\n", absent.join(", "))
}
