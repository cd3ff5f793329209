//! The folders that runs have left, and whether they belong to a result.

use std::io;
use std::path::{Path, PathBuf};

use ats_documents::score::{ProgramResult, RunStatus};
use ats_documents::{Analysis, Score, Truth};
use ats_model::files::read_document;
use serde::de::DeserializeOwned;
use thiserror::Error;

use super::OWN_TOOL;
use ats_launch::folder::{RunFolder, run_folders};
use ats_truth::Size;

/// The folder of a run, and its documents.
#[derive(Clone, Debug)]
pub struct Kept {
    /// Its folder.
    pub dir: PathBuf,
    /// The truth that it showed; without a witness, the one that its parameters promise.
    pub truth: Truth,
    /// The findings of our analyzer.
    pub analysis: Option<Analysis>,
}

/// Why there are no runs to be had.
#[derive(Debug, Error)]
pub enum KeptError {
    /// The folder cannot be read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The folder.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A file of a run is not what it should be.
    #[error("{}: {reason}; run it again", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// The mistake in it.
        reason: String,
    },
    /// The folder holds no run.
    #[error("{} contains no run; give a folder from `ats validate -o DIR`", .0.display())]
    Nothing(PathBuf),
}

/// The runs of a folder, by name; or the run that the folder itself is of.
///
/// # Errors
/// There is none, or one that cannot be read.
pub fn runs(dir: &Path) -> Result<Vec<Kept>, KeptError> {
    if let Some(run) = Kept::read(dir)? {
        return Ok(vec![run]);
    }
    let failed = |source| KeptError::Io { path: dir.to_owned(), source };
    let folders = run_folders(dir).map_err(failed)?;
    let runs: Vec<Kept> =
        folders.iter().filter_map(|folder| Kept::read(folder).transpose()).collect::<Result<_, _>>()?;
    if runs.is_empty() { Err(KeptError::Nothing(dir.to_owned())) } else { Ok(runs) }
}

impl Kept {
    /// None where the folder is of no run.
    fn read(dir: &Path) -> Result<Option<Self>, KeptError> {
        let folder = RunFolder(dir);
        let truth = match document(&folder.observed())? {
            None => document(&folder.nominal())?,
            observed => observed,
        };
        let Some(truth) = truth else { return Ok(None) };
        Ok(Some(Kept { dir: dir.to_owned(), truth, analysis: document(&folder.analysis())? }))
    }

    /// Its program and size.
    pub fn name(&self) -> String {
        let Truth { program, ranks, threads, .. } = &self.truth;
        format!("{program} on {}", Size { ranks: *ranks as usize, threads: *threads as usize })
    }

    /// Whether a result has a program of this name and size.
    pub fn is_in(&self, result: &Score) -> bool {
        self.results(result).next().is_some()
    }

    fn results<'a>(&self, result: &'a Score) -> impl Iterator<Item = &'a ProgramResult> {
        let Truth { program, ranks, threads, .. } = &self.truth;
        let is_named =
            move |one: &&ProgramResult| (&one.program, one.ranks, one.threads) == (program, *ranks, *threads);
        result.programs.iter().filter(is_named)
    }

    /// The difference of this run from a result with its program and size; `None` if the result is of this run.
    ///
    /// The seconds that a run showed are its own: they tell it from any other. Of a result over repeats they are
    /// medians, and not compared.
    pub fn difference(&self, result: &Score) -> Option<String> {
        let is_real = RunFolder(&self.dir).is_real();
        let all_failed = self.results(result).all(|one| one.run_status != RunStatus::Ok);
        match result.environment.get("engine").and_then(|engine| engine.as_str()) {
            Some("virtual") if is_real => {
                return Some("it ran on real processes, the result is of the virtual engine".to_owned());
            }
            Some("mpi") if !is_real && !all_failed => {
                return Some("it has no observed.json, the result is of real processes".to_owned());
            }
            _ => {}
        }
        if result.tool == OWN_TOOL && RunFolder(&self.dir).without().exists() {
            return Some(format!("it ran under another tool, the result is of {OWN_TOOL}"));
        }
        let mut differences = Vec::new();
        for one in self.results(result) {
            let parameters = self.parameters(one);
            match parameters.or_else(|| self.seconds(one).filter(|_| one.repeats <= 1)) {
                None => return None,
                Some(difference) => differences.push(difference),
            }
        }
        differences.into_iter().next()
    }

    fn parameters(&self, result: &ProgramResult) -> Option<String> {
        let own = &self.truth.parameters;
        let names = own.keys().chain(result.parameters.keys());
        let differing = names.into_iter().find(|name| own.get(*name) != result.parameters.get(*name))?;
        let value = |of: Option<&String>| of.map_or_else(|| "not given".to_owned(), String::clone);
        let (here, there) = (value(own.get(differing)), value(result.parameters.get(differing)));
        Some(format!("its {differing} is {here}, that of the result {there}"))
    }

    fn seconds(&self, result: &ProgramResult) -> Option<String> {
        let judged = result.expectations.iter().filter(|_| result.run_status == RunStatus::Ok);
        judged.filter(|expected| expected.unit().is_time()).find_map(|expected| {
            let of = |path: &[String]| path == expected.call_path;
            let findings = self.truth.findings.iter();
            let mut findings =
                findings.filter(|finding| finding.property == expected.wait_state && of(&finding.call_path));
            let showed = findings.next()?.waiting_time;
            let is_same = (showed - expected.observed).abs() <= 1e-9 * (1.0 + showed.abs());
            (!is_same).then(|| {
                let (id, observed) = (&expected.id, expected.observed);
                format!("it showed {showed:.9} s of {id}, the run of the result {observed:.9} s")
            })
        })
    }
}

/// A document of ours; none where there is no such file.
fn document<D: DeserializeOwned>(path: &Path) -> Result<Option<D>, KeptError> {
    let Ok(bytes) = read_document(path) else { return Ok(None) };
    let invalid =
        |error: serde_json::Error| KeptError::Invalid { path: path.to_owned(), reason: error.to_string() };
    serde_json::from_slice(&bytes).map(Some).map_err(invalid)
}
