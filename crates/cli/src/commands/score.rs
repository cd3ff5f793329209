//! `ats score`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use ats_compose::Composition;
use ats_documents::finding::Tolerance;
use ats_launch::tool::Tool;
use ats_presentation::text;
use ats_props::Catalogue;
use ats_validation::score::given::{Subjects, assign, judge_all, truths};
use ats_validation::score::judge::{Amounts, Rules};
use ats_validation::score::{Scored, score};
use clap::Args;

use crate::commands::completions::tools;
use crate::commands::report::files::FileArgs;
use crate::failure::Failure;
use crate::options::keep::KeepArgs;
use crate::options::share::share;
use crate::output::Output;

/// Score a tool's report against the truth.
///
/// Did the tool find the right thing, in the right place, in the right amount, and nothing else?
///
/// REPORT is a CUBE 4 file of Score-P or Scalasca, mpiP's text, a folder of TAU profiles, Caliper's json-split or
/// .cali, an OTF2 trace or its folder, a Paraver trace's .prv (both are analyzed by ATS), or an ats-analysis/1 or
/// ats-report/1 document. The kind is recognised by the content. For any other tool, write an ats-report/1, or a CSV
/// table: a name, a call and seconds are enough. A tool that names no wait states is scored on consistency: is the time
/// at the right call, on the right ranks, and enough?
///
/// With one truth, all reports are repeats of that program. With several, a report belongs to the program in its name
/// or in the name of a folder around it; a folder that contains such folders stands for the report in each. As many
/// reports as truths, none of them named after a program, are paired in order.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ats score --truth late_sender.json scorep_run/scout.cubex --tool scalasca
      (after: ats truth late_sender --np 4 -o late_sender.json)
  ats score --truth late_sender.json --witness run/witness run.mpiP
  ats score --truth needle.json --composition needle.toml --witness run/witness run.cubex
  ats score --truth target/ats-validation target/ats-validation
  ats score --truth runs/ reports/ --tool tau --append scores/ --baseline scores/first.json")]
pub(crate) struct Score {
    /// The truths of the programs: a file of `ats truth -o FILE`, the folder of a run (nominal.json and
    /// observed.json or witness/), or a folder of such folders, as `ats validate -o` leaves it.
    #[arg(long, value_name = "T", required = true)]
    truth: Vec<PathBuf>,
    /// The reports of the tool.
    #[arg(value_name = "REPORT", required = true)]
    reports: Vec<PathBuf>,
    /// The folder of the witness that the run of the only truth wrote (--witness DIR of the program): amounts are then
    /// held to what this run showed, and not to the ideal machine.
    #[arg(long, value_name = "DIR")]
    witness: Option<PathBuf>,
    /// A composition whose run is scored: its witness can be replayed only with it.
    #[arg(long = "composition", value_name = "FILE")]
    compositions: Vec<PathBuf>,
    /// The tool: a name that the suite knows, or the path of a description (`ats schema ats-tool/1`) [default: as the
    /// reports say].
    #[arg(long, value_name = "NAME", add = tools())]
    tool: Option<String>,
    /// An option that the tool was run with; it is written into the score.
    #[arg(long = "option", value_name = "TEXT")]
    options: Vec<String>,
    /// Smallest wait that has to be reported, as a share from 0 to 1 of the measured location-seconds.
    #[arg(long, value_name = "SHARE", default_value_t = 0.01, value_parser = share)]
    threshold: f64,
    /// Permitted error of an amount, as a share from 0 to 1 of the amount [default: as the truth says].
    #[arg(long, value_name = "SHARE", value_parser = share)]
    tolerance: Option<f64>,
    /// Print the table and all statistics of a single report, too.
    #[arg(short, long)]
    verbose: bool,
    #[command(flatten)]
    keep: KeepArgs,
    #[command(flatten)]
    files: FileArgs,
}

impl Score {
    pub(crate) fn run(&self, catalogue: &Catalogue, output: Output) -> Result<ExitCode, Failure> {
        let inputs = self.truth.iter().chain(&self.reports).chain(&self.witness).chain(&self.compositions);
        self.files.check(&inputs.map(PathBuf::as_path).collect::<Vec<_>>())?;
        let tool = self.tool.as_deref().map(Tool::named).transpose().map_err(Failure::input)?;
        let composition =
            |file: &PathBuf| Composition::read(file, catalogue).map(Arc::new).map_err(Failure::input);
        let compositions = self.compositions.iter().map(composition).collect::<Result<_, _>>()?;
        let subjects = Subjects { catalogue: catalogue.clone(), compositions };
        let mut known = truths(&self.truth, self.witness.as_deref(), &subjects).map_err(Failure::input)?;
        assign(&mut known, &self.reports, tool.as_ref()).map_err(Failure::input)?;
        let amounts = self.tolerance.map_or(Amounts::AsTheTruthSays, |relative| {
            Amounts::Fixed(Tolerance { absolute: 0.0, relative })
        });
        let rules = Rules { threshold: self.threshold, amounts, ..Rules::MEASURED };
        let scored = judge_all(&known, tool.as_ref(), &rules, catalogue).map_err(Failure::input)?;
        let environment = ats_validation::score::environment(tool.as_ref());
        let score = score(Scored { options: self.options.clone(), environment, ..scored }, catalogue);
        self.files.write(&score, None)?;
        let is_single = score.programs.len() == 1 && score.programs[0].repeats <= 1;
        let shown = if is_single && !self.verbose { text::short_score } else { text::score };
        self.keep.finish(&score, || shown(&score, output.look(false)), output)
    }
}
