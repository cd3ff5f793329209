//! What a program of several processes says.

use std::fmt::Arguments;
use std::io::{self, Write};

/// Writes a line to stderr at once. A launcher mixes what processes write with the lines of others, and with its own, and
/// `eprintln!` writes in pieces.
///
/// Nobody is told where stderr is closed.
pub fn say(line: Arguments) {
    let line = format!("{line}\n");
    let _ = io::stderr().write_all(line.as_bytes());
}
