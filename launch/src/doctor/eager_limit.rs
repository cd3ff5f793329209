//! Up to what size a library sends without waiting for the receive: asked of two ranks.
//!
//! Programs of the suite probe it themselves. Here none is built yet, so what asks is a few lines of C.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tempfile::TempDir;

use crate::launch::{Ending, Job, Launcher, Limits, run};
use crate::mpi::Mpi;

const SOURCE: &str = include_str!("eager_limit.c");
const TIME: Duration = Duration::from_secs(60);

/// The largest message of a standard send that is sent eagerly between two processes of this machine, in bytes; none where
/// there is no such size up to 64 MiB.
///
/// # Errors
/// The program that asks cannot be compiled or run; the reason is in words.
pub(super) fn eager_limit(mpi: Mpi) -> Result<Option<u64>, String> {
    let compiler = mpi.compiler().ok_or("it needs the compiler")?;
    let launcher = Launcher::of(mpi).map_err(|error| error.to_string())?;
    let dir = TempDir::new().map_err(|error| error.to_string())?;
    let (source, program) = (dir.path().join("eager_limit.c"), dir.path().join("eager_limit"));
    fs::write(&source, SOURCE).map_err(|error| error.to_string())?;
    let mut compile = Command::new(&compiler);
    compile.arg("-O").arg("-o").arg(&program).arg(&source);
    output(compile, &compiler, dir.path())?;
    let job = Job { ranks: 2, environment: Vec::new(), program: &program, arguments: Vec::new() };
    let said = output(launcher.command(&job), &launcher.path.display().to_string(), dir.path())?;
    parse(&said)
}

fn parse(said: &str) -> Result<Option<u64>, String> {
    match said.trim().parse::<i64>() {
        Ok(limit) => Ok(u64::try_from(limit).ok()),
        Err(_) => Err(format!("the program that asks printed {said:?} instead of a number")),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_is_a_size_or_that_there_is_none() {
        assert_eq!(parse("4056\n"), Ok(Some(4056)));
        assert_eq!(parse("-1\n"), Ok(None));
        assert!(parse("").unwrap_err().contains("instead of a number"));
    }
}
