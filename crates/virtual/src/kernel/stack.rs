#![allow(unsafe_code, reason = "hands parts of one mapping to coroutines as stacks")]
//! Stacks of many coroutines in one mapping.

use std::io;
use std::num::NonZeroUsize;
use std::ptr::NonNull;
use std::sync::Arc;

use corosensei::stack::{Stack, StackPointer};

/// The stacks that get a guard page, so that a body that overflows its own ends with a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Guards {
    /// Every stack.
    All,
    /// No stack if there are more than [`MOST_GUARDED`].
    OfFew,
}

/// The most stacks with guards. A guard that splits the mapping costs the system two mappings per stack, and it allows
/// 65,530.
const MOST_GUARDED: usize = 16_384;

/// Guards a page without splitting its mapping; Linux 6.13 and later, not yet in `libc`.
const MADV_GUARD_INSTALL: libc::c_int = 102;

/// In how many places of its page a stack can start, and how far they are apart.
const COLOURS: usize = 8;
const COLOUR_BYTES: usize = 256;

/// A mapping that holds the stacks of all coroutines of a simulation. Untouched pages take no memory.
#[derive(Debug)]
pub(crate) struct Slab {
    base: NonNull<libc::c_void>,
    bytes: usize,
    stack_bytes: usize,
}

// SAFETY: the mapping is only handed out in disjoint parts.
unsafe impl Send for Slab {}
// SAFETY: as above.
unsafe impl Sync for Slab {}

impl Slab {
    /// Room for `count` stacks of `stack_bytes`, a multiple of the page size, besides `others` that exist already.
    ///
    /// They are an odd number of pages apart: at a power of two, the translations of all their highest pages would fall
    /// into the same few sets of the processor's table of them.
    pub(crate) fn new(
        count: usize,
        stack_bytes: usize,
        others: usize,
        guards: Guards,
    ) -> io::Result<Arc<Self>> {
        let stack_bytes = stack_bytes | page_bytes();
        let bytes = count.max(1).checked_mul(stack_bytes).ok_or(io::ErrorKind::OutOfMemory)?;
        // SAFETY: a new anonymous mapping touches nobody's memory.
        let base = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                bytes,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        if base == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let base = NonNull::new(base).ok_or(io::ErrorKind::OutOfMemory)?;
        // SAFETY: advice on our own mapping. A huge page would give every small stack two megabytes.
        unsafe { libc::madvise(base.as_ptr(), bytes, libc::MADV_NOHUGEPAGE) };
        let slab = Slab { base, bytes, stack_bytes };
        if guards == Guards::All || count + others <= MOST_GUARDED {
            for index in 0..count {
                slab.guard(index)?;
            }
        }
        Ok(Arc::new(slab))
    }

    /// Makes touching the lowest page of an unused stack a fault. A page that splits the mapping slows down every
    /// fault of its neighbours, so the system is first asked for the kind that does not.
    fn guard(&self, index: usize) -> io::Result<()> {
        let page = self.bottom(index) as *mut libc::c_void;
        // SAFETY: the page is the lowest of a stack in our mapping that nobody uses yet.
        let guarded = unsafe {
            libc::madvise(page, page_bytes(), MADV_GUARD_INSTALL) == 0
                || libc::mprotect(page, page_bytes(), libc::PROT_NONE) == 0
        };
        if guarded {
            return Ok(());
        }
        let error = io::Error::last_os_error();
        Err(io::Error::new(error.kind(), format!("a guard page for each: {error} (see vm.max_map_count)")))
    }

    fn bottom(&self, index: usize) -> usize {
        self.base.as_ptr() as usize + index * self.stack_bytes
    }

    /// The stack of a coroutine. Every index is to be taken once.
    ///
    /// Stacks start at different places in their highest page: all tops in the same lines of a cache would push one
    /// another out of it.
    pub(crate) fn stack(self: &Arc<Self>, index: usize) -> SlabStack {
        let bottom = self.bottom(index);
        let colour = index % COLOURS * COLOUR_BYTES;
        SlabStack { _slab: Arc::clone(self), bottom, top: bottom + self.stack_bytes - colour }
    }
}

impl Drop for Slab {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, and no stack lives that would hold an `Arc` to it.
        unsafe { libc::munmap(self.base.as_ptr(), self.bytes) };
    }
}

fn page_bytes() -> usize {
    // SAFETY: asks for a constant of the system.
    let bytes = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(bytes).unwrap_or(4096)
}

/// The number of stacks that a [`Pool`] makes at a time.
const POOL_SLAB: usize = 64;

/// Stacks for coroutines that come and go, made as they are needed.
#[derive(Debug)]
pub(crate) struct Pool {
    free: Vec<SlabStack>,
    stack_bytes: usize,
    /// The number of stacks, including others.
    made: usize,
    guards: Guards,
}

impl Pool {
    /// A pool of stacks of `stack_bytes`, besides `others` that exist already.
    pub(crate) fn new(stack_bytes: usize, others: usize, guards: Guards) -> Self {
        Pool { free: Vec::new(), stack_bytes, made: others, guards }
    }

    /// An unused stack.
    pub(crate) fn take(&mut self) -> io::Result<SlabStack> {
        if let Some(stack) = self.free.pop() {
            return Ok(stack);
        }
        let slab = Slab::new(POOL_SLAB, self.stack_bytes, self.made, self.guards)?;
        self.made += POOL_SLAB;
        self.free.extend((1..POOL_SLAB).rev().map(|index| slab.stack(index)));
        Ok(slab.stack(0))
    }

    /// Keeps a stack for the next coroutine.
    pub(crate) fn give_back(&mut self, stack: SlabStack) {
        self.free.push(stack);
    }
}

/// One stack of a [`Slab`].
#[derive(Debug)]
pub(crate) struct SlabStack {
    _slab: Arc<Slab>,
    bottom: usize,
    top: usize,
}

// SAFETY: top and bottom are aligned ends of memory that belongs to this stack alone and lives as long as it.
unsafe impl Stack for SlabStack {
    fn base(&self) -> StackPointer {
        NonZeroUsize::new(self.top).expect("a mapping is not at address zero")
    }

    fn limit(&self) -> StackPointer {
        NonZeroUsize::new(self.bottom).expect("a mapping is not at address zero")
    }
}
