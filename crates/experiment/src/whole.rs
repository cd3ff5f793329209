//! Experiments that are as they were written.

use std::fmt;
use std::fs;
use std::path::Path;

use ats_documents::Experiment;
use ats_documents::summaries::{RegionSummaries, Unread};
use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};

use crate::RepositoryError;

/// The files of an experiment.
pub(crate) const DOCUMENT: &str = "experiment.json";
pub(crate) const PROFILE: &str = "profile.cubex";

/// Finds out whether the files of an experiment in `dir` are as they were written.
///
/// # Errors
/// They are not.
pub(crate) fn check<S>(dir: &Path, of: &Experiment<S>, summaries: Checked) -> Result<(), RepositoryError> {
    let damaged = |name: &str, what: String| Err(RepositoryError::Damaged { file: dir.join(name), what });
    if let Some(what) = summaries.damage(of.units.len()) {
        return damaged(DOCUMENT, what);
    }
    let Some(expected) = of.profile_bytes else { return Ok(()) };
    match fs::metadata(dir.join(PROFILE)) {
        Err(_) => damaged(PROFILE, "it is not there".to_owned()),
        Ok(file) if file.len() != expected => {
            damaged(PROFILE, format!("it has {} bytes, and {expected} were written", file.len()))
        }
        Ok(_) => Ok(()),
    }
}

/// Summaries that are read to see whether they are whole, one at a time. None of them is kept, and the numbers are passed over.
#[derive(Debug, Default)]
pub(crate) struct Checked {
    /// The number of units that they are of, and the region that has the last of these.
    units: (u32, String),
    /// The first contradiction.
    contradiction: Option<String>,
}

impl Checked {
    fn check<N>(&mut self, of: &RegionSummaries<N>) {
        let end = of.units.iter().map(|[first, end]| *first.max(end)).max().unwrap_or_default();
        if end > self.units.0 {
            self.units = (end, of.region.clone());
        }
        if let (Some(amount), None) = (of.damaged(), &self.contradiction) {
            let what = format!("its summaries of {} do not have one `{amount}` for each unit", of.region);
            self.contradiction = Some(what);
        }
    }

    /// The reason why an experiment on so many units is not as it was written.
    fn damage(self, units: usize) -> Option<String> {
        let (end, region) = self.units;
        if end as usize > units {
            return Some(format!("it has summaries of {region} on units that it does not have"));
        }
        self.contradiction
    }
}

impl<'a> FromIterator<&'a RegionSummaries> for Checked {
    fn from_iter<I: IntoIterator<Item = &'a RegionSummaries>>(all: I) -> Self {
        let mut checked = Checked::default();
        all.into_iter().for_each(|of| checked.check(of));
        checked
    }
}

impl<'de> Deserialize<'de> for Checked {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct All;

        impl<'de> Visitor<'de> for All {
            type Value = Checked;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the summaries of regions")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut all: A) -> Result<Checked, A::Error> {
                let mut checked = Checked::default();
                while let Some(of) = all.next_element::<RegionSummaries<Unread>>()? {
                    checked.check(&of);
                }
                Ok(checked)
            }
        }

        deserializer.deserialize_seq(All)
    }
}
