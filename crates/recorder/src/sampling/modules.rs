#![allow(
    unsafe_code,
    reason = "reads what the dynamic linker has loaded, and publishes it to handlers of signals"
)]
//! The executables and libraries in memory, as handlers need them: with copies of their unwind tables, which stay when a
//! library is unloaded, in a list that is never changed but replaced.

use std::ops::ControlFlow;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use std::time::Duration;

use framehop::{
    CacheNative, FrameAddress, MustNotAllocateDuringUnwind, UnwindRegsNative, Unwinder, UnwinderNative,
};

use crate::loaded::{self, Loaded};
use crate::place;
use crate::tables::Tables;

/// The memory that a thread needs to unwind.
pub(super) type Cache = CacheNative<MustNotAllocateDuringUnwind>;

/// The owner of the code at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    Program,
    /// A library that programs run on.
    Below,
    Recorder,
}

/// The modules that were loaded at some time.
pub(super) struct Modules {
    /// The numbers of those that had been loaded and unloaded.
    changes: (u64, u64),
    /// The first and the last address of each, in rising order.
    ranges: Vec<(usize, usize, Owner)>,
    tables: UnwinderNative<Arc<[u8]>, MustNotAllocateDuringUnwind>,
    copies: Vec<Arc<[u8]>>,
}

static CURRENT: AtomicPtr<Modules> = AtomicPtr::new(ptr::null_mut());
/// The number of handlers that read the current list, or one before it.
static READERS: AtomicUsize = AtomicUsize::new(0);

/// Hands the current list to `read`, in a handler.
pub(super) fn with_current<R>(read: impl FnOnce(&Modules) -> R) -> Option<R> {
    READERS.fetch_add(1, Ordering::SeqCst);
    // SAFETY: a list that was current is freed when it has no readers.
    let modules = unsafe { CURRENT.load(Ordering::SeqCst).as_ref() };
    let result = modules.map(read);
    READERS.fetch_sub(1, Ordering::SeqCst);
    result
}

/// Makes the list of the modules that are loaded now, unless it is that already. Only one thread may do so.
pub(super) fn renew() {
    // SAFETY: only this thread replaces it.
    let before = unsafe { CURRENT.load(Ordering::SeqCst).as_ref() };
    let mut fresh = None;
    loaded::each(|module| {
        let changes = module.changes();
        if before.is_some_and(|before| before.changes == changes) {
            return ControlFlow::Break(());
        }
        fresh.get_or_insert_with(|| Modules::new(changes)).add(module, before);
        ControlFlow::Continue(())
    });
    let Some(mut fresh) = fresh else { return };
    fresh.ranges.sort_unstable_by_key(|&(first, ..)| first);
    let before = CURRENT.swap(Box::into_raw(Box::new(fresh)), Ordering::SeqCst);
    if !before.is_null() && has_no_readers() {
        // SAFETY: it was made by `Box::into_raw`, and nobody can come to it any more.
        drop(unsafe { Box::from_raw(before) });
    }
}

/// Waits until no handler reads a former list. On a busy machine this may not come about soon; then the list stays.
fn has_no_readers() -> bool {
    const TRIES: u32 = 100;
    (0..TRIES).any(|_| {
        let is_free = READERS.load(Ordering::SeqCst) == 0;
        if !is_free {
            std::thread::sleep(Duration::from_millis(1));
        }
        is_free
    })
}

impl Modules {
    /// The owner of the code at this address; `None` if it is of no module.
    pub(super) fn owner(&self, address: usize) -> Option<Owner> {
        let behind = self.ranges.partition_point(|&(first, ..)| first <= address);
        let &(_, last, owner) = self.ranges.get(behind.checked_sub(1)?)?;
        (address <= last).then_some(owner)
    }

    /// The address that the function around `address` returns to, with the registers of its caller.
    pub(super) fn caller(
        &self,
        address: FrameAddress,
        registers: &mut UnwindRegsNative,
        cache: &mut Cache,
        mut read: impl FnMut(u64) -> Result<u64, ()>,
    ) -> Option<u64> {
        let next = self.tables.unwind_frame(address, registers, cache, &mut read);
        next.ok().flatten().filter(|&next| next > 1)
    }
}

impl Modules {
    fn new(changes: (u64, u64)) -> Self {
        Modules { changes, ranges: Vec::new(), tables: UnwinderNative::new(), copies: Vec::new() }
    }

    /// Adds a module, with the copies of its tables that there are `before`.
    fn add(&mut self, module: Loaded<'_>, before: Option<&Modules>) {
        let own = renew as *const () as usize;
        let is_code =
            |header: &&libc::Elf64_Phdr| header.p_type == libc::PT_LOAD && header.p_flags & libc::PF_X != 0;
        let range = |header: &libc::Elf64_Phdr| {
            let first = module.bias() + header.p_vaddr as usize;
            (first, first + (header.p_memsz as usize).saturating_sub(1))
        };
        let ranges: Vec<(usize, usize)> = module.headers().iter().filter(is_code).map(range).collect();
        let owner = if ranges.iter().any(|&(first, last)| (first..=last).contains(&own)) {
            Owner::Recorder
        } else if place::is_below_programs(&module.file()) {
            Owner::Below
        } else {
            Owner::Program
        };
        self.ranges.extend(ranges.into_iter().map(|(first, last)| (first, last, owner)));
        if let Some(tables) = Tables::from_module(module) {
            // SAFETY: they are copied at once.
            let [index, frames] = unsafe { tables.bytes() };
            let frames = &frames[..end_of(frames).min(frames.len())];
            let bytes = [index, frames].map(|bytes| self.copy(bytes, before));
            self.tables.add_module(tables.module(bytes));
        }
    }

    /// A copy of bytes, if possible the one that there is already.
    fn copy(&mut self, bytes: &[u8], before: Option<&Modules>) -> Arc<[u8]> {
        let known = before.and_then(|before| before.copies.iter().find(|copy| ***copy == *bytes));
        let copy = known.map_or_else(|| bytes.into(), Arc::clone);
        self.copies.push(Arc::clone(&copy));
        copy
    }
}

/// The end of the records of frames that bytes begin with.
fn end_of(frames: &[u8]) -> usize {
    let mut at = 0;
    loop {
        let number = |at: usize| Some(u32::from_ne_bytes(frames.get(at..at + 4)?.try_into().ok()?));
        match number(at) {
            // Longer ones follow an escape, which nobody writes.
            None | Some(u32::MAX) => return frames.len(),
            Some(0) => return at + 4,
            Some(length) => at += 4 + length as usize,
        }
    }
}

/// Whether a module is a library that programs run on. The executable has no name.
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_of_this_test_is_the_recorders_and_that_of_the_c_library_below_programs() {
        renew();
        let own = end_of as *const () as usize;
        let exit = libc::exit as *const () as usize;
        let owners = with_current(|modules| [own, exit, 8].map(|address| modules.owner(address)));
        assert_eq!(owners, Some([Some(Owner::Recorder), Some(Owner::Below), None]));
    }

    #[test]
    fn frames_end_at_the_record_without_length() {
        assert_eq!(end_of(&[4, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0, 9, 9]), 12);
        assert_eq!(end_of(&[4, 0, 0, 0, 1, 2, 3, 4]), 8);
    }
}
