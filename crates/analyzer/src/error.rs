//! The reasons why a trace cannot be analyzed at all.

use std::path::PathBuf;

/// The trace could not be analyzed; `E` is the error of the trace's source.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnalysisError<E> {
    /// No location could be read, not even in part.
    #[error("no event of the trace could be read; location {location} (rank {rank}): {source}")]
    Unreadable {
        /// Index of the first location into the trace's definitions.
        location: usize,
        /// Its rank in `MPI_COMM_WORLD`.
        rank: u32,
        /// The error of the reader.
        source: E,
    },
    /// The region asked for is not defined in the trace.
    #[error("the trace has no region `{region}`{}", suggestion(.near))]
    UnknownRegion {
        /// The name asked for.
        region: String,
        /// The names nearest to it, nearest first.
        near: Vec<String>,
    },
    /// The region asked for is defined, but no location enters it.
    #[error(
        "the trace defines the region `{region}`, but no location enters it; choose one that is executed"
    )]
    RegionNotEntered {
        /// The name asked for.
        region: String,
    },
    /// A temporary file, which root causes and many single waits need, cannot be written or read.
    #[error("cannot keep a temporary file in {}: {reason}; choose a folder with room", .folder.display())]
    Temporary {
        /// The folder of the file.
        folder: PathBuf,
        /// The system's reason.
        reason: String,
    },
}

fn suggestion(near: &[String]) -> String {
    if near.is_empty() { String::new() } else { format!("; did you mean `{}`?", near.join("` or `")) }
}
