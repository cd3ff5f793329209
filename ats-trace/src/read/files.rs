//! Where the files of the locations come from.

use std::fs::File;
use std::io::ErrorKind;
use std::ops::Deref;
use std::path::Path;

use memmap2::Mmap;
use rustc_hash::FxHashMap;

use crate::TraceError;
use crate::format::Layout;

/// The event files and local definitions of an archive.
pub(super) enum Files {
    /// In its folder. They are opened when they are needed: there may be more than a process can have open.
    OnDisk,
    /// In memory: per location its events and its local definitions.
    InMemory(FxHashMap<u64, (Vec<u8>, Vec<u8>)>),
}

/// The bytes of a file.
pub(super) enum Bytes<'a> {
    Mapped(Mmap),
    Owned(Vec<u8>),
    Borrowed(&'a [u8]),
}

impl Deref for Bytes<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Mapped(map) => map,
            Bytes::Owned(bytes) => bytes,
            Bytes::Borrowed(bytes) => bytes,
        }
    }
}

impl Files {
    pub(super) fn events(&self, layout: &Layout, location: u64) -> Result<Bytes<'_>, TraceError> {
        let file = layout.event_file(location);
        let missing = |file| TraceError::MissingEvents { file, location };
        match self {
            Files::OnDisk => match File::open(&file) {
                Ok(open) => map(&open, &file),
                Err(error) if error.kind() == ErrorKind::NotFound => Err(missing(file)),
                Err(error) => Err(TraceError::io("open", &file, error)),
            },
            Files::InMemory(parts) => match parts.get(&location) {
                Some((events, _)) if events.is_empty() => Err(TraceError::Empty { file }),
                Some((events, _)) => Ok(Bytes::Borrowed(events)),
                None => Err(missing(file)),
            },
        }
    }

    /// None where the location has no local definitions.
    pub(super) fn local_definitions(
        &self,
        layout: &Layout,
        location: u64,
    ) -> Result<Option<Bytes<'_>>, TraceError> {
        match self {
            Files::OnDisk => {
                let file = layout.local_definitions(location);
                match std::fs::read(&file) {
                    Ok(bytes) if bytes.is_empty() => Ok(None),
                    Ok(bytes) => Ok(Some(Bytes::Owned(bytes))),
                    Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
                    Err(error) => Err(TraceError::io("read", &file, error)),
                }
            }
            Files::InMemory(parts) => {
                let local = parts.get(&location).map(|(_, local)| &local[..]);
                Ok(local.filter(|bytes| !bytes.is_empty()).map(Bytes::Borrowed))
            }
        }
    }
}

/// Maps a file; an empty one is an error.
#[allow(unsafe_code, reason = "mapping a file is unsafe; traces larger than memory need it")]
pub(super) fn map(open: &File, file: &Path) -> Result<Bytes<'static>, TraceError> {
    let length = open.metadata().map_err(|error| TraceError::io("read", file, error))?.len();
    if length == 0 {
        return Err(TraceError::Empty { file: file.to_owned() });
    }
    // SAFETY: the map is private and only read. Nobody may shorten the file meanwhile; a finished trace is not written.
    let map = unsafe { Mmap::map(open) }.map_err(|error| TraceError::io("map", file, error))?;
    Ok(Bytes::Mapped(map))
}
