//! `ats explain`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ats_analyzer::Options;
use ats_diagnosis::{Explained, Limits, ReplayOptions, Replays, compare, divide_trace, explain_trace, judge};
use ats_documents::Explanation;
use ats_documents::comparison::Measure;
use ats_documents::explanation::{Against, Gate};
use ats_presentation::{junit_of_gate, sarif_of_explanation, text};
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
/// saves, since the rest of the program may wait all the same: `--gains` tells that.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ats explain trace/traces.otf2
  ats explain trace/traces.otf2 --details
  ats explain trace/traces.otf2 --gains
  ats explain trace/traces.otf2 --require 0.8
  ats explain scorep/traces.otf2 --basis main --format json
  ats explain trace/traces.otf2 --sarif explanation.sarif
  ats explain after/traces.otf2 --against before/traces.otf2
  ats explain trace/traces.otf2 --baseline kept.json --junit gate.xml

Exit codes with --baseline:
  0  no problem is new, moved or grown, and no function has more calls
  1  one is, or has")]
pub(crate) struct Explain {
    /// The archive's anchor file, DIR/traces.otf2, or its folder; or a Paraver trace's .prv file.
    trace: PathBuf,
    /// The region that shares are relative to [default: `ats_measured` if the trace has it, else everything between
    /// MPI_Init and MPI_Finalize].
    #[arg(long, alias = "region", value_name = "REGION")]
    basis: Option<String>,
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
    /// Run the trace again with a change for each problem, and show what the run gains by it.
    #[arg(long)]
    gains: bool,
    /// Show the facts behind each problem, and all causes that fit.
    #[arg(long)]
    details: bool,
    /// An earlier explanation of the program, as JSON; several are repetitions, whose spread says what is noise. Ends with exit
    /// code 1 if a cause is new, a delay has moved to other locations, a share has grown, or functions are called more often.
    #[arg(long, value_name = "FILE", conflicts_with = "require")]
    baseline: Vec<PathBuf>,
    /// An earlier run, whose trace is compared: says in sentences what this run takes beyond it, and why.
    #[arg(long, value_name = "TRACE")]
    against: Vec<PathBuf>,
    /// Write JUnit's XML, too: a test case for each problem and function beside the baseline.
    #[arg(long, value_name = "FILE", requires = "baseline")]
    junit: Option<PathBuf>,
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
        let baselines = self.baseline.iter().map(|file| baseline(file)).collect::<Result<Vec<_>, _>>()?;
        for file in self.sarif.iter().chain(&self.junit) {
            let files = export::Trace::files(&anchor);
            let inputs = files.iter().chain([&self.trace]).chain(&self.baseline).map(PathBuf::as_path);
            check_file(file, &inputs.collect::<Vec<_>>())?;
        }
        let trace = Trace::open(&anchor).map_err(Failure::input)?;
        let name = anchor.display().to_string();
        let (region, clocks, temp) = (self.basis.clone(), self.clocks.clocks(), self.temp.clone());
        let options = Options { region, clocks, temp, ..Options::default() };
        let limits = Limits { required: self.require, above: self.above, most: self.top };
        let Explained { analysis, explanation: mut document, .. } =
            explain_trace(&trace, &name, &options, limits, &mut |_| {})
                .map_err(|error| Failure::Input(format!("{name}: {error}")))?;
        for warning in &analysis.warnings {
            remark(&format!("warning: {name}: {warning}"));
        }
        if self.gains {
            let (clocks, temp) = (options.clocks, options.temp.clone());
            let replay = ReplayOptions { clocks, temp, ..ReplayOptions::default() };
            let replays = Replays::new(&trace, &name, replay);
            let replays = replays.map_err(|error| Failure::Input(format!("{name}: {error}")))?;
            replays.put_gains_into(&mut document);
        }
        if !self.against.is_empty() {
            document.against = Some(self.compared(&document, &trace, &name, &options)?);
        }
        if !baselines.is_empty() {
            document.gate = Some(judge(&document, &baselines).map_err(Failure::input)?);
        }
        output.document(&document, || text::explanation(&document, self.details))?;
        if let Some(file) = &self.sarif {
            write_file(file, &sarif_of_explanation(&document, Path::new(SourcesArgs::HERE)))?;
        }
        if let Some(file) = &self.junit {
            write_file(file, &junit_of_gate(&document))?;
        }
        let is_passed = document.gate.as_ref().is_none_or(Gate::is_passed);
        Ok(if is_passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    /// The run beside the earlier ones.
    fn compared(
        &self,
        of_b: &Explanation,
        trace: &Trace,
        name: &str,
        options: &Options,
    ) -> Result<Against, Failure> {
        let divided = |trace: &Trace, name: &str| {
            divide_trace(trace, name, options).map_err(|error| Failure::Input(format!("{name}: {error}")))
        };
        let earlier = |path: &PathBuf| {
            let anchor = trace_file(path).map_err(Failure::input)?;
            divided(&Trace::open(&anchor).map_err(Failure::input)?, &anchor.display().to_string())
        };
        let a = self.against.iter().map(earlier).collect::<Result<Vec<_>, _>>()?;
        let comparison = compare(&a, &[divided(trace, name)?], Measure::Seconds);
        let sentences = text::sentences(&comparison, of_b, self.above);
        Ok(Against { sentences, comparison })
    }
}

/// An explanation that was kept.
fn baseline(file: &Path) -> Result<Explanation, Failure> {
    let name = file.display();
    let text = fs::read_to_string(file).map_err(|error| Failure::Input(format!("{name}: {error}")))?;
    let document: Explanation = serde_json::from_str(&text).map_err(|error| {
        Failure::Input(format!("{name}: no answer of `ats explain TRACE --format json`: {error}"))
    })?;
    Ok(document)
}
