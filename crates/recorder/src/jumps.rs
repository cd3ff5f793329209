#![allow(unsafe_code, reason = "defines functions of the C library, and reads what they jump by")]
//! Jumps of the program (`longjmp` and its relatives), which may leave calls of MPI.
//!
//! Each function is defined here, ends the calls that it leaves and goes on to the library's. A call is left if the
//! stack pointer after the jump is above the frame of its wrapper: callbacks of the call, and jumps within them, are
//! below. The C library keeps the stack pointer enciphered; the key shows in what `_setjmp` keeps of a known one.
//! Elsewhere than with glibc on x86-64 and AArch64, jumps are not followed.

use std::ffi::{CStr, c_int, c_void};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};

use crate::{clock, track};

/// The stack pointer of the function that this is inlined into; the highest address if it is not known.
#[inline(always)]
pub(crate) fn stack_pointer() -> usize {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    {
        let pointer: usize;
        // SAFETY: only reads the register.
        unsafe {
            #[cfg(target_arch = "x86_64")]
            std::arch::asm!("mov {}, rsp", out(reg) pointer, options(nomem, nostack, preserves_flags));
            #[cfg(target_arch = "aarch64")]
            std::arch::asm!("mov {}, sp", out(reg) pointer, options(nomem, nostack, preserves_flags));
        }
        pointer
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    usize::MAX
}

#[cfg(all(target_env = "gnu", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod following {
    use super::*;

    /// The functions that jump.
    const NAMES: [&CStr; 4] = [c"longjmp", c"_longjmp", c"siglongjmp", c"__longjmp_chk"];

    /// The library's, by their places in [`NAMES`]; null if not looked up yet.
    static ORIGINALS: [AtomicPtr<c_void>; NAMES.len()] =
        [const { AtomicPtr::new(std::ptr::null_mut()) }; NAMES.len()];

    /// Looks all functions up, which a handler of a signal must not do.
    pub(crate) fn prepare() {
        (0..NAMES.len()).for_each(|which| _ = original(which));
        KEY.get_or_init(key);
    }

    fn original(which: usize) -> *mut c_void {
        let known = ORIGINALS[which].load(Ordering::Relaxed);
        if !known.is_null() {
            return known;
        }
        // SAFETY: asks the linker for a function of this name in the libraries behind the recorder.
        let found = unsafe { libc::dlsym(libc::RTLD_NEXT, NAMES[which].as_ptr()) };
        ORIGINALS[which].store(found, Ordering::Relaxed);
        found
    }

    macro_rules! jumps {
        ($($name:ident = $which:literal)*) => {$(
            /// Ends the calls that are left, and goes on to the function of this name in the C library.
            #[unsafe(no_mangle)]
            #[unsafe(naked)]
            unsafe extern "C" fn $name(_: *const usize, _: c_int) {
                #[cfg(target_arch = "x86_64")]
                std::arch::naked_asm!(
                    "push rdi",
                    "push rsi",
                    "sub rsp, 8",
                    "mov esi, {which}",
                    "call {leaves}",
                    "add rsp, 8",
                    "pop rsi",
                    "pop rdi",
                    "jmp rax",
                    which = const $which,
                    leaves = sym leaves,
                );
                #[cfg(target_arch = "aarch64")]
                std::arch::naked_asm!(
                    "stp x29, x30, [sp, -32]!",
                    "mov x29, sp",
                    "stp x0, x1, [sp, 16]",
                    "mov x1, {which}",
                    "bl {leaves}",
                    "mov x16, x0",
                    "ldp x0, x1, [sp, 16]",
                    "ldp x29, x30, [sp], 32",
                    "br x16",
                    which = const $which,
                    leaves = sym leaves,
                );
            }
        )*};
    }
    jumps! {
        longjmp = 0
        _longjmp = 1
        siglongjmp = 2
        __longjmp_chk = 3
    }

    /// Ends the calls that this thread leaves when it jumps to `place`. Yields the library's function that jumps.
    extern "C" fn leaves(place: *const usize, which: usize) -> *mut c_void {
        let ticks = clock::now();
        // SAFETY: the program has kept its registers there.
        let kept = unsafe { *place.add(STACK_POINTER) };
        track::jumps(ticks, decipher(kept) ^ *KEY.get_or_init(key));
        original(which)
    }

    unsafe extern "C" {
        fn _setjmp(place: *mut usize) -> c_int;
    }

    /// The words of the largest `jmp_buf`, and more.
    const WORDS: usize = 64;
    /// The word with the stack pointer.
    const STACK_POINTER: usize = if cfg!(target_arch = "x86_64") { 6 } else { 13 };

    /// Undoes what glibc does with a pointer besides `xor` with the key of the process.
    fn decipher(kept: usize) -> usize {
        const TURNS: u32 = if cfg!(target_arch = "x86_64") { 17 } else { 0 };
        kept.rotate_right(TURNS)
    }

    /// The key of the process.
    static KEY: OnceLock<usize> = OnceLock::new();

    #[inline(never)]
    fn key() -> usize {
        let (kept, pointer) = stack_pointers();
        decipher(kept) ^ pointer
    }

    /// A stack pointer, as the C library keeps it, and as it is.
    #[inline(never)]
    pub(super) fn stack_pointers() -> (usize, usize) {
        let mut place = [0; WORDS];
        // SAFETY: the place is large enough; nobody jumps to it.
        unsafe { _setjmp(place.as_mut_ptr()) };
        (std::hint::black_box(&place)[STACK_POINTER], stack_pointer())
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[inline(never)]
        fn deeper() -> bool {
            let room = std::hint::black_box([0_u8; 1000]);
            let (kept, pointer) = stack_pointers();
            std::hint::black_box(&room);
            decipher(kept) ^ *KEY.get_or_init(key) == pointer
        }

        #[test]
        fn a_stack_pointer_is_read_with_the_key_that_another_shows() {
            prepare();
            assert!(deeper());
            let (kept, pointer) = stack_pointers();
            assert_ne!(kept, pointer, "it is enciphered");
        }
    }
}

#[cfg(not(all(target_env = "gnu", any(target_arch = "x86_64", target_arch = "aarch64"))))]
mod following {
    pub(crate) fn prepare() {}
}

/// Makes ready to follow jumps.
pub(crate) use following::prepare;
