//! A tar archive, entries by name. Nothing is ever unpacked to the disk.
//!
//! The `tar` crate refuses a wrong header checksum, which CubeW 4.8 writes.

use std::collections::HashMap;

use crate::content::Content;
use crate::error::{At, Origin};
use crate::{ReportError, limits};

const BLOCK: u64 = 512;

/// The entry of a report of CUBE with the meaning of the rows.
pub(crate) const ANCHOR: &str = "anchor.xml";

/// Whether a file is an archive with an anchor in it, or begins as one that is cut short.
pub(crate) fn has_anchor(origin: Origin<'_>, content: Content) -> bool {
    let name = content.part(0..ANCHOR.len() as u64 + 1);
    let is_anchor = |name: &[u8]| name.strip_prefix(ANCHOR.as_bytes()) == Some(&[0]);
    let is_first = name.is_some_and(|name| name.read_all().is_ok_and(|name| is_anchor(&name)));
    is_first || Headers::new(origin, content).map_while(Result::ok).any(|header| header.name == ANCHOR)
}

/// An entry's header.
struct Header {
    name: String,
    kind: u8,
    content: Content,
    /// The position where it begins.
    at: u64,
    checksum_holds: bool,
}

/// The headers of an archive, as they come; names may be anything.
struct Headers<'a> {
    origin: Origin<'a>,
    content: Content,
    at: u64,
    done: bool,
}

impl<'a> Headers<'a> {
    fn new(origin: Origin<'a>, content: Content) -> Self {
        Headers { origin, content, at: 0, done: false }
    }

    fn header(&mut self) -> Result<Option<Header>, ReportError> {
        let (at, length) = (self.at, self.content.len());
        let Some(block) = self.content.part(at..at + BLOCK) else {
            // An archive ends with two blocks of zeros, or where the file does.
            return match length - at {
                0 if at > 0 => Ok(None),
                _ => Err(self.damaged(at, "the archive is cut short inside a header")),
            };
        };
        let block = block.read_all().map_err(|error| self.origin.unread(error))?;
        if block.iter().all(|&byte| byte == 0) {
            return Ok(None);
        }
        let name = std::str::from_utf8(until_nul(&block[..100]));
        let name = name.map_err(|_| self.damaged(at, "an entry's name is not text"))?;
        let size =
            number(&block[124..136]).ok_or_else(|| self.damaged(at, "an entry's size is not a number"))?;
        let begin = at + BLOCK;
        let Some(content) = size.checked_add(begin).and_then(|end| self.content.part(begin..end)) else {
            let left = length - begin;
            let what = format!("entry {name:?} has {size} bytes, but the archive only {left} more");
            return Err(self.damaged(at, &what));
        };
        self.at = (begin + size).next_multiple_of(BLOCK).min(length);
        let sum =
            block[..148].iter().chain(&[b' '; 8]).chain(&block[156..]).map(|&byte| u64::from(byte)).sum();
        let checksum_holds = number(&block[148..156]) == Some(sum);
        let name = name.strip_prefix("./").unwrap_or(name).to_owned();
        Ok(Some(Header { name, kind: block[156], content, at, checksum_holds }))
    }

    fn damaged(&self, at: u64, what: &str) -> ReportError {
        self.origin.damaged(At::Byte(at as usize), what)
    }
}

impl Iterator for Headers<'_> {
    type Item = Result<Header, ReportError>;

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
pub(crate) struct Archive {
    entries: HashMap<String, Content>,
    checksums_hold: bool,
}

impl Archive {
    pub(crate) fn open(origin: Origin<'_>, content: Content) -> Result<Self, ReportError> {
        let mut archive = Archive { entries: HashMap::new(), checksums_hold: true };
        for header in Headers::new(origin, content) {
            let Header { name, kind, content, at, checksum_holds } = header?;
            let refused = |what: String| Err(origin.refused(At::Byte(at as usize), what));
            if name.starts_with(['/', '\\']) || name.split(['/', '\\']).any(|part| part == "..") {
                return refused(format!("entry {name:?} lies outside of the archive"));
            }
            match kind {
                b'0' | 0 | b'7' => {}
                // Folders, and further attributes of the next entry.
                b'5' | b'x' | b'g' => continue,
                kind => {
                    return refused(format!(
                        "entry {name:?} is not a file (kind \"{}\")",
                        kind.escape_ascii()
                    ));
                }
            }
            archive.checksums_hold &= checksum_holds;
            if archive.entries.contains_key(&name) {
                return refused(format!("entry {name:?} is there twice"));
            }
            archive.entries.insert(name, content);
            if archive.entries.len() > limits::ENTRIES {
                return refused(format!("it has more than {} entries", limits::ENTRIES));
            }
        }
        Ok(archive)
    }

    pub(crate) fn entry(&self, name: &str) -> Option<Content> {
        self.entries.get(name).cloned()
    }

    pub(crate) fn warning(&self) -> Option<&'static str> {
        (!self.checksums_hold).then_some("the archive's header checksums are wrong, as CubeW 4.8 writes them")
    }
}
