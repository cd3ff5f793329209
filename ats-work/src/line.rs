//! Output lines of programs with several processes.

use std::fmt::Arguments;
use std::io::{self, Write};

/// Writes a line to stderr at once. A launcher mixes the output of processes with the lines of others, and with its
/// own, and `eprintln!` writes in pieces.
///
/// Errors are ignored, for example if stderr is closed.
pub fn say(line: Arguments) {
    let line = format!("{line}\n");
    let _ = io::stderr().write_all(line.as_bytes());
}
