//! Blocks of bytes: in memory as long as there is room, then in a temporary file that no folder lists.

use std::{
    cmp::Reverse,
    collections::BinaryHeap,
    fs::File,
    io,
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
};

/// Blocks of equal size. Those that are freed are used again, the ones in memory first.
#[derive(Debug)]
pub struct Store {
    /// The folder of the temporary file.
    folder: PathBuf,
    /// The size of a block, in bytes.
    block: usize,
    memory: Vec<Box<[u8]>>,
    file: Option<File>,
    /// The number of blocks, used and free.
    blocks: u32,
    free: BinaryHeap<Reverse<u32>>,
}

/// A block of a [`Store`], by number.
#[derive(Clone, Copy, Debug)]
pub struct Block(u32);

/// The bytes that stay in memory.
const IN_MEMORY: usize = 16 << 20;

/// The bytes of the largest block: those that are read at the same time are in a processor's cache.
const LARGEST: usize = 1 << 14;

impl Store {
    /// An empty store for a number of streams; its temporary file is in `folder`, by default where the system has such
    /// files.
    pub fn new(streams: usize, folder: Option<&Path>) -> Self {
        Store {
            folder: folder.map_or_else(std::env::temp_dir, Path::to_owned),
            block: (IN_MEMORY / streams.max(1)).clamp(512, LARGEST),
            memory: Vec::new(),
            file: None,
            blocks: 0,
            free: BinaryHeap::new(),
        }
    }

    /// The folder of its temporary file.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The size of a block, in bytes.
    pub fn block_size(&self) -> usize {
        self.block
    }

    /// The number of blocks that are in memory at most.
    fn in_memory(&self) -> usize {
        IN_MEMORY / self.block
    }

    /// Where a block begins in the file.
    fn offset(&self, number: usize) -> u64 {
        ((number - self.in_memory()) * self.block) as u64
    }

    /// Keeps at most [`Store::block_size`] bytes.
    ///
    /// # Errors
    /// The temporary file cannot be written.
    pub fn keep(&mut self, bytes: &[u8]) -> io::Result<Block> {
        let number = self.free.pop().map_or(self.blocks, |Reverse(number)| number);
        self.blocks = self.blocks.max(number + 1);
        let block = number as usize;
        if block < self.in_memory() {
            if block == self.memory.len() {
                self.memory.push(vec![0; self.block].into());
            }
            self.memory[block][..bytes.len()].copy_from_slice(bytes);
        } else {
            let offset = self.offset(block);
            let file = match &mut self.file {
                Some(file) => file,
                none => none.insert(tempfile::tempfile_in(&self.folder)?),
            };
            file.write_all_at(bytes, offset)?;
        }
        Ok(Block(number))
    }

    /// Reads the first bytes of a block, as many as there is room for.
    ///
    /// # Errors
    /// The temporary file cannot be read.
    pub fn read(&self, block: Block, into: &mut [u8]) -> io::Result<()> {
        let number = block.0 as usize;
        match self.memory.get(number) {
            Some(block) => into.copy_from_slice(&block[..into.len()]),
            None => {
                let file = self.file.as_ref().ok_or(io::ErrorKind::NotFound)?;
                file.read_exact_at(into, self.offset(number))?;
            }
        }
        Ok(())
    }

    /// Lets a block be used again.
    pub fn free(&mut self, block: Block) {
        self.free.push(Reverse(block.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_kept_in_memory_and_in_the_file_and_used_again() {
        let mut store = Store::new(1, None);
        let bytes = |number: usize| vec![number as u8; LARGEST - number % 7];
        let number = store.in_memory() + 100;
        let mut blocks: Vec<Block> = (0..number).map(|number| store.keep(&bytes(number)).unwrap()).collect();
        assert!(store.file.is_some());
        for again in [3, number - 1] {
            store.free(blocks[again]);
            blocks[again] = store.keep(&bytes(again)).unwrap();
        }
        assert_eq!(store.blocks as usize, number);
        for (number, block) in blocks.into_iter().enumerate() {
            let mut read = vec![0; bytes(number).len()];
            store.read(block, &mut read).unwrap();
            assert_eq!(read, bytes(number), "block {number}");
        }
    }
}
