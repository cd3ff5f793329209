//! The command, run as a user runs it.

use std::path::Path;
use std::process::{Command, Output};

/// The command in a folder, with nothing in its environment that could change its answers.
pub(crate) fn ats_in(dir: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ats"))
        .args(arguments)
        .current_dir(dir)
        .env_remove("MPICC")
        .env("ATS_CALIBRATION", dir.join("calibration.json"))
        .output()
        .unwrap()
}

/// Standard output of a command that must end well.
pub(crate) fn answer(dir: &Path, arguments: &[&str]) -> String {
    let output = ats_in(dir, arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}
