//! The choice of an experiment by its id or a part of it.

use std::path::Path;

use ats_model::mistakes::nearest;

use crate::identity::in_order;
use crate::{Repository, RepositoryError};

/// An id without its repetition.
fn configuration(id: &str) -> &str {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    id.rsplit_once(".r").filter(|(_, repeat)| is_number(repeat)).map_or(id, |(rest, _)| rest)
}

impl Repository {
    /// The id that is meant: of it, its last part, or the path of its folder is given.
    ///
    /// # Errors
    /// There is none, or several.
    pub fn find(&self, given: &str) -> Result<String, RepositoryError> {
        self.meant(given, self.ids()?)
    }

    /// The same, also of a run that failed.
    ///
    /// # Errors
    /// There is none, or several.
    pub fn find_run(&self, given: &str) -> Result<String, RepositoryError> {
        let mut ids = [self.ids()?, self.failed_ids()?].concat();
        ids.sort_by(|one, other| in_order(one, other));
        ids.dedup();
        self.meant(given, ids)
    }

    /// The ids of all repetitions of the experiment that is meant; that may be given without its `.rN`, or by the folder of
    /// its version if it is the only one there.
    ///
    /// # Errors
    /// There is none, or several that differ in more than the repetition.
    pub fn find_repetitions(&self, given: &str) -> Result<Vec<String>, RepositoryError> {
        let ids = self.ids()?;
        let path = Path::new(given).strip_prefix(&self.dir).unwrap_or(Path::new(given));
        let mut several: Vec<String> = ids.iter().map(|id| configuration(id).to_owned()).collect();
        several.dedup();
        let in_version = |id: &String| Path::new(id).starts_with(path);
        if configuration(given) == given && several.iter().any(in_version) {
            several.retain(in_version);
        }
        let meant = match &several[..] {
            [only] if in_version(only) => only.clone(),
            [first, ..] if in_version(first) => {
                return Err(RepositoryError::Several { wanted: given.to_owned(), several });
            }
            _ if configuration(given) == given => self.meant(given, several)?,
            _ => configuration(&self.meant(given, ids.clone())?).to_owned(),
        };
        Ok(ids.into_iter().filter(|id| configuration(id) == meant).collect())
    }

    fn meant(&self, given: &str, mut ids: Vec<String>) -> Result<String, RepositoryError> {
        let path = Path::new(given).strip_prefix(&self.dir).unwrap_or(Path::new(given));
        ids.sort_by_key(|id| Path::new(id) != path);
        match ids.first() {
            Some(id) if Path::new(id) == path => return Ok(id.clone()),
            _ => {}
        }
        let is_meant = |id: &&String| Path::new(id).ends_with(path) && !given.is_empty();
        let mut meant: Vec<String> = ids.iter().filter(is_meant).cloned().collect();
        match meant.len() {
            1 => Ok(meant.remove(0)),
            0 => {
                let last = ids.iter().flat_map(|id| [id.as_str(), id.rsplit('/').next().unwrap_or(id)]);
                let nearest = nearest(given, last).map(str::to_owned);
                Err(RepositoryError::Absent { dir: self.dir.clone(), wanted: given.to_owned(), nearest })
            }
            _ => Err(RepositoryError::Several { wanted: given.to_owned(), several: meant }),
        }
    }
}
