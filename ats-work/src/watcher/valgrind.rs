#![allow(unsafe_code, reason = "asks the simulator that runs the process")]
//! Requests to valgrind, if it runs the process: instructions that do nothing on a processor, as in its `valgrind.h`.

use std::ffi::CStr;

/// The request `VG_USERREQ__RUNNING_ON_VALGRIND`.
const RUNS: usize = 0x1001;

/// The request `VG_USERREQ__DUMP_STATS_AT` of `callgrind.h`; valgrind's other tools pass over it.
const END_PART: usize = 0x4354_0003;

/// Whether valgrind runs the process.
pub(super) fn runs() -> bool {
    request(RUNS, 0) != 0
}

/// Ends a part of callgrind's report, for this reason.
pub(super) fn end_part(reason: &CStr) {
    request(END_PART, reason.as_ptr().addr());
}

/// The answer to a request with one argument; 0 where there is nobody to answer.
#[cfg(target_arch = "x86_64")]
fn request(what: usize, argument: usize) -> usize {
    let words = [what, argument, 0, 0, 0, 0];
    let mut answer = 0_usize;
    // SAFETY: on a processor the turns of `rdi` are two whole ones, and the exchange moves nothing. Valgrind reads the words
    // and the text that the argument may point to, which both outlive the request.
    unsafe {
        std::arch::asm!(
            "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
            in("rax") words.as_ptr(),
            inout("rdx") answer,
            options(nostack),
        );
    }
    answer
}

/// No answer: the instructions of other processors are not written here yet.
#[cfg(not(target_arch = "x86_64"))]
fn request(_: usize, _: usize) -> usize {
    0
}
