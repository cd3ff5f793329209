//! The part left by a process that is ended before all have agreed on definitions.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::local::Local;
use crate::{ArchiveProperties, ClockOffset, TraceError};

/// The meaning of the events of one process: `definitions.RANK.json`, in the folder of the archive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// The rank of the process.
    pub rank: u32,
    /// The number of recorded processes.
    pub ranks: u32,
    /// The properties of the archive.
    pub properties: ArchiveProperties,
    /// The measurements of its clock.
    pub clock_offsets: Vec<ClockOffset>,
    /// When its recording ended, on rank 0's clock, in nanoseconds.
    pub end_ns: u64,
    /// The definitions of the process.
    pub local: Local,
}

impl Part {
    /// The file of a rank's part.
    pub fn file(dir: &Path, rank: u32) -> PathBuf {
        dir.join(format!("definitions.{rank}.json"))
    }

    /// Whether a file is named as parts are.
    pub fn is_named_as_one(file: &Path) -> bool {
        let number =
            |name: &str| name.strip_prefix("definitions.")?.strip_suffix(".json")?.parse::<u32>().ok();
        file.file_name().and_then(|name| number(name.to_str()?)).is_some()
    }

    /// Writes the part; its events are written already. Its file is there once it is whole.
    ///
    /// # Errors
    /// The folder does not take it.
    pub fn write(&self, dir: &Path) -> Result<(), TraceError> {
        let file = Self::file(dir, self.rank);
        let text = serde_json::to_vec(self).expect("lists of names and numbers are JSON");
        let beside = file.with_extension("new");
        fs::write(&beside, text)
            .and_then(|()| fs::rename(&beside, &file))
            .map_err(|error| TraceError::io("write", &file, error))
    }

    /// Reads the bytes of a part's file.
    ///
    /// # Errors
    /// They are not a part, or contradict each other.
    #[cfg(feature = "archives")]
    pub fn parse(bytes: &[u8], file: &Path) -> Result<Self, TraceError> {
        let damaged = |offset, what| TraceError::Damaged { file: file.to_owned(), offset, what };
        let part: Part = serde_json::from_slice(bytes).map_err(|error| {
            let lines_before =
                bytes.split_inclusive(|&byte| byte == b'\n').take(error.line().saturating_sub(1));
            let before: usize = lines_before.map(<[u8]>::len).sum();
            damaged((before + error.column().saturating_sub(1)) as u64, error.to_string())
        })?;
        match part.contradiction() {
            Some(what) => Err(damaged(0, what)),
            None => Ok(part),
        }
    }

    #[cfg(feature = "archives")]
    fn contradiction(&self) -> Option<String> {
        let Part { rank, ranks, local, .. } = self;
        let mut members = local.communicators.iter().flat_map(|communicator| &communicator.members);
        if rank >= ranks {
            Some(format!("it is of rank {rank}, but there are {ranks} ranks"))
        } else {
            let outside = members.find(|&member| member >= ranks)?;
            Some(format!("a communicator has rank {outside} as a member, but there are {ranks} ranks"))
        }
    }
}
