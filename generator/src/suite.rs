//! The place of the suite's crates for a program.

mod carried;

use std::path::{Path, PathBuf};

use ats_work::machine::environment;

pub use carried::Carried;

use crate::GenerateError;

/// The folder of the suite, the one with `crates/harness` in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteSource(PathBuf);

/// The folder of the crate without which no program can be built.
pub(crate) const HARNESS: &str = "crates/harness";

/// The path of the suite below the folder that it was installed into.
pub const INSTALLED_SUITE: &str = "share/ats/suite";

/// The folder that the suite was installed into, `PREFIX` of this executable `PREFIX/bin/ats`; `None` if there is no
/// suite beside it.
pub fn installed_prefix() -> Option<PathBuf> {
    let executable = std::env::current_exe().ok()?;
    let bin = executable.parent().filter(|bin| bin.ends_with("bin"))?;
    bin.parent().filter(|prefix| prefix.join(INSTALLED_SUITE).join(HARNESS).is_dir()).map(Path::to_owned)
}

impl SuiteSource {
    /// The folder that `$ATS_SUITE` names, else the one installed beside this executable, else the one that this was
    /// built from, else that of the sources that the command [carries](Carried).
    ///
    /// # Errors
    /// The suite is not there, or the carried sources cannot be unpacked.
    pub fn find() -> Result<Self, GenerateError> {
        if let Some(named) = environment("ATS_SUITE") {
            return Self::open(named.into());
        }
        let installed = installed_prefix().map(|prefix| prefix.join(INSTALLED_SUITE));
        let built_from = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let places = installed.into_iter().chain([built_from.clone()]);
        let there = places.map(Self::open).find_map(Result::ok);
        match (there, Carried::by_this_command()) {
            (Some(there), _) => Ok(there),
            (None, Some(carried)) => carried.in_cache(environment).and_then(Self::open),
            (None, None) => Self::open(built_from),
        }
    }

    /// The suite in a folder.
    ///
    /// # Errors
    /// It is not there.
    pub fn open(root: PathBuf) -> Result<Self, GenerateError> {
        match root.canonicalize() {
            Ok(found) if found.join(HARNESS).is_dir() => Ok(SuiteSource(found)),
            _ => Err(GenerateError::Suite { root, missing: HARNESS }),
        }
    }

    /// The absolute path of the folder.
    pub fn root(&self) -> &Path {
        &self.0
    }

    /// The folder of one of its crates, for a build file.
    pub(crate) fn crate_path(&self, name: &str) -> Result<String, GenerateError> {
        utf8(self.root().join(name))
    }

    /// The versions that the suite is tested with.
    pub(crate) fn lock_file(&self) -> PathBuf {
        self.root().join("Cargo.lock")
    }
}

/// A path as text.
pub(crate) fn utf8(path: PathBuf) -> Result<String, GenerateError> {
    path.into_os_string().into_string().map_err(|path| GenerateError::NotUtf8(path.into()))
}
