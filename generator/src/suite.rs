//! Where a program finds the suite's crates.

use std::path::{Path, PathBuf};

use crate::GenerateError;

/// Where a program finds the suite's crates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SuiteSource {
    /// The suite's folder, the one with `ats-harness` in it.
    Path(PathBuf),
}

/// Without it there is no building a program.
const HARNESS: &str = "ats-harness/Cargo.toml";

impl SuiteSource {
    /// The folder that `$ATS_SUITE` names, else the one that this was built from.
    ///
    /// # Errors
    /// The suite is not there.
    pub fn find() -> Result<Self, GenerateError> {
        let built_from = || Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        Self::at(std::env::var_os("ATS_SUITE").map_or_else(built_from, PathBuf::from))
    }

    /// The suite in a folder.
    ///
    /// # Errors
    /// It is not there.
    pub fn at(root: PathBuf) -> Result<Self, GenerateError> {
        match root.canonicalize() {
            Ok(found) if found.join(HARNESS).is_file() => Ok(SuiteSource::Path(found)),
            _ => Err(GenerateError::Suite { root, missing: HARNESS }),
        }
    }

    /// The folder of one of its crates, for a build file.
    pub(crate) fn crate_path(&self, name: &str) -> Result<String, GenerateError> {
        let SuiteSource::Path(root) = self;
        utf8(root.join(name))
    }

    /// The versions that the suite is tested with.
    pub(crate) fn lock_file(&self) -> PathBuf {
        let SuiteSource::Path(root) = self;
        root.join("Cargo.lock")
    }
}

/// A path as text.
pub(crate) fn utf8(path: PathBuf) -> Result<String, GenerateError> {
    path.into_os_string().into_string().map_err(|path| GenerateError::NotUtf8(path.into()))
}
