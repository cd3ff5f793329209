//! Why a trace could not be read or written.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// The reason why a trace could not be read or written: file, place in it, and what to do.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TraceError {
    /// The operating system refused.
    #[error("cannot {action} {}: {source}; {fix}", file.display())]
    Io {
        /// `open`, `write` …
        action: &'static str,
        /// The file or folder.
        file: PathBuf,
        /// The action that helps.
        fix: &'static str,
        /// The system's reason.
        source: io::Error,
    },
    /// The archive names a location that has no event file.
    #[error(
        "{} is missing: the archive defines location {location}, whose events it should hold; copy the whole folder of the archive, or record again",
        file.display()
    )]
    MissingEvents {
        /// The path that it should have.
        file: PathBuf,
        /// The location's id.
        location: u64,
    },
    /// A location lacks the file that says what its ids and times mean, though others have theirs.
    #[error(
        "{} is missing: without it, the ids and times of location {location} mean nothing; copy the whole folder of the archive, or record again",
        file.display()
    )]
    MissingDefinitions {
        /// The path that it should have.
        file: PathBuf,
        /// The location's id.
        location: u64,
    },
    /// A rank of a recording that was interrupted has left nothing in the folder, not even its marker.
    #[error(
        "{} is missing: rank {rank} of a recording that was interrupted has left neither it nor a marker; copy the whole folder of the recording, or record again",
        file.display()
    )]
    MissingPart {
        /// The path that it should have.
        file: PathBuf,
        /// The rank.
        rank: u32,
    },
    /// The file has no bytes.
    #[error("{} is empty: the recorder did not get to write it; record again", file.display())]
    Empty {
        /// The file.
        file: PathBuf,
    },
    /// The file is something else.
    #[error("{} is not an OTF2 anchor: {found}; name the .otf2 file of an archive, or the .prv file of a Paraver trace", file.display())]
    NotAnAnchor {
        /// The file.
        file: PathBuf,
        /// Its actual kind, or its beginning.
        found: String,
    },
    /// The file is something else.
    #[error("{} is not a Paraver trace: it does not begin with `#Paraver`; name the .prv file, unpacked", file.display())]
    NotParaver {
        /// The file.
        file: PathBuf,
    },
    /// A Paraver trace says only by this file which call is which.
    #[error(
        "cannot read {}: {source}; it names the calls of the Paraver trace beside it: copy both, and the .row file",
        file.display()
    )]
    NoLabels {
        /// The file.
        file: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The archive is sound, but of a kind that is not read.
    #[error("{} {what}; {fix}", file.display())]
    Unsupported {
        /// The file.
        file: PathBuf,
        /// The unsupported content.
        what: String,
        /// The action that helps.
        fix: &'static str,
    },
    /// The file ends in the middle.
    #[error(
        "{} is cut short at byte {offset}: it ends {what}; was the recorded program killed, or the disk full? What came before was read; record again for the rest",
        file.display()
    )]
    Truncated {
        /// The file.
        file: PathBuf,
        /// The offset of its end.
        offset: u64,
        /// The part that it ends in the middle of.
        what: &'static str,
    },
    /// The file says something that cannot be.
    #[error("{} is damaged at byte {offset}: {what}; copy it again from its source, or record again", file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// The offset of the damage.
        offset: u64,
        /// The damage.
        what: String,
    },
    /// Data to be written is inconsistent.
    #[error("cannot write the archive {}: {what}", file.display())]
    Inconsistent {
        /// Its anchor.
        file: PathBuf,
        /// The inconsistency, and what would be right.
        what: String,
    },
}

impl TraceError {
    /// The operating system refused to `action` a `file`.
    pub(crate) fn io(action: &'static str, file: &Path, source: io::Error) -> Self {
        let fix = match source.kind() {
            io::ErrorKind::NotFound => "check the path",
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                "allow it, or name another folder"
            }
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                "free some space, or name a folder on another disk"
            }
            io::ErrorKind::IsADirectory => "name the traces.otf2 in it",
            io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => "name a folder, not a file",
            io::ErrorKind::InvalidInput => "an archive has regular files only",
            _ => "check the disk",
        };
        TraceError::Io { action, file: file.to_owned(), fix, source }
    }
}
