//! `ats analyze`.

use std::path::PathBuf;
use std::process::ExitCode;

use ats_analyzer::{Options, analyze, analyze_and_profile};
use ats_documents::{Analysis, Finding, analysis::NotAnalyzed};
use ats_sources::opening::trace_file;
use ats_trace::Trace;
use clap::Args;

use crate::cubex::{self, CubexArgs};
use crate::failure::Failure;
use crate::findings;
use crate::output::{Output, grid, remark};

/// Find wait states in an OTF2 or Paraver trace.
///
/// OTF2 traces may come from `ats record`, Score-P or EZTrace, Paraver traces from Extrae.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ats analyze trace/traces.otf2
  ats analyze trace/traces.otf2 --format json
  ats analyze scorep/traces.otf2 --region main
  ats analyze trace/traces.otf2 -o scout.cubex
  ats analyze extrae/late_sender.prv")]
pub(crate) struct Analyze {
    /// The archive's anchor file, DIR/traces.otf2, or its folder; or a Paraver trace's .prv file.
    trace: PathBuf,
    /// The region that severities are relative to [default: `ats_measured` where the trace has it, else everything
    /// between MPI_Init and MPI_Finalize].
    #[arg(long, value_name = "NAME")]
    region: Option<String>,
    #[command(flatten)]
    cubex: CubexArgs,
}

impl Analyze {
    pub(crate) fn run(&self, output: Output) -> Result<ExitCode, Failure> {
        let anchor = trace_file(&self.trace).map_err(Failure::input)?;
        let trace = Trace::open(&anchor).map_err(Failure::input)?;
        let name = anchor.display().to_string();
        let options = Options { region: self.region.clone(), ..Options::default() };
        let file = self.cubex.file(&self.trace)?;
        let found = match file {
            Some(_) => analyze_and_profile(&trace, &name, &options)
                .map(|(analysis, profile)| (analysis, Some(profile))),
            None => analyze(&trace, &name, &options).map(|analysis| (analysis, None)),
        };
        let (analysis, profile) = found.map_err(|error| Failure::Input(format!("{name}: {error}")))?;
        for warning in &analysis.warnings {
            remark(&format!("warning: {name}: {warning}"));
        }
        match file.zip(profile) {
            Some((file, profile)) => cubex::write(file, &profile, output)?,
            None => output.document(&analysis, || text(&analysis))?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn text(analysis: &Analysis) -> String {
    let Analysis { trace, locations, events, basis, findings: all, not_analyzed, .. } = analysis;
    let mut text = format!("{trace}: {locations} locations, {events} events\n{}\n\n", findings::basis(basis));
    let (inside, outside): (Vec<&Finding>, Vec<&Finding>) = all.iter().partition(|finding| finding.in_basis);
    if inside.is_empty() {
        let among = if analysis.is_whole() { "" } else { " among what is analyzed" };
        text += &format!("No wait states were found{among}.\n");
    } else {
        text += &findings::table(&inside);
    }
    if !outside.is_empty() {
        text += &format!("\nOutside of it:\n{}", findings::table(&outside));
    }
    if !not_analyzed.is_empty() {
        text += &format!("\nNot analyzed, so that waits in it are not found:\n{}", calls(not_analyzed));
    }
    text
}

/// A row for each function.
fn calls(not_analyzed: &[NotAnalyzed]) -> String {
    let mut table = grid(&["seconds", "calls", "function", "what it is"], &[0, 1]);
    for NotAnalyzed { what, function, calls, seconds } in not_analyzed {
        table.row([&format!("{seconds:.6}"), &calls.to_string(), function, what.title()]);
    }
    table.text()
}
