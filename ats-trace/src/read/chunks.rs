//! The chunks of an event or definition file.

use std::ops::ControlFlow;

use super::cursor::{Cause, Cursor, Fault};
use crate::format::{CHUNK_HEADER_BYTES, token};

/// One chunk, behind its header.
pub(super) struct Chunk<'a> {
    pub(super) records: &'a [u8],
    /// Where `records` begin in the file.
    pub(super) base: u64,
    pub(super) big_endian: bool,
}

/// Hands the chunks of a file to `each` until that has met the mark of the file's end.
pub(super) fn for_each<'a>(
    file: &'a [u8],
    chunk_size: usize,
    mut each: impl FnMut(Chunk<'a>) -> Result<ControlFlow<()>, Fault>,
) -> Result<(), Fault> {
    let mut start = 0;
    for chunk in file.chunks(chunk_size.max(CHUNK_HEADER_BYTES)) {
        let base = start as u64;
        start += chunk.len();
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
            return Err(Fault::new(start as u64, Cause::Ends("inside the header of a chunk")));
        };
        let base = base + CHUNK_HEADER_BYTES as u64;
        if each(Chunk { records, base, big_endian })?.is_break() {
            return Ok(());
        }
    }
    Err(Fault::new(file.len() as u64, Cause::Ends("without the mark of its end")))
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
