//! The meaning of a path: a trace, a report of a tool, or a folder with one of them.
//!
//! - [`opening`]: the trace in a folder, and whether it was recorded to its end.
//! - [`report`], [`profile`]: of whatever a path means.

pub mod opening;

use std::path::{Path, PathBuf};

use crate::ReportError;
use ats_analyzer::{AnalysisError, Options, analyze_and_profile};
use ats_documents::profile::Origin;
use ats_documents::{Analysis, Profile, Report, Truth};
use ats_model::delay::Extent;
use ats_model::source::{EventSource, InMemory};
use ats_trace::{Trace, TraceError};
use thiserror::Error;

use opening::{NoTrace, trace_file};

/// The file with the call paths of a run, in a folder of Score-P or of an experiment.
const PROFILE: &str = "profile.cubex";

/// The reason that a path has no report or profile.
#[derive(Debug, Error)]
pub enum SourceError {
    /// A folder has several traces, or an interrupted recording that cannot be made into one.
    #[error(transparent)]
    Folder(NoTrace),
    /// A trace cannot be opened.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// A trace cannot be analyzed.
    #[error("{name}: {error}")]
    Analysis {
        /// The name of the trace.
        name: String,
        /// The reason.
        error: Box<dyn std::error::Error + Send + Sync>,
    },
    /// An experiment was kept without call paths, or its file of them was removed.
    #[error(
        "{} is an experiment without {PROFILE}: it was added from a table, which has no call paths, or the file was removed; \
         `ats experiment show` has its regions", .0.display()
    )]
    NoCallPaths(PathBuf),
    /// It is neither a trace nor a report that a reader knows.
    #[error("{0}; or a trace in OTF2 or of Paraver")]
    Unknown(ReportError),
    /// A report cannot be read.
    #[error(transparent)]
    Report(ReportError),
}

/// The parts of a trace's report besides waits and counts. What a tool reports is read as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wanted<'a> {
    /// The time of all calls.
    pub times: bool,
    /// The truth whose programs count something themselves, if they do.
    pub counted: Option<&'a Truth>,
    /// The root causes of these waits.
    pub causes: Option<Extent>,
}

impl<'a> Wanted<'a> {
    /// All that a truth has.
    pub fn by(truth: &'a Truth) -> Self {
        Wanted {
            times: truth.shows_times(),
            counted: truth.shows_counters().then_some(truth),
            causes: truth.causes.as_ref().map(|causes| causes.extent),
        }
    }
}

/// Reads a report of any kind: one that a reader recognises, or a trace, which our analyzer reads: in OTF2, its anchor
/// or its folder, or of Paraver, its `.prv` file.
///
/// # Errors
/// It is none of these, or damaged.
pub fn report(path: &Path) -> Result<Report, SourceError> {
    report_with(path, Wanted::default())
}

/// [`report`], which has these parts of a trace, too.
///
/// # Errors
/// As [`report`].
pub fn report_with(path: &Path, wanted: Wanted<'_>) -> Result<Report, SourceError> {
    match trace_at(path)? {
        Some(trace) => report_of_trace(&trace, wanted),
        None => Ok(crate::read(path, None)?),
    }
}

/// The report of our analyzer on a trace.
///
/// # Errors
/// It cannot be opened or analyzed.
pub fn report_of_trace(trace: &Path, wanted: Wanted<'_>) -> Result<Report, SourceError> {
    let name = trace.display().to_string();
    let (trace, options) = (Trace::open(trace)?, Options { causes: wanted.causes, ..Options::default() });
    if !wanted.times && wanted.counted.is_none() {
        let analysis = ats_analyzer::analyze(&trace, &name, &options);
        return Ok(by_our_analyzer(analysis.map_err(of_analysis(name))?));
    }
    let analyzed = analyze_and_profile(&trace, &name, &options);
    let (analysis, profile) = analyzed.map_err(of_analysis(name))?;
    let mut report = by_our_analyzer(analysis);
    if wanted.times {
        report.calls = profile.calls();
    }
    report
        .findings
        .extend(wanted.counted.into_iter().flat_map(|truth| profile.counted_numbers(&truth.findings)));
    Ok(report)
}

fn by_our_analyzer(analysis: Analysis) -> Report {
    let version = Some(env!("CARGO_PKG_VERSION").to_owned());
    Report { version, ..Report::from(analysis) }
}

/// Reads what a run spent, of a trace or a report of any kind, see [`report`]; or of a folder with a `profile.cubex` in
/// it, as Score-P and repositories of experiments have them.
///
/// # Errors
/// As [`report`].
pub fn profile(path: &Path) -> Result<Profile, SourceError> {
    profile_with(path, None)
}

/// [`profile`], which has these root causes of the waits of a trace, too.
///
/// # Errors
/// As [`report`].
pub fn profile_with(path: &Path, causes: Option<Extent>) -> Result<Profile, SourceError> {
    match trace_at(path)? {
        Some(trace) => profile_of(&Trace::open(&trace)?, trace.display().to_string(), causes),
        None => {
            let inside = path.join(PROFILE);
            if !inside.is_file() && path.join("experiment.json").is_file() {
                return Err(SourceError::NoCallPaths(path.to_owned()));
            }
            Ok(crate::profile(if inside.is_file() { &inside } else { path })?)
        }
    }
}

/// The profile of a run on the virtual engine, from its ideal trace, which is called `name`; with these root causes of
/// its waits.
///
/// # Errors
/// The trace cannot be analyzed.
pub fn simulated_profile(
    trace: &InMemory,
    name: &str,
    causes: Option<Extent>,
) -> Result<Profile, SourceError> {
    let mut profile = profile_of(trace, name.to_owned(), causes)?;
    for metric in profile.metrics.iter_mut().filter(|metric| metric.origin == Origin::Measured) {
        metric.origin = Origin::Simulated;
    }
    Ok(profile)
}

/// The file of the trace that a path means, if it means one.
///
/// # Errors
/// A folder has several traces, or one that was interrupted and cannot be read.
pub fn trace_at(path: &Path) -> Result<Option<PathBuf>, SourceError> {
    match trace_file(path) {
        Ok(file) if path.is_dir() || Trace::is_one(&file) => Ok(Some(file)),
        Ok(_) | Err(NoTrace::Nothing(_)) => Ok(None),
        Err(error) => Err(SourceError::Folder(error)),
    }
}

fn profile_of<S: EventSource>(
    source: &S,
    name: String,
    causes: Option<Extent>,
) -> Result<Profile, SourceError>
where
    AnalysisError<S::Error>: std::error::Error + Send + Sync + 'static,
{
    let options = Options { causes, ..Options::default() };
    let (analysis, mut profile) = analyze_and_profile(source, &name, &options).map_err(of_analysis(name))?;
    if let Some(causes) = &analysis.causes {
        profile.add_causes(causes);
    }
    Ok(profile)
}

fn of_analysis<E: std::error::Error + Send + Sync + 'static>(name: String) -> impl FnOnce(E) -> SourceError {
    move |error| SourceError::Analysis { name, error: error.into() }
}

impl From<ReportError> for SourceError {
    fn from(error: ReportError) -> Self {
        match error {
            ReportError::Unknown { .. } => SourceError::Unknown(error),
            _ => SourceError::Report(error),
        }
    }
}
