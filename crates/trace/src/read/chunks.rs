//! The chunks of an event or definition file.

use std::ops::ControlFlow;

use super::cursor::{Cause, Cursor, Fault};
use crate::format::{CHUNK_HEADER_BYTES, token};

/// One chunk, behind its header.
pub(super) struct Chunk<'a> {
    pub(super) records: &'a [u8],
    /// The offset of `records` in the file.
    pub(super) base: u64,
    pub(super) big_endian: bool,
}

/// Some chunks of a file.
pub(super) struct Part<'a> {
    pub(super) bytes: &'a [u8],
    /// Their offset in the file.
    pub(super) base: u64,
    /// Whether the file goes on behind them.
    pub(super) goes_on: bool,
}

/// Hands the chunks of a file to `each` until that has met the mark of the file's end.
pub(super) fn for_each<'a>(
    file: &'a [u8],
    chunk_size: usize,
    each: impl FnMut(Chunk<'a>) -> Result<ControlFlow<()>, Fault>,
) -> Result<(), Fault> {
    for_each_of_part(Part { bytes: file, base: 0, goes_on: false }, chunk_size, each).map(drop)
}

/// Hands the chunks of a part of a file to `each`; breaks where that has met the mark of the file's end.
pub(super) fn for_each_of_part<'a>(
    part: Part<'a>,
    chunk_size: usize,
    mut each: impl FnMut(Chunk<'a>) -> Result<ControlFlow<()>, Fault>,
) -> Result<ControlFlow<()>, Fault> {
    let mut start = part.base;
    for chunk in part.bytes.chunks(chunk_size.max(CHUNK_HEADER_BYTES)) {
        let base = start;
        start += chunk.len() as u64;
        let mut header = Cursor::new(chunk, base, false);
        if header.u8()? != token::CHUNK_HEADER {
            return Err(Fault::new(
                base,
                Cause::Bad("no chunk begins here, as the anchor's chunk size has it"),
            ));
        }
        let big_endian = match header.u8()? {
            token::LITTLE_ENDIAN => false,
            token::BIG_ENDIAN => true,
            _ => return Err(Fault::new(base + 1, Cause::Bad("a byte order that does not exist"))),
        };
        let Some(records) = chunk.get(CHUNK_HEADER_BYTES..) else {
            return Err(Fault::new(start, Cause::Ends("inside the header of a chunk")));
        };
        let base = base + CHUNK_HEADER_BYTES as u64;
        if each(Chunk { records, base, big_endian })?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
    if part.goes_on {
        return Ok(ControlFlow::Continue(()));
    }
    Err(Fault::new(start, Cause::Ends("without the mark of its end")))
}

/// Hands every definition record of a file to `each`: its id and its body.
pub(super) fn for_each_definition<'a>(
    file: &'a [u8],
    chunk_size: usize,
    mut each: impl FnMut(u8, Cursor<'a>) -> Result<(), Fault>,
) -> Result<(), Fault> {
    for_each(file, chunk_size, |chunk| {
        let mut cursor = Cursor::new(chunk.records, chunk.base, chunk.big_endian);
        loop {
            match cursor.u8()? {
                token::END_OF_CHUNK => return Ok(ControlFlow::Continue(())),
                token::END_OF_BUFFER | token::END_OF_FILE => return Ok(ControlFlow::Break(())),
                record => each(record, cursor.body()?)?,
            }
        }
    })
}
