//! The content of a repository.

use std::fmt;
use std::fs;
use std::io::ErrorKind;

use ats_documents::experiment::{FailedRun, Listed};
use rayon::prelude::*;
use serde::de::IgnoredAny;

use crate::identity::in_order;
use crate::whole::{Checked, check};
use crate::{Repository, RepositoryError};

/// The content of a repository.
#[derive(Debug, Default)]
pub struct Listing {
    /// The experiments, by their ids; numbers in these go by their value.
    pub experiments: Vec<Listed>,
    /// The runs of plans that failed, by their ids.
    pub failed: Vec<FailedRun>,
    /// The damaged experiments.
    pub damaged: Vec<Damaged>,
}

/// An experiment that is not as it was written.
#[derive(Debug)]
pub struct Damaged {
    /// Its folder in the repository.
    pub id: String,
    /// As it would be listed, if that is known.
    pub listed: Option<Listed>,
    /// The damage.
    pub error: RepositoryError,
}

impl fmt::Display for Damaged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl Repository {
    /// The ids of all experiments, in their order, whatever is in their folders.
    pub(crate) fn ids(&self) -> Result<Vec<String>, RepositoryError> {
        let mut ids = vec![String::new()];
        for _ in ["application", "version", "name"] {
            let mut below = Vec::new();
            for id in ids {
                let dir = self.dir.join(&id);
                let failed = |error| RepositoryError::io("list", &dir, error);
                let entries = match fs::read_dir(&dir) {
                    // Somebody has removed it meanwhile.
                    Err(error) if error.kind() == ErrorKind::NotFound && !id.is_empty() => continue,
                    entries => entries.map_err(failed)?,
                };
                for entry in entries {
                    let entry = entry.map_err(failed)?;
                    let name = entry.file_name().to_string_lossy().into_owned();
                    if !name.starts_with('.') && entry.file_type().map_err(failed)?.is_dir() {
                        below.push(if id.is_empty() { name } else { format!("{id}/{name}") });
                    }
                }
            }
            ids = below;
        }
        ids.sort_by(|one, other| in_order(one, other));
        Ok(ids)
    }

    /// All experiments.
    ///
    /// # Errors
    /// The folder cannot be listed.
    pub fn list(&self) -> Result<Listing, RepositoryError> {
        let listed = |id: String| {
            let read = self.document::<Checked>(&id).and_then(|experiment| {
                let mut checked = Checked::default();
                let experiment = experiment.with(|summaries| checked = summaries);
                check(&self.dir.join(&id), &experiment, checked)?;
                Ok(experiment.listed(&id))
            });
            match read {
                Ok(listed) => Some(Ok(listed)),
                Err(_) if !self.dir.join(&id).exists() => None,
                Err(error) => {
                    let header = self.document::<IgnoredAny>(&id);
                    Some(Err(Damaged { listed: header.ok().map(|of| of.listed(&id)), id, error }))
                }
            }
        };
        let read: Vec<_> = self.ids()?.into_par_iter().filter_map(listed).collect();
        let mut listing = Listing::default();
        for listed in read {
            match listed {
                Ok(listed) => listing.experiments.push(listed),
                Err(damaged) => listing.damaged.push(damaged),
            }
        }
        listing.failed = self.failed(&mut listing.damaged)?;
        Ok(listing)
    }
}
