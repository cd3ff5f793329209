//! Streams of records that are written in turns and then read, forward or backward. What does not fit into memory is in a
//! temporary file that no folder lists.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

use zerocopy::{FromBytes, Immutable, IntoBytes};

/// A record of a stream: plain numbers.
pub(crate) trait Record: Copy + FromBytes + IntoBytes + Immutable {}

impl<T: Copy + FromBytes + IntoBytes + Immutable> Record for T {}

/// A number of streams of records.
#[derive(Debug)]
pub(crate) struct Spool<T> {
    streams: Vec<Stream<T>>,
    /// The folder of the temporary file.
    folder: PathBuf,
    file: Option<File>,
    /// The length of the file, in bytes.
    written: u64,
    /// The bytes of full chunks that are in memory.
    in_memory: usize,
    /// The number of records after which a chunk is full.
    full: usize,
}

#[derive(Debug)]
struct Stream<T> {
    /// The chunk that is being written.
    open: Vec<T>,
    chunks: Vec<Chunk<T>>,
}

#[derive(Debug)]
enum Chunk<T> {
    Memory(Arc<[T]>),
    File { offset: u64, records: usize },
}

/// The bytes of full chunks that stay in memory.
const IN_MEMORY: usize = 8 << 20;

/// The bytes of the largest chunk: those that are read at the same time are in a processor's cache.
const CHUNK: usize = 1 << 14;

impl<T: Record> Spool<T> {
    /// Empty streams; a temporary file is in `folder`, by default where the system has such files.
    pub(crate) fn new(streams: usize, folder: Option<&Path>) -> Self {
        let bytes = (IN_MEMORY / streams.max(1)).clamp(512, CHUNK);
        Spool {
            streams: (0..streams).map(|_| Stream { open: Vec::new(), chunks: Vec::new() }).collect(),
            folder: folder.map_or_else(std::env::temp_dir, Path::to_owned),
            file: None,
            written: 0,
            in_memory: 0,
            full: bytes / size_of::<T>(),
        }
    }

    /// The folder of its temporary file.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Appends a record to a stream.
    ///
    /// # Errors
    /// The temporary file cannot be written.
    #[inline]
    pub(crate) fn write(&mut self, stream: usize, record: T) -> io::Result<()> {
        let open = &mut self.streams[stream].open;
        open.push(record);
        if open.len() < self.full { Ok(()) } else { self.close(stream) }
    }

    /// Closes the chunk that is being written.
    fn close(&mut self, stream: usize) -> io::Result<()> {
        let open = std::mem::take(&mut self.streams[stream].open);
        let chunk = self.keep(&open)?;
        let stream = &mut self.streams[stream];
        stream.chunks.push(chunk);
        stream.open = open;
        stream.open.clear();
        Ok(())
    }

    fn keep(&mut self, records: &[T]) -> io::Result<Chunk<T>> {
        let bytes = records.as_bytes();
        if self.in_memory + bytes.len() <= IN_MEMORY {
            self.in_memory += bytes.len();
            return Ok(Chunk::Memory(records.into()));
        }
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(tempfile::tempfile_in(&self.folder)?),
        };
        file.write_all(bytes)?;
        let offset = self.written;
        self.written += bytes.len() as u64;
        Ok(Chunk::File { offset, records: records.len() })
    }

    /// The number of chunks of a stream, with the one that is still open.
    fn chunks(&self, stream: usize) -> usize {
        self.streams[stream].chunks.len() + 1
    }

    /// Reads a chunk of a stream; the last is the one that is still open.
    fn read(&mut self, stream: usize, chunk: usize) -> io::Result<Arc<[T]>> {
        let stream = &self.streams[stream];
        match stream.chunks.get(chunk) {
            None => Ok(stream.open.as_slice().into()),
            Some(Chunk::Memory(records)) => Ok(Arc::clone(records)),
            Some(&Chunk::File { offset, records }) => {
                let file = self.file.as_mut().ok_or(io::ErrorKind::NotFound)?;
                file.seek(SeekFrom::Start(offset))?;
                let mut read: Arc<[T]> = std::iter::repeat_n(T::new_zeroed(), records).collect();
                file.read_exact(Arc::make_mut(&mut read).as_mut_bytes())?;
                Ok(read)
            }
        }
    }
}

/// Reads a stream from its begin.
#[derive(Debug)]
pub(crate) struct Forward<T> {
    stream: usize,
    next_chunk: usize,
    records: Arc<[T]>,
    at: usize,
}

