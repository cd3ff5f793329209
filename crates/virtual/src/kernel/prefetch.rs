#![allow(unsafe_code, reason = "a hint to the processor is an intrinsic function")]
//! Bringing memory into the cache before it is used.

/// Bytes that a cache fetches at once.
pub(crate) const LINE_BYTES: usize = 64;

/// Starts to fetch the line at `address`, on processors where it is known how; a hint only, whatever is there.
#[inline(always)]
pub(crate) fn prefetch<T>(address: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch reads nothing and never faults.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(address.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

/// The same for all lines of a value.
#[inline(always)]
pub(crate) fn prefetch_value<T>(value: &T) {
    for line in 0..size_of::<T>().div_ceil(LINE_BYTES) {
        prefetch((&raw const *value).wrapping_byte_add(line * LINE_BYTES));
    }
}
