//! Starting programs under a launcher, and getting rid of them.

mod blame;
mod error;
mod process;
mod rewrite;
mod session;
mod stand_in;
mod template;
mod tree;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::linked::output_of;
use crate::mpi::Mpi;

pub use error::LaunchError;
pub use process::{Ended, Ending, Limits, STDERR, STDOUT, run, wait};
pub(crate) use process::{last_line, run_watched};
pub use rewrite::{Launched, parse_command, without_recording};
pub use stand_in::{Launch, StandIns};
pub use template::Template;

/// A launcher that is there.
#[derive(Clone, Debug)]
pub struct Launcher {
    /// The syntax of its command line and environment.
    pub template: &'static Template,
    /// The path of its executable.
    pub path: PathBuf,
    /// Its version, in its own words.
    pub version: String,
}

/// A program to be started under a launcher.
#[derive(Clone, Debug)]
pub struct Job<'a> {
    /// The number of ranks.
    pub ranks: usize,
    /// Variables that the ranks, and only they, find in their environment.
    pub environment: Vec<(String, OsString)>,
    /// The executable.
    pub program: &'a Path,
    /// Its arguments.
    pub arguments: Vec<OsString>,
}

impl Job<'_> {
    /// The command that starts its program by itself, as one process.
    pub fn alone(&self) -> Command {
        let mut command = Command::new(self.program);
        command.args(&self.arguments).envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }
}

impl Launcher {
    /// The launcher of this name or path.
    ///
    /// # Errors
    /// It is not there, or not of a known kind.
    pub fn named(command: impl AsRef<OsStr>) -> Result<Launcher, LaunchError> {
        let command = command.as_ref();
        let path = which::which(command)
            .map_err(|_| LaunchError::Missing { launcher: command.to_owned(), mpi: None })?;
        let version = output_of(&path, "--version").unwrap_or_default();
        let template = Template::of_version(&version).ok_or_else(|| LaunchError::Unknown {
            launcher: command.to_owned(),
            version: first_line(&version),
        })?;
        Ok(Launcher { template, path, version: first_line(&version) })
    }

    /// The first launcher on the `PATH` that starts programs of this library.
    ///
    /// # Errors
    /// There is none; the error names what to install.
    pub fn find(mpi: Mpi) -> Result<Launcher, LaunchError> {
        let templates = Template::ALL.iter().filter(|template| template.serves(mpi));
        templates
            .flat_map(|template| template.commands)
            .filter_map(|command| Launcher::named(command).ok())
            .find(|launcher| launcher.template.serves(mpi))
            .ok_or_else(|| LaunchError::Missing { launcher: "mpirun".into(), mpi: Some(mpi) })
    }

    /// Whether it starts programs of this library as ranks of one world.
    ///
    /// # Errors
    /// It does not: each rank would believe to be alone.
    pub fn check(&self, program_mpi: Mpi) -> Result<(), LaunchError> {
        if self.template.serves(program_mpi) {
            return Ok(());
        }
        Err(LaunchError::OtherMpi { launcher: self.path.clone(), version: self.version.clone(), program_mpi })
    }

    /// The command that starts a job.
    ///
    /// More ranks than cores are allowed, and so is the root user.
    pub fn command(&self, job: &Job<'_>) -> Command {
        let mut command = Command::new(&self.path);
        command.args(self.template.always).args([self.template.ranks_flag, &job.ranks.to_string()]);
        command.args(self.template.environment.arguments(&job.environment));
        command.envs(self.template.own_environment.iter().copied());
        command.arg(job.program).args(&job.arguments);
        command
    }
}

fn first_line(text: &str) -> String {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default();
    // Hydra's first line is a title.
    match lines.find_map(|line| line.strip_prefix("Version:")) {
        Some(version) if first.starts_with("HYDRA") => format!("MPICH Hydra {}", version.trim()),
        _ => first.to_owned(),
    }
}

#[cfg(test)]
pub(crate) mod tests;
