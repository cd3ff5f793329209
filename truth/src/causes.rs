//! Root causes by another way than the analyzer's: in memory, forward, each wait split among what made it. Definitions:
//! `docs/delays.md`.

mod costs;
mod history;
mod meetings;
mod path;
mod timeline;

#[cfg(test)]
mod tests;

pub use costs::Causes;
pub use meetings::Kind;
pub use path::{CriticalPath, Stretch};
pub use timeline::Cell;

use ats_model::EventSource;

/// Computes the causes of all waits in a trace.
///
/// # Errors
/// The trace cannot be read.
pub fn causes<S: EventSource>(trace: &S) -> Result<Causes, S::Error> {
    let lines = timeline::read(trace)?;
    let met = meetings::find(trace.definitions(), &lines);
    let critical_path = path::walk(&lines.lines, &met);
    Ok(costs::charge(lines, &met, critical_path))
}
