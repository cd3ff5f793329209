//! Standard output: text or a document, whoever reads it or no longer does.

pub(crate) mod cubex;
pub(crate) mod progress;

use std::fs;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use ats_documents::answer::Done;
use ats_presentation::text::{Look, Mood, Shown, printable_lines};
use clap::ValueEnum;
use serde::Serialize;

use crate::failure::Failure;

/// The form of the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Text,
    Json,
}

/// Whether there are colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

impl Color {
    /// Decides it for standard output and standard error.
    pub(crate) fn choose(self) {
        let forbidden = || std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let are_there = match self {
            Color::Auto if forbidden() => false,
            Color::Auto => return,
            Color::Always => true,
            Color::Never => false,
        };
        console::set_colors_enabled(are_there);
        console::set_colors_enabled_stderr(are_there);
    }
}

/// The colour of a verdict.
fn colour(mood: Mood) -> console::Style {
    match mood {
        Mood::Good => console::Style::new().green(),
        Mood::Unsure => console::Style::new().yellow(),
        Mood::Bad => console::Style::new().red().bold(),
    }
}

/// A verdict on standard error, in its colour.
pub(crate) fn painted(verdict: &str, mood: Mood) -> String {
    colour(mood).for_stderr().apply_to(verdict).to_string()
}

/// The options of output: form and silence.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Output {
    pub(crate) format: Format,
    /// Whether nothing is said while it is made.
    pub(crate) is_quiet: bool,
}

impl Output {
    /// Writes a document as JSON, or its text.
    pub(crate) fn document<D: Serialize>(
        self,
        document: &D,
        text: impl FnOnce() -> String,
    ) -> Result<(), Failure> {
        self.coloured(document, || printable_lines(&text()).into_owned())
    }

    /// The look of a table of results; with `came`, its rows may have been shown as they came.
    pub(crate) fn look(self, came: bool) -> Look {
        let shown = match (self.is_quiet, came && io::stdout().is_terminal()) {
            (true, _) => Shown::Failed,
            (false, true) => Shown::None,
            (false, false) => Shown::All,
        };
        Look { width: width(), shown, paint: |verdict, mood| colour(mood).apply_to(verdict).to_string() }
    }

    /// Writes a document as JSON, or its text, which has no control characters but its own colours.
    pub(crate) fn coloured<D: Serialize>(
        self,
        document: &D,
        text: impl FnOnce() -> String,
    ) -> Result<(), Failure> {
        match self.format {
            Format::Text => self.text(&text()),
            Format::Json => self.text(&json(document)),
        }
    }

    /// Writes text that has no JSON form, such as a script; `what` names it.
    pub(crate) fn as_it_is(self, what: &str, text: &str) -> Result<(), Failure> {
        match self.format {
            Format::Text => self.text(text),
            Format::Json => {
                Err(Failure::Input(format!("`--format json` is not available for {what}; omit it")))
            }
        }
    }

    /// Says which files were written.
    pub(crate) fn written(self, files: Vec<PathBuf>) -> Result<(), Failure> {
        let document = Done { schema: Done::SCHEMA, files, ..Done::default() };
        self.document(&document, || {
            document.files.iter().map(|file| format!("{}\n", file.display())).collect()
        })
    }

    /// Writes text as it is. A reader that has gone away has read enough.
    pub(crate) fn text(self, text: &str) -> Result<(), Failure> {
        let mut stdout = io::stdout().lock();
        match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                Err(Failure::Failed(format!("cannot write to standard output: {error}")))
            }
            _ => Ok(()),
        }
    }
}

/// Refuses to write over what is read: a file, by whatever name, or one somewhere in a folder.
fn keep_input(output: &Path, inputs: &[&Path]) -> Result<(), Failure> {
    let Ok(there) = fs::metadata(output) else { return Ok(()) };
    let is_it = |path: &Path| {
        fs::metadata(path).is_ok_and(|read| (read.dev(), read.ino()) == (there.dev(), there.ino()))
    };
    if inputs.iter().any(|input| any_file(input, &is_it)) {
        return Err(Failure::Input(format!(
            "{} is what is read, and would be lost; write to another file",
            output.display()
        )));
    }
    Ok(())
}

/// Refuses a file that cannot be written, or that is read, before anything takes its time.
pub(crate) fn check_file(file: &Path, inputs: &[&Path]) -> Result<(), Failure> {
    keep_input(file, inputs)?;
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    if folder.is_some_and(|folder| !folder.is_dir()) || file.is_dir() {
        return Err(Failure::Input(format!(
            "{} cannot be written: give a file in a folder that is there",
            file.display()
        )));
    }
    Ok(())
}

/// Writes a file besides the answer.
pub(crate) fn write_file(file: &Path, text: &str) -> Result<(), Failure> {
    fs::write(file, text)
        .map_err(|error| Failure::Failed(format!("cannot write {}: {error}", file.display())))
}

fn any_file(path: &Path, is_it: &impl Fn(&Path) -> bool) -> bool {
    let is_folder = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir());
    is_it(path)
        || is_folder
            && fs::read_dir(path).into_iter().flatten().flatten().any(|entry| any_file(&entry.path(), is_it))
}

/// The text of a document in JSON.
pub(crate) fn json<D: Serialize>(document: &D) -> String {
    serde_json::to_string_pretty(document).expect("documents are plain data") + "\n"
}

/// The width of a text, in columns: that of the terminal, if there is one.
pub(crate) fn width() -> Option<u16> {
    io::stdout().is_terminal().then(|| console::Term::stdout().size().1)
}

/// Says something besides the answer.
pub(crate) fn remark(text: &str) {
    eprintln!("ats: {}", printable_lines(text));
}
