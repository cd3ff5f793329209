//! `ats explain`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ats_analyzer::Options;
use ats_diagnosis::{Explained, Limits, explain_trace};
use ats_presentation::{sarif_of_explanation, text};
use ats_reports::source::opening::trace_file;
use ats_trace::Trace;
use clap::Args;

use crate::commands::export::{self, SourcesArgs};
use crate::failure::Failure;
use crate::options::clocks::ClocksArgs;
use crate::options::share::share;
use crate::output::{Output, check_file, remark, write_file};

/// Explain why the locations of a run wait, and what to change.
///
/// Each problem is the time that others wait because of one region: the waiting that it causes, and not what a change
/// saves, since the rest of the program may wait all the same.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ats explain trace/traces.otf2
  ats explain trace/traces.otf2 --details
  ats explain trace/traces.otf2 --require 0.8
  ats explain scorep/traces.otf2 --region main --format json
  ats explain trace/traces.otf2 --sarif explanation.sarif")]
pub(crate) struct Explain {
    /// The archive's anchor file, DIR/traces.otf2, or its folder; or a Paraver trace's .prv file.
    trace: PathBuf,
    /// The region that shares are relative to [default: `ats_measured` if the trace has it, else everything between
    /// MPI_Init and MPI_Finalize].
    #[arg(long, value_name = "NAME")]
    region: Option<String>,
    #[command(flatten)]
    clocks: ClocksArgs,
    /// The efficiency that is enough, from 0 to 1. If the run has it, no problem is shown.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    require: Option<f64>,
    /// Show at most so many problems.
    #[arg(long, value_name = "N", default_value_t = Limits::default().most)]
    top: usize,
    /// Show only problems that cost at least this share of the run, from 0 to 1.
    #[arg(long, value_name = "SHARE", default_value_t = Limits::default().above, value_parser = share)]
    above: f64,
    /// Show the facts behind each problem, and all causes that fit.
    #[arg(long)]
    details: bool,
    /// Write SARIF, too, for code scanners and editors: each problem at its line of the source.
    #[arg(long, value_name = "FILE")]
    sarif: Option<PathBuf>,
    /// The folder of temporary files, which hold records that do not fit into memory [default: the system's].
    #[arg(long, value_name = "DIR")]
    temp: Option<PathBuf>,
}

impl Explain {
    pub(crate) fn run(&self, output: Output) -> Result<ExitCode, Failure> {
        let anchor = trace_file(&self.trace).map_err(Failure::input)?;
        if let Some(file) = &self.sarif {
            let files = export::Trace::files(&anchor);
            let inputs = files.iter().chain([&self.trace]).map(PathBuf::as_path);
            check_file(file, &inputs.collect::<Vec<_>>())?;
        }
        let trace = Trace::open(&anchor).map_err(Failure::input)?;
        let name = anchor.display().to_string();
        let (region, clocks, temp) = (self.region.clone(), self.clocks.clocks(), self.temp.clone());
        let options = Options { region, clocks, temp, ..Options::default() };
        let limits = Limits { required: self.require, above: self.above, most: self.top };
        let Explained { analysis, explanation: document, .. } =
            explain_trace(&trace, &name, &options, limits, &mut |_| {})
                .map_err(|error| Failure::Input(format!("{name}: {error}")))?;
        for warning in &analysis.warnings {
            remark(&format!("warning: {name}: {warning}"));
        }
        output.document(&document, || text::explanation(&document, self.details))?;
        if let Some(file) = &self.sarif {
            write_file(file, &sarif_of_explanation(&document, Path::new(SourcesArgs::HERE)))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
