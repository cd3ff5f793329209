//! Standard output: text or a document, whoever reads it or no longer does.

use std::io::{self, ErrorKind, IsTerminal, Write};

use clap::ValueEnum;
use serde::Serialize;

use crate::failure::Failure;

/// How the answer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Text,
    /// For programs; `ats schema` prints the schemas.
    Json,
}

/// Where the answer goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Output {
    pub(crate) format: Format,
}

impl Output {
    /// Writes a document as JSON, or its text.
    pub(crate) fn document<D: Serialize>(
        self,
        document: &D,
        text: impl FnOnce() -> String,
    ) -> Result<(), Failure> {
        match self.format {
            Format::Text => self.text(&text()),
            Format::Json => {
                let json = serde_json::to_string_pretty(document).expect("documents are plain data");
                self.text(&(json + "\n"))
            }
        }
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

/// How wide a text may be: as the terminal, where there is one.
pub(crate) fn width() -> Option<u16> {
    io::stdout().is_terminal().then(|| console::Term::stdout().size().1)
}

/// Says something besides the answer.
pub(crate) fn remark(text: &str) {
    eprintln!("ats: {text}");
}
