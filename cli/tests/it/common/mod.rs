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

/// A fenced block of a page: its words behind the fence, and its lines.
pub(crate) struct Block<'a> {
    pub(crate) words: Vec<&'a str>,
    pub(crate) text: String,
}

/// The fenced blocks of a page.
pub(crate) fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        match (line.strip_prefix("```"), inside) {
            (Some(words), false) => {
                blocks.push(Block { words: words.split_whitespace().collect(), text: String::new() });
                inside = true;
            }
            (Some(_), true) => inside = false,
            (None, true) => {
                let block = blocks.last_mut().expect("one is open");
                block.text += line;
                block.text.push('\n');
            }
            (None, false) => {}
        }
    }
    assert!(!inside, "the last block of the page ends");
    blocks
}
