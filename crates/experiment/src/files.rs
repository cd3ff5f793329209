//! The source files of a version, and when things were.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use ats_documents::experiment::SourceFile;
use ats_model::files::open_regular;
use sha2::{Digest, Sha256};

use crate::RepositoryError;

/// These files with their hashes, by name.
///
/// # Errors
/// One of them cannot be read.
pub fn source_files(paths: &[PathBuf]) -> Result<Vec<SourceFile>, RepositoryError> {
    let file = |path: &PathBuf| {
        let sha256 = open_regular(path).and_then(hash);
        let sha256 = sha256.map_err(|error| RepositoryError::io("read", path, error))?;
        Ok(SourceFile { name: path.display().to_string(), sha256 })
    };
    let mut files = paths.iter().map(file).collect::<Result<Vec<_>, _>>()?;
    files.sort_by(|one, other| one.name.cmp(&other.name));
    files.dedup();
    Ok(files)
}

fn hash(mut file: File) -> io::Result<String> {
    let mut hash = Sha256::new();
    io::copy(&mut file, &mut hash)?;
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// A date, which may have a time, by RFC 3339.
///
/// ```
/// assert_eq!(ats_experiment::date("2026-01-31").as_deref(), Ok("2026-01-31T00:00:00Z"));
/// assert!(ats_experiment::date("31.1.2026").is_err());
/// ```
///
/// # Errors
/// It is none; in words.
pub fn date(text: &str) -> Result<String, String> {
    let midnight = format!("{text}T00:00:00Z");
    let time = humantime::parse_rfc3339_weak(text).or_else(|_| humantime::parse_rfc3339(&midnight));
    let time = time.map_err(|_| "write it as 2026-01-31 or 2026-01-31T12:00:00Z".to_owned())?;
    Ok(humantime::format_rfc3339_seconds(time).to_string())
}

/// The time when a file or folder was written, as in RFC 3339, to the second; `None` if the system does not report
/// it.
pub(crate) fn written(path: &Path) -> Option<String> {
    let time = path.metadata().and_then(|metadata| metadata.modified()).ok()?;
    Some(humantime::format_rfc3339_seconds(time).to_string())
}
