//! Streams of records that are written in turns and then read, forward or backward.

use std::io;
use std::mem::take;

use ats_store::Block;
pub(crate) use ats_store::Store;

/// A record of a stream: plain numbers, as bytes in a block.
pub(crate) trait Record: Copy {
    /// The number of its bytes.
    const SIZE: usize;

    /// Puts its bytes at the begin of `bytes`, and leaves what is behind them.
    fn put(self, bytes: &mut &mut [u8]);

    /// Takes it from the begin of `bytes`, and leaves what is behind it.
    fn take(bytes: &mut &[u8]) -> Self;
}

macro_rules! numbers {
    ($($number:ty)*) => {$(
        impl Record for $number {
            const SIZE: usize = size_of::<$number>();

            #[inline]
            fn put(self, bytes: &mut &mut [u8]) {
                let (number, rest) = take(bytes).split_first_chunk_mut().expect("there is room for a number");
                *number = self.to_ne_bytes();
                *bytes = rest;
            }

            #[inline]
            fn take(bytes: &mut &[u8]) -> Self {
                let (number, rest) = bytes.split_first_chunk().expect("the number's bytes are there");
                *bytes = rest;
                Self::from_ne_bytes(*number)
            }
        }
    )*};
}

numbers! { u16 u32 u64 }

