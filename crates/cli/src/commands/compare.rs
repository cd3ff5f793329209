//! `ats compare`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ats_analyzer::Options;
use ats_diagnosis::{DiagnosisError, Divided, compare, divide_trace, divide_trace_with};
use ats_documents::comparison::Measure;
use ats_documents::{Analysis, Comparison, WhatIf};
use ats_experiment::Repository;
use ats_model::EventSource;
use ats_presentation::{ComparedRuns, Found, Limits, Page, Program, Timeline, page, text, timeline};
use ats_reports::source::{profile, trace_at};
use ats_trace::Trace;
use clap::Args;

use crate::commands::export;
use crate::failure::Failure;
use crate::options::clocks::ClocksArgs;
use crate::options::reference::ReferenceArgs;
use crate::options::share::share;
use crate::output::{Output, check_file, remark};

/// Compare two runs: where the second takes longer, and why
///
/// The location-seconds of each run are divided by their use and by call path. The differences add up to that of the whole.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ats compare before/traces.otf2 after/traces.otf2
  ats compare before after --basis solve --format json
  ats compare before after --with-a before2 before3 --with-b after2 after3
  ats compare REPO/heat.Ranks4.threads1.r1 REPO/heat.Ranks4.threads1.r2
  ats compare before after --html page.html
  ats compare before after --require 0.05")]
pub(crate) struct Compare {
    /// The run that is compared with: a trace, as for `ats explain`; the folder of an experiment, REPO/EXPERIMENT; or the report
    /// of a tool. If one of the runs has no trace, all are compared by their profiles, without root causes.
    #[arg(value_name = "A")]
    a: PathBuf,
    /// The run that is compared.
    #[arg(value_name = "B")]
    b: PathBuf,
    /// Further runs of the program of A: their spread tells differences from noise.
    #[arg(long, value_name = "RUN", num_args = 1..)]
    with_a: Vec<PathBuf>,
    /// Further runs of the program of B.
    #[arg(long, value_name = "RUN", num_args = 1..)]
    with_b: Vec<PathBuf>,
    /// The region that is compared [default: `ats_measured` if the trace has it, else everything between MPI_Init and
    /// MPI_Finalize].
    #[arg(long, alias = "region", value_name = "REGION")]
    basis: Option<String>,
    #[command(flatten)]
    clocks: ClocksArgs,
    /// Compare the given experiments alone, and not all repetitions of each.
    #[arg(long)]
    single: bool,
    /// Compare shares of the location-seconds, as for runs of another length; runs with another number of locations are compared
    /// so anyway.
    #[arg(long)]
    shares: bool,
    /// Show only differences of at least this share of A, from 0 to 1.
    #[arg(long, value_name = "SHARE", default_value_t = Comparison::LEAST_SHARE, value_parser = share)]
    above: f64,
    /// End with exit code 1 if B spends more on any use than this share of A, from 0 to 1, and more than noise.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    require: Option<f64>,
    /// Write a page, too: both timelines, one above the other, and the differences.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    reference: ReferenceArgs,
    /// The folder of temporary files, which hold records that do not fit into memory [default: the system's].
    #[arg(long, value_name = "DIR")]
    temp: Option<PathBuf>,
}

impl Compare {
    pub(crate) fn run(&self, output: Output) -> Result<ExitCode, Failure> {
        let [of_a, of_b] = self.repetitions()?;
        let inputs = |paths: Vec<PathBuf>, more: &[PathBuf]| {
            paths.iter().chain(more).map(|path| Input::from_path(path)).collect::<Result<Vec<_>, _>>()
        };
        let (a, b) = (inputs(of_a, &self.with_a)?, inputs(of_b, &self.with_b)?);
        if let Some(html) = &self.html {
            let read: Vec<PathBuf> = a.iter().chain(&b).flat_map(Input::files).collect();
            check_file(html, &read.iter().map(PathBuf::as_path).collect::<Vec<_>>())?;
        }
        let have_traces = a.iter().chain(&b).all(|input| input.trace.is_some());
        let divided = |inputs: Vec<Input>| -> Result<(Vec<Divided>, Option<Seen>), Failure> {
            let mut first = None;
            let runs = inputs.iter().enumerate().map(|(at, input)| {
                let seen = (at == 0 && self.html.is_some()).then_some(&mut first);
                self.divided(input, have_traces, seen)
            });
            Ok((runs.collect::<Result<_, _>>()?, first))
        };
        let ((a, seen_a), (b, seen_b)) = (divided(a)?, divided(b)?);
        let measure = if self.shares { Measure::Shares } else { Measure::Seconds };
        let document = compare(&a, &b, measure);
        for note in &document.notes {
            remark(&format!("warning: {note}"));
        }
        output.document(&document, || text::comparison(&document, self.above))?;
        if let Some(html) = &self.html {
            let compared = RunsOfPage { document: &document, above: self.above, seen: seen_a.zip(seen_b) };
            compared.write(html, "Two runs", None, self.reference.address())?;
        }
        let Some(share) = self.require else { return Ok(ExitCode::SUCCESS) };
        let slower: Vec<&str> = document.slower(share).map(|of| of.term.name()).collect();
        if slower.is_empty() {
            return Ok(ExitCode::SUCCESS);
        }
        remark(&format!("B spends more on {} than --require {share} allows", slower.join(", ")));
        Ok(ExitCode::FAILURE)
    }

