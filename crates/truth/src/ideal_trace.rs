//! Ideal traces: what a perfect recorder would write of a perfect machine, from the virtual engine.

use std::path::{Path, PathBuf};

use ats_compose::Subject;
use ats_model::definitions::LocationDefinition;
use ats_model::source::InMemory;
use ats_model::{Definitions, Event};
use ats_trace::{ArchiveProperties, ArchiveWriter, TraceError};
use ats_virtual::Sink;
use thiserror::Error;

use crate::{Size, TruthError, TruthOptions, simulate, whole};

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
    let mut sink = ArchiveSink::create(dir)?;
    run(&|| false, subject, size, options, &mut sink)?;
    Ok(sink.finish(subject, size, dir)?)
}

/// Writes an ideal trace that is in memory, as [`write`](fn@write) does.
///
/// # Errors
/// The folder does not take the trace.
pub fn write_from(
    trace: &InMemory,
    subject: &Subject,
    size: Size,
    dir: &Path,
) -> Result<PathBuf, TraceError> {
    let mut sink = ArchiveSink::create(dir)?;
    for (number, (definition, events)) in trace.definitions.locations.iter().zip(&trace.events).enumerate() {
        sink.location(definition);
        events.iter().for_each(|&(time, event)| sink.event(number, time, event));
    }
    sink.definitions(trace.definitions.clone());
    sink.finish(subject, size, dir)
}

/// The ideal trace of a program in memory.
///
/// # Errors
/// The program cannot run like this.
pub fn in_memory(subject: &Subject, size: Size, options: &TruthOptions) -> Result<InMemory, TruthError> {
    in_memory_until(&|| false, subject, size, options)
}

/// The ideal trace of a program in memory, unless `stop`, which is called now and then, returns true: then the error is
/// [`SimulationError::Stopped`](ats_virtual::SimulationError::Stopped).
///
/// # Errors
/// As [`in_memory`].
pub fn in_memory_until(
    stop: &dyn Fn() -> bool,
    subject: &Subject,
    size: Size,
    options: &TruthOptions,
) -> Result<InMemory, TruthError> {
    let mut trace = InMemory::default();
    run(stop, subject, size, options, &mut trace)?;
    Ok(trace)
}

fn run(
    stop: &dyn Fn() -> bool,
    subject: &Subject,
    size: Size,
    options: &TruthOptions,
    sink: &mut dyn Sink,
) -> Result<(), TruthError> {
    size.check(subject)?;
    let simulation = whole(subject, size, options).without_accounts().stop_if(stop).record(sink);
    simulate(simulation, subject, size).map(drop)
}

/// Writes events to an archive; the first failure is kept, and what comes after it is dropped.
struct ArchiveSink {
    archive: ArchiveWriter,
    failure: Option<TraceError>,
    definitions: Definitions,
}

impl ArchiveSink {
    fn create(dir: &Path) -> Result<Self, TraceError> {
        let archive = ArchiveWriter::create(dir)?.common_clock();
        Ok(ArchiveSink { archive, failure: None, definitions: Definitions::default() })
    }

    /// Ends the trace of a program in `dir`, and returns its anchor.
    fn finish(self, subject: &Subject, size: Size, dir: &Path) -> Result<PathBuf, TraceError> {
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        let properties = ArchiveProperties {
            creator: concat!("ATS ", env!("CARGO_PKG_VERSION")).to_owned(),
            machine: "virtual".to_owned(),
            description: format!("{} on {size}, in virtual time", subject.name()),
            ..ArchiveProperties::default()
        };
        self.archive.finish(&self.definitions, &properties)?;
        Ok(dir.join("traces.otf2"))
    }
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