/// Makes a struct a [`Record`], field by field.
macro_rules! record {
    ($(#[$attribute:meta])* $vis:vis struct $name:ident {
        $($(#[$of_field:meta])* $vis_of_field:vis $field:ident: $kind:ty),* $(,)?
    }) => {
        $(#[$attribute])*
        $vis struct $name {
            $($(#[$of_field])* $vis_of_field $field: $kind),*
        }

        impl $crate::spool::Record for $name {
            const SIZE: usize = 0 $(+ <$kind as $crate::spool::Record>::SIZE)*;

            #[inline]
            fn put(self, bytes: &mut &mut [u8]) {
                $($crate::spool::Record::put(self.$field, bytes);)*
            }

            #[inline]
            fn take(bytes: &mut &[u8]) -> Self {
                $name { $($field: $crate::spool::Record::take(bytes)),* }
            }
        }
    };
}

pub(crate) use record;

/// A number of streams of records, in the blocks of a [`Store`].
#[derive(Debug)]
pub(crate) struct Spool<T> {
    streams: Vec<Stream<T>>,
    /// The number of records in a block.
    full: usize,
    /// The bytes of a block that is written, so that each takes the same memory.
    bytes: Vec<u8>,
}

#[derive(Debug)]
struct Stream<T> {
    /// The records behind the blocks.
    open: Vec<T>,
    blocks: Vec<Block>,
}

impl<T: Record> Spool<T> {
    /// Empty streams.
    pub(crate) fn new(streams: usize, store: &Store) -> Self {
        Spool {
            streams: (0..streams).map(|_| Stream { open: Vec::new(), blocks: Vec::new() }).collect(),
            full: store.block_size() / T::SIZE,
            bytes: Vec::new(),
        }
    }

    /// Appends a record to a stream.
    ///
    /// # Errors
    /// The temporary file cannot be written.
    #[inline]
    pub(crate) fn write(&mut self, stream: usize, record: T, store: &mut Store) -> io::Result<()> {
        let Stream { open, blocks } = &mut self.streams[stream];
        open.push(record);
        if open.len() == self.full {
            self.bytes.resize(self.full * T::SIZE, 0);
            let places = self.bytes.chunks_exact_mut(T::SIZE);
            open.drain(..).zip(places).for_each(|(record, mut place)| record.put(&mut place));
            blocks.push(store.keep(&self.bytes)?);
        }
        Ok(())
    }

    /// The number of parts of a stream: its blocks and the records behind them.
    fn parts(&self, stream: usize) -> usize {
        self.streams[stream].blocks.len() + 1
    }

    /// The number of records in a part of a stream.
    fn records(&self, stream: usize, part: usize) -> usize {
        let Stream { open, blocks } = &self.streams[stream];
        if part < blocks.len() { self.full } else { open.len() }
    }

    /// Reads a part of a stream.
    fn read(&self, stream: usize, part: usize, into: &mut Vec<T>, store: &Store) -> io::Result<()> {
        let Stream { open, blocks } = &self.streams[stream];
        match blocks.get(part) {
            None => open.clone_into(into),
            Some(&block) => {
                let mut bytes = vec![0; self.full * T::SIZE];
                store.read(block, &mut bytes)?;
                into.clear();
                into.extend(bytes.chunks_exact(T::SIZE).map(|mut bytes| T::take(&mut bytes)));
            }
        }
        Ok(())
    }
}

/// Reads a stream from its begin.
#[derive(Debug)]
pub(crate) struct Forward<T> {
    stream: usize,
    next_part: usize,
    records: Vec<T>,
    at: usize,
    /// Whether blocks are freed as soon as they are read.
    frees: bool,
}

impl<T: Record> Forward<T> {
    /// A way over a stream that is read again later.
    pub(crate) fn new(stream: usize) -> Self {
        Forward { stream, next_part: 0, records: Vec::new(), at: 0, frees: false }
    }

    /// A way over a stream that is not read again.
    pub(crate) fn freeing(stream: usize) -> Self {
        Forward { frees: true, ..Forward::new(stream) }
    }

    /// The next record, which stays where it is; none at the end.
    ///
    /// # Errors
    /// The temporary file cannot be read.
    #[inline]
    pub(crate) fn peek(&mut self, spool: &Spool<T>, store: &mut Store) -> io::Result<Option<&T>> {
        if self.at == self.records.len() {
            self.read(spool, store)?;
        }
        Ok(self.records.get(self.at))
    }

    fn read(&mut self, spool: &Spool<T>, store: &mut Store) -> io::Result<()> {
        if self.next_part < spool.parts(self.stream) {
            spool.read(self.stream, self.next_part, &mut self.records, store)?;
            if let Some(&block) = spool.streams[self.stream].blocks.get(self.next_part).filter(|_| self.frees)
            {
                store.free(block);
            }
            (self.at, self.next_part) = (0, self.next_part + 1);
        }
        Ok(())
    }

    /// Takes the next record; none at the end.
    ///
    /// # Errors
    /// As [`Forward::peek`].
    #[inline]
    pub(crate) fn next(&mut self, spool: &Spool<T>, store: &mut Store) -> io::Result<Option<T>> {
        let next = self.peek(spool, store)?.copied();
        self.at += usize::from(next.is_some());
        Ok(next)
    }
}

/// Reads a stream from its end.
#[derive(Debug)]
pub(crate) struct Backward<T> {
    stream: usize,
    /// The number of parts before this one.
    parts: usize,
    /// The records of this part, if it has been read.
    records: Vec<T>,
    /// The number of records of this part that are not taken.
    left: usize,
}

impl<T: Record> Backward<T> {
    pub(crate) fn new(spool: &Spool<T>, stream: usize) -> Self {
        Backward { stream, parts: spool.parts(stream), records: Vec::new(), left: 0 }
    }

    /// Goes to the part before, without a look at it.
    fn go_back(&mut self, spool: &Spool<T>) {
        self.parts -= 1;
        self.left = spool.records(self.stream, self.parts);
        self.records.clear();
    }

    /// The record before, which stays where it is; none at the begin.
    ///
    /// # Errors
    /// The temporary file cannot be read.
    #[inline]
    pub(crate) fn peek(&mut self, spool: &Spool<T>, store: &Store) -> io::Result<Option<&T>> {
        if self.left == 0 || self.records.is_empty() {
            self.read(spool, store)?;
        }
        Ok(self.last())
    }

    fn read(&mut self, spool: &Spool<T>, store: &Store) -> io::Result<()> {
        while self.left == 0 && self.parts > 0 {
            self.go_back(spool);
        }
        if self.left > 0 {
            spool.read(self.stream, self.parts, &mut self.records, store)?;
        }
        Ok(())
    }

    /// The record before, if its part has been read.
    #[inline]
    pub(crate) fn last(&self) -> Option<&T> {
        self.records.get(self.left.checked_sub(1)?)
    }

    /// Takes the record before; none at the begin.
    ///
    /// # Errors
    /// As [`Backward::peek`].
    #[inline]
    pub(crate) fn next(&mut self, spool: &Spool<T>, store: &Store) -> io::Result<Option<T>> {
        let next = self.peek(spool, store)?.copied();
        self.left -= usize::from(next.is_some());
        Ok(next)
    }

    /// Leaves out records.
    #[inline]
    pub(crate) fn skip(&mut self, mut records: usize, spool: &Spool<T>) {
        while records > self.left && self.parts > 0 {
            records -= self.left;
            self.go_back(spool);
        }
        self.left -= records.min(self.left);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_read_both_ways() {
        let mut store = Store::new(2, None);
        let mut spool = Spool::new(2, &store);
        let numbers = || 0..6_000_000_u64;
        for number in numbers() {
            spool.write(usize::from(number % 3 == 0), number << 20, &mut store).unwrap();
        }
        for stream in 0..2 {
            let expected = || numbers().filter(|number| usize::from(number % 3 == 0) == stream);
            let mut backward = Backward::new(&spool, stream);
            for number in expected().rev() {
                assert_eq!(backward.next(&spool, &store).unwrap(), Some(number << 20));
            }
            assert_eq!(backward.next(&spool, &store).unwrap(), None);
            let mut skipping = Backward::new(&spool, stream);
            skipping.skip(700_000, &spool);
            let next = expected().rev().nth(700_000).map(|number| number << 20);
            assert_eq!(skipping.next(&spool, &store).unwrap(), next);
            skipping.skip(usize::MAX, &spool);
            assert_eq!(skipping.next(&spool, &store).unwrap(), None);
            for mut forward in [Forward::new(stream), Forward::freeing(stream)] {
                for number in expected() {
                    assert_eq!(forward.next(&spool, &mut store).unwrap(), Some(number << 20));
                }
                assert_eq!(forward.next(&spool, &mut store).unwrap(), None);
            }
        }
    }
}
