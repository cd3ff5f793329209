//! `ats report`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ats_model::{Analysis, Score, Truth, Validation};
use ats_presentation::{Found, Moment, Page, Program, Timeline, Tool, csv, junit, markdown, page, sarif};
use ats_validation::run::Run;
use ats_validation::score::history;
use ats_validation::session::run_folders;
use clap::{Args, ValueEnum};
use serde::de::DeserializeOwned;

use crate::export::Trace;
use crate::failure::Failure;
use crate::output::{Output, remark};

/// Show results: as one HTML page, or for other programs.
///
/// RESULT is what `ats validate` or `ats score` prints with `--format json`; the page has a column for each of them.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ats report result.json --runs target/ats-validation -o report.html
  ats report ours.json scalasca.json tau.json --history scores/ -o report.html
  ats report result.json --as junit -o report.xml
  ats report result.json --as markdown")]
pub(crate) struct Report {
    /// Results: documents `ats-validation/1` or `ats-score/1`.
    #[arg(value_name = "RESULT")]
    results: Vec<PathBuf>,
    /// What it is to be.
    #[arg(long = "as", value_enum, default_value_t = Form::Html)]
    form: Form,
    /// The runs behind the results, as `ats validate -o DIR` leaves them: their findings and timelines go into the page.
    #[arg(long, value_name = "DIR")]
    runs: Option<PathBuf>,
    /// A folder of scores (`ats score --append DIR`), which the page draws over time.
    #[arg(long, value_name = "DIR")]
    history: Option<PathBuf>,
    /// The page's heading.
    #[arg(long, value_name = "TEXT", default_value = "What performance tools find")]
    title: String,
    /// The file [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    Html,
    Junit,
    Sarif,
    Csv,
    Markdown,
}

