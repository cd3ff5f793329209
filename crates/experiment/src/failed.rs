//! Runs that failed: a file for each, `REPO/.failed/ID.json`, outside the folders of experiments.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use ats_documents::experiment::{FailedRun, Listed};
use ats_documents::{Experiment, Experiments};
use ats_model::files::read_document;
use ats_model::mistakes::not_json;
use rayon::prelude::*;
use serde::de::IgnoredAny;

use crate::identity::{folders, in_order};
use crate::repository::{ATTEMPTS, aside};
use crate::{Damaged, Given, Repository, RepositoryError};

/// The folder of failed runs.
const FAILED: &str = ".failed";

/// The state of a run in a repository.
#[derive(Debug)]
pub enum Standing {
    /// Not in the repository.
    Unknown,
    /// Its experiment is there.
    Kept(Box<Listed>),
    /// The run failed.
    Failed(Box<FailedRun>),
    /// In the repository, but unreadable.
    Damaged(RepositoryError),
}

/// The id of the experiment of a run with the given ranks, threads and repetition.
///
/// # Errors
///
/// The run has no name.
pub fn id(given: &Given, told: &[String]) -> Result<String, RepositoryError> {
    let experiment = Experiment {
        application: given.application.clone(),
        version: given.version.clone(),
        experiment: given.run.clone(),
        ..Experiment::<()>::default()
    };
    Ok(folders(&experiment, told)?.join("/"))
}

impl Repository {
    /// The states of runs, by the ids of their experiments.
    pub fn standing(&self, ids: &[&str]) -> Vec<Standing> {
        ids.par_iter().map(|id| self.standing_of(id)).collect()
    }

    fn standing_of(&self, id: &str) -> Standing {
        if self.dir.join(id).exists() {
            return match self.document::<IgnoredAny>(id) {
                Ok(experiment) => Standing::Kept(Box::new(experiment.listed(id))),
                Err(error) => Standing::Damaged(error),
            };
        }
        match read(&self.failure(id)) {
            Ok(Some(failed)) => Standing::Failed(Box::new(failed)),
            Ok(None) => Standing::Unknown,
            Err(error) => Standing::Damaged(error),
        }
    }

    /// A folder for files kept only while a run lasts; its user creates it.
    pub fn running(&self) -> PathBuf {
        self.dir.join(".running")
    }

    /// Keeps that a run failed; one that failed before is forgotten.
    ///
    /// # Errors
    /// It cannot be written; then nothing of it is kept.
    pub fn add_failed(&self, failed: &FailedRun) -> Result<(), RepositoryError> {
        let file = self.failure(&failed.listed.id);
        let io = |error| RepositoryError::io("write", &file, error);
        let mut written = aside(".adding-", 0o666).tempfile_in(&self.dir).map_err(io)?;
        let document =
            Experiments { failed: vec![failed.clone()], ..Experiments::new(Vec::new(), Vec::new()) };
        serde_json::to_writer(&mut written, &document).map_err(|error| io(error.into()))?;
        written.write_all(b"\n").and_then(|()| written.as_file().sync_all()).map_err(io)?;
        let mut left = ATTEMPTS;
        loop {
            fs::create_dir_all(file.parent().unwrap_or(&self.dir)).map_err(io)?;
            left -= 1;
            match written.persist(&file) {
                Ok(_) => return Ok(()),
                // Who forgets the last one of a version removes its folder.
                Err(error) if error.error.kind() == ErrorKind::NotFound && left > 0 => written = error.file,
                Err(error) => return Err(io(error.error)),
            }
        }
    }

    /// Forgets that a run failed, if it did.
    ///
    /// # Errors
    /// It cannot be removed.
    pub(crate) fn forget(&self, id: &str) -> Result<(), RepositoryError> {
        let file = self.failure(id);
        match fs::remove_file(&file) {
            Ok(()) => {}
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                return Ok(());
            }
            Err(error) => return Err(RepositoryError::io("remove", &file, error)),
        }
        for folder in file.ancestors().skip(1).take(3) {
            let _ = fs::remove_dir(folder);
        }
        Ok(())
    }

    fn failure(&self, id: &str) -> PathBuf {
        self.dir.join(FAILED).join(format!("{id}.json"))
    }

    /// The ids of all failed runs, sorted.
    pub(crate) fn failed_ids(&self) -> Result<Vec<String>, RepositoryError> {
        let all = self.dir.join(FAILED);
        let mut files = Vec::new();
        let mut folders = vec![all.clone()];
        while let Some(folder) = folders.pop() {
            let entries = match fs::read_dir(&folder) {
                // Somebody has forgotten the last of it meanwhile.
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                entries => entries.map_err(|error| RepositoryError::io("list", &folder, error))?,
            };
            for path in entries.flatten().map(|entry| entry.path()) {
                if path.is_dir() { folders.push(path) } else { files.push(path) }
            }
        }
        let id =
            |file: PathBuf| Some(file.strip_prefix(&all).ok()?.to_str()?.strip_suffix(".json")?.to_owned());
        let mut ids: Vec<String> = files.into_iter().filter_map(id).collect();
        ids.sort_by(|one, other| in_order(one, other));
        Ok(ids)
    }

    /// All failed runs; unreadable ones are damaged.
    pub(crate) fn failed(&self, damaged: &mut Vec<Damaged>) -> Result<Vec<FailedRun>, RepositoryError> {
        let mut failed = Vec::new();
        for id in self.failed_ids()? {
            match read(&self.failure(&id)) {
                Ok(one) => failed.extend(one),
                Err(error) => damaged.push(Damaged { id, listed: None, error }),
            }
        }
        Ok(failed)
    }
}

/// `None` if there is no such file.
fn read(file: &Path) -> Result<Option<FailedRun>, RepositoryError> {
    let bytes = match read_document(file) {
        Ok(bytes) => bytes,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(RepositoryError::io("read", file, error)),
    };
    let damaged = |what: String| RepositoryError::Damaged { file: file.to_owned(), what };
    let Experiments { schema: found, failed, .. } = serde_json::from_slice(&bytes)
        .map_err(|error| damaged(if error.is_data() { error.to_string() } else { not_json(&error) }))?;
    let known = Experiments::SCHEMA;
    if found != known {
        return Err(RepositoryError::Version { file: file.to_owned(), found, known });
    }
    let first = failed.into_iter().next();
    first.map(Some).ok_or_else(|| damaged("it has no failed run".to_owned()))
}
