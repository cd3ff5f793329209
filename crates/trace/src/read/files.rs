//! Access to the files of the locations.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::ops::Deref;
use std::path::Path;

use ats_model::files::open_regular;
use memmap2::{Mmap, MmapOptions};
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
pub(crate) enum Bytes<'a> {
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

/// A piece of an event file.
pub(super) struct Piece<'a> {
    pub(super) bytes: Bytes<'a>,
    /// The size of the whole file.
    pub(super) file_bytes: u64,
}

impl Files {
    /// The bytes of an event file from `base` on, at most `length` of them.
    pub(super) fn events(
        &self,
        layout: &Layout,
        location: u64,
        base: u64,
        length: u64,
    ) -> Result<Piece<'_>, TraceError> {
        let file = layout.event_file(location);
        let missing = |file| TraceError::MissingEvents { file, location };
        match self {
            Files::OnDisk => match open_regular(&file) {
                Ok(open) => map_piece(&open, &file, base, length),
                Err(error) if error.kind() == ErrorKind::NotFound => Err(missing(file)),
                Err(error) => Err(TraceError::io("open", &file, error)),
            },
            Files::InMemory(parts) => match parts.get(&location) {
                Some((events, _)) if events.is_empty() => Err(TraceError::Empty { file }),
                Some((events, _)) => {
                    let begin = events.len().min(base as usize);
                    let end = events.len().min(base.saturating_add(length) as usize);
                    let bytes = Bytes::Borrowed(&events[begin..end]);
                    Ok(Piece { bytes, file_bytes: events.len() as u64 })
                }
                None => Err(missing(file)),
            },
        }
    }

    /// `None` if the location has no local definitions.
    pub(super) fn local_definitions(
        &self,
        layout: &Layout,
        location: u64,
    ) -> Result<Option<Bytes<'_>>, TraceError> {
        match self {
            Files::OnDisk => {
                let file = layout.local_definitions(location);
                match open_regular(&file).and_then(read_whole) {
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

fn read_whole(mut file: File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Maps a whole file; an empty one is an error.
pub(crate) fn map(open: &File, file: &Path) -> Result<Bytes<'static>, TraceError> {
    Ok(map_piece(open, file, 0, u64::MAX)?.bytes)
}

/// Maps a file from `base` on, at most `length` bytes; an empty file is an error.
#[allow(unsafe_code, reason = "mapping a file is unsafe; traces larger than memory need it")]
fn map_piece(open: &File, file: &Path, base: u64, length: u64) -> Result<Piece<'static>, TraceError> {
    let file_bytes = open.metadata().map_err(|error| TraceError::io("read", file, error))?.len();
    if file_bytes == 0 {
        return Err(TraceError::Empty { file: file.to_owned() });
    }
    let length = file_bytes.saturating_sub(base).min(length);
    if length == 0 {
        return Ok(Piece { bytes: Bytes::Borrowed(&[]), file_bytes });
    }
    // SAFETY: the map is private and only read. Nobody may shorten the file meanwhile; a finished trace is not written.
    let map = unsafe { MmapOptions::new().offset(base).len(length as usize).map(open) };
    let map = map.map_err(|error| TraceError::io("map", file, error))?;
    Ok(Piece { bytes: Bytes::Mapped(map), file_bytes })
}
