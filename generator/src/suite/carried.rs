//! The sources that travel in a command.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use ats_work::machine::user_cache;
use flate2::read::GzDecoder;
use tar::Archive;
use tempfile::TempDir;

use crate::GenerateError;

/// The suite's sources as a command carries them: without documents, tests and files written by other tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Carried {
    /// A tar archive, compressed with gzip.
    pub archive: &'static [u8],
    /// The name that identifies it: the suite's version, and a hash.
    pub name: &'static str,
}

static CARRIED: OnceLock<Carried> = OnceLock::new();

impl Carried {
    /// Makes this the source that the command carries; the first one is kept.
    pub fn offer(self) {
        let _ = CARRIED.set(self);
    }

    /// The sources that the command carries, if any.
    pub fn by_this_command() -> Option<Carried> {
        CARRIED.get().copied()
    }

    /// The folder of the sources in the user's cache, given the environment's variables; unpacked when first asked for.
    /// It is there as a whole or not at all, even if several processes ask at once.
    ///
    /// # Errors
    /// There is no such cache, or it cannot be written to.
    pub fn in_cache(&self, variable: impl Fn(&str) -> Option<OsString>) -> Result<PathBuf, GenerateError> {
        let cache = user_cache(variable).ok_or(GenerateError::NoCache)?;
        let suite = cache.join(self.name);
        if suite.is_dir() {
            return Ok(suite);
        }
        let failed = |source| GenerateError::Unpack { path: suite.clone(), source };
        fs::create_dir_all(&cache).map_err(failed)?;
        let aside = TempDir::with_prefix_in(".unpacking-", &cache).map_err(failed)?;
        let fresh = aside.path().join(self.name);
        self.unpack(&fresh).map_err(failed)?;
        match fs::rename(&fresh, &suite) {
            // Somebody else was quicker.
            Err(_) if suite.is_dir() => Ok(suite),
            moved => moved.map(|()| suite.clone()).map_err(failed),
        }
    }

    /// Unpacks it into a new folder.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn unpack(&self, dir: &Path) -> io::Result<()> {
        fs::create_dir(dir)?;
        let mut archive = Archive::new(GzDecoder::new(self.archive));
        // Cargo takes for new what has changed since it was built, by the clock.
        archive.set_preserve_mtime(false);
        archive.unpack(dir)
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use flate2::{Compression, write::GzEncoder};
    use tar::{Builder, Header};

    use super::*;

    fn carried(files: &[(&str, &str)]) -> Carried {
        let mut archive = Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
        for (path, text) in files {
            let mut header = Header::new_gnu();
            header.set_size(text.len() as u64);
            header.set_mode(0o755);
            archive.append_data(&mut header, path, text.as_bytes()).unwrap();
        }
        let archive = archive.into_inner().unwrap().finish().unwrap().leak();
        Carried { archive, name: "1.2.3-abc" }
    }

    fn in_cache(cache: &Path, carried: Carried) -> Result<PathBuf, GenerateError> {
        carried.in_cache(|name| (name == "XDG_CACHE_HOME").then(|| cache.into()))
    }

    #[test]
    fn it_is_unpacked_once_however_many_ask() {
        let cache = tempfile::tempdir().unwrap();
        let files: Vec<(String, String)> =
            (0..200).map(|n| (format!("crate/{n}.rs"), "x".repeat(n))).collect();
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
        let carried = carried(&files);
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let suite = in_cache(cache.path(), carried).unwrap();
                    assert_eq!(suite, cache.path().join("ats/1.2.3-abc"));
                    for (path, text) in &files {
                        assert_eq!(fs::read_to_string(suite.join(path)).unwrap(), *text);
                    }
                });
            }
        });
        let left: Vec<_> =
            fs::read_dir(cache.path().join("ats")).unwrap().map(|it| it.unwrap().file_name()).collect();
        assert_eq!(left, ["1.2.3-abc"]);
        let suite = in_cache(cache.path(), carried).unwrap();
        fs::remove_file(suite.join("crate/7.rs")).unwrap();
        in_cache(cache.path(), carried).unwrap();
        assert!(!suite.join("crate/7.rs").exists(), "it is not unpacked again");
    }

    #[test]
    fn failures_to_unpack_are_reported_and_leave_nothing() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let error = in_cache(file.path(), carried(&[("a", "")])).unwrap_err().to_string();
        let place = file.path().join("ats/1.2.3-abc");
        assert!(error.contains(place.to_str().unwrap()) && error.contains("ATS_SUITE"), "{error}");
        let nowhere = carried(&[]).in_cache(|_| None).unwrap_err().to_string();
        assert!(nowhere.contains("XDG_CACHE_HOME"), "{nowhere}");

        let cache = tempfile::tempdir().unwrap();
        let torn = Carried { archive: &carried(&[("a", "text")]).archive[..20], name: "torn" };
        in_cache(cache.path(), torn).unwrap_err();
        assert_eq!(fs::read_dir(cache.path().join("ats")).unwrap().count(), 0);
    }
}
