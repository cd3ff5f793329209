//! Streams of items that are written in turns and then read, forward or backward. What does not fit into memory is in a
//! temporary file that no folder lists.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use serde::{Serialize, de::DeserializeOwned};

/// A number of streams.
#[derive(Debug)]
pub(crate) struct Spool {
    streams: Vec<Stream>,
    /// The folder of the temporary file.
    folder: PathBuf,
    file: Option<File>,
    /// The length of the file, in bytes.
    written: u64,
    /// The bytes of full chunks that are in memory.
    in_memory: usize,
    /// The bytes after which a chunk is full.
    full: usize,
}

#[derive(Debug, Default)]
struct Stream {
    /// The chunk that is being written.
    open: Vec<u8>,
    chunks: Vec<Chunk>,
}

#[derive(Debug)]
enum Chunk {
    Memory(Box<[u8]>),
    File { offset: u64, bytes: usize },
}

/// The bytes of full chunks that stay in memory.
const IN_MEMORY: usize = 16 << 20;

impl Spool {
    /// Empty streams; a temporary file is in `folder`, by default where the system has such files.
    pub(crate) fn new(streams: usize, folder: Option<&Path>) -> Self {
        Spool {
            streams: (0..streams).map(|_| Stream::default()).collect(),
            folder: folder.map_or_else(std::env::temp_dir, Path::to_owned),
            file: None,
            written: 0,
            in_memory: 0,
            full: (IN_MEMORY / streams.max(1)).clamp(256, 1 << 16),
        }
    }

    /// The folder of its temporary file.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Appends an item to a stream.
    ///
    /// # Errors
    /// The temporary file cannot be written.
    pub(crate) fn write<T: Serialize>(&mut self, stream: usize, item: &T) -> io::Result<()> {
        let open = std::mem::take(&mut self.streams[stream].open);
        let open = postcard::to_extend(item, open).map_err(io::Error::other)?;
        if open.len() < self.full {
            self.streams[stream].open = open;
            return Ok(());
        }
        let chunk = self.keep(&open)?;
        let stream = &mut self.streams[stream];
        stream.chunks.push(chunk);
        stream.open = open;
        stream.open.clear();
        Ok(())
    }

    fn keep(&mut self, bytes: &[u8]) -> io::Result<Chunk> {
        if self.in_memory + bytes.len() <= IN_MEMORY {
            self.in_memory += bytes.len();
            return Ok(Chunk::Memory(bytes.into()));
        }
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(tempfile::tempfile_in(&self.folder)?),
        };
        file.write_all(bytes)?;
        let offset = self.written;
        self.written += bytes.len() as u64;
        Ok(Chunk::File { offset, bytes: bytes.len() })
    }

    /// The number of chunks of a stream, with the one that is still open.
    fn chunks(&self, stream: usize) -> usize {
        self.streams[stream].chunks.len() + 1
    }

    /// Reads a chunk of a stream; the last is the one that is still open.
    fn read(&mut self, stream: usize, chunk: usize, into: &mut Vec<u8>) -> io::Result<()> {
        into.clear();
        let stream = &self.streams[stream];
        match stream.chunks.get(chunk) {
            None => into.extend_from_slice(&stream.open),
            Some(Chunk::Memory(bytes)) => into.extend_from_slice(bytes),
            Some(&Chunk::File { offset, bytes }) => {
                let file = self.file.as_mut().ok_or(io::ErrorKind::NotFound)?;
                file.seek(SeekFrom::Start(offset))?;
                into.resize(bytes, 0);
                file.read_exact(into)?;
            }
        }
        Ok(())
    }
}

/// Reads a stream from its begin.
#[derive(Debug, Default)]
pub(crate) struct Forward {
    stream: usize,
    next_chunk: usize,
    bytes: Vec<u8>,
    at: usize,
}

impl Forward {
    pub(crate) fn new(stream: usize) -> Self {
        Forward { stream, ..Forward::default() }
    }

    /// The next item; none at the end.
    ///
    /// # Errors
    /// The temporary file cannot be read.
    pub(crate) fn next<T: DeserializeOwned>(&mut self, spool: &mut Spool) -> io::Result<Option<T>> {
        while self.at == self.bytes.len() {
            if self.next_chunk == spool.chunks(self.stream) {
                self.bytes = Vec::new();
                self.at = 0;
                return Ok(None);
            }
            spool.read(self.stream, self.next_chunk, &mut self.bytes)?;
            (self.at, self.next_chunk) = (0, self.next_chunk + 1);
        }
        let (item, rest) = postcard::take_from_bytes(&self.bytes[self.at..]).map_err(io::Error::other)?;
        self.at = self.bytes.len() - rest.len();
        Ok(Some(item))
    }
}

/// Reads a stream from its end.
#[derive(Debug)]
pub(crate) struct Backward<T> {
    stream: usize,
    /// The number of chunks that are not read.
    chunks: usize,
    items: Vec<T>,
    bytes: Vec<u8>,
}

impl<T: DeserializeOwned> Backward<T> {
    pub(crate) fn new(spool: &Spool, stream: usize) -> Self {
        Backward { stream, chunks: spool.chunks(stream), items: Vec::new(), bytes: Vec::new() }
    }

    /// The item before, which stays where it is; none at the begin.
    ///
    /// # Errors
    /// The temporary file cannot be read.
    pub(crate) fn peek(&mut self, spool: &mut Spool) -> io::Result<Option<&T>> {
        while self.items.is_empty() && self.chunks > 0 {
            self.chunks -= 1;
            spool.read(self.stream, self.chunks, &mut self.bytes)?;
            let mut rest = &self.bytes[..];
            while !rest.is_empty() {
                let (item, after) = postcard::take_from_bytes(rest).map_err(io::Error::other)?;
                self.items.push(item);
                rest = after;
            }
        }
        Ok(self.items.last())
    }

    /// The item before, if its chunk has been read.
    pub(crate) fn last(&self) -> Option<&T> {
        self.items.last()
    }

    /// Takes the item before.
    ///
    /// # Errors
    /// As [`Backward::peek`].
    pub(crate) fn next(&mut self, spool: &mut Spool) -> io::Result<Option<T>> {
        self.peek(spool)?;
        Ok(self.items.pop())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_read_both_ways_from_memory_and_from_the_file() {
        let mut spool = Spool::new(2, None);
        let numbers = || 0..6_000_000_u64;
        for number in numbers() {
            spool.write(usize::from(number % 3 == 0), &(number << 20)).unwrap();
        }
        assert!(spool.written > 0 && spool.in_memory > 0);
        for stream in 0..2 {
            let expected = || numbers().filter(|number| usize::from(number % 3 == 0) == stream);
            let mut forward = Forward::new(stream);
            for number in expected() {
                assert_eq!(forward.next::<u64>(&mut spool).unwrap(), Some(number << 20));
            }
            assert_eq!(forward.next::<u64>(&mut spool).unwrap(), None);
            let mut backward = Backward::new(&spool, stream);
            for number in expected().rev() {
                assert_eq!(backward.next(&mut spool).unwrap(), Some(number << 20));
            }
            assert_eq!(backward.next(&mut spool).unwrap(), None);
        }
    }
}
