//! Questions that only a program under MPI can answer.
//!
//! Programs of the suite probe the library themselves. Here none is built yet, so a few lines of C ask.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tempfile::TempDir;

use crate::launch::{Ending, Job, Launcher, Limits, run};
use crate::mpi::Mpi;

const TIME: Duration = Duration::from_secs(60);

/// The output of a program in C on some ranks.
///
/// # Errors
/// The program cannot be compiled or run; the reason is in words.
pub(super) fn answer(
    mpi: Mpi,
    source: &str,
    ranks: usize,
    arguments: Vec<OsString>,
) -> Result<String, String> {
    let compiler = mpi.compiler().ok_or("it needs the compiler")?;
    let launcher = Launcher::find(mpi).map_err(|error| error.to_string())?;
    let dir = TempDir::new().map_err(|error| error.to_string())?;
    let (file, program) = (dir.path().join("question.c"), dir.path().join("question"));
    fs::write(&file, source).map_err(|error| error.to_string())?;
    let mut compile = Command::new(&compiler);
    compile.arg("-O").arg("-o").arg(&program).arg(&file).arg("-ldl");
    output(compile, &compiler, dir.path())?;
    let job = Job { ranks, environment: Vec::new(), program: &program, arguments };
    output(launcher.command(&job), &launcher.path.display().to_string(), dir.path())
}

/// Of a command that ends well.
fn output(command: Command, name: &str, dir: &Path) -> Result<String, String> {
    let limits = Limits { time: TIME, output: 1 << 20, cancelled: &AtomicBool::new(false) };
    let failed = |reason: String| format!("{name}: {reason}");
    let ended = run(command, dir, limits).map_err(|error| failed(error.to_string()))?;
    match ended.ending {
        Ending::Success => fs::read_to_string(&ended.stdout).map_err(|error| failed(error.to_string())),
        _ => Err(failed(ended.message())),
    }
}
