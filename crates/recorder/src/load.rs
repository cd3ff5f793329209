#![allow(unsafe_code, reason = "runs when the library is loaded and when the program ends")]
//! Being loaded into a program.

use crate::openmp::attachment;
use crate::{call_site, fortran, library, session};

#[used]
#[unsafe(link_section = ".init_array")]
static ON_LOAD: extern "C" fn() = on_load;

extern "C" fn on_load() {
    if let Some(problem) = library::foreign() {
        ats_work::say(format_args!("ats-recorder: {problem}"));
        // SAFETY: ends the process before it has begun, so that nobody waits for a recording that cannot be.
        unsafe { libc::_exit(1) };
    }
    if let Some(problem) = attachment::problem() {
        attachment::report(&problem);
    }
    call_site::prepare();
    fortran::relink();
    session::prepare();
    // SAFETY: the functions live as long as the process.
    unsafe {
        libc::atexit(on_exit);
        libc::pthread_atfork(None, None, Some(in_child));
    }
}

unsafe extern "C" fn in_child() {
    session::forked();
}

extern "C" fn on_exit() {
    session::at_exit();
}
