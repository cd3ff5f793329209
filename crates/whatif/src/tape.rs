//! Measurements of a replay, of each location, for the replays that follow: whole numbers, most of them small.

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};

use ats_store::{Block, Store};

use crate::error::WhatIfError;

/// Whether a replay measures what calls take beside waiting, or takes it as measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pass {
    Measure,
    Replay,
}

/// The blocks of the tapes of all locations.
#[derive(Debug)]
pub(crate) struct Reel {
    /// The size of a block, in bytes.
    block: usize,
    kept: Mutex<Kept>,
}

#[derive(Debug)]
struct Kept {
    store: Store,
    /// The first reason why a block could not be kept or read.
    failure: Option<io::Error>,
}

impl Reel {
    /// That of so many locations; what does not fit into memory is in a temporary file in `folder`.
    pub(crate) fn new(locations: usize, folder: Option<&Path>) -> Arc<Self> {
        let store = Store::new(locations, folder);
        Arc::new(Reel { block: store.block_size(), kept: Mutex::new(Kept { store, failure: None }) })
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// Numbers that are written once and read in the same order, also by several readers.
#[derive(Clone, Debug)]
pub(crate) struct Tape {
    reel: Arc<Reel>,
    blocks: Arc<Vec<Block>>,
    /// The bytes behind the blocks.
    last: Arc<Vec<u8>>,
    /// The bytes that are read, the number of those that were, and the part of the tape that comes behind them.
    bytes: Vec<u8>,
    at: usize,
    next: usize,
}

impl Tape {
    /// An empty one.
    pub(crate) fn new(reel: &Arc<Reel>) -> Self {
        let (reel, blocks, last) = (reel.clone(), Arc::default(), Arc::default());
        Tape { reel, blocks, last, bytes: Vec::new(), at: 0, next: 0 }
    }

    /// The same numbers, from the first.
    pub(crate) fn rewound(&self) -> Self {
        let Tape { reel, blocks, last, .. } = self.clone();
        Tape { blocks, last, ..Tape::new(&reel) }
    }

    /// Whether all blocks were kept and read, of all locations: else the numbers are wrong.
    ///
    /// # Errors
    /// One was not.
    pub(crate) fn check(&self) -> Result<(), WhatIfError> {
        let mut kept = self.reel.lock();
        match kept.failure.take() {
            None => Ok(()),
            Some(source) => Err(WhatIfError::Temporary { folder: kept.store.folder().to_owned(), source }),
        }
    }

    /// Writes a number: seven bits a byte, the sign in the lowest.
    pub(crate) fn write(&mut self, number: i64) {
        let mut rest = ((number << 1) ^ (number >> 63)) as u64;
        let last = Arc::make_mut(&mut self.last);
        while rest >= 0x80 {
            last.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        last.push(rest as u8);
        let size = self.reel.block;
        if last.len() >= size {
            let mut kept = self.reel.lock();
            match kept.store.keep(&last[..size]) {
                Ok(block) => Arc::make_mut(&mut self.blocks).push(block),
                Err(error) => kept.failure = Some(error),
            }
            last.drain(..size);
        }
    }

    /// Makes the number behind `before` others the next one.
    pub(crate) fn bring(&mut self, before: usize) {
        let rest = self.bytes.get_mut(self.at..).unwrap_or_default();
        let mut ends = (0..rest.len()).filter(|&at| rest[at] & 0x80 == 0).skip(before.saturating_sub(1));
        if before > 0
            && let (Some(begin), Some(end)) = (ends.next(), ends.next())
        {
            rest[..=end].rotate_right(end - begin);
        }
    }

    /// Reads the next number; 0 after the last one.
    pub(crate) fn read(&mut self) -> i64 {
        let mut number = 0_u64;
        for shift in (0..64).step_by(7) {
            let Some(byte) = self.byte() else { break };
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                break;
            }
        }
        (number >> 1) as i64 ^ -((number & 1) as i64)
    }

    fn byte(&mut self) -> Option<u8> {
        while self.at == self.bytes.len() {
            self.turn()?;
        }
        self.at += 1;
        Some(self.bytes[self.at - 1])
    }

    /// Goes to the next part; `None` if there is none.
    fn turn(&mut self) -> Option<()> {
        match self.blocks.get(self.next) {
            Some(&block) => {
                let mut kept = self.reel.lock();
                self.bytes.resize(self.reel.block, 0);
                if let Err(error) = kept.store.read(block, &mut self.bytes) {
                    kept.failure = Some(error);
                }
            }
            None if self.next == self.blocks.len() => self.last.as_slice().clone_into(&mut self.bytes),
            None => return None,
        }
        (self.at, self.next) = (0, self.next + 1);
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_from_memory_and_from_the_file_for_each_reader() {
        let reel = Reel::new(2, None);
        let mut tapes = [Tape::new(&reel), Tape::new(&reel)];
        // More than stays in memory.
        let numbers = || (0..6_000_000_i64).map(|number| (number - 3_000_000) * (1 << (number % 20)));
        for (at, number) in numbers().enumerate() {
            tapes[at % 2].write(number);
        }
        let mut readers = [0, 1, 0, 1].map(|of: usize| tapes[of].rewound());
        for (at, number) in numbers().enumerate() {
            assert_eq!([0, 2].map(|of| readers[at % 2 + of].read()), [number; 2]);
        }
        assert_eq!(readers[0].read(), 0, "after the last");
        tapes[0].check().unwrap();
    }

    #[test]
    fn a_folder_that_takes_no_file_is_told() {
        let reel = Reel::new(1, Some(Path::new("/nowhere")));
        let mut tape = Tape::new(&reel);
        (0..4_000_000).for_each(|_| tape.write(i64::MAX));
        let error = tape.check().unwrap_err().to_string();
        assert!(error.starts_with("cannot keep a temporary file in /nowhere: "), "{error}");
    }
}
