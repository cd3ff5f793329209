//! The suite's own libraries, built from outside of its workspace, as programs are: Cargo keeps crates of a workspace
//! apart from the same crates outside of it, so they would be compiled once for the libraries and once for programs.

use std::path::Path;
use std::process::Command;

use minijinja::{Value, context};

use crate::build::cargo_build;
use crate::suite::HARNESS;
use crate::template::{self, fill};
use crate::{GenerateError, Mpi, SuiteSource, generate, share_crates};

/// A crate of the suite that is built by itself, for an MPI library or, if it has a use then, for none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuiteLibrary {
    /// The recorder of programs.
    Recorder,
    /// The recorder, and beside it the crates of MPI programs that are built next: each has parts that keep only one
    /// core busy.
    RecorderBesideHarness,
    /// The library that programs in C and Fortran are linked with.
    LibAts,
}

impl SuiteLibrary {
    /// The crates to be built.
    fn packages(self) -> &'static [&'static str] {
        match self {
            SuiteLibrary::Recorder => &["ats-recorder"],
            SuiteLibrary::RecorderBesideHarness => &["ats-recorder", "ats-harness"],
            SuiteLibrary::LibAts => &["ats-capi"],
        }
    }

    /// The manifest that they are built by, with MPI or without, and the folder of it.
    pub(crate) fn manifest(
        self,
        suite: &SuiteSource,
        has_mpi: bool,
    ) -> Result<(&'static str, String), GenerateError> {
        let (name, packages): (_, &[_]) = match self {
            SuiteLibrary::Recorder | SuiteLibrary::RecorderBesideHarness => {
                ("recorder", &[("ats-recorder", "crates/recorder", ""), ("ats-harness", HARNESS, "mpi")])
            }
            SuiteLibrary::LibAts => ("libats", &[("ats-capi", "crates/capi", "")]),
        };
        let packages = packages.iter().map(|&(name, folder, feature)| {
            let path = suite.crate_path(folder)?;
            Ok(context! { name, path, feature })
        });
        let packages = packages.collect::<Result<Vec<Value>, GenerateError>>()?;
        let is_recorder = self != SuiteLibrary::LibAts;
        let values = context! { name, packages, has_mpi, is_recorder, profile => template::PROFILE };
        Ok((name, fill(template::LIBRARY, values)))
    }
}

/// The command that builds a library of the suite for an MPI library or for none, whose folder this is; its products
/// are in `release` there.
///
/// # Errors
/// The folder cannot be written, or the suite's path cannot be expressed.
pub fn library_command(
    suite: &SuiteSource,
    library: SuiteLibrary,
    mpi: Option<&Mpi>,
    folder: &Path,
) -> Result<Command, GenerateError> {
    let (name, manifest) = library.manifest(suite, mpi.is_some())?;
    let dir = folder.join("ats-libraries").join(name);
    let mut files = generate::configuration(false);
    files.add("Cargo.toml", manifest);
    files.add("src/lib.rs", "//! Nothing but what it depends on.\n".to_owned());
    // Cargo adds this package to it, and leaves out what only others of the suite need.
    files.append(generate::lock_of(suite));
    files.write(&dir, true)?;
    let mut command = cargo_build(mpi, &dir, folder);
    command.args(library.packages().iter().flat_map(|package| ["-p", package]));
    share_crates(&mut command, folder);
    Ok(command)
}
