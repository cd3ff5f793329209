//! Programs under valgrind.

use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};

use thiserror::Error;

/// The command that makes a trace, for messages.
pub(super) const BY_HAND: &str = "valgrind --tool=lackey --trace-mem=yes --log-file=TRACE PROGRAM";

/// Starts valgrind so that its lines go to the shell's output, and the program's own output to standard error.
const SCRIPT: &str = r#"exec 9>&1 1>&2; exec valgrind --tool=lackey --trace-mem=yes --log-fd=9 -- "$@""#;

/// A program that runs under valgrind's lackey.
#[derive(Debug)]
pub struct Traced {
    child: Child,
}

/// An error of a program that is to run under valgrind.
#[derive(Debug, Error)]
pub enum ValgrindError {
    /// Valgrind is not there.
    #[error(
        "valgrind is not installed; install it (apt install valgrind), or make the trace elsewhere: {BY_HAND}"
    )]
    Missing,
    /// It cannot be started.
    #[error("cannot start valgrind: {0}; try `valgrind --version`")]
    NotStarted(#[from] io::Error),
}

impl Traced {
    /// Starts a command under valgrind. Its output goes to standard error.
    ///
    /// # Errors
    /// Valgrind is missing or cannot be started.
    pub fn start(command: &[OsString]) -> Result<Traced, ValgrindError> {
        match Command::new("valgrind").arg("--version").stdout(Stdio::null()).status() {
            Err(error) if error.kind() == ErrorKind::NotFound => return Err(ValgrindError::Missing),
            status => status?,
        };
        let child =
            Command::new("sh").args(["-c", SCRIPT, "sh"]).args(command).stdout(Stdio::piped()).spawn()?;
        Ok(Traced { child })
    }

    /// The trace, while the program runs.
    pub fn trace(&mut self) -> Option<ChildStdout> {
        self.child.stdout.take()
    }

    /// Waits for the end of the program.
    ///
    /// # Errors
    /// The system cannot wait for it.
    pub fn wait(mut self) -> io::Result<ExitStatus> {
        self.child.wait()
    }
}
