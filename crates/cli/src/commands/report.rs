//! `ats report`.

pub(crate) mod files;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ats_documents::{Analysis, Profile, Score};
use ats_launch::folder::RunFolder;
use ats_presentation::{
    Found, Moment, Page, Program, Sources, Timeline, Tool, csv, junit, markdown, page, sarif,
};
use ats_validation::score::history;
use ats_validation::score::kept::{Kept, runs};
use clap::{Args, ValueEnum};

use crate::commands::export::{SourcesArgs, Trace, Wanted};
use crate::failure::Failure;
use crate::options::keep::read;
use crate::options::reference::ReferenceArgs;
use crate::output::{Output, check_file, remark, write_file};

/// Convert results to HTML, JUnit, SARIF, CSV or Markdown.
///
/// RESULT is the output of `ats validate` or `ats score` with `--format json`. The HTML page has a column for each
/// result.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ats report result.json --runs target/ats-validation -o report.html
  ats report ours.json scalasca.json tau.json --history scores/ -o report.html
  ats report result.json --as junit -o report.xml
  ats report result.json --as markdown")]
pub(crate) struct Report {
    /// Results: documents `ats-score/1`.
    #[arg(value_name = "RESULT")]
    results: Vec<PathBuf>,
    /// The form of the report.
    #[arg(long = "as", value_enum, default_value_t = Form::Html)]
    form: Form,
    /// The runs behind the results, as `ats validate -o DIR` leaves them: their findings and timelines go into the
    /// page.
    #[arg(long, value_name = "DIR")]
    runs: Option<PathBuf>,
    /// A folder of scores (`ats score --append DIR`), which the page draws over time.
    #[arg(long, value_name = "DIR")]
    history: Option<PathBuf>,
    /// The page's heading.
    #[arg(long, value_name = "TEXT", default_value = TITLE)]
    title: String,
    /// The file [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    sources: SourcesArgs,
    #[command(flatten)]
    reference: ReferenceArgs,
}

/// The heading of a page.
const TITLE: &str = "What performance tools find";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
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
        if let Some(file) = &self.output {
            let inputs = self.results.iter().chain(&self.runs).chain(&self.history);
            check_file(file, &inputs.map(PathBuf::as_path).collect::<Vec<_>>())?;
        }
        let given = |path: &PathBuf| Ok(Given { path: path.clone(), score: read(path)? });
        let results: Vec<Given> = self.results.iter().map(given).collect::<Result<_, Failure>>()?;
        let text = match self.form {
            Form::Html => self.page(&results)?,
            form => form.text(&self.only(&results)?.score, self.sources.folder()?, None),
        };
        match &self.output {
            None => output.as_it_is("a report without -o FILE", &text)?,
            Some(file) => {
                write_file(file, &text)?;
                output.written(vec![file.clone()])?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    fn only<'a>(&self, results: &'a [Given]) -> Result<&'a Given, Failure> {
        match results {
            [only] if self.runs.is_none() && self.history.is_none() => Ok(only),
            _ => {
                Err(Failure::Input("this form takes a single RESULT; give one, or use --as html".to_owned()))
            }
        }
    }

    fn page(&self, results: &[Given]) -> Result<String, Failure> {
        let sources = self.sources.folder()?;
        let runs =
            self.runs.as_deref().map(|dir| shown(dir, results, sources)).transpose()?.unwrap_or_default();
        let history = self.history.as_deref().map(moments).transpose()?.unwrap_or_default();
        let scores: Vec<&Score> = results.iter().map(|given| &given.score).collect();
        Ok(html(&self.title, &scores, &runs, history, self.reference.address()))
    }
}

fn html(
    title: &str,
    scores: &[&Score],
    runs: &[Shown],
    history: Vec<Moment>,
    reference: Option<&str>,
) -> String {
    let names: Vec<String> = scores.iter().map(|score| score.title()).collect();
    let tools = names.iter().zip(scores).map(|(name, score)| Tool { name, score }).collect();
    let programs = runs.iter().map(Shown::program).collect();
    page(&Page { title, tools, programs, history, reference, ..Page::default() })
}

impl Form {
    /// A score in this form; a page of it alone.
    fn text(self, score: &Score, sources: &Path, reference: Option<&str>) -> String {
        match self {
            Form::Html => html(TITLE, &[score], &[], Vec::new(), reference),
            Form::Junit => junit(score),
            Form::Sarif => sarif(score, sources),
            Form::Csv => csv(score),
            Form::Markdown => markdown(score),
        }
    }

