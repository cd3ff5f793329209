#![allow(
    unsafe_code,
    reason = "reads the addresses that calls return to, and remembers them in a variable of the thread"
)]
//! The place where the program calls MPI: the address that a call returns to.
//!
//! Each function of MPI that the program sees is an [`entry`] that remembers this address and goes on to the wrapper,
//! which [`take`]s it. Calls from Fortran are led through [`crate::forwarding`] instead. Elsewhere than on
//! x86-64 and AArch64 no call site is known.

use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};

use ats_model::definitions::RegionRole;
use ats_model::event::RegionRef;

use crate::region::MpiRegion;

/// The part of the program's stack that is recorded with each call: `off`, `sites` or `full`.
const VARIABLE: &str = "ATS_RECORDER_STACKS";

static SITES: AtomicBool = AtomicBool::new(false);
static STACKS: AtomicBool = AtomicBool::new(false);

/// Asks the environment.
pub(crate) fn prepare() {
    let wanted = std::env::var(VARIABLE).unwrap_or_default();
    SITES.store(wanted == "sites" || wanted == "full", Ordering::Relaxed);
    STACKS.store(wanted == "full", Ordering::Relaxed);
}

/// Whether calls are kept apart by their call sites.
pub(crate) fn is_wanted() -> bool {
    SITES.load(Ordering::Relaxed)
}

/// Whether the calls that lead to a call are recorded, too.
#[inline]
pub(crate) fn are_stacks_wanted() -> bool {
    STACKS.load(Ordering::Relaxed)
}

/// Asks for call sites, in a test: others that run beside it want them, too.
#[cfg(test)]
pub(crate) fn want() {
    SITES.store(true, Ordering::Relaxed);
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
std::arch::global_asm!(
    ".pushsection .tbss.ats_recorder_call_site, \"awT\", %nobits",
    ".globl ats_recorder_call_site",
    ".hidden ats_recorder_call_site",
    ".type ats_recorder_call_site, %object",
    ".size ats_recorder_call_site, 24",
    ".p2align 3",
    "ats_recorder_call_site: .zero 24",
    ".popsection",
);

/// Bytes of an [`entry`] that remember the call site. What enters behind them has none.
pub(crate) const REMEMBERS: usize =
    if cfg!(any(target_arch = "x86_64", target_arch = "aarch64")) { 32 } else { 0 };

/// Defines a function of MPI that remembers where it was called, and leaves all else to a wrapper with the same
/// arguments.
macro_rules! entry {
    ($name:ident($($argument:ident: $type:ty),*), $wrapper:ident) => {
        #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
        #[unsafe(no_mangle)]
        #[unsafe(naked)]
        #[allow(non_snake_case, clippy::too_many_arguments, reason = "as in mpi.h")]
        unsafe extern "C-unwind" fn $name($(_: $type),*) -> std::ffi::c_int {
            #[cfg(target_arch = "x86_64")]
            std::arch::naked_asm!(
                "2: mov rax, qword ptr [rsp]",
                "mov r11, qword ptr [rip + ats_recorder_call_site@GOTTPOFF]",
                "mov qword ptr fs:[r11], rax",
                "mov qword ptr fs:[r11 + 8], rsp",
                "mov qword ptr fs:[r11 + 16], rbp",
                ".org 2b + {remembers}, 0x90",
                "jmp {wrapper}",
                remembers = const crate::call_site::REMEMBERS,
                wrapper = sym $wrapper,
            );
            #[cfg(target_arch = "aarch64")]
            std::arch::naked_asm!(
                "2: mrs x16, tpidr_el0",
                "adrp x17, :gottprel:ats_recorder_call_site",
                "ldr x17, [x17, :gottprel_lo12:ats_recorder_call_site]",
                "add x16, x16, x17",
                "mov x17, sp",
                "stp x30, x17, [x16]",
                "str x29, [x16, 16]",
                ".org 2b + {remembers}",
                "b {wrapper}",
                remembers = const crate::call_site::REMEMBERS,
                wrapper = sym $wrapper,
            );
        }

        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        #[unsafe(no_mangle)]
        #[allow(non_snake_case, clippy::too_many_arguments, reason = "as in mpi.h")]
        unsafe extern "C-unwind" fn $name($($argument: $type),*) -> std::ffi::c_int {
            // SAFETY: the arguments are those that the program hands to MPI.
            unsafe { $wrapper($($argument),*) }
        }
    };
}
pub(crate) use entry;

/// The caller of a function of MPI, as the call leaves it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Caller {
    /// The address that the call returns to; 0 if it is not known.
    pub(crate) address: usize,
    /// Its stack pointer behind the call.
    pub(crate) stack: usize,
    /// Its frame pointer, if it has one.
    pub(crate) frame: usize,
}

