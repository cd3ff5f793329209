//! Root causes by another way than the analyzer's: in memory, forward, each wait split among what made it. Definitions:
//! `docs/delays.md`.

mod costs;
mod document;
mod history;
mod meetings;
mod path;
mod timeline;

#[cfg(test)]
mod tests;

pub use costs::Causes;
pub use path::{CriticalPath, Stretch};
pub use timeline::Cell;

use ats_compose::Subject;
use ats_model::{EventSource, delay::Extent};

use crate::{Size, TruthError, TruthOptions, ideal_trace};

/// Computes the causes of the waits in a trace, of all or of those that Scalasca analyzes.
///
/// # Errors
/// The trace cannot be read.
pub fn causes<S: EventSource>(trace: &S, extent: Extent) -> Result<Causes, S::Error> {
    let lines = timeline::read(trace)?;
    let met = meetings::find(trace.definitions(), &lines, extent);
    let critical_path = path::walk(&lines.lines, &met);
    Ok(costs::charge(lines, &met, extent, critical_path))
}

/// Computes the causes in the ideal trace of a program, as a document.
///
/// # Errors
/// There are too few ranks or threads, or the program does not come to its end.
pub(crate) fn of_ideal_trace(
    subject: &Subject,
    size: Size,
    options: &TruthOptions,
    extent: Extent,
) -> Result<ats_documents::Causes, TruthError> {
    let trace = ideal_trace::in_memory(subject, size, options)?;
    let Ok(causes) = of_trace(&trace, extent);
    Ok(causes)
}

/// Computes the causes of the waits in a trace, as a document.
///
/// # Errors
/// The trace cannot be read.
pub fn of_trace<S: EventSource>(trace: &S, extent: Extent) -> Result<ats_documents::Causes, S::Error> {
    causes(trace, extent).map(|causes| causes.document(trace.definitions()))
}
