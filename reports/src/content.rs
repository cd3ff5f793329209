//! Bytes in memory, or on the disk, read on demand.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::os::unix::fs::FileExt;

/// The number of bytes around the requested ones that are read with them.
const AROUND: u64 = 1 << 14;

/// The bytes of a file, or of a part of it. Reading takes them from the front.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Content<'a> {
    Memory(&'a [u8]),
    Disk { file: &'a File, begin: u64, length: u64 },
}

impl<'a> Content<'a> {
    pub(crate) fn len(self) -> u64 {
        match self {
            Content::Memory(bytes) => bytes.len() as u64,
            Content::Disk { length, .. } => length,
        }
    }

    /// A part; none that ends behind the end.
    pub(crate) fn part(self, range: Range<u64>) -> Option<Self> {
        let length = range.end.checked_sub(range.start).filter(|_| range.end <= self.len())?;
        Some(match self {
            Content::Memory(bytes) => Content::Memory(&bytes[range.start as usize..range.end as usize]),
            Content::Disk { file, begin, .. } => Content::Disk { file, begin: begin + range.start, length },
        })
    }

    /// All bytes.
    pub(crate) fn all(mut self) -> io::Result<Cow<'a, [u8]>> {
        if let Content::Memory(bytes) = self {
            return Ok(bytes.into());
        }
        let mut bytes = vec![0; self.len() as usize];
        self.read_exact(&mut bytes)?;
        Ok(bytes.into())
    }
}

impl Read for Content<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Content::Memory(bytes) => bytes.read(buffer),
            Content::Disk { file, begin, length } => {
                let most = usize::try_from(*length).unwrap_or(usize::MAX).min(buffer.len());
                let read = file.read_at(&mut buffer[..most], *begin)?;
                (*begin, *length) = (*begin + read as u64, *length - read as u64);
                Ok(read)
            }
        }
    }
}

/// Reads parts that lie near each other, with few calls of the system.
pub(crate) struct Window<'a> {
    content: Content<'a>,
    at: u64,
    bytes: Vec<u8>,
}

impl<'a> Window<'a> {
    pub(crate) fn new(content: Content<'a>) -> Self {
        Window { content, at: 0, bytes: Vec::new() }
    }

    /// `length` bytes from `begin` on, which must exist.
    pub(crate) fn get(&mut self, begin: u64, length: usize) -> io::Result<&[u8]> {
        let end = begin + length as u64;
        if let Content::Memory(bytes) = self.content {
            return Ok(&bytes[begin as usize..end as usize]);
        }
        if begin < self.at || end > self.at + self.bytes.len() as u64 {
            // Whoever reads backwards finds what comes before.
            let (from, to) = if length as u64 >= AROUND {
                (begin, end)
            } else {
                (begin - begin % AROUND, (end + AROUND).min(self.content.len()))
            };
            self.bytes.resize((to - from) as usize, 0);
            self.at = from;
            let part = self.content.part(from..to).ok_or(io::ErrorKind::UnexpectedEof);
            part.map_err(io::Error::from)?.read_exact(&mut self.bytes)?;
        }
        let from = (begin - self.at) as usize;
        Ok(&self.bytes[from..from + length])
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn what_is_on_the_disk_is_read_as_what_is_in_memory() {
        let bytes: Vec<u8> = (0..100_000_u32).map(|number| (number % 251) as u8).collect();
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&bytes).unwrap();
        let memory = Content::Memory(&bytes);
        let disk = Content::Disk { file: &file, begin: 0, length: bytes.len() as u64 };
        for content in [memory, disk] {
            let part = content.part(10..99_000).unwrap();
            assert_eq!(*part.part(5..7).unwrap().all().unwrap(), bytes[15..17]);
            assert!(part.part(0..98_991).is_none());
            let mut window = Window::new(part);
            for begin in (0..98_000_usize).step_by(700).rev().chain((0..90_000).step_by(9000)) {
                for length in [0, 1, 990] {
                    let expected = &bytes[10 + begin..][..length];
                    assert_eq!(window.get(begin as u64, length).unwrap(), expected, "{begin} {length}");
                }
            }
            assert_eq!(window.get(0, 98_990).unwrap(), &bytes[10..99_000]);
        }
    }
}
