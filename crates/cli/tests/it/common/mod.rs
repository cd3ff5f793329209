//! The command, run as a user runs it.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// The command in a folder, with nothing in its environment that could change its answers.
pub(crate) fn ats_command(dir: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ats"));
    command.current_dir(dir).env_remove("MPICC").env("ATS_CALIBRATION", dir.join("calibration.json"));
    command
}

/// Runs the command in a folder.
pub(crate) fn ats_in(dir: &Path, arguments: &[&str]) -> Output {
    ats_command(dir).args(arguments).output().unwrap()
}

/// Standard output of a command that must end well.
pub(crate) fn answer(dir: &Path, arguments: &[&str]) -> String {
    let output = ats_in(dir, arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// The commands in the groups of `ats --help`, but for `help`.
pub(crate) fn verbs() -> Vec<String> {
    let help = answer(Path::new("."), &["--help"]);
    let (groups, _) = help.split_once("\nOptions:\n").unwrap();
    let lines = groups.lines().filter_map(|line| line.strip_prefix("  "));
    let names = lines.map(|line| line.split(' ').next().unwrap_or_default().to_owned());
    names.filter(|name| name != "help").collect()
}

/// The most bytes that the command had in memory.
#[cfg(target_os = "linux")]
pub(crate) fn peak(dir: &Path, words: &[&str]) -> u64 {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ats"))
        .args(words)
        .current_dir(dir)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    loop {
        // It only grows, and has gone with the memory when the process ends.
        let status = fs::read_to_string(&status).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        peak = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok()).unwrap_or(peak);
        if let Some(ended) = child.try_wait().unwrap() {
            assert!(ended.success(), "{words:?}");
            return peak << 10;
        }
        sleep(Duration::from_millis(1));
    }
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
