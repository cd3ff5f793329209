//! The findings in a trace, as a report of Cube.

use std::fs::Permissions;
use std::io::BufWriter;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use ats_documents::Profile;
use ats_reports::Stored;
use clap::Args;

use crate::failure::Failure;
use crate::output::{Output, check_file};

/// A report of Cube in the place of the answer.
#[derive(Args, Debug)]
pub(crate) struct CubexArgs {
    /// Write a report of CUBE 4 to this file, NAME.cubex, as Score-P and Scalasca do: times, visits, messages and waits
    /// by call path and location.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl CubexArgs {
    /// The file, if one is asked for, and can be written without harm to the trace.
    pub(crate) fn file(&self, trace: &Path) -> Result<Option<&Path>, Failure> {
        let Some(file) = &self.output else { return Ok(None) };
        if file.extension().is_none_or(|ending| ending != "cubex") {
            return Err(Failure::Input(format!(
                "{} would be a report of Cube: end its name with .cubex, or redirect what --format json prints",
                file.display()
            )));
        }
        check_file(file, &[trace])?;
        Ok(Some(file))
    }
}

/// The folder of a file.
fn folder(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Writes it beside its place and moves it there when it is whole, and says so.
pub(crate) fn write(file: &Path, profile: &Profile, output: Output) -> Result<(), Failure> {
    let failed =
        |error: &dyn std::fmt::Display| Failure::Failed(format!("cannot write {}: {error}", file.display()));
    // A new file is for whom the user's mask allows it.
    let mut fresh = tempfile::Builder::new()
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(folder(file))
        .map_err(|error| failed(&error))?;
    ats_reports::cubex(profile, Stored::Compressed, BufWriter::new(&mut fresh))
        .map_err(|error| failed(&error))?;
    fresh.persist(file).map_err(|error| failed(&error.error))?;
    output.written(vec![file.to_owned()])
}