impl Report {
    pub(crate) fn run(&self, output: Output) -> Result<ExitCode, Failure> {
        if self.results.is_empty() && self.runs.is_none() && self.history.is_none() {
            return Err(Failure::Input(
                "there is nothing to show; give a RESULT, --runs or --history".to_owned(),
            ));
        }
        let results: Vec<Validation> =
            self.results.iter().map(|path| result(path)).collect::<Result<_, _>>()?;
        let text = match self.form {
            Form::Html => self.page(&results)?,
            Form::Junit => junit(self.only(&results)?),
            Form::Sarif => sarif(self.only(&results)?),
            Form::Csv => csv(self.only(&results)?),
            Form::Markdown => markdown(self.only(&results)?),
        };
        match &self.output {
            None => output.text(&text)?,
            Some(file) => {
                fs::write(file, text)
                    .map_err(|error| Failure::Failed(format!("cannot write {}: {error}", file.display())))?;
                output.document(file, || format!("{}\n", file.display()))?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    fn only<'a>(&self, results: &'a [Validation]) -> Result<&'a Validation, Failure> {
        match results {
            [result] if self.runs.is_none() && self.history.is_none() => Ok(result),
            _ => Err(Failure::Input(
                "this form takes one RESULT, and nothing else; only html takes more".to_owned(),
            )),
        }
    }

    fn page(&self, results: &[Validation]) -> Result<String, Failure> {
        let names: Vec<String> = results.iter().map(tool).collect();
        let tools = names.iter().zip(results).map(|(name, validation)| Tool { name, validation }).collect();
        let runs = self.runs.as_deref().map(runs).transpose()?.unwrap_or_default();
        let programs = runs.iter().map(KeptRun::program).collect();
        let history = self.history.as_deref().map(moments).transpose()?.unwrap_or_default();
        Ok(page(&Page { title: &self.title, tools, programs, history }))
    }
}

/// A validation, or a score as it usually went.
fn result(path: &Path) -> Result<Validation, Failure> {
    let wrong = |reason: String| {
        Failure::Input(format!(
            "{} is no result: {reason}; give what `ats validate --format json` or `ats score --format json` prints",
            path.display()
        ))
    };
    let bytes = fs::read(path).map_err(|error| wrong(error.to_string()))?;
    let document: serde_json::Value =
        serde_json::from_slice(&bytes).map_err(|error| wrong(error.to_string()))?;
    let schema = document["schema"].as_str().unwrap_or_default().to_owned();
    let read = match schema.as_str() {
        Validation::SCHEMA => serde_json::from_value(document),
        Score::SCHEMA => serde_json::from_value(document).map(|score: Score| score.validation()),
        other => return Err(wrong(format!("its schema is `{other}`"))),
    };
    read.map_err(|error| wrong(error.to_string()))
}

/// The tool of a result, with its version.
fn tool(result: &Validation) -> String {
    let said = |name: &str| result.environment.get(name).and_then(|value| value.as_str());
    [said("tool"), said("tool_version")].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

fn moments(dir: &Path) -> Result<Vec<Moment>, Failure> {
    let moment = |kept: ats_validation::score::History| {
        let version = kept.score.environment.get("suite_version").and_then(|version| version.as_str());
        let label = kept.score.version.clone().or(version.map(str::to_owned)).unwrap_or_default();
        Moment { time: kept.time, label, tool: kept.score.tool, totals: kept.score.totals }
    };
    Ok(history(dir).map_err(Failure::input)?.into_iter().map(moment).collect())
}

/// What a run has left.
struct KeptRun {
    name: String,
    truth: Truth,
    analysis: Option<Analysis>,
    timeline: Option<Timeline>,
}

impl KeptRun {
    /// None where the folder is of no run.
    fn read(dir: &Path) -> Result<Option<Self>, Failure> {
        let truth: Option<Truth> = match document(&dir.join("observed.json"))? {
            None => document(&dir.join("nominal.json"))?,
            observed => observed,
        };
        let Some(truth) = truth else { return Ok(None) };
        let analysis = document(&dir.join("analysis.json"))?;
        let anchor = dir.join(Run::TRACE);
        let timeline = match anchor.exists().then(|| Trace::read(&anchor)) {
            Some(Ok(trace)) => Some(trace.timeline()),
            Some(Err(failure)) => {
                remark(&format!("warning: without a timeline of {}: {}", truth.program, failure.message()));
                None
            }
            None => None,
        };
        Ok(Some(KeptRun { name: truth.program.clone(), truth, analysis, timeline }))
    }

    fn program(&self) -> Program<'_> {
        let found = self.analysis.iter().map(|Analysis { findings, basis, .. }| Found {
            tool: "ats",
            findings,
            basis: Some(basis),
        });
        Program {
            name: &self.name,
            ranks: self.truth.ranks,
            threads: self.truth.threads,
            truth: Some(&self.truth),
            found: found.collect(),
            timeline: self.timeline.as_ref(),
        }
    }
}

/// The runs of a folder, by name; or the run that the folder itself is of.
fn runs(dir: &Path) -> Result<Vec<KeptRun>, Failure> {
    if let Some(run) = KeptRun::read(dir)? {
        return Ok(vec![run]);
    }
    let unreadable = |error: std::io::Error| Failure::Input(format!("{}: {error}", dir.display()));
    let folders = run_folders(dir).map_err(unreadable)?;
    let found: Vec<KeptRun> =
        folders.iter().filter_map(|folder| KeptRun::read(folder).transpose()).collect::<Result<_, _>>()?;
    if found.is_empty() {
        return Err(Failure::Input(format!(
            "there is no run in {}; give a folder that `ats validate -o DIR` has left",
            dir.display()
        )));
    }
    Ok(found)
}

/// A document of ours; none where there is no such file.
fn document<D: DeserializeOwned>(path: &Path) -> Result<Option<D>, Failure> {
    let Ok(bytes) = fs::read(path) else { return Ok(None) };
    let read = serde_json::from_slice(&bytes);
    read.map(Some).map_err(|error| Failure::Input(format!("{}: {error}; run it again", path.display())))
}
