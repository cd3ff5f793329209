//! The report of a tool, converted to ours.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ats_documents::Report;
use ats_documents::score::RunStatus;
use ats_model::ClockCorrection;
use ats_reports::source::{Wanted, report_of_trace};

use super::attach::fill;
use super::{Format, Tool};
use crate::Failure;
use crate::folder::RunFolder;
use crate::launch::{Ending, Limits, run};

/// The longest time for converting a report, and the most bytes of the result.
const CONVERTING: Duration = Duration::from_secs(60);
const PRINTED: u64 = 128 << 20;

/// Clocks that contradict each other in a trace that the run has left: what any tool finds in it may be wrong. A trace that
/// cannot be read says nothing of them.
fn contradiction(dir: &Path) -> Option<ClockCorrection> {
    let clocks = |trace: PathBuf| report_of_trace(&trace, Wanted::default()).ok()?.clock_correction;
    RunFolder(dir).traces().into_iter().filter_map(clocks).find(|clocks| clocks.after.contradict)
}

impl Tool {
    /// The report that a run under the tool has left in its folder, of a trace with these parts; none where nothing here
    /// can read its kind.
    ///
    /// # Errors
    /// It is not there, or cannot be read.
    pub fn report(&self, dir: &Path, wanted: Wanted<'_>) -> Result<Option<Report>, Failure> {
        let path = self.left(dir)?;
        let read = match self.report.format {
            Format::Other => return Ok(None),
            Format::Trace => report_of_trace(&path, wanted).map_err(|error| error.to_string()),
            Format::Report => self.read(&path, wanted),
        };
        let mut report = read.map_err(|message| Failure { status: RunStatus::ParseError, message })?;
        report.clock_correction = report.clock_correction.or_else(|| contradiction(dir));
        self.restrict(&mut report);
        report.tool = self.name.clone();
        if let Some(version) = self.version() {
            report.version = Some(version);
        }
        Ok(Some(report))
    }

    /// Reads what it leaves: a report, a trace with these parts, or what its description makes a report of.
    ///
    /// # Errors
    /// It cannot be read, or nothing made a report of it; in words, with the file.
    pub fn read(&self, path: &Path, wanted: Wanted<'_>) -> Result<Report, String> {
        if self.report.convert.is_empty() || ats_reports::recognise(path).is_ok() {
            let mut report =
                ats_reports::source::report_with(path, wanted).map_err(|error| error.to_string())?;
            if report.tool == Report::ATS && self.name != Report::ATS {
                // The version is that of the analyzer, not of the tool that wrote the trace.
                report.version = None;
            }
            return Ok(report);
        }
        let report = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let words = self.report.convert.iter().map(|text| {
            fill(text, |place| match place {
                "report" => Some(report.clone().into()),
                "here" => Some(self.here.clone().into()),
                _ => None,
            })
        });
        let words = words.collect::<Result<Vec<_>, _>>()?;
        let what = words.join(OsStr::new(" ")).to_string_lossy().into_owned();
        let failed = |error: &dyn std::fmt::Display| format!("`{what}` made no report: {error}");
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]);
        let printed = tempfile::tempdir().map_err(|error| failed(&error))?;
        let limits = Limits { time: CONVERTING, output: PRINTED, cancelled: &AtomicBool::new(false) };
        let ended = run(command, printed.path(), limits).map_err(|error| failed(&error))?;
        if ended.ending != Ending::Success {
            return Err(failed(&ended.message()));
        }
        let bytes = fs::read(&ended.stdout).map_err(|error| failed(&error))?;
        ats_reports::parse(Path::new("what it printed"), bytes, None).map_err(|error| failed(&error))
    }

    /// The first number that the tool says if it is asked for its version.
    pub fn version(&self) -> Option<String> {
        let [command, words @ ..] = &self.version[..] else { return None };
        let output = Command::new(command).args(words).stdin(Stdio::null()).output().ok()?;
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&text);
        let is_number = |word: &&str| word.starts_with(|first: char| first.is_ascii_digit());
        text.split_whitespace().find(is_number).map(str::to_owned)
    }

    /// Takes from what a report could name what the tool cannot.
    pub fn restrict(&self, report: &mut Report) {
        if let Some(known) = &self.shows.wait_states {
            report.names.retain(|state| known.contains(state));
        }
    }

    /// The one file or folder of the run that the description means.
    ///
    /// # Errors
    /// There is none, or several.
    pub fn left(&self, dir: &Path) -> Result<PathBuf, Failure> {
        let failed = |status, message| Err(Failure { status, message });
        let pattern = format!("{}/{}", glob::Pattern::escape(&dir.to_string_lossy()), self.report.path);
        let found: Vec<PathBuf> = match glob::glob(&pattern) {
            Ok(found) => found.flatten().collect(),
            Err(error) => return failed(RunStatus::NoReport, format!("report.path: {error}")),
        };
        match &found[..] {
            [one] => Ok(one.clone()),
            [] => {
                let message = format!("{} left no {} in {}", self.title, self.report.path, dir.display());
                failed(RunStatus::NoReport, message)
            }
            [one, other, ..] => {
                let (one, other) = (one.display(), other.display());
                let several = format!("{} left several reports, {one} and {other} among them", self.title);
                failed(RunStatus::SeveralReports, format!("{several}; name one in report.path"))
            }
        }
    }
}