impl Caller {
    /// The function that this is inlined into, as if it called from here; unknown on other machines.
    #[inline(always)]
    pub(crate) fn here() -> Self {
        #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
        {
            let (address, stack, frame): (usize, usize, usize);
            // SAFETY: only reads registers.
            unsafe {
                #[cfg(target_arch = "x86_64")]
                std::arch::asm!(
                    "lea {address}, [rip]",
                    "mov {stack}, rsp",
                    "mov {frame}, rbp",
                    address = out(reg) address,
                    stack = out(reg) stack,
                    frame = out(reg) frame,
                    options(nomem, preserves_flags),
                );
                #[cfg(target_arch = "aarch64")]
                std::arch::asm!(
                    "adr {address}, .",
                    "mov {stack}, sp",
                    "mov {frame}, x29",
                    address = out(reg) address,
                    stack = out(reg) stack,
                    frame = out(reg) frame,
                    options(nomem, preserves_flags),
                );
            }
            Caller { address, stack, frame }
        }
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        Caller::default()
    }
}

/// The caller of the function of MPI that this thread has entered last; unknown if that is not wanted, or has been
/// taken.
#[inline]
pub(crate) fn take() -> Caller {
    if is_wanted() { remembered() } else { Caller::default() }
}

/// The bytes of the return address on the stack.
#[cfg(target_arch = "x86_64")]
const RETURN_ADDRESS: usize = 8;

#[cfg(target_arch = "x86_64")]
#[inline]
fn remembered() -> Caller {
    let (address, stack, frame): (usize, usize, usize);
    // SAFETY: reads and clears the variable, which the linker has placed in this thread's own memory.
    unsafe {
        std::arch::asm!(
            "mov {at}, qword ptr [rip + ats_recorder_call_site@GOTTPOFF]",
            "mov {address}, qword ptr fs:[{at}]",
            "mov {stack}, qword ptr fs:[{at} + 8]",
            "mov {frame}, qword ptr fs:[{at} + 16]",
            "mov qword ptr fs:[{at}], 0",
            at = out(reg) _,
            address = out(reg) address,
            stack = out(reg) stack,
            frame = out(reg) frame,
            options(nostack, preserves_flags),
        );
    }
    Caller { address, stack: stack.wrapping_add(RETURN_ADDRESS), frame }
}

