//! Runs to be diagnosed.

use ats_documents::{Experiment, Profile};
use ats_model::mistakes::nearest;
use thiserror::Error;

/// A run to be diagnosed.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// Its name in tables.
    pub id: &'a str,
    /// Its experiment.
    pub experiment: &'a Experiment,
    /// The profile that the experiment was made of; that of a table of numbers has none.
    pub profile: Option<&'a Profile>,
}

/// A run that cannot be diagnosed.
#[derive(Debug, Error)]
pub enum DiagnosisError {
    /// It has no such region.
    #[error("{id}: it has no region `{region}`{}; `ats experiment show` lists its regions", meant(.nearest.as_deref()))]
    Region {
        /// The run.
        id: String,
        /// The region that is wanted.
        region: String,
        /// A region with a similar name.
        nearest: Option<String>,
    },
    /// It has no profile.
    #[error(
        "{id}: it has no call paths, as tables have none; add it from a trace, a report or `--engine virtual`"
    )]
    Pathless {
        /// The run.
        id: String,
    },
    /// No region has a time.
    #[error("{id}: no region of it has a time; add an experiment with times")]
    Untimed {
        /// The run.
        id: String,
    },
}

impl DiagnosisError {
    /// A region that a run does not have, but for these.
    pub(crate) fn no_region<'n>(id: &str, wanted: &str, names: impl Iterator<Item = &'n str>) -> Self {
        let nearest = nearest(wanted, names).map(str::to_owned);
        DiagnosisError::Region { id: id.to_owned(), region: wanted.to_owned(), nearest }
    }
}

fn meant(nearest: Option<&str>) -> String {
    nearest.map(|nearest| format!(" (did you mean `{nearest}`?)")).unwrap_or_default()
}

impl Run<'_> {
    /// Its number of ranks times threads.
    pub(crate) fn units(&self) -> u32 {
        match self.profile {
            Some(profile) => profile.units.len() as u32,
            None => self.experiment.experiment.ranks * self.experiment.experiment.threads,
        }
        .max(1)
    }
}
