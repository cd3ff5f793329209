//! Experiments that commands compare.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ats_diagnosis::{DiagnosisError, Run};
use ats_documents::experiment::Listed;
use ats_documents::{Experiment, Profile};
use ats_experiment::{Filter, Repository};

use crate::failure::Failure;
use crate::output::remark;

/// An experiment with the profile that it was made of.
pub(crate) struct Kept {
    pub(crate) id: String,
    pub(crate) experiment: Experiment,
    profile: Option<Profile>,
    repository: Repository,
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
        Ok(Kept { id, experiment, profile, repository: repository.clone() })
    }

    /// The experiments of paths; a repository stands for those of its experiments that are meant and meet the conditions
    /// among the `words`.
    pub(crate) fn read_all(
        words: &[PathBuf],
        is_meant: impl Fn(&Kept) -> bool,
    ) -> Result<Vec<Self>, Failure> {
        let (conditions, paths): (Vec<&PathBuf>, Vec<&PathBuf>) =
            words.iter().partition(|word| !word.exists() && word.to_string_lossy().contains(['=', '<', '>']));
        let filters: Vec<Filter> = conditions
            .iter()
            .map(|word| word.to_string_lossy().parse().map_err(Failure::from))
            .collect::<Result<_, _>>()?;
        let mut all = Vec::new();
        for path in paths {
            let (repository, rest) = Repository::around(path)?;
            if rest != Path::new("") {
                all.push(Kept::read(path)?);
                continue;
            }
            let listing = Filter::select_runs(&filters, repository.list()?)?;
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

    /// Adds the runs of the same repositories that these are compared with and their repetitions, as far as they are not there.
    pub(crate) fn add_references(all: &mut Vec<Self>) -> Result<(), Failure> {
        let mut repositories: Vec<Repository> = Vec::new();
        for one in all.iter() {
            if !repositories.contains(&one.repository) {
                repositories.push(one.repository.clone());
            }
        }
        for repository in repositories {
            let listed = repository.list()?.experiments;
            let of = all.iter().filter(|one| one.repository == repository);
            let references: BTreeSet<usize> = of.filter_map(|one| one.listed().reference(&listed)).collect();
            let is_meant = |one: &&Listed| references.iter().any(|&at| one.is_repetition(&listed[at]));
            for Listed { id, .. } in listed.iter().filter(is_meant) {
                if !all.iter().any(|one| one.id == *id && one.repository == repository) {
                    all.push(Kept::of_id(&repository, id.clone())?);
                }
            }
        }
        Ok(())
    }

    /// The run as lists show it.
    pub(crate) fn listed(&self) -> Listed {
        self.experiment.listed(&self.id)
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
