//! `ats truth`.

use std::path::PathBuf;
use std::process::ExitCode;

use ats_model::delay::Extent;
use ats_presentation::text;
use ats_props::Catalogue;
use ats_truth::{Planned, TruthOptions, nominal, nominal_runs};
use clap::Args;

use crate::failure::Failure;
use crate::options::machine::MachineArgs;
use crate::options::program::ProgramArgs;
use crate::output::{Output, json, width, write_file};

/// Compute the waits that a program shows, in virtual time.
///
/// The result is exact for an ideal machine. It is what reports are compared with.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ats truth late_sender
  ats truth late_sender --np 8 basework=0.01 extrawork=0.05 r=10 -o late_sender.json
  ats truth imbalance_at_mpi_barrier distribution=block2:10ms:50ms --np 16
  ats truth imbalance_at_omp_barrier --threads 8
  ats truth late_sender_hybrid --np 4 --threads 2
  ats truth late_receiver_eager --network eager=0
  ats truth late_sender --network latency=1us,bandwidth=10GB/s,overhead=200ns,eager=64KiB
  ats truth late_sender_propagation --np 4 --causes
  ats truth examples/report-figure-3.5.toml --np 16")]
pub(crate) struct Truth {
    #[command(flatten)]
    program: ProgramArgs,
    #[command(flatten)]
    machine: MachineArgs,
    /// Compute the root causes of the waits, too, of a single run: who makes whom wait, and the critical path.
    #[arg(long)]
    causes: bool,
    /// The file to write, in JSON: what `ats score` takes [default: print it].
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Truth {
    pub(crate) fn run(&self, catalogue: &Catalogue, output: Output) -> Result<ExitCode, Failure> {
        let truth = match self.program.experiment(catalogue)? {
            Some((subject, sizes)) if self.causes => {
                return Err(Failure::Input(format!(
                    "--causes are those of one run, and {} has {}; choose one with --np and --threads",
                    subject.name(),
                    sizes.len()
                )));
            }
            Some((subject, sizes)) => nominal_runs(&subject, &sizes, &self.machine.options())?,
            None => {
                let Planned { subject, size } = self.program.resolve(catalogue)?;
                nominal(
                    &subject,
                    size,
                    &TruthOptions {
                        causes: self.causes.then_some(Extent::Scalasca),
                        ..self.machine.options()
                    },
                )?
            }
        };
        match &self.output {
            None => output.document(&truth, || text::truth(&truth, width()))?,
            Some(file) => {
                write_file(file, &json(&truth))?;
                output.written(vec![file.clone()])?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