impl<T: Record> Forward<T> {
    pub(crate) fn new(stream: usize) -> Self {
        Forward { stream, next_chunk: 0, records: Arc::default(), at: 0 }
    }

    /// The next record, which stays where it is; none at the end.
    ///
    /// # Errors
    /// The temporary file cannot be read.
    #[inline]
    pub(crate) fn peek(&mut self, spool: &mut Spool<T>) -> io::Result<Option<&T>> {
        while self.at == self.records.len() && self.next_chunk < spool.chunks(self.stream) {
            self.records = spool.read(self.stream, self.next_chunk)?;
            (self.at, self.next_chunk) = (0, self.next_chunk + 1);
        }
        Ok(self.records.get(self.at))
    }

    /// Takes the next record; none at the end.
    ///
    /// # Errors
    /// As [`Forward::peek`].
    #[inline]
    pub(crate) fn next(&mut self, spool: &mut Spool<T>) -> io::Result<Option<T>> {
        let next = self.peek(spool)?.copied();
        self.at += usize::from(next.is_some());
        Ok(next)
    }
}

/// Reads a stream from its end.
#[derive(Debug)]
pub(crate) struct Backward<T> {
    stream: usize,
    /// The number of chunks that are not read.
    chunks: usize,
    records: Arc<[T]>,
    /// The number of records of the chunk that are not taken.
    left: usize,
}

impl<T: Record> Backward<T> {
    pub(crate) fn new(spool: &Spool<T>, stream: usize) -> Self {
        Backward { stream, chunks: spool.chunks(stream), records: Arc::default(), left: 0 }
    }

    /// The record before, which stays where it is; none at the begin.
    ///
    /// # Errors
    /// The temporary file cannot be read.
    #[inline]
    pub(crate) fn peek(&mut self, spool: &mut Spool<T>) -> io::Result<Option<&T>> {
        while self.left == 0 && self.chunks > 0 {
            self.chunks -= 1;
            self.records = spool.read(self.stream, self.chunks)?;
            self.left = self.records.len();
        }
        Ok(self.last())
    }

    /// The record before, if its chunk has been read.
    #[inline]
    pub(crate) fn last(&self) -> Option<&T> {
        self.left.checked_sub(1).map(|last| &self.records[last])
    }

    /// Takes the record before; none at the begin.
    ///
    /// # Errors
    /// As [`Backward::peek`].
    #[inline]
    pub(crate) fn next(&mut self, spool: &mut Spool<T>) -> io::Result<Option<T>> {
        let next = self.peek(spool)?.copied();
        self.left -= usize::from(next.is_some());
        Ok(next)
    }

    /// Leaves out records.
    ///
    /// # Errors
    /// As [`Backward::peek`].
    #[inline]
    pub(crate) fn skip(&mut self, mut records: usize, spool: &mut Spool<T>) -> io::Result<()> {
        while records > 0 && self.peek(spool)?.is_some() {
            let skipped = records.min(self.left);
            self.left -= skipped;
            records -= skipped;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_read_both_ways_from_memory_and_from_the_file() {
        let mut spool = Spool::new(2, None);
        let numbers = || 0..3_000_000_u64;
        for number in numbers() {
            spool.write(usize::from(number % 3 == 0), number << 20).unwrap();
        }
        assert!(spool.written > 0 && spool.in_memory > 0);
        for stream in 0..2 {
            let expected = || numbers().filter(|number| usize::from(number % 3 == 0) == stream);
            let mut forward = Forward::new(stream);
            for number in expected() {
                assert_eq!(forward.next(&mut spool).unwrap(), Some(number << 20));
            }
            assert_eq!(forward.next(&mut spool).unwrap(), None);
            let mut backward = Backward::new(&spool, stream);
            for number in expected().rev() {
                assert_eq!(backward.next(&mut spool).unwrap(), Some(number << 20));
            }
            assert_eq!(backward.next(&mut spool).unwrap(), None);
            let mut skipping = Backward::new(&spool, stream);
            skipping.skip(700_000, &mut spool).unwrap();
            let next = expected().rev().nth(700_000).map(|number| number << 20);
            assert_eq!(skipping.next(&mut spool).unwrap(), next);
            skipping.skip(usize::MAX, &mut spool).unwrap();
            assert_eq!(skipping.next(&mut spool).unwrap(), None);
        }
    }
}
