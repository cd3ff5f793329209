//! Requests to the system: pages, writes, memory.

use std::fs::{File, OpenOptions};
use std::hint::black_box;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::atomic::Ordering;

use crate::amount::{Allocations, Pages, Target, Writes};
use crate::line::say;
use crate::mapping::{Mapping, PageSize};

/// The pages that a thread touches.
#[derive(Default)]
pub(crate) struct Touched(Mapping);

impl Touched {
    /// Really stores into each page, and returns their number.
    pub(crate) fn touch(&mut self, work: &Pages) -> u64 {
        let bytes = work.number as usize * Mapping::page_bytes();
        if work.fresh || self.0.bytes() < bytes {
            // The old ones first, so that memory is enough for one of them.
            self.0 = Mapping::default();
            self.0 = Mapping::new(bytes, PageSize::Small);
        }
        let words = self.0.words().chunks(Mapping::page_bytes() / size_of::<u64>());
        words.take(work.number as usize).map(|page| page[0].store(1, Ordering::Relaxed)).count() as u64
    }
}

/// The files that a thread writes to, once it has.
#[derive(Default)]
pub(crate) struct Files {
    null: Option<File>,
    scratch: Option<File>,
    bytes: Vec<u8>,
}

impl Files {
    /// Really writes, and returns the number of calls. If the system refuses, the process says so and ends: work has no
    /// other way to fail.
    pub(crate) fn write(&mut self, work: &Writes) -> u64 {
        self.try_to_write(work).unwrap_or_else(|error| {
            let (bytes, folder) = (work.bytes, std::env::temp_dir());
            say(format_args!(
                "error: cannot write {bytes} bytes into {}: {error}; set TMPDIR to a folder with room",
                folder.display()
            ));
            std::process::exit(1)
        })
    }

    fn try_to_write(&mut self, work: &Writes) -> io::Result<u64> {
        self.bytes.resize(work.bytes as usize, 1);
        let (file, open): (_, fn() -> io::Result<File>) = match work.to {
            Target::Null => (&mut self.null, || OpenOptions::new().write(true).open("/dev/null")),
            Target::Scratch => (&mut self.scratch, tempfile::tempfile),
        };
        if file.is_none() {
            *file = Some(open()?);
        }
        let file = file.as_ref().expect("was opened above");
        for _ in 0..work.calls {
            // Always at the same place, so that it takes no more room than one of them.
            let written = file.write_at(&self.bytes, 0)?;
            if written < self.bytes.len() {
                return Err(io::ErrorKind::StorageFull.into());
            }
        }
        Ok(work.calls)
    }
}

/// Really allocates, touches and frees, and returns the number of pieces.
pub(crate) fn allocations(work: &Allocations) -> u64 {
    for _ in 0..work.number {
        let mut memory: Vec<u8> = Vec::with_capacity(black_box(work.bytes as usize).max(1));
        memory.push(1);
        black_box(memory);
    }
    work.number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_fresh_if_asked() {
        let mut touched = Touched::default();
        touched.touch(&Pages { number: 3, fresh: true });
        let page = Mapping::page_bytes() / size_of::<u64>();
        let first = |touched: &Touched| -> Vec<u64> {
            touched.0.words().chunks(page).map(|page| page[0].load(Ordering::Relaxed)).collect()
        };
        assert_eq!(first(&touched), [1, 1, 1]);
        touched.0.words()[1].store(7, Ordering::Relaxed);
        touched.touch(&Pages { number: 2, fresh: false });
        assert_eq!(touched.0.words()[1].load(Ordering::Relaxed), 7, "the same pages");
        touched.touch(&Pages { number: 2, fresh: true });
        assert_eq!(touched.0.words()[1].load(Ordering::Relaxed), 0, "others");
    }

    #[test]
    fn a_file_takes_no_more_than_one_write() {
        let mut files = Files::default();
        files.write(&Writes { calls: 5, bytes: 100, to: Target::Scratch });
        assert_eq!(files.scratch.as_ref().unwrap().metadata().unwrap().len(), 100);
        files.write(&Writes { calls: 5, bytes: 0, to: Target::Null });
        assert!(files.null.is_some());
    }
}
