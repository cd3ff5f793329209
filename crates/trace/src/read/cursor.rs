//! Reading bytes that may be anything: every step is checked, nothing panics.

use std::path::Path;

use crate::TraceError;
use crate::format::{LONG_LENGTH, UNDEFINED};

/// A mistake in some bytes, with its place; [`Fault::in_file`] makes an error of it.
#[derive(Debug)]
pub(crate) struct Fault {
    offset: u64,
    cause: Cause,
}

#[derive(Debug)]
pub(crate) enum Cause {
    /// The bytes end.
    Ends(&'static str),
    /// An integer, a string or a table is impossible.
    Bad(&'static str),
    /// A record refers to something that is not defined.
    Undefined(&'static str, u32),
    /// No record has this id.
    NoRecord(u8),
}

impl Fault {
    #[cold]
    pub(crate) fn new(offset: u64, cause: Cause) -> Self {
        Fault { offset, cause }
    }

    /// The error for `file`, whose bytes up to `available` were there.
    pub(crate) fn in_file(self, file: &Path, available: u64) -> TraceError {
        let (file, offset) = (file.to_owned(), self.offset);
        let damaged = |what: String| TraceError::Damaged { file: file.clone(), offset, what };
        match self.cause {
            Cause::Ends(what) if offset >= available => {
                TraceError::Truncated { file, offset: available, what }
            }
            Cause::Ends(_) => damaged("a record runs past its own end or its chunk's".into()),
            Cause::Bad(what) => damaged(what.into()),
            Cause::Undefined(kind, id) => {
                damaged(format!("{kind} {id} is used here, but the definitions have none such"))
            }
            Cause::NoRecord(id) => damaged(format!("a record with the impossible id {id}")),
        }
    }
}

/// The end of a record's body: the bytes after it. It is known before the body's fields are, so the reader can go on
/// there without waiting for them.
#[derive(Clone, Copy)]
pub(crate) struct BodyEnd<'a>(&'a [u8]);

/// Bytes that are still to be read.
#[derive(Clone, Copy)]
pub(crate) struct Cursor<'a> {
    rest: &'a [u8],
    /// The offset of their end in their file.
    end: u64,
    big_endian: bool,
}

/// The low `n` bytes.
const LOW: [u64; 9] = {
    let mut masks = [u64::MAX; 9];
    let mut n = 0;
    while n < 8 {
        masks[n] = (1 << (8 * n)) - 1;
        n += 1;
    }
    masks
};

impl<'a> Cursor<'a> {
    /// At the first of `bytes`, which is at `base` in their file.
    #[inline(always)]
    pub(crate) fn new(bytes: &'a [u8], base: u64, big_endian: bool) -> Self {
        Cursor { rest: bytes, end: base + bytes.len() as u64, big_endian }
    }

    /// The offset in the file.
    #[inline(always)]
    pub(crate) fn offset(&self) -> u64 {
        self.end - self.rest.len() as u64
    }

    #[inline(always)]
    pub(crate) fn at_end(&self) -> bool {
        self.rest.is_empty()
    }

    #[inline(always)]
    pub(crate) fn remaining(&self) -> usize {
        self.rest.len()
    }

    #[inline(always)]
    pub(crate) fn bad(&self, what: &'static str) -> Fault {
        Fault::new(self.offset(), Cause::Bad(what))
    }

    #[inline(always)]
    fn ends(&self) -> Fault {
        Fault::new(self.end, Cause::Ends("inside a record"))
    }

    #[inline(always)]
    pub(crate) fn u8(&mut self) -> Result<u8, Fault> {
        let Some((&byte, rest)) = self.rest.split_first() else { return Err(self.ends()) };
        self.rest = rest;
        Ok(byte)
    }

    /// The next `N` bytes.
    #[inline(always)]
    fn array<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        let Some((bytes, rest)) = self.rest.split_first_chunk() else { return Err(self.ends()) };
        self.rest = rest;
        Ok(*bytes)
    }

