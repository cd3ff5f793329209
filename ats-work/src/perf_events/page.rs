//! The page that the kernel shares of each event; the program reads the counter there itself where it may.

use std::os::fd::RawFd;
use std::ptr::{self, NonNull};
use std::sync::atomic::{Ordering, compiler_fence};

use crate::mapping::Mapping;

/// The begin of the page, as `linux/perf_event.h` has it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
struct Head {
    version: u32,
    compatible: u32,
    /// Odd or changed while the kernel writes.
    lock: u32,
    /// The number of the counter and 1; 0 while the event does not count.
    index: u32,
    offset: i64,
    time_enabled: u64,
    time_running: u64,
    capabilities: u64,
    /// Bits of the counter.
    width: u16,
}

/// The capability that the program may read the counter.
const USER_READS: u64 = 1 << 2;

/// The page of an event.
#[derive(Debug)]
pub(super) struct Page(NonNull<Head>);

// SAFETY: the kernel writes it, whichever thread has it.
unsafe impl Send for Page {}

impl Page {
    /// Maps that of an event, if there is a way to read counters.
    pub(super) fn map(file: RawFd) -> Option<Self> {
        if !cfg!(target_arch = "x86_64") {
            return None;
        }
        let bytes = Mapping::page_bytes();
        // SAFETY: a new mapping, at no place that is in use.
        let page = unsafe { libc::mmap(ptr::null_mut(), bytes, libc::PROT_READ, libc::MAP_SHARED, file, 0) };
        (page != libc::MAP_FAILED).then(|| NonNull::new(page.cast()).map(Page)).flatten()
    }

    /// The value of the event, if the program may read it, and it has counted all the time.
    #[inline]
    pub(super) fn value(&self) -> Option<u64> {
        // SAFETY: the page is mapped.
        unsafe { value(self.0.as_ptr(), counter) }
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, and nothing refers to it.
        unsafe { libc::munmap(self.0.as_ptr().cast(), Mapping::page_bytes()) };
    }
}

/// The value that a page and the `counter` of a number tell together. The kernel may write the page meanwhile: then once more.
///
/// # Safety
/// `page` points to one.
#[inline]
unsafe fn value(page: *const Head, counter: impl Fn(u32) -> u64) -> Option<u64> {
    loop {
        // SAFETY: as the caller promises; what is torn by the kernel's writing is not used.
        let (head, value) = unsafe {
            let before = ptr::read_volatile(&raw const (*page).lock);
            compiler_fence(Ordering::SeqCst);
            let head = ptr::read_volatile(page);
            let is_readable =
                head.index != 0 && head.capabilities & USER_READS != 0 && (1..=64).contains(&head.width);
            let raw = if is_readable { Some(counter(head.index - 1)) } else { None };
            compiler_fence(Ordering::SeqCst);
            if ptr::read_volatile(&raw const (*page).lock) != before {
                continue;
            }
            (head, raw)
        };
        let has_counted_all_along = head.time_enabled == head.time_running;
        let unused = 64 - u32::from(head.width);
        // The counter's highest bit is its sign.
        let signed = |raw: u64| ((raw << unused) as i64) >> unused;
        return value
            .filter(|_| has_counted_all_along)
            .map(|raw| head.offset.wrapping_add(signed(raw)) as u64);
    }
}

/// The counter of a number, as it is now.
#[cfg(target_arch = "x86_64")]
#[inline]
fn counter(number: u32) -> u64 {
    let (low, high): (u32, u32);
    // SAFETY: only called where the kernel has said that the program may.
    unsafe {
        std::arch::asm!("rdpmc", in("ecx") number, out("eax") low, out("edx") high, options(nomem, nostack));
    }
    u64::from(high) << 32 | u64::from(low)
}

#[cfg(not(target_arch = "x86_64"))]
fn counter(_number: u32) -> u64 {
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(head: Head, counter: u64) -> Option<u64> {
        // SAFETY: one of ours.
        unsafe { value(&head, |number| if number == 2 { counter } else { 0 }) }
    }

    #[test]
    fn a_page_and_its_counter_tell_the_value() {
        let head = Head { index: 3, offset: 1000, capabilities: USER_READS, width: 48, ..Head::default() };
        assert_eq!(reading(head, 7), Some(1007));
        // The kernel begins below 0, so that the counter overflows in time.
        assert_eq!(reading(head, (1 << 48) - 4), Some(996));
    }

    #[test]
    fn other_pages_leave_the_value_to_the_kernel() {
        let head = Head { index: 3, capabilities: USER_READS, width: 48, ..Head::default() };
        assert_eq!(reading(Head { index: 0, ..head }, 7), None, "it does not count now");
        assert_eq!(reading(Head { capabilities: 0, ..head }, 7), None, "the program may not read it");
        assert_eq!(reading(Head { time_enabled: 9, time_running: 8, ..head }, 7), None, "it is multiplexed");
    }
}
