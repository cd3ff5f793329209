//! The file that keeps a calibration.

use std::ffi::OsString;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::{Calibration, Notice};
use crate::machine::{self, Machine};

/// The file of `machine`, given the environment's variables.
pub(super) fn path(machine: &Machine, variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    if let Some(path) = variable("ATS_CALIBRATION") {
        return Some(path.into());
    }
    let cache = machine::user_cache(variable)?;
    let plain = |name: &str| name.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    let name = format!("calibration-{}-{}.json", plain(&machine.host), plain(&machine.cpu_model));
    Some(cache.join(name))
}

/// Reads a file and checks that it is whole.
pub(super) fn load(path: &Path) -> Result<Calibration, Notice> {
    let damaged = |reason: String| Notice::Damaged { path: path.to_owned(), reason };
    let text = fs::read_to_string(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => Notice::Missing { path: path.to_owned() },
        _ => damaged(error.to_string()),
    })?;
    let calibration: Calibration =
        serde_json::from_str(&text).map_err(|error| damaged(format!("it is not a calibration: {error}")))?;
    if calibration.schema != Calibration::SCHEMA {
        return Err(damaged(format!(
            "its schema is `{}`, not `{}`",
            calibration.schema,
            Calibration::SCHEMA
        )));
    }
    let rates = calibration.rates;
    if ![rates.iterations_per_second, rates.ticks_per_second]
        .iter()
        .all(|rate| rate.is_normal() && *rate > 0.0)
    {
        return Err(damaged("a rate in it is not a positive number".to_owned()));
    }
    Ok(calibration)
}

/// Writes a file of its own and renames it into place, so that a reader never sees half a file.
pub(super) fn store(path: &Path, calibration: &Calibration) -> Result<(), Notice> {
    let write = || -> io::Result<()> {
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        fs::create_dir_all(folder)?;
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        serde_json::to_writer_pretty(&mut file, calibration)?;
        file.write_all(b"\n")?;
        file.persist(path)?;
        Ok(())
    };
    write().map_err(|error| Notice::NotStored { path: path.to_owned(), reason: error.to_string() })
}
