//! The reasons why a report cannot be read.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use ats_model::mistakes::Mistakes;
use thiserror::Error;

use crate::Format;

/// The reason why a report cannot be read: the file, the place in it, and the remedy.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReportError {
    /// The operating system refused.
    #[error("cannot {action} {}: {source}; {fix}", file.display())]
    Io {
        /// `open`, `read` …
        action: &'static str,
        /// The file or folder.
        file: PathBuf,
        /// The remedy.
        fix: &'static str,
        /// The system's reason.
        source: io::Error,
    },
    /// No reader recognises it.
    #[error(
        "{} is not a report of a known tool: {found}; known are {}", file.display(), names(&Format::ALL)
    )]
    Unknown {
        /// The file or folder.
        file: PathBuf,
        /// Its format, or its first words.
        found: String,
    },
    /// It is not of the given format.
    #[error("{} is not a report in the format {format}: {found}; omit the format to have it recognised", file.display())]
    Other {
        /// The file or folder.
        file: PathBuf,
        /// The given format.
        format: Format,
        /// Its format, or its first words.
        found: String,
    },
    /// It is valid, but of a kind that is not read.
    #[error("{}{place} {what}; {fix}", file.display())]
    Unsupported {
        /// The file.
        file: PathBuf,
        /// The place in the file.
        place: Place,
        /// The feature that is not read.
        what: String,
        /// The remedy.
        fix: &'static str,
    },
    /// It has contradictory or impossible values.
    #[error("{} is damaged{place}: {what}; copy it again from its source, or measure again", file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// The place in the file.
        place: Place,
        /// The error, in words.
        what: String,
    },
    /// It is written by a person or a program, and not valid.
    #[error("{}: {mistakes}", file.display())]
    Wrong {
        /// The file.
        file: PathBuf,
        /// All its mistakes.
        mistakes: Mistakes,
    },
    /// It asks for more than any honest report.
    #[error("{} is refused{place}: {what}; no tool writes this, so do not trust the file", file.display())]
    Refused {
        /// The file.
        file: PathBuf,
        /// The place in the file.
        place: Place,
        /// The excessive demand.
        what: String,
    },
}

fn names(formats: &[Format]) -> String {
    formats.iter().map(|format| format.name()).collect::<Vec<_>>().join(", ")
}

impl ReportError {
    /// The operating system refused to `action` a `file`.
    pub(crate) fn io(action: &'static str, file: &Path, source: io::Error) -> Self {
        let fix = match source.kind() {
            io::ErrorKind::NotFound => "check the path",
            io::ErrorKind::PermissionDenied => "allow it",
            io::ErrorKind::InvalidInput => "name a file, or a folder of TAU's profiles",
            _ => "check the disk",
        };
        ReportError::Io { action, file: file.to_owned(), fix, source }
    }
}

/// A place in a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The entry of an archive.
    pub entry: Option<String>,
    /// The position in the file or entry.
    pub at: At,
}

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// The whole file or entry.
    Whole,
    /// A line; the first is 1.
    Line(usize),
    /// A byte; the first is 0.
    Byte(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(entry) = &self.entry {
            write!(f, " in its entry {entry:?}")?;
        }
        match self.at {
            At::Whole => Ok(()),
            At::Line(line) => write!(f, " at line {line}"),
            At::Byte(byte) => write!(f, " at byte {byte}"),
        }
    }
}

/// The name and place for errors: a file, or an entry of an archive.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin<'a> {
    file: &'a Path,
    entry: Option<&'a str>,
}

impl<'a> Origin<'a> {
    pub(crate) fn file(file: &'a Path) -> Self {
        Origin { file, entry: None }
    }

    pub(crate) fn path(self) -> &'a Path {
        self.file
    }

    pub(crate) fn entry(self, entry: &'a str) -> Self {
        Origin { entry: Some(entry), ..self }
    }

    /// The operating system did not read it.
    pub(crate) fn unread(self, source: io::Error) -> ReportError {
        ReportError::io("read", self.file, source)
    }

    fn place(self, at: At) -> Place {
        Place { entry: self.entry.map(str::to_owned), at }
    }

    pub(crate) fn damaged(self, at: At, what: impl Into<String>) -> ReportError {
        ReportError::Damaged { file: self.file.to_owned(), place: self.place(at), what: what.into() }
    }

    pub(crate) fn refused(self, at: At, what: impl Into<String>) -> ReportError {
        ReportError::Refused { file: self.file.to_owned(), place: self.place(at), what: what.into() }
    }

    pub(crate) fn unsupported(self, at: At, what: impl Into<String>, fix: &'static str) -> ReportError {
        ReportError::Unsupported { file: self.file.to_owned(), place: self.place(at), what: what.into(), fix }
    }
}
