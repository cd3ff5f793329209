#![allow(unsafe_code, reason = "defines functions that jump to an address")]
//! Functions that remember where they were called and go on to a function that is chosen while the program is loaded.
//!
//! They leave stack and arguments alone, so they go on to any function. Elsewhere than on x86-64 and AArch64 there are
//! none.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::call_site::REMEMBERS;

/// So many there are: one for each function of MPI, in two spellings.
const PLACES: usize = 1024;

/// The address that each function goes on to; 0 if it is not chosen yet.
static TARGETS: [AtomicUsize; PLACES] = [const { AtomicUsize::new(0) }; PLACES];

/// Bytes of each.
const BYTES: usize = if cfg!(target_arch = "aarch64") { 48 } else { 32 };

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
unsafe extern "C" fn entries() {}

/// All of them, one behind the other.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[unsafe(naked)]
unsafe extern "C" fn entries() {
    #[cfg(target_arch = "x86_64")]
    std::arch::naked_asm!(
        ".set .Lats_recorder_target, 0",
        ".rept {places}",
        "2: mov rax, qword ptr [rsp]",
        "mov r11, qword ptr [rip + ats_recorder_call_site@GOTTPOFF]",
        "mov qword ptr fs:[r11], rax",
        "mov qword ptr fs:[r11 + 8], rsp",
        "mov qword ptr fs:[r11 + 16], rbp",
        "jmp qword ptr [rip + {targets} + .Lats_recorder_target]",
        ".org 2b + {bytes}, 0x90",
        ".set .Lats_recorder_target, .Lats_recorder_target + 8",
        ".endr",
        places = const PLACES,
        bytes = const BYTES,
        targets = sym TARGETS,
    );
    #[cfg(target_arch = "aarch64")]
    std::arch::naked_asm!(
        ".set .Lats_recorder_target, 0",
        ".rept {places}",
        "2: mrs x16, tpidr_el0",
        "adrp x17, :gottprel:ats_recorder_call_site",
        "ldr x17, [x17, :gottprel_lo12:ats_recorder_call_site]",
        "add x16, x16, x17",
        "mov x17, sp",
        "stp x30, x17, [x16]",
        "str x29, [x16, 16]",
        "adrp x17, {targets} + .Lats_recorder_target",
        "ldr x17, [x17, :lo12:{targets} + .Lats_recorder_target]",
        "br x17",
        ".org 2b + {bytes}",
        ".set .Lats_recorder_target, .Lats_recorder_target + 8",
        ".endr",
        places = const PLACES,
        bytes = const BYTES,
        targets = sym TARGETS,
    );
}

/// The address of a function that remembers its call site and goes on to `target`; none if there are no more.
pub(crate) fn to(target: usize) -> Option<usize> {
    let is_its = |at: &AtomicUsize| match at.compare_exchange(0, target, Ordering::Relaxed, Ordering::Relaxed)
    {
        Ok(_) => true,
        Err(known) => known == target,
    };
    let place = TARGETS.iter().position(is_its).filter(|_| REMEMBERS > 0)?;
    Some(entries as *const () as usize + place * BYTES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call_site;

    extern "C" fn sum(of: i32, many: i32) -> i32 {
        // Of the first call, as the call site is taken once.
        i32::from(call_site::take().address != 0) * 1000 + of * many
    }

    extern "C" fn difference(of: i32, many: i32) -> i32 {
        of - many
    }

    #[test]
    fn a_call_goes_on_with_its_arguments_and_its_site_is_remembered() {
        call_site::want();
        let targets = [sum as *const (), difference as *const ()].map(|function| function as usize);
        if REMEMBERS == 0 {
            return;
        }
        let [forwarding, _] = targets.map(to);
        assert_eq!(to(targets[0]), forwarding, "one is enough");
        for (target, right) in [(targets[0], 1021), (targets[1], 4)] {
            // SAFETY: it goes on to a function of this type.
            let function: extern "C" fn(i32, i32) -> i32 =
                unsafe { std::mem::transmute(to(target).unwrap()) };
            assert_eq!(function(7, 3), right);
        }
        // SAFETY: the last one lies in the same function.
        let last = unsafe { std::slice::from_raw_parts(entries as *const u8, BYTES * PLACES) };
        assert_eq!(last[..8], last[BYTES * (PLACES - 1)..][..8]);
    }
}
