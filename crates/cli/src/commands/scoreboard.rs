//! `ats scoreboard`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ats_documents::Scoreboard as Document;
use ats_presentation::{Page, Tool, page, scoreboard};
use ats_props::Catalogue;
use ats_validation::score::scoreboard::{CAUSES, ScoreboardError, Scores};
use clap::Args;

use crate::failure::Failure;
use crate::options::reference::ReferenceArgs;
use crate::output::{Output, check_file};

/// Compare the scores of several tools.
///
/// DIR has one score per tool (scalasca.json), as `ats score --format json` and `ats validate --tool … --format json`
/// print them, and causes.toml (`ats schema ats-causes/1`). To be fair to the tools, each finding that is neither found
/// nor consistent, and each false alarm, needs a cause in causes.toml that was checked in the tool's own viewer or
/// source. Without it, or with a cause for a correct result, no scoreboard is written.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ats scoreboard docs/scores
  ats scoreboard docs/scores -o docs/scoreboard.md --html scoreboard.html

A cause in causes.toml:
  schema = \"ats-causes/1\"

  [[cause]]
  score = \"tau\"
  programs = [\"critical_section_contention\"]
  property = \"omp_critical_contention\"
  why = \"TAU has no timer for critical sections.\"

  [[left_out]]
  what = \"TAU, late_receiver\"
  why = \"It was not run.\"")]
pub(crate) struct Scoreboard {
    /// The folder of the scores.
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// The file to write, in Markdown [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// A page of it, too.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    reference: ReferenceArgs,
}

impl Scoreboard {
    pub(crate) fn run(&self, catalogue: &Catalogue, output: Output) -> Result<ExitCode, Failure> {
        let files: Vec<&PathBuf> = self.output.iter().chain(&self.html).collect();
        files.iter().try_for_each(|file| check_file(file, &[&self.dir]))?;
        let scores = Scores::read(&self.dir).map_err(Failure::input)?;
        let board = scores.board(catalogue).map_err(|mistakes| {
            Failure::input(ScoreboardError::Causes { path: self.dir.join(CAUSES), mistakes })
        })?;
        let markdown = || scoreboard(&board, &self.source());
        if let Some(file) = &self.html {
            write(file, &html(&scores, &board, self.reference.address()))?;
        }
        match &self.output {
            None => output.document(&board, markdown)?,
            Some(file) => {
                write(file, &markdown())?;
                output.written(files.into_iter().cloned().collect())?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The command that makes the same.
    fn source(&self) -> String {
        let file = self.output.as_ref().map_or_else(String::new, |file| format!(" -o {}", file.display()));
        format!("ats scoreboard {}{file}", self.dir.display())
    }
}

fn html(scores: &Scores, board: &Document, reference: Option<&str>) -> String {
    let names: Vec<String> = board
        .scores
        .iter()
        .map(|score| {
            [Some(&score.name), score.version.as_ref()]
                .into_iter()
                .flatten()
                .cloned()
                .collect::<Vec<_>>()
                .join(" ")
        })
        .collect();
    let tools = names.iter().zip(scores.scores.values()).map(|(name, score)| Tool { name, score }).collect();
    page(&Page { title: "Scoreboard", tools, board: Some(board), reference, ..Page::default() })
}

fn write(file: &Path, text: &str) -> Result<(), Failure> {
    fs::write(file, text)
        .map_err(|error| Failure::Failed(format!("cannot write {}: {error}", file.display())))
}
