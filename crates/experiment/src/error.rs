//! The reasons why a repository cannot do what it is asked for.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use thiserror::Error;

/// The reason why a repository cannot do what it is asked for: the place, and the remedy.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RepositoryError {
    /// The folder is something else.
    #[error("{} is not a repository of experiments: {why}; {fix}", dir.display())]
    None {
        /// The folder.
        dir: PathBuf,
        /// The reason, in words.
        why: String,
        /// The remedy.
        fix: &'static str,
    },
    /// It was made by another version of this suite.
    #[error("{} says that it is {found}, and this is for {known}; use the version that made it", file.display())]
    Version {
        /// The file with the mark of another version.
        file: PathBuf,
        /// The version in the file.
        found: String,
        /// The versions that can be read.
        known: &'static str,
    },
    /// The operating system refused.
    #[error("cannot {action} {}: {source}; {fix}", path.display())]
    Io {
        /// `read`, `write` …
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The remedy.
        fix: &'static str,
        /// The system's reason.
        source: io::Error,
    },
    /// The experiment exists already.
    #[error(
        "{id} is in {} already; give --repeat {free} if this is another run of it, or remove that one", dir.display()
    )]
    There {
        /// The repository.
        dir: PathBuf,
        /// The experiment.
        id: String,
        /// A number that no run of it has.
        free: u32,
    },
    /// The experiment does not exist.
    #[error("{} has no experiment {wanted}{}; `ats experiment list {}` shows all", dir.display(), meant(nearest), dir.display())]
    Absent {
        /// The repository.
        dir: PathBuf,
        /// The name asked for.
        wanted: String,
        /// The nearest existing name, if any is near.
        nearest: Option<String>,
    },
    /// Several experiments are called so.
    #[error("{wanted} is the name of {} and of {}; give a longer name", several[0], several[1])]
    Several {
        /// The name asked for.
        wanted: String,
        /// The experiments that it matches.
        several: Vec<String>,
    },
    /// An experiment's file is not as it was written.
    #[error("{} is damaged: {what}; remove the experiment, and add it again", file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// The error and its place.
        what: String,
    },
    /// It cannot be kept under its name.
    #[error("{what}; {fix}")]
    Name {
        /// The error, in words.
        what: String,
        /// The remedy.
        fix: &'static str,
    },
}

fn meant(nearest: &Option<String>) -> String {
    nearest.as_ref().map(|nearest| format!("; did you mean {nearest}?")).unwrap_or_default()
}

impl RepositoryError {
    /// The operating system refused to `action` a file or folder.
    pub(crate) fn io(action: &'static str, path: &Path, source: io::Error) -> Self {
        let fix = match source.kind() {
            ErrorKind::NotFound => "check the path",
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
                "allow it, or give a folder that you may write to"
            }
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
                "make room there, or give another folder; nothing of it was kept"
            }
            ErrorKind::InvalidFilename => "give it a shorter name, or fewer parameters",
            _ => "check the path and the disk",
        };
        RepositoryError::Io { action, path: path.to_owned(), fix, source }
    }

    /// Whether the request is wrong, rather than the disk.
    pub fn is_of_input(&self) -> bool {
        !matches!(self, RepositoryError::Io { source, .. } if source.kind() != ErrorKind::NotFound)
    }
}
