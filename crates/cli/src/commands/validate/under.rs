//! `ats validate --tool`.

use std::process::ExitCode;
use std::sync::atomic::Ordering;

use ats_launch::tool::{Known, Tool};
use ats_presentation::text;
use ats_validation::pipeline::{Engine, Request};
use ats_validation::under;
use clap::Args;

use crate::cancel;
use crate::commands::completions::tools;
use crate::commands::report::Given;
use crate::commands::report::files::FileArgs;
use crate::commands::score::KeepArgs;
use crate::failure::Failure;
use crate::options::number::whole;
use crate::output::Output;
use crate::output::progress::Bar;

/// Validating a tool in place of our recorder and analyzer.
#[derive(Args, Clone, Debug)]
pub(crate) struct UnderArgs {
    /// Run each program without and with this tool, and score what it says: a name that the suite knows, or the path of
    /// a description (`ats schema ats-tool/1`).
    #[arg(long, value_name = "NAME", help = under_help(), add = tools())]
    tool: Option<String>,
    /// The number of runs of each program.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "tool", value_parser = whole(1..=1000_u32))]
    repeat: u32,
    #[command(flatten, next_help_heading = "With a tool")]
    keep: KeepArgs,
}

fn under_help() -> String {
    let known: Vec<&str> = Known::names().collect();
    format!(
        "Run each program without and with this tool, and score what it says: {}, or the path of a description of your own \
         (`ats schema ats-tool/1`)",
        known.join(", ")
    )
}

impl UnderArgs {
    pub(crate) fn is_asked_for(&self) -> bool {
        self.tool.is_some() || self.keep.is_asked_for()
    }

    pub(crate) fn run(
        &self,
        request: Request,
        files: &FileArgs,
        output: Output,
    ) -> Result<ExitCode, Failure> {
        let Some(name) = &self.tool else {
            return Err(Failure::Input(
                "--baseline and --append apply to scores only; add --tool".to_owned(),
            ));
        };
        let tool = Tool::named(name).map_err(Failure::input)?;
        let Engine::Real(options) = request.engine else {
            return Err(Failure::Input(format!(
                "{} works with real processes only; omit --engine virtual",
                tool.title
            )));
        };
        let cancelled = cancel::on_signal()?;
        let Request { programs, rules, causes, catalogue, .. } = request;
        let mut bar = Bar::new(output, &programs, rules.threshold);
        let request =
            under::Request { tool, programs, options, rules, causes, catalogue, repeats: self.repeat };
        let score = under::validate(&request, &mut bar, &cancelled);
        bar.done();
        let score = score?;
        files.write(Given::of_score(&score), Some(&request.options.dir))?;
        let text = || text::score(&score, output.look(bar.is_seen()));
        let code = self.keep.finish(&score, text, output)?;
        if cancelled.load(Ordering::Relaxed) {
            return Err(Failure::Cancelled);
        }
        Ok(code)
    }
}
