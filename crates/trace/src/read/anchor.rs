//! The anchor file: the kind of an archive.

use std::path::Path;

use super::cursor::{Cursor, Fault};
use crate::TraceError;
use crate::format::{COMPRESSION_NONE, MAGIC, SUBSTRATE_POSIX, SUBSTRATE_SION, token};

/// The part of an anchor that a reader needs.
pub(super) struct Anchor {
    /// Bytes in a chunk of an event file.
    pub(super) event_chunk: usize,
    /// Bytes in a chunk of a definition file.
    pub(super) definition_chunk: usize,
    /// The writer of the archive.
    pub(super) creator: String,
    /// Further properties, as pairs of name and value.
    pub(super) properties: Vec<(String, String)>,
}

impl Anchor {
    pub(super) fn parse(bytes: &[u8], file: &Path) -> Result<Self, TraceError> {
        let big_endian = match bytes {
            [] => return Err(TraceError::Empty { file: file.to_owned() }),
            [token::CHUNK_HEADER, token::LITTLE_ENDIAN, rest @ ..] if rest.starts_with(MAGIC) => false,
            [token::CHUNK_HEADER, token::BIG_ENDIAN, rest @ ..] if rest.starts_with(MAGIC) => true,
            _ => {
                return Err(TraceError::NotAnAnchor { file: file.to_owned(), found: description(bytes) });
            }
        };
        let start = 2 + MAGIC.len();
        let mut cursor = Cursor::new(&bytes[start..], start as u64, big_endian);
        let fields = Fields::read(&mut cursor).map_err(|fault| fault.in_file(file, bytes.len() as u64))?;
        fields.check(file)
    }
}

fn text(cursor: &mut Cursor<'_>) -> Result<String, Fault> {
    Ok(String::from_utf8_lossy(cursor.string()?).into_owned())
}

fn properties(cursor: &mut Cursor<'_>) -> Result<Vec<(String, String)>, Fault> {
    let _description = cursor.string()?;
    (0..cursor.full_u32()?).map(|_| Ok((text(cursor)?, text(cursor)?))).collect()
}

struct Fields {
    event_chunk: u64,
    definition_chunk: u64,
    substrate: u8,
    compression: u8,
    creator: String,
    properties: Vec<(String, String)>,
}

impl Fields {
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        let _anchor_format = cursor.u8()?;
        let _trace_format = cursor.u8()?;
        let _version = [cursor.u8()?, cursor.u8()?, cursor.u8()?];
        let event_chunk = cursor.full_u64()?;
        let definition_chunk = cursor.full_u64()?;
        let substrate = cursor.u8()?;
        let compression = cursor.u8()?;
        let _locations = cursor.full_u64()?;
        let _definitions = cursor.full_u64()?;
        let _machine = cursor.string()?;
        let creator = text(cursor)?;
        // No reader needs them: an anchor that is cut off here is good enough.
        let properties = properties(cursor).unwrap_or_default();
        if event_chunk == 0 || definition_chunk == 0 {
            return Err(cursor.bad("chunks of no bytes"));
        }
        Ok(Fields { event_chunk, definition_chunk, substrate, compression, creator, properties })
    }

    fn check(self, file: &Path) -> Result<Anchor, TraceError> {
        let unsupported = |what: String, fix| TraceError::Unsupported { file: file.to_owned(), what, fix };
        match self.substrate {
            SUBSTRATE_POSIX => {}
            SUBSTRATE_SION => {
                return Err(unsupported(
                    "keeps its locations in a SIONlib container, which is not read".into(),
                    "record with SCOREP_TRACING_USE_SION=false, or split it with siondump",
                ));
            }
            other => {
                return Err(unsupported(
                    format!("keeps its locations in an unknown way (substrate {other})"),
                    "record with one file for each location",
                ));
            }
        }
        if self.compression != COMPRESSION_NONE {
            return Err(unsupported(
                format!("is compressed (method {}), which is not read", self.compression),
                "record without compression",
            ));
        }
        let bytes = |size: u64| usize::try_from(size).unwrap_or(usize::MAX);
        Ok(Anchor {
            event_chunk: bytes(self.event_chunk),
            definition_chunk: bytes(self.definition_chunk),
            creator: self.creator,
            properties: self.properties,
        })
    }
}

/// The kind of a file that is not an anchor.
fn description(bytes: &[u8]) -> String {
    match bytes {
        [token::CHUNK_HEADER, token::LITTLE_ENDIAN | token::BIG_ENDIAN, ..] => {
            "it is another file of an archive, with events or definitions".into()
        }
        [0x1f, 0x8b, ..] => "it is compressed with gzip".into(),
        [b'<', ..] => "it is XML".into(),
        [0x7f, b'E', b'L', b'F', ..] => "it is a program".into(),
        _ => format!("it begins with \"{}\"", bytes[..bytes.len().min(8)].escape_ascii()),
    }
}
