//! Traces in the forms that simulators of networks read.
//!
//! A process is a list of actions: work, messages, waits for requests, collective operations. What a form cannot express
//! is refused, or told as a loss.

mod actions;
mod goal;
mod smpi;

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use ats_model::EventSource;
use ats_model::simulator::TraceForm;
use thiserror::Error;

use crate::replay::Program;
use actions::actions;

/// A trace that cannot be written for a simulator.
#[derive(Debug, Error)]
pub enum NotWritten {
    /// The form has no words for something in it.
    #[error("{0} cannot be written for a simulator")]
    Inexpressible(String),
    /// A file cannot be written.
    #[error("cannot write {path}: {source}")]
    File {
        /// The file.
        path: String,
        /// The system's reason.
        source: io::Error,
    },
}

impl<S: EventSource> Program<'_, S> {
    /// Writes the trace into a folder in the form of a simulator, and returns what is lost, in words. Messages up to
    /// `eager_limit` bytes are those that the simulator sends without waiting.
    ///
    /// # Errors
    /// The form cannot express it, or the folder does not take it.
    pub fn write_for(
        &self,
        form: TraceForm,
        eager_limit: usize,
        dir: &Path,
    ) -> Result<Vec<String>, NotWritten> {
        let mut losses = BTreeSet::new();
        let ranks = self.ranks();
        let mut processes = Vec::new();
        for rank in 0..ranks {
            processes.push(actions(self, rank, eager_limit as u64, &mut losses)?);
        }
        let files = match form {
            TraceForm::Smpi => smpi::files(&processes),
            TraceForm::Goal => {
                losses.extend(goal::loss(&processes));
                vec![("trace.goal".to_owned(), goal::text(&processes))]
            }
        };
        for (name, text) in files {
            let path = dir.join(name);
            let failed = |source| NotWritten::File { path: path.display().to_string(), source };
            fs::write(&path, text).map_err(failed)?;
        }
        Ok(losses.into_iter().collect())
    }
}