    pub(crate) fn full_u16(&mut self) -> Result<u16, Fault> {
        let bytes = self.array()?;
        Ok(if self.big_endian { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) })
    }

    pub(crate) fn full_u32(&mut self) -> Result<u32, Fault> {
        let bytes = self.array()?;
        Ok(if self.big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) })
    }

    #[inline(always)]
    pub(crate) fn full_u64(&mut self) -> Result<u64, Fault> {
        let bytes = self.array()?;
        Ok(if self.big_endian { u64::from_be_bytes(bytes) } else { u64::from_le_bytes(bytes) })
    }

    /// A compressed integer of at most `MAX` bytes; undefined is `u64::MAX`.
    #[inline(always)]
    fn compressed<const MAX: u8>(&mut self) -> Result<u64, Fault> {
        // One look says that there is room for the longest, as there is but at the end of the bytes.
        let Some(&[size, ref window @ ..]) = self.rest.first_chunk::<9>() else {
            let (value, rest) = self.last_compressed(MAX)?;
            self.rest = rest;
            return Ok(value);
        };
        if size > MAX {
            self.rest = &self.rest[1..];
            return self.no_size(size);
        }
        self.rest = &self.rest[1 + usize::from(size)..];
        Ok(self.integer(size, *window))
    }

    /// A compressed integer in the last bytes, and the bytes after it. By value, so that a cursor can be kept in
    /// registers.
    #[cold]
    #[inline(never)]
    fn last_compressed(mut self, max: u8) -> Result<(u64, &'a [u8]), Fault> {
        let size = self.u8()?;
        if size > max {
            return Ok((self.no_size(size)?, self.rest));
        }
        let Some((bytes, rest)) = self.rest.split_at_checked(size.into()) else { return Err(self.ends()) };
        let mut window = [0; 8];
        window[..bytes.len()].copy_from_slice(bytes);
        Ok((self.integer(size, window), rest))
    }

    /// The value of a number that is not a size of an integer.
    #[inline(always)]
    fn no_size(&self, size: u8) -> Result<u64, Fault> {
        if size == UNDEFINED {
            Ok(u64::MAX)
        } else {
            Err(self.bad("an integer of more bytes than it may have"))
        }
    }

    /// The integer that the first `size` of these bytes are.
    #[inline(always)]
    fn integer(&self, size: u8, window: [u8; 8]) -> u64 {
        let size = usize::from(size);
        if self.big_endian {
            (u64::from_be_bytes(window) as u128 >> (64 - 8 * size)) as u64
        } else {
            u64::from_le_bytes(window) & LOW[size]
        }
    }

    #[inline(always)]
    pub(crate) fn u32(&mut self) -> Result<u32, Fault> {
        self.compressed::<4>().map(|value| value as u32)
    }

    #[inline(always)]
    pub(crate) fn u64(&mut self) -> Result<u64, Fault> {
        self.compressed::<8>()
    }

    /// The number of items that follow, of at least one byte each.
    pub(crate) fn count(&mut self, least_bytes: usize) -> Result<usize, Fault> {
        let count = self.u64()?;
        match usize::try_from(count) {
            Ok(count) if count <= self.remaining() / least_bytes => Ok(count),
            _ => Err(self.bad("a number of items that its record has no room for")),
        }
    }

    /// A string with its final zero; the zero is not returned.
    pub(crate) fn string(&mut self) -> Result<&'a [u8], Fault> {
        let Some(length) = self.rest.iter().position(|&byte| byte == 0) else { return Err(self.ends()) };
        let (string, rest) = self.rest.split_at(length);
        self.rest = &rest[1..];
        Ok(string)
    }

    /// Reads a record's length; the body that follows is there. Fields may be read next, [`Cursor::leave`] goes on.
    #[inline(always)]
    pub(crate) fn enter(&mut self) -> Result<BodyEnd<'a>, Fault> {
        let mut length = u64::from(self.u8()?);
        if length == u64::from(LONG_LENGTH) {
            length = self.full_u64()?;
        }
        match usize::try_from(length).ok().and_then(|length| self.rest.get(length..)) {
            Some(after) => Ok(BodyEnd(after)),
            None => Err(self.ends()),
        }
    }

    /// Steps to the end of a body, over fields that a newer version of the format may have added.
    #[inline(always)]
    pub(crate) fn leave(&mut self, BodyEnd(after): BodyEnd<'a>) -> Result<(), Fault> {
        if self.remaining() < after.len() {
            return Err(self.bad("a record longer than it says"));
        }
        self.rest = after;
        Ok(())
    }

    /// Steps over a record's length and body, which is returned.
    pub(crate) fn body(&mut self) -> Result<Cursor<'a>, Fault> {
        let end = self.enter()?;
        let body = &self.rest[..self.remaining() - end.0.len()];
        let body = Cursor::new(body, self.offset(), self.big_endian);
        self.leave(end)?;
        Ok(body)
    }
}
