//! `ats trace`.

use std::path::PathBuf;
use std::process::ExitCode;

use ats_documents::answer::Done;
use ats_props::Catalogue;
use ats_truth::Planned;
use ats_truth::ideal_trace;
use clap::Args;

use crate::commands::record::clear;
use crate::failure::Failure;
use crate::options::machine::MachineArgs;
use crate::options::program::ProgramArgs;
use crate::output::Output;

/// Write the ideal OTF2 trace of a program.
///
/// This is the trace that a perfect recorder would write on a perfect machine.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ats trace late_sender -o ideal
  ats trace late_sender --np 65536 r=2 -o ideal
  ats trace omp_imbalance_at_mpi_barrier --np 4 --threads 8 -o ideal
  ats trace late_sender --network latency=2us,bandwidth=1GB/s -o ideal
  ats trace late_broadcast_balanced root=4 --np 6 --processors 0,1,1,1,1,2 -o mapped
  ats trace examples/needle.toml -o ideal")]
pub(crate) struct Trace {
    #[command(flatten)]
    program: ProgramArgs,
    #[command(flatten)]
    machine: MachineArgs,
    /// The folder of the archive; its anchor is DIR/traces.otf2. A former trace in it is overwritten.
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
}

impl Trace {
    pub(crate) fn run(&self, catalogue: &Catalogue, output: Output) -> Result<ExitCode, Failure> {
        let Planned { subject, size } = self.program.resolve(catalogue)?;
        clear(&self.output).map_err(|error| {
            Failure::Folder(format!(
                "cannot write into {}: {error}; choose a folder that you may write to",
                self.output.display()
            ))
        })?;
        let written = ideal_trace::write(&subject, size, &self.output, &self.machine.options());
        let trace = written.map_err(|error| {
            // What is there of it would pass for a whole one.
            let _ = clear(&self.output);
            Failure::from(error)
        })?;
        let text = format!("{}\n", trace.display());
        let document = Done {
            schema: Done::SCHEMA,
            program: Some(subject.name().to_owned()),
            ranks: Some(size.ranks),
            threads: Some(size.threads),
            trace: Some(trace),
            ..Done::default()
        };
        output.document(&document, || text)?;
        Ok(ExitCode::SUCCESS)
    }
}