#[cfg(target_arch = "aarch64")]
#[inline]
fn remembered() -> Caller {
    let (address, stack, frame): (usize, usize, usize);
    // SAFETY: reads and clears the variable, which the linker has placed in this thread's own memory.
    unsafe {
        std::arch::asm!(
            "mrs {thread}, tpidr_el0",
            "adrp {at}, :gottprel:ats_recorder_call_site",
            "ldr {at}, [{at}, :gottprel_lo12:ats_recorder_call_site]",
            "add {at}, {at}, {thread}",
            "ldp {address}, {stack}, [{at}]",
            "ldr {frame}, [{at}, 16]",
            "str xzr, [{at}]",
            thread = out(reg) _,
            at = out(reg) _,
            address = lateout(reg) address,
            stack = lateout(reg) stack,
            frame = lateout(reg) frame,
            options(nostack, preserves_flags),
        );
    }
    Caller { address, stack, frame }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn remembered() -> Caller {
    Caller::default()
}

/// The regions of the call sites that a thread has come by lately.
#[derive(Debug)]
pub(crate) struct Recent([Option<Site>; SLOTS]);

/// A power of two.
const SLOTS: usize = 128;

#[derive(Clone, Copy, Debug)]
struct Site {
    function: &'static MpiRegion,
    role: Option<RegionRole>,
    address: usize,
    region: RegionRef,
}

impl Recent {
    pub(crate) const fn new() -> Self {
        Recent([None; SLOTS])
    }

    /// The region of a function that is called at this address, as [`take`] has it; in a `role`, if that is not the one of
    /// its name.
    #[inline]
    pub(crate) fn region(
        &mut self,
        function: &'static MpiRegion,
        role: Option<RegionRole>,
        address: usize,
    ) -> RegionRef {
        if address == 0 {
            return function.reference(role);
        }
        let slot = &mut self.0[slot(address)];
        match *slot {
            Some(site)
                if site.address == address && ptr::eq(site.function, function) && site.role == role =>
            {
                site.region
            }
            _ => {
                let region = function.called_at(address, role);
                *slot = Some(Site { function, role, address, region });
                region
            }
        }
    }
}

/// Neighbouring addresses have slots of their own.
fn slot(address: usize) -> usize {
    // Calls are several bytes long.
    (address >> 2 ^ address >> 9) % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_that_share_a_slot_keep_their_regions() {
        static SEND: MpiRegion = MpiRegion::new("MPI_Send_of_a_test");
        static RECV: MpiRegion = MpiRegion::new("MPI_Recv_of_a_test");
        let mut recent = Recent::new();
        let there = (0x1001..).find(|&other| slot(other) == slot(0x1000)).unwrap();
        let (usual, file) = (None, Some(RegionRole::FileIo));
        let all = [
            (&SEND, usual, 0x1000),
            (&SEND, usual, there),
            (&RECV, usual, 0x1000),
            (&RECV, file, 0x1000),
            (&SEND, usual, 0),
            (&RECV, usual, 0),
            (&RECV, file, 0),
        ];
        let regions = all.map(|(function, role, address)| recent.region(function, role, address));
        for (one, other) in regions.iter().zip(&regions[1..]) {
            assert_ne!(one, other);
        }
        assert_eq!(all.map(|(function, role, address)| recent.region(function, role, address)), regions);
        assert_eq!(Recent::new().region(&SEND, usual, there), regions[1], "other threads have the same");
    }

    #[test]
    fn calls_in_a_row_have_slots_of_their_own() {
        let slots: std::collections::HashSet<usize> =
            (0..16).map(|call| slot(0x40_1000 + 21 * call)).collect();
        assert_eq!(slots.len(), 16);
    }

    unsafe extern "C" fn wrapper(asked: i32) -> i32 {
        assert_eq!(asked, 7);
        want();
        let [first, second] = [(); 2].map(|()| take());
        assert_eq!(second.address, 0, "it is taken once");
        let here = (&raw const first).addr();
        let is_near = first.stack.wrapping_sub(here) < 1 << 16;
        i32::from(first.address != 0 && is_near)
    }

    entry! { ats_recorder_entry_of_a_test(asked: i32), wrapper }

    #[test]
    fn an_entry_remembers_where_it_was_called_unless_its_beginning_is_passed_over() {
        if REMEMBERS == 0 {
            return;
        }
        // SAFETY: behind the beginning the function goes on with the same arguments.
        let (whole, rest) = unsafe {
            let entry: unsafe extern "C-unwind" fn(i32) -> i32 = ats_recorder_entry_of_a_test;
            let behind = (entry as usize + REMEMBERS) as *const ();
            let behind: unsafe extern "C" fn(i32) -> i32 = std::mem::transmute(behind);
            (entry(7), behind(7))
        };
        assert_eq!((whole, rest), (1, 0));
    }
}
