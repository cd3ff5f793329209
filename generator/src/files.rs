//! Files to be written together.

use std::fs;
use std::path::{Path, PathBuf};

use crate::GenerateError;

/// The files of a folder, by path in it.
#[derive(Debug, Default)]
pub(crate) struct Files(Vec<(PathBuf, String)>);

impl Files {
    pub(crate) fn add(&mut self, path: impl Into<PathBuf>, text: String) {
        self.0.push((path.into(), text));
    }

    /// Moves them all into a folder.
    pub(crate) fn below(self, folder: &str) -> Self {
        Files(self.0.into_iter().map(|(path, text)| (Path::new(folder).join(path), text)).collect())
    }

    pub(crate) fn append(&mut self, other: Files) {
        self.0.extend(other.0);
    }

    /// Writes them, and returns the paths. An existing file with the same text stays untouched, so that unchanged
    /// programs are not built again.
    pub(crate) fn write(self, dir: &Path, force: bool) -> Result<Vec<PathBuf>, GenerateError> {
        if dir.is_file() {
            return Err(GenerateError::NotAFolder(dir.to_owned()));
        }
        if !force && fs::read_dir(dir).is_ok_and(|mut entries| entries.next().is_some()) {
            return Err(GenerateError::Exists(dir.to_owned()));
        }
        self.0
            .into_iter()
            .map(|(path, text)| {
                let path = dir.join(path);
                write_if_changed(&path, &text)
                    .map_err(|source| GenerateError::Write { path: path.clone(), source })?;
                Ok(path)
            })
            .collect()
    }
}

fn write_if_changed(path: &Path, text: &str) -> std::io::Result<()> {
    if fs::read_to_string(path).is_ok_and(|present| present == text) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text)
}
