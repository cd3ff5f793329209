#![allow(unsafe_code, reason = "asks the MPI library for its error texts")]
//! Errors of MPI end the program with a message, as `MPI_ERRORS_ARE_FATAL` does, but saying which call failed.

use std::ffi::{c_char, c_int};
use std::fmt::Display;
use std::time::Duration;

use ats_model::mpi::{Function, LACKING_EXIT_CODE};
use mpi::ffi;

/// Ends all ranks if `code`, the result of a function of MPI, is an error.
pub(super) fn check(function: Function, code: c_int) {
    if code != ffi::MPI_SUCCESS as c_int {
        fatal(function, &text(code));
    }
}

/// Ends all ranks because the MPI library lacks a function, with the exit code that says so.
pub(super) fn unsupported(function: Function) -> ! {
    let problem = format!("{} does not have it; use a library of MPI 4 or later", library());
    abort(function, &problem, LACKING_EXIT_CODE)
}

/// Ends all ranks with a message about a call. MPI is initialised.
pub fn fatal(call: impl Display, problem: &str) -> ! {
    abort(call, problem, 1)
}

fn abort(call: impl Display, problem: &str, exit_code: c_int) -> ! {
    let mut rank = 0;
    // SAFETY: MPI is initialised, since a communicator exists; MPI_Abort does not return.
    unsafe {
        ffi::PMPI_Comm_rank(ffi::RSMPI_COMM_WORLD, &mut rank);
        tell(format_args!("{call} on rank {rank}: {problem}"));
        ffi::MPI_Abort(ffi::RSMPI_COMM_WORLD, exit_code);
    }
    std::process::abort()
}

/// The time that a launcher has to pass on a last line: MPICH's loses lines not yet passed on when the run is aborted.
const LAST_WORDS: Duration = Duration::from_millis(100);

/// Writes the last line of a run that is to end to stderr.
pub(super) fn tell(line: std::fmt::Arguments) {
    ats_work::say(line);
    std::thread::sleep(LAST_WORDS);
}

/// The first line of what the MPI library says of itself.
fn library() -> String {
    let mut buffer = [0 as c_char; ffi::MPI_MAX_LIBRARY_VERSION_STRING as usize + 1];
    let mut length = 0;
    // SAFETY: the buffer is as large as MPI demands.
    unsafe { ffi::PMPI_Get_library_version(buffer.as_mut_ptr(), &mut length) };
    let text = words(&buffer[..length as usize]);
    text.lines().next().unwrap_or_default().trim_end_matches('\0').replace('\t', " ")
}

fn text(code: c_int) -> String {
    let mut buffer = [0 as c_char; ffi::MPI_MAX_ERROR_STRING as usize + 1];
    let mut length = 0;
    // SAFETY: the buffer is as large as MPI demands.
    unsafe { ffi::PMPI_Error_string(code, buffer.as_mut_ptr(), &mut length) };
    words(&buffer[..length as usize])
}

fn words(text: &[c_char]) -> String {
    let bytes: Vec<u8> = text.iter().map(|&c| c as u8).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}
