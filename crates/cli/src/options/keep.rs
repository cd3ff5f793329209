//! Scores that are kept: where, and those that others are compared with.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ats_documents::Score;
use ats_validation::score::{append, compare};
use clap::Args;

use crate::failure::Failure;
use crate::output::{Output, remark};

/// The fate of a score.
#[derive(Args, Clone, Debug)]
pub(crate) struct KeepArgs {
    /// An earlier score: fail only where this one is worse.
    #[arg(long, value_name = "OLD.json")]
    baseline: Option<PathBuf>,
    /// Keep the score in this folder, beside those of other times.
    #[arg(long, value_name = "DIR")]
    append: Option<PathBuf>,
}

impl KeepArgs {
    /// Prints, keeps and compares a score; the exit code says whether it is right, or, beside a baseline, no worse.
    pub(crate) fn finish(
        &self,
        score: &Score,
        text: impl FnOnce() -> String,
        output: Output,
    ) -> Result<ExitCode, Failure> {
        // Before anything is kept: it may be the newest file of the same folder.
        let baseline = self.baseline.as_deref().map(read).transpose()?;
        output.coloured(score, text)?;
        if let Some(dir) = &self.append {
            let kept = append(dir, score).map_err(|error| Failure::Failed(error.to_string()))?;
            remark(&format!("kept as {}", kept.display()));
        }
        let Some(baseline) = baseline else { return Ok(ExitCode::from(u8::from(!score.has_passed()))) };
        let comparison = compare(&baseline, score);
        let said = |what: &'static str, lines: &[String]| {
            lines.iter().for_each(|line| remark(&format!("{what}: {line}")));
        };
        said("not compared", &comparison.remarks);
        said("better", &comparison.improvements);
        said("worse", &comparison.regressions);
        if comparison.compared == 0 {
            return Err(Failure::Input("the baseline and the score have no program in common".to_owned()));
        }
        Ok(ExitCode::from(u8::from(!comparison.regressions.is_empty())))
    }
}

/// A score of a file that the user gave.
pub(crate) fn read(path: &Path) -> Result<Score, Failure> {
    ats_validation::score::read(path).map_err(|reason| {
        Failure::Input(format!(
            "{} cannot be read as a score: {reason}; give the output of `ats validate --format json` or `ats score \
             --format json`",
            path.display()
        ))
    })
}
