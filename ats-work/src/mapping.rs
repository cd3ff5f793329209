#![allow(unsafe_code, reason = "maps memory through libc")]
//! Memory of a thread in pages of its own.

use std::ptr::{self, NonNull};
use std::slice;
use std::sync::atomic::AtomicU64;

/// The size of pages that is asked for. Where the system has no huge pages, all are small.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PageSize {
    Small,
    Huge,
}

/// Memory that begins with zeros, and whose pages come when they are touched first.
pub(crate) struct Mapping {
    begin: NonNull<AtomicU64>,
    bytes: usize,
}

impl Default for Mapping {
    /// No memory.
    fn default() -> Self {
        Mapping { begin: NonNull::dangling(), bytes: 0 }
    }
}

impl Mapping {
    /// Maps so many bytes.
    ///
    /// # Panics
    /// The system has not that much memory.
    pub(crate) fn new(bytes: usize, pages: PageSize) -> Self {
        if bytes == 0 {
            return Mapping::default();
        }
        let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: a new mapping, at no place that is in use.
        let begin = unsafe { libc::mmap(ptr::null_mut(), bytes, access, kind, -1, 0) };
        let begin = NonNull::new(begin).filter(|_| begin != libc::MAP_FAILED);
        let begin = begin.unwrap_or_else(|| panic!("the system has no {bytes} bytes of memory; use less"));
        let advice = match pages {
            PageSize::Small => libc::MADV_NOHUGEPAGE,
            PageSize::Huge => libc::MADV_HUGEPAGE,
        };
        // SAFETY: the mapping is ours. A system that does not know the advice goes on without.
        unsafe { libc::madvise(begin.as_ptr(), bytes, advice) };
        Mapping { begin: begin.cast(), bytes }
    }

    /// Bytes of a small page.
    pub(crate) fn page_bytes() -> usize {
        // SAFETY: it only reads a constant of the system.
        let bytes = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
        usize::try_from(bytes).unwrap_or(4096)
    }

    /// Its length in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Its words.
    pub(crate) fn words(&self) -> &[AtomicU64] {
        // SAFETY: the mapping has that many bytes, which are zero or numbers, and lives as long as `self`.
        unsafe { slice::from_raw_parts(self.begin.as_ptr(), self.bytes / size_of::<AtomicU64>()) }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        if self.bytes > 0 {
            // SAFETY: made by `mmap` with this length; nothing borrows it any more.
            unsafe { libc::munmap(self.begin.as_ptr().cast(), self.bytes) };
        }
    }
}

// SAFETY: it owns its memory, which is atomic.
unsafe impl Send for Mapping {}
// SAFETY: as above.
unsafe impl Sync for Mapping {}
