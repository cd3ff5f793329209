//! The suite's own sources, for tests of how it is written.

use std::fs;
use std::path::{Path, PathBuf};

/// The suite's folder.
///
/// # Panics
/// Never.
pub fn suite() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the crate lies in the suite")
}

/// Every Rust source below a folder but those of tests, benchmarks and examples, and generated ones.
///
/// # Panics
/// A folder cannot be read.
pub fn sources(folder: &Path) -> Vec<PathBuf> {
    const LEFT_OUT: [&str; 6] = ["target", "tests", "tests.rs", "benches", "examples", "generated"];
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut sources = Vec::new();
    for entry in entries.map(|entry| entry.expect("a folder's entry").path()) {
        let name = entry.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with('.') || LEFT_OUT.contains(&&*name) {
            continue;
        }
        if entry.is_dir() {
            sources.extend(self::sources(&entry));
        } else if name.ends_with(".rs") {
            sources.push(entry);
        }
    }
    sources
}

/// A source without the tests at its end.
///
/// # Panics
/// It cannot be read.
pub fn program(source: &Path) -> String {
    let text = fs::read_to_string(source).unwrap_or_else(|error| panic!("{}: {error}", source.display()));
    text.split("#[cfg(test)]\nmod ").next().unwrap_or_default().to_owned()
}
