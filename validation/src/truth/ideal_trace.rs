//! Ideal traces: what a perfect recorder would write of a perfect machine, from the virtual engine.

use std::path::{Path, PathBuf};

use ats_compose::Subject;
use ats_model::definitions::LocationDefinition;
use ats_model::source::InMemory;
use ats_model::{Definitions, Event};
use ats_trace::{ArchiveProperties, ArchiveWriter, TraceError};
use ats_virtual::Sink;
use thiserror::Error;

use crate::truth::{Size, TruthError, TruthOptions, simulate, whole};

/// Why there is no ideal trace.
#[derive(Debug, Error)]
pub enum IdealTraceError {
    /// The program cannot run like this.
    #[error(transparent)]
    Truth(#[from] TruthError),
    /// The trace cannot be written.
    #[error(transparent)]
    Trace(#[from] TraceError),
}

/// Writes the ideal trace of a program into `dir` and returns its anchor, `dir/traces.otf2`.
///
/// # Errors
/// The program cannot run like this, or the folder does not take the trace.
pub fn write(
    subject: &Subject,
    size: Size,
    dir: &Path,
    options: &TruthOptions,
) -> Result<PathBuf, IdealTraceError> {
    let archive = ArchiveWriter::create(dir)?.common_clock();
    let mut sink = ArchiveSink { archive, failure: None, definitions: Definitions::default() };
    run(subject, size, options, &mut sink)?;
    if let Some(failure) = sink.failure {
        return Err(failure.into());
    }
    let properties = ArchiveProperties {
        creator: concat!("ATS ", env!("CARGO_PKG_VERSION")).to_owned(),
        machine: "virtual".to_owned(),
        description: format!("{} on {size}, in virtual time", subject.name()),
        ..ArchiveProperties::default()
    };
    sink.archive.finish(&sink.definitions, &properties)?;
    Ok(dir.join("traces.otf2"))
}

/// The ideal trace of a program in memory.
///
/// # Errors
/// The program cannot run like this.
pub fn in_memory(subject: &Subject, size: Size, options: &TruthOptions) -> Result<InMemory, TruthError> {
    let mut trace = InMemory::default();
    run(subject, size, options, &mut trace)?;
    Ok(trace)
}

fn run(subject: &Subject, size: Size, options: &TruthOptions, sink: &mut dyn Sink) -> Result<(), TruthError> {
    size.check(subject)?;
    let simulation = whole(subject, size, options).without_accounts().record(sink);
    simulate(simulation, subject, size).map(drop)
}

/// Writes events to an archive; the first failure is kept, and what comes after it is dropped.
struct ArchiveSink {
    archive: ArchiveWriter,
    failure: Option<TraceError>,
    definitions: Definitions,
}

impl Sink for ArchiveSink {
    fn location(&mut self, definition: &LocationDefinition) {
        self.archive.add_location(definition.id);
    }

    fn event(&mut self, location: usize, time: u64, event: Event) {
        if self.failure.is_none() {
            self.failure = self.archive.event(location, time, &event).err();
        }
    }

    fn definitions(&mut self, definitions: Definitions) {
        self.definitions = definitions;
    }
}
