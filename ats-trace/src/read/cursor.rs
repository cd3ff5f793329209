//! Reading bytes that may be anything: every step is checked, nothing panics.

use std::path::Path;

use crate::TraceError;
use crate::format::{LONG_LENGTH, UNDEFINED};

/// What is wrong with some bytes, and where; [`Fault::in_file`] makes an error of it.
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

    /// The error for `file`, of which the bytes up to `available` were there.
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

/// Where a record's body ends.
#[derive(Clone, Copy)]
pub(crate) struct BodyEnd(usize);

/// Bytes, and a place in them.
#[derive(Clone, Copy)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Where `bytes` begin in their file.
    base: u64,
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
    #[inline(always)]
    pub(crate) fn new(bytes: &'a [u8], base: u64, big_endian: bool) -> Self {
        Cursor { bytes, at: 0, base, big_endian }
    }

    /// Where it is in the file.
    #[inline(always)]
    pub(crate) fn offset(&self) -> u64 {
        self.base + self.at as u64
    }

    #[inline(always)]
    pub(crate) fn at_end(&self) -> bool {
        self.at >= self.bytes.len()
    }

    #[inline(always)]
    pub(crate) fn remaining(&self) -> usize {
        self.bytes.len() - self.at
    }

    #[inline(always)]
    pub(crate) fn bad(&self, what: &'static str) -> Fault {
        Fault::new(self.offset(), Cause::Bad(what))
    }

    #[inline(always)]
    fn ends(&self) -> Fault {
        Fault::new(self.base + self.bytes.len() as u64, Cause::Ends("inside a record"))
    }

    #[inline(always)]
    pub(crate) fn u8(&mut self) -> Result<u8, Fault> {
        let Some(&byte) = self.bytes.get(self.at) else { return Err(self.ends()) };
        self.at += 1;
        Ok(byte)
    }

    /// The next `N` bytes.
    #[inline(always)]
    fn array<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let Some(bytes) = rest.first_chunk::<N>() else { return Err(self.ends()) };
        self.at += N;
        Ok(*bytes)
    }

    #[inline(always)]
    pub(crate) fn full_u64(&mut self) -> Result<u64, Fault> {
        let bytes = self.array()?;
        Ok(if self.big_endian { u64::from_be_bytes(bytes) } else { u64::from_le_bytes(bytes) })
    }

    /// A compressed integer of at most `MAX` bytes; undefined is `u64::MAX`.
    #[inline(always)]
    fn compressed<const MAX: u8>(&mut self) -> Result<u64, Fault> {
        let size = self.u8()?;
        if size > MAX {
            return if size == UNDEFINED {
                Ok(u64::MAX)
            } else {
                Err(self.bad("an integer of more bytes than it may have"))
            };
        }
        let size = usize::from(size);
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let window = match rest.first_chunk::<8>() {
            Some(window) => *window,
            None if size > rest.len() => return Err(self.ends()),
            None => padded(rest),
        };
        self.at += size;
        Ok(if self.big_endian {
            (u64::from_be_bytes(window) as u128 >> (64 - 8 * size)) as u64
        } else {
            u64::from_le_bytes(window) & LOW[size]
        })
    }

    #[inline(always)]
    pub(crate) fn u32(&mut self) -> Result<u32, Fault> {
        self.compressed::<4>().map(|value| value as u32)
    }

    #[inline(always)]
    pub(crate) fn u64(&mut self) -> Result<u64, Fault> {
        self.compressed::<8>()
    }

    /// How many items follow, of at least one byte each.
    pub(crate) fn count(&mut self, least_bytes: usize) -> Result<usize, Fault> {
        let count = self.u64()?;
        match usize::try_from(count) {
            Ok(count) if count <= self.remaining() / least_bytes => Ok(count),
            _ => Err(self.bad("a number of items that its record has no room for")),
        }
    }

    /// A string with its final zero; the zero is not returned.
    pub(crate) fn string(&mut self) -> Result<&'a [u8], Fault> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let Some(length) = rest.iter().position(|&byte| byte == 0) else { return Err(self.ends()) };
        self.at += length + 1;
        Ok(&rest[..length])
    }

    /// Reads a record's length; the body that follows is there. Fields may be read next, [`Cursor::leave`] goes on.
    #[inline(always)]
    pub(crate) fn enter(&mut self) -> Result<BodyEnd, Fault> {
        let mut length = u64::from(self.u8()?);
        if length == u64::from(LONG_LENGTH) {
            length = self.full_u64()?;
        }
        if length > self.remaining() as u64 {
            return Err(self.ends());
        }
        Ok(BodyEnd(self.at + length as usize))
    }

    /// Steps to the end of a body, over fields that a newer version of the format may have added.
    #[inline(always)]
    pub(crate) fn leave(&mut self, end: BodyEnd) -> Result<(), Fault> {
        if self.at > end.0 {
            return Err(self.bad("a record longer than it says"));
        }
        self.at = end.0;
        Ok(())
    }

    /// Steps over a record's length and body, which is returned.
    pub(crate) fn body(&mut self) -> Result<Cursor<'a>, Fault> {
        let BodyEnd(end) = self.enter()?;
        let body = Cursor { bytes: &self.bytes[..end], ..*self };
        self.at = end;
        Ok(body)
    }
}

#[cold]
fn padded(rest: &[u8]) -> [u8; 8] {
    let mut window = [0; 8];
    window[..rest.len()].copy_from_slice(rest);
    window
}
