//! Why a program does not run.

use std::path::PathBuf;

use ats_props::ArgumentError;
use thiserror::Error;

/// Why a program does not run; the same on all ranks, so that all of them end.
#[derive(Debug, Error)]
pub(crate) enum Refusal {
    /// Help is asked for: its text.
    #[error("{0}")]
    Help(String),
    /// The command line cannot be read.
    #[error("{0}")]
    CommandLine(String),
    /// An argument does not fit the property.
    #[error("{}", in_words(.0))]
    Argument(#[from] ArgumentError),
    /// An environment variable does not fit.
    #[error("${name} is `{value}`; it has to be {expected}")]
    Variable {
        /// The name of the variable.
        name: &'static str,
        /// Its value.
        value: String,
        /// The values that would fit.
        expected: &'static str,
    },
    /// The eager limit is asked for, and there is no other rank to send to.
    #[error(
        "`limit` cannot be probed on a single rank; start 2 or more, as: mpirun -np 2; or give a number of bytes"
    )]
    Limit,
    /// A composition needs others.
    #[cfg(feature = "composition")]
    #[error(transparent)]
    Composition(#[from] ats_compose::CompositionError),
    /// A resource that the property runs on is missing.
    #[error("{0}")]
    Missing(String),
    /// Every process is alone.
    #[error(
        "{launcher} started {started} processes, but MPI shows each of them a world of its own: the launcher and this \
         program belong to different MPI libraries. The program is linked with {}; start it with that library's \
         mpirun, or build it with the compiler of the launcher's library (MPICC=… cargo build --release --target-dir …)",
        .library.split(',').next().unwrap_or_default()
    )]
    Singletons {
        /// The launcher.
        launcher: &'static str,
        /// The number it started.
        started: usize,
        /// The MPI library that the program is linked with.
        library: String,
    },
    /// Several processes without MPI.
    #[error(
        "{launcher} started {started} processes, but this program is one process of several threads, without MPI; \
         start it by itself, and give it --threads {started}"
    )]
    OneProcess {
        /// The launcher.
        launcher: &'static str,
        /// The number it started.
        started: usize,
    },
    /// Not the number of ranks that was announced.
    #[error(
        "{expected} ranks are expected (--np or $ATS_EXPECTED_RANKS), and there are {found}; correct either"
    )]
    Expected {
        /// The expected number.
        expected: usize,
        /// The actual number.
        found: usize,
    },
    /// Not the number of ranks that the program is made for.
    #[error("{name} is made for {ranks} ranks, and there are {found}; start {ranks}")]
    MadeFor {
        /// The program.
        name: &'static str,
        /// The number it is made for.
        ranks: usize,
        /// The actual number.
        found: usize,
    },
}

/// The message of an error. Users choose the number of ranks by the launcher; `--np` of a program only checks it.
fn in_words(error: &ArgumentError) -> String {
    match error {
        ArgumentError::Ranks { property, needed, given } => format!(
            "{property} needs at least {needed} ranks, {given} given; start {needed} or more, as: mpirun -np {needed}"
        ),
        other => other.to_string(),
    }
}

impl Refusal {
    /// The exit code: 2 for bad usage, 1 for errors of the environment.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Refusal::Help(_) => 0,
            Refusal::CommandLine(_) | Refusal::Argument(_) | Refusal::Variable { .. } | Refusal::Limit => 2,
            #[cfg(feature = "composition")]
            Refusal::Composition(_) => 2,
            Refusal::Missing(_)
            | Refusal::Singletons { .. }
            | Refusal::OneProcess { .. }
            | Refusal::Expected { .. }
            | Refusal::MadeFor { .. } => 1,
        }
    }
}

/// The witness cannot be written.
#[derive(Debug, Error)]
#[error("cannot write {}: {source}; choose another folder with --witness", path.display())]
pub(crate) struct WitnessError {
    pub(crate) path: PathBuf,
    pub(crate) source: std::io::Error,
}

impl WitnessError {
    pub(crate) fn tell(&self, rank: usize) {
        ats_work::say(format_args!("error: rank {rank}: {self}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_few_ranks_are_refused_with_the_command_for_more() {
        let refusal = Refusal::from(ArgumentError::Ranks { property: "late_sender", needed: 2, given: 1 });
        assert_eq!(
            refusal.to_string(),
            "late_sender needs at least 2 ranks, 1 given; start 2 or more, as: mpirun -np 2"
        );
    }
}
