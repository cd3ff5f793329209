//! A tar archive in memory, entries by name. Nothing is ever unpacked to the disk.
//!
//! The `tar` crate refuses a wrong header checksum, which CubeW 4.8 writes.

use std::collections::HashMap;

use crate::error::{At, Origin};
use crate::{ReportError, limits};

const BLOCK: usize = 512;

/// An entry's header.
pub(crate) struct Header<'a> {
    pub(crate) name: &'a str,
    kind: u8,
    bytes: &'a [u8],
    /// Where it begins.
    at: usize,
    checksum_holds: bool,
}

/// The headers of an archive, as they come; names may be anything.
pub(crate) struct Headers<'a> {
    origin: Origin<'a>,
    bytes: &'a [u8],
    at: usize,
    done: bool,
}

impl<'a> Headers<'a> {
    pub(crate) fn new(origin: Origin<'a>, bytes: &'a [u8]) -> Self {
        Headers { origin, bytes, at: 0, done: false }
    }

    fn header(&mut self) -> Result<Option<Header<'a>>, ReportError> {
        let at = self.at;
        let Some(block) = self.bytes.get(at..at + BLOCK) else {
            // An archive ends with two blocks of zeros, or where the file does.
            return match self.bytes.len() - at {
                0 if at > 0 => Ok(None),
                _ => Err(self.damaged(at, "the archive is cut short inside a header")),
            };
        };
        if block.iter().all(|&byte| byte == 0) {
            return Ok(None);
        }
        let name = std::str::from_utf8(until_nul(&block[..100]));
        let name = name.map_err(|_| self.damaged(at, "an entry's name is no text"))?;
        let size =
            number(&block[124..136]).ok_or_else(|| self.damaged(at, "an entry's size is no number"))?;
        let begin = at + BLOCK;
        let left = self.bytes.len() - begin;
        if size > left as u64 {
            let what = format!("entry {name:?} has {size} bytes, but the archive only {left} more");
            return Err(self.damaged(at, &what));
        }
        let end = begin + size as usize;
        self.at = end.next_multiple_of(BLOCK).min(self.bytes.len());
        let sum =
            block[..148].iter().chain(&[b' '; 8]).chain(&block[156..]).map(|&byte| u64::from(byte)).sum();
        let checksum_holds = number(&block[148..156]) == Some(sum);
        let name = name.strip_prefix("./").unwrap_or(name);
        Ok(Some(Header { name, kind: block[156], bytes: &self.bytes[begin..end], at, checksum_holds }))
    }

    fn damaged(&self, at: usize, what: &str) -> ReportError {
        self.origin.damaged(At::Byte(at), what)
    }
}

impl<'a> Iterator for Headers<'a> {
    type Item = Result<Header<'a>, ReportError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let header = self.header().transpose();
        if !matches!(header, Some(Ok(_))) {
            self.done = true;
        }
        header
    }
}

fn until_nul(field: &[u8]) -> &[u8] {
    field.split(|&byte| byte == 0).next().unwrap_or_default()
}

/// A number in octal digits, or in base 256 behind a set first bit.
fn number(field: &[u8]) -> Option<u64> {
    if field[0] & 0x80 != 0 {
        let (high, low) = field.split_at(field.len().saturating_sub(8));
        let no_more = high.iter().skip(1).all(|&byte| byte == 0) && matches!(high.first(), Some(0x80) | None);
        return no_more.then(|| low.iter().fold(0, |value, &byte| value << 8 | u64::from(byte)));
    }
    let text = std::str::from_utf8(until_nul(field)).ok()?.trim();
    if text.is_empty() { Some(0) } else { u64::from_str_radix(text, 8).ok() }
}

/// An archive whose names were found harmless.
pub(crate) struct Archive<'a> {
    entries: HashMap<&'a str, &'a [u8]>,
    checksums_hold: bool,
}

impl<'a> Archive<'a> {
    pub(crate) fn open(origin: Origin<'a>, bytes: &'a [u8]) -> Result<Self, ReportError> {
        let mut archive = Archive { entries: HashMap::new(), checksums_hold: true };
        for header in Headers::new(origin, bytes) {
            let header = header?;
            let refused = |what: String| Err(origin.refused(At::Byte(header.at), what));
            let name = header.name;
            if name.starts_with(['/', '\\']) || name.split(['/', '\\']).any(|part| part == "..") {
                return refused(format!("entry {name:?} lies outside of the archive"));
            }
            match header.kind {
                b'0' | 0 | b'7' => {}
                // Folders, and further attributes of the next entry.
                b'5' | b'x' | b'g' => continue,
                kind => {
                    return refused(format!("entry {name:?} is no file (kind \"{}\")", kind.escape_ascii()));
                }
            }
            archive.checksums_hold &= header.checksum_holds;
            if archive.entries.insert(name, header.bytes).is_some() {
                return refused(format!("entry {name:?} is there twice"));
            }
            if archive.entries.len() > limits::ENTRIES {
                return refused(format!("it has more than {} entries", limits::ENTRIES));
            }
        }
        Ok(archive)
    }

    pub(crate) fn entry(&self, name: &str) -> Option<&'a [u8]> {
        self.entries.get(name).copied()
    }

    pub(crate) fn warning(&self) -> Option<&'static str> {
        (!self.checksums_hold).then_some("the archive's header checksums are wrong, as CubeW 4.8 writes them")
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn sizes_are_octal_or_base_256() {
        assert_eq!(number(b"00000001750\0"), Some(1000));
        assert_eq!(number(b"     1750 \0\0"), Some(1000));
        assert_eq!(number(b"\x80\0\0\0\0\0\0\0\0\0\x03\xe8"), Some(1000));
        assert_eq!(number(b"\x80\0\x01\0\0\0\0\0\0\0\x03\xe8"), None);
        assert_eq!(number(b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"), None);
        assert_eq!(number(b"00000001758\0"), None);
    }
}
