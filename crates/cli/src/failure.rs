//! Failures of a verb, and their exit codes.

use std::process::ExitCode;

use ats_experiment::running::NotCarriedOut;
use ats_generator::GenerateError;
use ats_launch::build::BuildError;
use ats_launch::claim::ClaimError;
use ats_launch::launch::LaunchError;
use ats_launch::ready::NotReady;
use ats_presentation::text::printable_lines;
use ats_truth::TruthError;
use ats_truth::ideal_trace::IdealTraceError;

/// Why a verb did not do its job.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A program or a trace failed, or a result could not be written.
    Failed(String),
    /// The command line or an input file is wrong.
    Input(String),
    /// Something is missing on this machine.
    Missing(String),
    /// Another command writes to the folder, or it cannot be written to.
    Folder(String),
    /// The same as missing, and the user would rather skip what cannot be done.
    Skipped(String),
    /// The user wanted no more.
    Cancelled,
}

impl Failure {
    /// An input that is wrong.
    pub(crate) fn input(error: impl ToString) -> Self {
        Failure::Input(error.to_string())
    }

    /// Says why, and returns the exit code.
    pub(crate) fn report(self) -> ExitCode {
        let (code, message) = self.parts();
        eprintln!("error: {}", printable_lines(&message));
        ExitCode::from(code)
    }

    /// Why, in words.
    pub(crate) fn message(self) -> String {
        self.parts().1
    }

    fn parts(self) -> (u8, String) {
        match self {
            Failure::Failed(message) => (1, message),
            Failure::Input(message) => (2, message),
            Failure::Missing(message) | Failure::Folder(message) => (3, message),
            Failure::Skipped(message) => (77, message),
            Failure::Cancelled => (130, "cancelled".to_owned()),
        }
    }
}

impl From<LaunchError> for Failure {
    fn from(error: LaunchError) -> Self {
        match error {
            LaunchError::NoProgram(_) | LaunchError::NoSuchProgram(_) | LaunchError::Several(_) => {
                Failure::input(error)
            }
            _ => Failure::Missing(error.to_string()),
        }
    }
}

impl From<BuildError> for Failure {
    fn from(error: BuildError) -> Self {
        match error {
            BuildError::Cancelled => Failure::Cancelled,
            // Nothing is missing.
            BuildError::TimedOut { .. } => Failure::Failed(error.to_string()),
            _ => Failure::Missing(error.to_string()),
        }
    }
}

impl From<GenerateError> for Failure {
    fn from(error: GenerateError) -> Self {
        match error {
            GenerateError::Write { .. } => Failure::Folder(error.to_string()),
            _ => Failure::input(error),
        }
    }
}

impl From<NotReady> for Failure {
    fn from(error: NotReady) -> Self {
        match error {
            NotReady::Build(error) => error.into(),
            NotReady::Launch(error) => error.into(),
            NotReady::Claim(error) => error.into(),
            NotReady::Unrecordable(_) | NotReady::Silent(_) | NotReady::Unloadable { .. } => {
                Failure::input(error)
            }
            NotReady::NoMpi | NotReady::Unfit(_) => Failure::Missing(error.to_string()),
        }
    }
}

impl From<NotCarriedOut> for Failure {
    fn from(error: NotCarriedOut) -> Self {
        match error {
            NotCarriedOut::Plan(_) | NotCarriedOut::Classes(_) => Failure::input(error),
            NotCarriedOut::Repository(error) => error.into(),
            NotCarriedOut::NotReady(error) => error.into(),
        }
    }
}

impl From<ClaimError> for Failure {
    fn from(error: ClaimError) -> Self {
        Failure::Folder(error.to_string())
    }
}

impl From<TruthError> for Failure {
    fn from(error: TruthError) -> Self {
        match error {
            TruthError::Size(_) => Failure::input(error),
            TruthError::Simulation { ref source, .. } if source.asks_too_much() => Failure::input(error),
            _ => Failure::Failed(error.to_string()),
        }
    }
}

impl From<IdealTraceError> for Failure {
    fn from(error: IdealTraceError) -> Self {
        match error {
            IdealTraceError::Truth(error) => error.into(),
            IdealTraceError::Trace(error) => Failure::Failed(error.to_string()),
        }
    }
}
