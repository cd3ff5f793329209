//! The folder of a run: every name in it, and of those beside it.

use std::fs;
use std::path::{Path, PathBuf};

use ats_reports::source::opening::anchor;
use serde::Serialize;
use serde_json::json;

use super::launch::{STDERR, STDOUT};

/// The folder that a run leaves everything in.
#[derive(Clone, Copy, Debug)]
pub struct RunFolder<'a>(pub &'a Path);

impl RunFolder<'_> {
    const NOMINAL: &'static str = "nominal.json";
    const OBSERVED: &'static str = "observed.json";
    const ANALYSIS: &'static str = "analysis.json";
    const REPORT: &'static str = "report.json";
    const WITNESS: &'static str = "witness";
    const WITHOUT: &'static str = "without";
    const REFERENCE: &'static str = "reference";
    const REFERENCE_AGAIN: &'static str = "reference-again";

    /// The entries of every run's folder, with or without a tool.
    const OURS: [&'static str; 8] = [
        Self::NOMINAL,
        Self::OBSERVED,
        Self::WITNESS,
        STDOUT,
        STDERR,
        Self::WITHOUT,
        Self::REFERENCE,
        Self::REFERENCE_AGAIN,
    ];

    /// The truth that the parameters promise: an `ats-truth/1`.
    pub fn nominal(self) -> PathBuf {
        self.0.join(Self::NOMINAL)
    }

    /// The truth that the run showed: an `ats-truth/1`.
    pub fn observed(self) -> PathBuf {
        self.0.join(Self::OBSERVED)
    }

    /// The findings of our analyzer: an `ats-analysis/1`.
    pub fn analysis(self) -> PathBuf {
        self.0.join(Self::ANALYSIS)
    }

    /// The explanation of the run: an `ats-explanation/1`.
    pub fn explanation(self) -> PathBuf {
        self.0.join("explanation.json")
    }

    /// The findings of a tool: an `ats-report/1`.
    pub fn report(self) -> PathBuf {
        self.0.join(Self::REPORT)
    }

    /// The folder with the witness of every rank.
    pub fn witness(self) -> PathBuf {
        self.0.join(Self::WITNESS)
    }

    /// The folder that the recorder writes in.
    pub fn recording(self) -> PathBuf {
        self.0.join("trace")
    }

    /// The anchor of the recorded trace.
    pub fn trace(self) -> PathBuf {
        anchor(&self.recording())
    }

    /// The anchors of all traces that the run has left, sorted; of the run itself, not of that without the tool.
    pub fn traces(self) -> Vec<PathBuf> {
        let pattern = format!("{}/**/*.otf2", glob::Pattern::escape(&self.0.to_string_lossy()));
        let found = glob::glob(&pattern).into_iter().flatten().flatten();
        found.filter(|trace| !trace.starts_with(self.without())).collect()
    }

    /// The standard output of the program.
    pub fn stdout(self) -> PathBuf {
        self.0.join(STDOUT)
    }

    /// The folder of the run without the tool, in that of the run with it.
    pub fn without(self) -> PathBuf {
        self.0.join(Self::WITHOUT)
    }

    /// The folder of the run that a recorded one is held to.
    pub fn reference(self) -> PathBuf {
        self.0.join(Self::REFERENCE)
    }

    /// The folder of a second one.
    pub fn reference_again(self) -> PathBuf {
        self.0.join(Self::REFERENCE_AGAIN)
    }

    /// The folder of what a command printed that made the tool's report.
    pub fn after(self, number: usize) -> PathBuf {
        self.0.join(format!("after-{number}"))
    }

    /// Whether the nominal truth of a run is in it.
    pub fn is_of_a_run(self) -> bool {
        self.nominal().is_file()
    }

    /// Whether a file is the nominal truth of the run whose folder it is in.
    pub fn is_nominal(file: &Path) -> bool {
        file.file_name().is_some_and(|name| name == Self::NOMINAL)
    }

    /// Whether a real run has left it, and not the virtual engine.
    pub fn is_real(self) -> bool {
        self.observed().exists() || self.witness().exists()
    }

    /// A report in a form of ours, a tool's before our analyzer's.
    pub fn own_report(self) -> Option<PathBuf> {
        [self.report(), self.analysis()].into_iter().find(|own| own.is_file())
    }

    /// The files that a tool has left: all entries that are not ours.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn of_others(self) -> std::io::Result<Vec<PathBuf>> {
        let mut entries: Vec<PathBuf> = fs::read_dir(self.0)?.flatten().map(|entry| entry.path()).collect();
        entries.retain(|entry| !Self::OURS.iter().any(|name| entry.ends_with(name)));
        Ok(entries)
    }
}

/// Writes a document beside what a run has left, for whoever wants to look closer; a result is no worse without.
pub fn keep(path: PathBuf, document: &impl Serialize) {
    let _ = fs::write(path, format!("{:#}\n", json!(document)));
}

/// Between the name of a program's folder and the number of the run of it that was disturbed.
const ASIDE: char = '~';

/// Keeps what a run has left from the next one; returns the folder that it is in now.
///
/// # Errors
/// The folder cannot be renamed.
pub fn set_aside(dir: &Path, folder: &str, run: usize) -> Result<String, String> {
    let name = format!("{folder}{ASIDE}{run}");
    let (from, to) = (dir.join(folder), dir.join(&name));
    if to.exists() {
        fs::remove_dir_all(&to).map_err(|error| format!("cannot empty {}: {error}", to.display()))?;
    }
    match fs::rename(&from, &to) {
        Ok(()) => Ok(name),
        Err(error) => Err(format!(
            "it was disturbed and not run again, because {} cannot be kept as {}: {error}",
            from.display(),
            to.display()
        )),
    }
}

/// The folders of runs in `dir`, sorted, without those that were disturbed and made again.
///
/// # Errors
/// The folder cannot be read.
pub fn run_folders(dir: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut folders: Vec<PathBuf> =
        fs::read_dir(dir)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    let is_aside =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().contains(ASIDE));
    folders.retain(|path| path.is_dir() && !is_aside(path));
    folders.sort();
    Ok(folders)
}

/// Removes what disturbed runs of an earlier session have left of this program.
pub fn forget_aside(dir: &Path, folder: &str) {
    for run in 1.. {
        if fs::remove_dir_all(dir.join(format!("{folder}{ASIDE}{run}"))).is_err() {
            return;
        }
    }
}