    /// The paths of A and of its repetitions, and those of B. They are only themselves if they are repetitions of each other.
    fn repetitions(&self) -> Result<[Vec<PathBuf>; 2], Failure> {
        let [a, b] = [repetitions(&self.a)?, repetitions(&self.b)?];
        if self.single || a == b {
            return Ok([vec![self.a.clone()], vec![self.b.clone()]]);
        }
        for (side, paths) in [("A", &a), ("B", &b)] {
            if let [first, .., last] = &paths[..] {
                let ends = [first, last].map(|path| path.display());
                remark(&format!(
                    "{side} is the {} repetitions {} to {}; --single compares the given run alone",
                    paths.len(),
                    ends[0],
                    ends[1],
                ));
            }
        }
        Ok([a, b])
    }

    /// The run of an input, of its trace or of its profile; with `seen`, a trace is seen, too.
    fn divided(
        &self,
        input: &Input,
        by_trace: bool,
        seen: Option<&mut Option<Seen>>,
    ) -> Result<Divided, Failure> {
        let Some(file) = input.trace.as_ref().filter(|_| by_trace) else {
            if self.basis.is_some() {
                return Err(Failure::Input(
                    "--basis needs the traces of all runs, and one has a profile alone; omit it".to_owned(),
                ));
            }
            return Ok(Divided::of_profile(&profile(&input.profile).map_err(Failure::input)?));
        };
        let trace = Trace::open(file).map_err(Failure::input)?;
        let name = file.display().to_string();
        let (region, clocks, temp) = (self.basis.clone(), self.clocks.clocks(), self.temp.clone());
        let options = Options { region, clocks, temp, ..Options::default() };
        if let Some(seen) = seen {
            let (run, of_page) = seen_run(&trace, &name, &options)?;
            *seen = Some(of_page);
            return Ok(run);
        }
        let run = divide_trace(&trace, &name, &options);
        run.map_err(|error| Failure::Input(format!("{name}: {error}")))
    }
}

/// Divides a run, and draws its timeline.
pub(crate) fn seen_run<S: EventSource>(
    trace: &S,
    name: &str,
    options: &Options,
) -> Result<(Divided, Seen), Failure> {
    let mut waits = Vec::new();
    let (run, analysis) = divide_trace_with(trace, name, options, &mut |wait| waits.push(wait))
        .map_err(|error| Failure::Input(format!("{name}: {error}")))?;
    // Both are seen at once without scrolling.
    let limits = Limits { rows: Limits::default().rows / 2, ..Limits::default() };
    let timeline = timeline(trace, Some((&analysis, &waits)), &limits);
    Ok((run, Seen { analysis, timeline }))
}

/// The part of a trace that a page shows.
pub(crate) struct Seen {
    analysis: Analysis,
    timeline: Timeline,
}

impl Seen {
    fn found<'a>(&'a self, tool: &'a str) -> Found<'a> {
        let Analysis { findings, basis, .. } = &self.analysis;
        Found { tool, findings, basis: Some(basis), ..Found::default() }
    }
}

/// Two runs on a page.
pub(crate) struct RunsOfPage<'a> {
    pub(crate) document: &'a Comparison,
    /// The least share of A of a difference that is shown.
    pub(crate) above: f64,
    /// Both traces, or none is shown.
    pub(crate) seen: Option<(Seen, Seen)>,
}

impl RunsOfPage<'_> {
    /// Writes the page, with the gains of changes if B is a replay of A.
    pub(crate) fn write(
        &self,
        file: &Path,
        title: &str,
        what_if: Option<&WhatIf>,
        reference: Option<&str>,
    ) -> Result<(), Failure> {
        let RunsOfPage { document, above, seen } = self;
        let program = Program {
            name: "B against A",
            found: seen.iter().flat_map(|(a, b)| [a.found("A"), b.found("B")]).collect(),
            comparison: Some(ComparedRuns {
                document,
                above: *above,
                timelines: seen.as_ref().map(|(a, b)| [&a.timeline, &b.timeline]),
                what_if,
            }),
            ..Program::default()
        };
        let page = page(&Page { title, programs: vec![program], reference, ..Page::default() });
        std::fs::write(file, page)
            .map_err(|error| Failure::Failed(format!("cannot write {}: {error}", file.display())))
    }
}

/// The paths of an experiment's repetitions, or that of another run.
fn repetitions(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    let is_trace = trace_at(path).is_ok_and(|trace| trace.is_some());
    let Some((repository, rest)) = Repository::around(path).ok().filter(|_| !is_trace) else {
        return Ok(vec![path.to_owned()]);
    };
    let ids = repository.find_repetitions(&rest.to_string_lossy())?;
    Ok(ids.iter().map(|id| repository.folder(id)).collect())
}

/// A run to be compared.
struct Input {
    /// The file of its trace, if that is there.
    trace: Option<PathBuf>,
    /// A path that its profile can be read of.
    profile: PathBuf,
}

impl Input {
    /// Its files and folders.
    fn files(&self) -> Vec<PathBuf> {
        let mut files = self.trace.as_deref().map(export::Trace::files).unwrap_or_default();
        files.push(self.profile.clone());
        files
    }

    /// The trace, report or experiment of a path.
    fn from_path(path: &Path) -> Result<Self, Failure> {
        let trace = trace_at(path).map_err(Failure::input)?;
        let in_repository = Repository::around(path).ok().filter(|_| trace.is_none());
        let Some((repository, rest)) = in_repository else {
            return Ok(Input { trace, profile: path.to_owned() });
        };
        let id = repository.find(&rest.to_string_lossy())?;
        let trace =
            repository.trace(&id).map(|folder| trace_at(&folder)).transpose().map_err(Failure::input)?;
        let Some(profile) = repository.profile(&id) else {
            return Err(DiagnosisError::Pathless { id }.into());
        };
        Ok(Input { trace: trace.flatten(), profile })
    }
}
