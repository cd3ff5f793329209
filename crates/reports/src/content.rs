//! Bytes in memory, or on the disk, read on demand.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

/// The number of bytes around the requested ones that are read with them.
const AROUND: u64 = 1 << 13;

/// The bytes of a file, or of a part of it. Reading takes them from the front.
#[derive(Clone, Debug)]
pub(crate) struct Content {
    source: Source,
    begin: u64,
    length: u64,
}

#[derive(Clone, Debug)]
enum Source {
    Memory(Arc<Vec<u8>>),
    Disk(Arc<File>),
}

impl Content {
    /// Bytes in memory.
    pub(crate) fn memory(bytes: Arc<Vec<u8>>) -> Self {
        Content { length: bytes.len() as u64, begin: 0, source: Source::Memory(bytes) }
    }

    /// The first bytes of a file.
    pub(crate) fn disk(file: Arc<File>, length: u64) -> Self {
        Content { source: Source::Disk(file), begin: 0, length }
    }

    pub(crate) fn len(&self) -> u64 {
        self.length
    }

    /// A part; none that ends behind the end.
    pub(crate) fn part(&self, range: Range<u64>) -> Option<Self> {
        let length = range.end.checked_sub(range.start).filter(|_| range.end <= self.length)?;
        Some(Content { source: self.source.clone(), begin: self.begin + range.start, length })
    }

    /// All bytes.
    pub(crate) fn read_all(&self) -> io::Result<Cow<'_, [u8]>> {
        if let Some(bytes) = self.in_memory() {
            return Ok(bytes.into());
        }
        let mut bytes = vec![0; self.length as usize];
        self.clone().read_exact(&mut bytes)?;
        Ok(bytes.into())
    }

    fn in_memory(&self) -> Option<&[u8]> {
        match &self.source {
            Source::Memory(bytes) => Some(&bytes[self.begin as usize..(self.begin + self.length) as usize]),
            Source::Disk(_) => None,
        }
    }
}

impl Read for Content {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.length).unwrap_or(usize::MAX).min(buffer.len());
        let read = match &self.source {
            Source::Memory(bytes) => (&bytes[self.begin as usize..]).read(&mut buffer[..most])?,
            Source::Disk(file) => file.read_at(&mut buffer[..most], self.begin)?,
        };
        (self.begin, self.length) = (self.begin + read as u64, self.length - read as u64);
        Ok(read)
    }
}

/// Reads parts that lie near each other, with few calls of the system.
pub(crate) struct Window {
    content: Content,
    at: u64,
    bytes: Vec<u8>,
}

impl Window {
    pub(crate) fn new(content: Content) -> Self {
        Window { content, at: 0, bytes: Vec::new() }
    }

    /// `length` bytes from `begin` on; they must exist.
    pub(crate) fn get(&mut self, begin: u64, length: usize) -> io::Result<&[u8]> {
        let end = begin + length as u64;
        if self.content.in_memory().is_none() && (begin < self.at || end > self.at + self.bytes.len() as u64)
        {
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
        if let Some(bytes) = self.content.in_memory() {
            return Ok(&bytes[begin as usize..end as usize]);
        }
        let from = (begin - self.at) as usize;
        Ok(&self.bytes[from..from + length])
    }
}
