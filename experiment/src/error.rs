//! Why a repository does not do what it is asked for.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why a repository does not do what it is asked for: where, and what to do.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RepositoryError {
    /// The folder is something else.
    #[error("{} is no repository of experiments: {why}; {fix}", dir.display())]
    None {
        /// The folder.
        dir: PathBuf,
        /// What it is.
        why: String,
        /// What to do.
        fix: &'static str,
    },
    /// Another version of this suite has made it.
    #[error("{} says that it is {found}, and this is for {known}; use the version that made it", file.display())]
    Version {
        /// The file that says so.
        file: PathBuf,
        /// What it says.
        found: String,
        /// What can be read.
        known: &'static str,
    },
    /// The operating system refused.
    #[error("cannot {action} {}: {source}; {fix}", path.display())]
    Io {
        /// `read`, `write` …
        action: &'static str,
        /// Which file or folder.
        path: PathBuf,
        /// What to do.
        fix: &'static str,
        /// The system's reason.
        source: io::Error,
    },
    /// There is such an experiment.
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
    /// There is no such experiment.
    #[error("{} has no experiment {wanted}{}; `ats experiment list {}` shows all", dir.display(), meant(nearest), dir.display())]
    Absent {
        /// The repository.
        dir: PathBuf,
        /// What was asked for.
        wanted: String,
        /// What may be meant.
        nearest: Option<String>,
    },
    /// Several experiments are called so.
    #[error("{wanted} is the name of {} and of {}; name the one that is meant", several[0], several[1])]
    Several {
        /// What was asked for.
        wanted: String,
        /// Which they are.
        several: Vec<String>,
    },
    /// An experiment's file is not as it was written.
    #[error("{} is damaged: {what}; remove the experiment, and add it again", file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// What is wrong, and where.
        what: String,
    },
    /// It cannot be kept under its name.
    #[error("{what}; {fix}")]
    Name {
        /// What is wrong.
        what: String,
        /// What to do.
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

    /// Whether what was asked for is wrong, and not the disk.
    pub fn is_of_input(&self) -> bool {
        !matches!(self, RepositoryError::Io { source, .. } if source.kind() != ErrorKind::NotFound)
    }
}
