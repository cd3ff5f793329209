//! Experiments that commands compare.

use std::path::{Path, PathBuf};

use ats_diagnosis::{DiagnosisError, Run};
use ats_documents::{Experiment, Profile};
use ats_experiment::Repository;

use crate::failure::Failure;
use crate::output::remark;

/// An experiment with the profile that it was made of.
pub(crate) struct Kept {
    pub(crate) id: String,
    pub(crate) experiment: Experiment,
    profile: Option<Profile>,
}

impl Kept {
    /// The experiment of a path, in a repository.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let (repository, rest) = Repository::around(path)?;
        let id = repository.find(&rest.to_string_lossy())?;
        Kept::of_id(&repository, id)
    }

    fn of_id(repository: &Repository, id: String) -> Result<Self, Failure> {
        let experiment = repository.read(&id)?;
        let profile = repository.profile(&id);
        let profile =
            profile.map(|path| ats_reports::source::profile(&path)).transpose().map_err(Failure::input)?;
        Ok(Kept { id, experiment, profile })
    }

    /// The experiments of paths; a repository stands for those of its experiments that are meant.
    pub(crate) fn read_all(
        paths: &[PathBuf],
        is_meant: impl Fn(&Kept) -> bool,
    ) -> Result<Vec<Self>, Failure> {
        let mut all = Vec::new();
        for path in paths {
            let (repository, rest) = Repository::around(path)?;
            if rest != Path::new("") {
                all.push(Kept::read(path)?);
                continue;
            }
            let listing = repository.list()?;
            for damaged in &listing.damaged {
                remark(&format!("warning: {damaged}; it is skipped"));
            }
            for listed in listing.experiments {
                let kept = Kept::of_id(&repository, listed.id)?;
                all.extend(is_meant(&kept).then_some(kept));
            }
        }
        Ok(all)
    }

    pub(crate) fn run(&self) -> Run<'_> {
        Run { id: &self.id, experiment: &self.experiment, profile: self.profile.as_ref() }
    }
}

impl From<DiagnosisError> for Failure {
    fn from(error: DiagnosisError) -> Self {
        Failure::input(error)
    }
}
