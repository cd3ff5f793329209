//! Why nothing could be launched.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::mpi::Mpi;

/// Why nothing could be launched; every message names the fix.
#[derive(Debug, Error)]
pub enum LaunchError {
    /// There is no such launcher.
    #[error("the launcher `{}` was not found; {}", .launcher.display(), to_install(*.mpi))]
    Missing {
        /// The name or path that was looked for.
        launcher: OsString,
        /// The library that it should belong to, if that is known.
        mpi: Option<Mpi>,
    },
    /// It is no launcher that is known.
    #[error(
        "`{}` is not a launcher that ATS knows (its --version prints `{version}`); use mpirun of Open MPI or \
         MPICH, or srun",
        .launcher.display()
    )]
    Unknown {
        /// The name or path that was given.
        launcher: OsString,
        /// The output of its `--version`.
        version: String,
    },
    /// It belongs to another library than the program.
    #[error(
        "the launcher {} ({version}) cannot start programs of {}: each rank would run alone; use the launcher of \
         {}{}",
        .launcher.display(), .program_mpi.name(), .program_mpi.name(), suggestion(*.program_mpi)
    )]
    OtherMpi {
        /// The launcher.
        launcher: PathBuf,
        /// The version that it reports.
        version: String,
        /// The library of the program.
        program_mpi: Mpi,
    },
    /// There is no such program.
    #[error("{}", cannot_run(.0))]
    NoSuchProgram(OsString),
    /// A command line does not say which program is started.
    #[error("no program in `{0}`; give a launcher, its flags and a program, as: mpirun -n 4 ./program")]
    NoProgram(String),
    /// A program to be run alone is started together with others.
    #[error("{} is started together with other programs, so it cannot run sequentially; give a command with one \
             program", .0.display())]
    Several(OsString),
}

fn cannot_run(program: &OsStr) -> String {
    let name = program.display();
    let path = Path::new(program);
    if path.is_dir() {
        format!("{name} is a folder; give a program")
    } else if path.is_file() {
        format!("{name} is not executable; make it executable with chmod +x")
    } else if path.components().nth(1).is_some() {
        format!("no program {name}: the file does not exist; check the path, or build it")
    } else {
        format!("no program {name} on the PATH; write ./{name} for one in this folder")
    }
}

fn to_install(mpi: Option<Mpi>) -> String {
    let install = |mpi: Mpi| format!("apt-get install {}", mpi.packages());
    match mpi {
        Some(mpi) => format!("install {}, on Debian with: {}", mpi.name(), install(mpi)),
        None => format!(
            "name one that is on the PATH, or install an MPI library, on Debian with: {} (or {})",
            install(Mpi::OpenMpi),
            Mpi::Mpich.packages()
        ),
    }
}

fn suggestion(mpi: Mpi) -> String {
    match super::Launcher::find(mpi) {
        Ok(launcher) => format!(", {}", launcher.path.display()),
        Err(_) => format!("; on Debian: apt-get install {}", mpi.packages()),
    }
}
