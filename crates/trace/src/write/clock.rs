//! The record of the clock, whose end may be put off.

use std::fs::OpenOptions;
use std::io::{self, ErrorKind};
use std::os::unix::fs::FileExt;
use std::path::Path;

use ats_model::definitions::Clock;

use super::encode::Body;
use super::records::Records;
use crate::TraceError;
use crate::format::{CHUNK_HEADER_BYTES, Layout, definition};

/// Bytes of a number that can become any other in its place.
const WIDE: u8 = 8;
/// Bytes of the record at most: its id, its length, and four numbers.
const RECORD_BYTES: usize = 2 + 4 * (1 + WIDE as usize);

/// The first of the global definitions.
pub(super) fn write(clock: Clock, records: &mut Records) {
    let body = Body::default().u64(clock.resolution).u64(clock.offset);
    let body = body.u8(WIDE).full_u64(clock.length).u64(u64::MAX);
    records.push(definition::CLOCK_PROPERTIES, body);
}

/// Puts the end of the clock off to `end`, in ticks, in an archive that was written by [`write_definitions`]. Does
/// nothing if there are no definitions yet: they will be written later.
///
/// Several processes may do so at once.
///
/// [`write_definitions`]: crate::write_definitions
///
/// # Errors
/// The definitions begin with something else, or the disk does not take it.
pub fn put_clock_end_off(dir: &Path, end: u64) -> Result<(), TraceError> {
    let file = Layout::in_dir(dir).definitions;
    match put_off(&file, end) {
        Ok(true) => Ok(()),
        Ok(false) => {
            let what = "its definitions do not begin with a clock that can be changed; record again".into();
            Err(TraceError::Inconsistent { file, what })
        }
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::UnexpectedEof) => Ok(()),
        Err(error) => Err(TraceError::io("write", &file, error)),
    }
}

/// Whether the file begins with a clock that could be changed.
fn put_off(file: &Path, end: u64) -> io::Result<bool> {
    let definitions = OpenOptions::new().read(true).write(true).open(file)?;
    definitions.lock()?;
    let mut head = [0; CHUNK_HEADER_BYTES + RECORD_BYTES];
    definitions.read_exact_at(&mut head, 0)?;
    let Some((offset, length, place)) = find(&head) else { return Ok(false) };
    if offset.saturating_add(length) < end {
        definitions.write_all_at(&(end - offset).to_le_bytes(), place)?;
    }
    Ok(true)
}

/// The clock's offset and length, and where the length stands.
fn find(head: &[u8]) -> Option<(u64, u64, u64)> {
    let mut at = CHUNK_HEADER_BYTES;
    if *head.get(at)? != definition::CLOCK_PROPERTIES {
        return None;
    }
    at += 2;
    let mut number = || {
        let bytes = head.get(at + 1..at + 1 + usize::from(*head.get(at)?))?;
        at += 1 + bytes.len();
        let mut number = [0; 8];
        number.get_mut(..bytes.len())?.copy_from_slice(bytes);
        Some((u64::from_le_bytes(number), bytes.len()))
    };
    let ((_resolution, _), (offset, _), (length, bytes)) = (number()?, number()?, number()?);
    (bytes == usize::from(WIDE)).then_some((offset, length, (at - bytes) as u64))
}
