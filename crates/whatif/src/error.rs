//! Failures of replays.

use std::io;
use std::path::PathBuf;

use ats_model::Definitions;
use ats_virtual::SimulationError;
use thiserror::Error;

/// Failure of a replay.
#[derive(Debug, Error)]
pub enum WhatIfError {
    /// No region has the name.
    #[error("no region of the trace matches `{pattern}`{}", nearest_in_words(.nearest))]
    UnknownRegion {
        /// The pattern.
        pattern: String,
        /// The names that are most like it.
        nearest: Vec<String>,
    },
    /// No call stands at the place.
    #[error("no call of the trace stands at `{place}`{}", nearest_in_words(.nearest))]
    UnknownPlace {
        /// The place.
        place: String,
        /// The places that are most like it.
        nearest: Vec<String>,
    },
    /// A part that is left out is changed, too.
    #[error("`{what}` is left out, and its time is changed, too; give one of these changes")]
    Contradiction {
        /// The selection.
        what: String,
    },
    /// No location is selected.
    #[error("`{what}` selects no location of the trace; `ats analyze` counts its ranks and threads")]
    NoLocation {
        /// The selection.
        what: String,
    },
    /// Receives are to be changed in a part that has none.
    #[error("`{what}` is code between two calls, and receives are calls; name regions, such as MPI_Recv")]
    NoReceives {
        /// The selection.
        what: String,
    },
    /// The trace does not tell which processes share a node.
    #[error("the trace does not tell the node of every rank; give the number of ranks on each, as node=4")]
    UnknownNodes,
    /// The trace has no events that can be replayed.
    #[error("the trace has no location with events; record the program again")]
    Empty,
    /// Most of its processes are missing.
    #[error("the trace has no location for {lacking} of its {ranks} ranks; use the whole trace")]
    Sparse {
        /// The number of processes.
        ranks: usize,
        /// Those without a location.
        lacking: usize,
    },
    /// The temporary file of measurements that do not fit into memory cannot be written or read.
    #[error("cannot keep a temporary file in {}: {source}; choose a folder with room by --temp", .folder.display())]
    Temporary {
        /// The folder of the file.
        folder: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The replay does not come to its end.
    #[error("the replay does not come to its end: {0}")]
    Simulation(#[from] Box<SimulationError>),
}

fn nearest_in_words(nearest: &[String]) -> String {
    if nearest.is_empty() {
        return "; `ats profile TRACE` lists its regions".to_owned();
    }
    format!("; nearest are {}", nearest.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "))
}

/// The most names that are shown.
const NEAREST: usize = 3;

impl WhatIfError {
    /// No region matches `pattern`.
    pub(crate) fn unknown_region(pattern: &str, definitions: &Definitions) -> Self {
        let names = definitions.regions.iter().map(|region| region.name.clone());
        WhatIfError::UnknownRegion { pattern: pattern.to_owned(), nearest: nearest(pattern, names) }
    }

    /// No call stands at `place`.
    pub(crate) fn unknown_place(place: &str, places: impl Iterator<Item = String>) -> Self {
        WhatIfError::UnknownPlace { place: place.to_owned(), nearest: nearest(place, places) }
    }
}

/// The names that are most like one.
fn nearest(name: &str, names: impl Iterator<Item = String>) -> Vec<String> {
    let likeness = |other: &str| strsim::jaro_winkler(&name.to_lowercase(), &other.to_lowercase());
    let mut names: Vec<String> = names.collect();
    names.sort_unstable();
    names.dedup();
    // Below this likeness names have little more in common than some letters.
    names.retain(|other| likeness(other) > 0.6);
    names.sort_by(|a, b| likeness(b).total_cmp(&likeness(a)));
    names.truncate(NEAREST);
    names
}
