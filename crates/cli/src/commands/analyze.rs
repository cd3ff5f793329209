//! `ats analyze`.

use std::path::PathBuf;
use std::process::ExitCode;

use ats_analyzer::{Options, analyze, analyze_and_profile};
use ats_presentation::text;
use ats_reports::source::opening::trace_file;
use ats_trace::Trace;
use clap::Args;

use crate::failure::Failure;
use crate::options::causes::{CausesArgs, keep_of};
use crate::options::clocks::ClocksArgs;
use crate::options::share::{SMALL, share};
use crate::output::cubex::{self, CubexArgs};
use crate::output::{Output, remark, width};

/// Find wait states in an OTF2 or Paraver trace.
///
/// OTF2 traces may come from `ats record`, Score-P or EZTrace, Paraver traces from Extrae.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ats analyze trace/traces.otf2
  ats analyze trace/traces.otf2 --format json
  ats analyze scorep/traces.otf2 --basis main
  ats analyze trace/traces.otf2 -o scout.cubex
  ats analyze trace/traces.otf2 --causes
  ats analyze trace/traces.otf2 --causes --of late_sender@main/MPI_Recv
  ats analyze extrae/late_sender.prv")]
pub(crate) struct Analyze {
    /// The archive's anchor file, DIR/traces.otf2, or its folder; or a Paraver trace's .prv file.
    trace: PathBuf,
    /// The region that severities are relative to [default: `ats_measured` where the trace has it, else everything
    /// between MPI_Init and MPI_Finalize].
    #[arg(long, alias = "region", value_name = "REGION")]
    basis: Option<String>,
    #[command(flatten)]
    clocks: ClocksArgs,
    #[command(flatten)]
    causes: CausesArgs,
    /// Show all causes of this finding and none of others; an id, as the text and the document have them.
    #[arg(long, value_name = "ID", requires = "causes", conflicts_with = "output")]
    of: Option<String>,
    /// Show only wait states of at least this share of the time, from 0 to 1, and the others as one line.
    #[arg(long, value_name = "SHARE", default_value_t = SMALL, value_parser = share)]
    above: f64,
    #[command(flatten)]
    cubex: CubexArgs,
}

impl Analyze {
    pub(crate) fn run(&self, output: Output) -> Result<ExitCode, Failure> {
        let anchor = trace_file(&self.trace).map_err(Failure::input)?;
        let trace = Trace::open(&anchor).map_err(Failure::input)?;
        let name = anchor.display().to_string();
        let (region, clocks) = (self.basis.clone(), self.clocks.clocks());
        let options = Options { region, clocks, ..self.causes.options()? };
        let file = self.cubex.file(&self.trace)?;
        let found = match file {
            Some(_) => analyze_and_profile(&trace, &name, &options)
                .map(|(analysis, profile)| (analysis, Some(profile))),
            None => analyze(&trace, &name, &options).map(|analysis| (analysis, None)),
        };
        let (mut analysis, mut profile) =
            found.map_err(|error| Failure::Input(format!("{name}: {error}")))?;
        for warning in &analysis.warnings {
            remark(&format!("warning: {name}: {warning}"));
        }
        let of = self.of.as_deref().map(|id| keep_of(id, &mut analysis)).transpose()?;
        if let (Some(profile), Some(causes)) = (&mut profile, &analysis.causes) {
            profile.add_causes(causes);
        }
        match (file.zip(profile), &of) {
            (Some((file, profile)), _) => cubex::write(file, &profile, output)?,
            (None, Some(id)) => output.document(&analysis, || text::causes_of(&analysis, id, width()))?,
            (None, None) => output.document(&analysis, || text::analysis(&analysis, self.above, width()))?,
        }
        Ok(ExitCode::SUCCESS)
    }
}
