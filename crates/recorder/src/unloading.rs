#![allow(unsafe_code, reason = "defines a function of the C library")]
//! Modules that the program unloads: others may come to their addresses.

use std::ffi::{c_int, c_void};
use std::ops::ControlFlow;
use std::sync::OnceLock;

use crate::{loaded, track};

type Close = unsafe extern "C-unwind" fn(*mut c_void) -> c_int;

/// Goes on to the C library's function, and forgets what is known by addresses if it has unloaded anything.
///
/// # Safety
/// As for the C library's.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dlclose(handle: *mut c_void) -> c_int {
    static ORIGINAL: OnceLock<Option<Close>> = OnceLock::new();
    // SAFETY: the linker finds the function of this name in the libraries behind the recorder; none is null.
    let find = || unsafe { std::mem::transmute(libc::dlsym(libc::RTLD_NEXT, c"dlclose".as_ptr())) };
    let Some(original) = ORIGINAL.get_or_init(find) else { return -1 };
    let before = unloaded();
    // SAFETY: it gets what the program hands to it.
    let code = unsafe { original(handle) };
    if unloaded() != before {
        track::forget_addresses();
    }
    code
}

/// The number of modules that were unloaded so far.
fn unloaded() -> u64 {
    let mut unloaded = 0;
    loaded::each(|module| {
        (_, unloaded) = module.changes();
        ControlFlow::Break(())
    });
    unloaded
}
