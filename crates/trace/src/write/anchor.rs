//! The anchor file and the global definitions beside it.

use std::fs;
use std::path::Path;

use ats_model::Definitions;
use serde::{Deserialize, Serialize};

use super::definitions;
use crate::format::{
    ANCHOR_FORMAT, COMPRESSION_NONE, Layout, MAGIC, SUBSTRATE_POSIX, TRACE_FORMAT, VERSION, token,
};
use crate::{ChunkSize, TraceError};

/// The property with the number of regions that a program has left by an exception or a jump.
pub(crate) const UNLEFT_REGIONS: &str = "ATS::UNLEFT_REGIONS";

/// Properties of an archive.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ArchiveProperties {
    /// Its writer.
    pub creator: String,
    /// The machine it was recorded on.
    pub machine: String,
    /// A description in words.
    pub description: String,
    /// Further properties, as pairs of name (`NAMESPACE::NAME`) and value.
    pub properties: Vec<(String, String)>,
    /// A number that no other trace has.
    pub trace_id: u64,
    /// The chunk size of all event files.
    #[serde(skip)]
    pub event_chunk: ChunkSize,
}

impl ArchiveProperties {
    /// Adds that a program has left so many regions by an exception or a jump, if there are any.
    pub fn with_unleft_regions(mut self, count: u64) -> Self {
        if count > 0 {
            self.properties.push((UNLEFT_REGIONS.to_owned(), count.to_string()));
        }
        self
    }
}

/// Writes the anchor `DIR/traces.otf2` and the global definitions `DIR/traces.def`.
///
/// The event files are written by [`LocationWriter`](crate::LocationWriter)s, perhaps of other processes. Every rank needs
/// a location with thread 0. An archive without anchor is not complete: call this last.
///
/// # Errors
/// The definitions do not fit together, or the folder or disk does not take them.
pub fn write_definitions(
    dir: &Path,
    definitions: &Definitions,
    properties: &ArchiveProperties,
) -> Result<(), TraceError> {
    write(dir, definitions, properties, |index| definitions.locations[index].events)
}

pub(super) fn write(
    dir: &Path,
    definitions: &Definitions,
    properties: &ArchiveProperties,
    events: impl Fn(usize) -> u64,
) -> Result<(), TraceError> {
    let layout = Layout::in_dir(dir);
    let records = definitions::global(definitions, &properties.machine, events, &layout.anchor)?;
    let Some(chunk_bytes) = records.chunk_bytes() else {
        let what = "a definition is larger than 16 MiB; shorten its name or make its group smaller".into();
        return Err(TraceError::Inconsistent { file: layout.anchor, what });
    };
    let anchor = anchor(properties, definitions.locations.len(), records.count(), chunk_bytes);
    fs::create_dir_all(&layout.locations)
        .map_err(|error| TraceError::io("create", &layout.locations, error))?;
    for (file, bytes) in [(&layout.definitions, records.into_file(chunk_bytes)), (&layout.anchor, anchor)] {
        fs::write(file, bytes).map_err(|error| TraceError::io("write", file, error))?;
    }
    Ok(())
}

fn anchor(
    properties: &ArchiveProperties,
    locations: usize,
    definitions: u64,
    definition_chunk: usize,
) -> Vec<u8> {
    let mut bytes = vec![token::CHUNK_HEADER, token::LITTLE_ENDIAN];
    let text = |bytes: &mut Vec<u8>, text: &str| {
        bytes.extend(text.bytes().take_while(|&byte| byte != 0));
        bytes.push(0);
    };
    bytes.extend(MAGIC);
    bytes.extend([ANCHOR_FORMAT, TRACE_FORMAT]);
    bytes.extend(VERSION);
    bytes.extend((properties.event_chunk.bytes() as u64).to_le_bytes());
    bytes.extend((definition_chunk as u64).to_le_bytes());
    bytes.extend([SUBSTRATE_POSIX, COMPRESSION_NONE]);
    bytes.extend((locations as u64).to_le_bytes());
    bytes.extend(definitions.to_le_bytes());
    for part in [&properties.machine, &properties.creator, &properties.description] {
        text(&mut bytes, part);
    }
    bytes.extend((properties.properties.len() as u32).to_le_bytes());
    for (name, value) in &properties.properties {
        text(&mut bytes, name);
        text(&mut bytes, value);
    }
    bytes.extend(properties.trace_id.to_le_bytes());
    let (snapshots, thumbnails) = (0u32, 0u32);
    bytes.extend(snapshots.to_le_bytes());
    bytes.extend(thumbnails.to_le_bytes());
    bytes.extend([token::END_OF_FILE, token::END_OF_BUFFER, token::END_OF_CHUNK]);
    bytes
}
