#![allow(unsafe_code, reason = "runs when the library is loaded and when the program ends")]
//! Being loaded into a program, and its end.
//!
//! The linker calls the recorder's constructor after those of the libraries, which may use MPI already: the first call
//! that is recorded [`prepare`]s the recording. At the end, the linker calls the recorder's destructor before those of the
//! libraries, and they may finalize MPI.

use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::Once;

use crate::lock::Taken;
use crate::openmp::attachment;
use crate::track::{self, Track};
use crate::{call_site, claim, fortran, jumps, library, meter, sampling, session, stack};

#[used]
#[unsafe(link_section = ".init_array")]
static ON_LOAD: extern "C" fn() = prepare;

unsafe extern "C" {
    /// Has `at_exit` called when `library` is unloaded; if that is null, after all destructors.
    fn __cxa_atexit(
        at_exit: extern "C" fn(*mut c_void),
        argument: *mut c_void,
        library: *const c_void,
    ) -> c_int;
}

/// This thread's track, as [`track::mine`]. If a library calls it before the recorder's constructor, recording begins.
#[inline]
pub(crate) fn track() -> Option<Taken<Track>> {
    track::mine().or_else(after_preparing)
}

#[cold]
fn after_preparing() -> Option<Taken<Track>> {
    prepare();
    track::mine()
}

extern "C" fn prepare() {
    static PREPARED: Once = Once::new();
    PREPARED.call_once(begin);
}

fn begin() {
    if let Some(problem) = library::foreign() {
        if claim::is_of_command() {
            library::begin_again(&problem);
        }
        library::refuse(&problem);
    }
    if let Some(problem) = attachment::problem() {
        attachment::report(&problem);
    }
    attachment::name_tool();
    call_site::prepare();
    stack::prepare();
    fortran::relink();
    meter::prepare();
    jumps::prepare();
    session::prepare();
    sampling::begin();
    // SAFETY: the functions live as long as the process, since the recorder is never unloaded.
    unsafe {
        libc::atexit(on_exit);
        __cxa_atexit(at_last, ptr::null_mut(), ptr::null());
        libc::pthread_atfork(None, None, Some(in_child));
    }
}

unsafe extern "C" fn in_child() {
    sampling::forked();
    session::forked();
}

extern "C" fn on_exit() {
    session::at_exit();
}

extern "C" fn at_last(_: *mut c_void) {
    session::at_last();
}
