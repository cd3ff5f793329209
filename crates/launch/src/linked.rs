//! The libraries that an executable is linked with, and the output of commands that describe themselves.

use std::path::Path;
use std::process::Command;

/// The first library that an executable needs, directly or through another shared library, and that `wanted` knows by
/// its file name.
pub(crate) fn linked<T>(program: &Path, wanted: impl Fn(&str) -> Option<T>) -> Option<T> {
    let bytes = std::fs::read(program).ok()?;
    let elf = goblin::elf::Elf::parse(&bytes).ok()?;
    elf.libraries.iter().find_map(|library| wanted(library)).or_else(|| {
        // What it needs in turn, only the dynamic linker finds as the program would.
        let resolved = output_of("ldd", program.to_str()?)?;
        resolved.split_whitespace().find_map(wanted)
    })
}

/// The output of a command, on either stream; `None` if it cannot be run or fails.
pub(crate) fn output_of(command: impl AsRef<std::ffi::OsStr>, argument: &str) -> Option<String> {
    let output = Command::new(command).arg(argument).stdin(std::process::Stdio::null()).output().ok()?;
    let text = [output.stdout, output.stderr].concat();
    output.status.success().then(|| String::from_utf8_lossy(&text).into_owned())
}
