//! The choice of an experiment by its id or a part of it.

use std::path::Path;

use ats_model::mistakes::nearest;

use crate::identity::in_order;
use crate::{Repository, RepositoryError};

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