    /// Writes a score that has just been made, with what its runs have left in `runs`.
    pub(crate) fn write(
        self,
        file: &Path,
        score: &Score,
        runs: Option<&Path>,
        reference: Option<&str>,
    ) -> Result<(), Failure> {
        let text = match (self, runs) {
            (Form::Html, Some(dir)) => html(TITLE, &[score], &own_runs(dir, score), Vec::new(), reference),
            _ => self.text(score, Path::new(SourcesArgs::HERE), reference),
        };
        write_file(file, &text)
    }
}

/// A score of a file.
struct Given {
    path: PathBuf,
    score: Score,
}

fn moments(dir: &Path) -> Result<Vec<Moment>, Failure> {
    let moment = |kept: ats_validation::score::History| {
        let version = kept.score.environment.get("suite_version").and_then(|version| version.as_str());
        let label = kept.score.version.clone().or(version.map(str::to_owned)).unwrap_or_default();
        Moment { time: kept.time, label, tool: kept.score.tool, totals: kept.score.totals }
    };
    Ok(history(dir).map_err(Failure::input)?.into_iter().map(moment).collect())
}

/// A run's folder, with its picture.
struct Shown {
    run: Kept,
    timeline: Option<Timeline>,
    profile: Option<Profile>,
    sources: Option<Sources>,
}

impl Shown {
    fn read(run: Kept, sources: &Path) -> Self {
        let anchor = RunFolder(&run.dir).trace();
        let trace = match anchor.exists().then(|| Trace::read(&anchor, &Wanted::default())) {
            Some(Ok(trace)) => Some(trace),
            Some(Err(failure)) => {
                remark(&format!(
                    "warning: without a timeline of {}: {}",
                    run.truth.program,
                    failure.message()
                ));
                None
            }
            None => None,
        };
        let timeline = trace.as_ref().map(Trace::timeline);
        let profile = trace.map(Trace::into_profile);
        let sources = profile.as_ref().map(|profile| Sources::read(profile, sources));
        Shown { run, timeline, profile, sources }
    }

    fn program(&self) -> Program<'_> {
        let Kept { truth, analysis, .. } = &self.run;
        let found = analysis.iter().map(|Analysis { findings, basis, not_analyzed, warnings, .. }| Found {
            tool: "ats",
            findings,
            basis: Some(basis),
            not_analyzed,
            warnings,
        });
        Program {
            name: &truth.program,
            ranks: truth.ranks,
            threads: truth.threads,
            truth: Some(truth),
            found: found.collect(),
            timeline: self.timeline.as_ref(),
            profile: self.profile.as_ref(),
            causes: analysis.as_ref().and_then(|analysis| analysis.causes.as_ref()),
            sources: self.sources.as_ref(),
            ..Program::default()
        }
    }
}

/// The runs of a folder that belong to results; what belongs to other programs is left out.
fn shown(dir: &Path, results: &[Given], sources: &Path) -> Result<Vec<Shown>, Failure> {
    let mut runs = runs(dir).map_err(Failure::input)?;
    if !results.is_empty() {
        let is_in = |run: &Kept| results.iter().any(|given| run.is_in(&given.score));
        let left_out: Vec<String> = runs.iter().filter(|run| !is_in(run)).map(Kept::name).collect();
        if !left_out.is_empty() {
            remark(&format!("left out, as no result has them: {}", left_out.join(", ")));
        }
        runs.retain(is_in);
    }
    runs.iter().try_for_each(|run| agrees(run, results))?;
    Ok(runs.into_iter().map(|run| Shown::read(run, sources)).collect())
}

/// The runs of a folder that a result is of; the folder may also have some of earlier ones.
fn own_runs(dir: &Path, score: &Score) -> Vec<Shown> {
    let is_own = |run: &Kept| run.is_in(score) && run.difference(score).is_none();
    // A folder without any is one of programs that all failed.
    let own = runs(dir).unwrap_or_default().into_iter().filter(is_own);
    own.map(|run| Shown::read(run, Path::new(SourcesArgs::HERE))).collect()
}

/// Whether a run is one of those that the results are of.
fn agrees(run: &Kept, results: &[Given]) -> Result<(), Failure> {
    let mut differences = Vec::new();
    for given in results.iter().filter(|given| run.is_in(&given.score)) {
        match run.difference(&given.score) {
            None => return Ok(()),
            Some(difference) => differences.push((given, difference)),
        }
    }
    let Some((given, difference)) = differences.into_iter().next() else { return Ok(()) };
    Err(Failure::Input(format!(
        "{} is not the run of {} in {}: {difference}; give the folder that the same `ats validate -o DIR` wrote",
        run.dir.display(),
        run.name(),
        given.path.display(),
    )))
}
