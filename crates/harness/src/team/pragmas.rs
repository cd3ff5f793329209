#![allow(unsafe_code, reason = "calls functions of whatever OpenMP runtime the program has")]
//! Programs whose own compiler makes threads of pragmas. Its OpenMP runtime is looked up; nothing is linked.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::{env, ffi::OsStr, mem::MaybeUninit};

use crate::refusal::Refusal;

pub use super::absent::Engine;

type SetNumber = unsafe extern "C" fn(c_int);
type SetDefaults = unsafe extern "C" fn(*const c_char);

const NUM_THREADS: &CStr = c"omp_set_num_threads";

/// Nested regions have as many levels as compositions and properties need.
const LEVELS: usize = 3;

/// Gives regions `threads` threads; if cores are crowded, and the runtime is LLVM's, waiting ones give theirs away.
pub(super) fn engine(threads: usize, crowded: bool) -> Result<Option<Engine>, Refusal> {
    if !set(NUM_THREADS, threads) {
        return Err(Refusal::Missing(
            "this program has no OpenMP runtime; compile it with its compiler's option for OpenMP (-fopenmp)"
                .to_owned(),
        ));
    }
    if !is_set(&["OMP_MAX_ACTIVE_LEVELS", "OMP_NESTED"]) {
        set(c"omp_set_max_active_levels", LEVELS);
    }
    if crowded && !is_set(&["OMP_WAIT_POLICY", "KMP_BLOCKTIME", "KMP_LIBRARY"]) {
        let defaults = entry_point(c"kmp_set_defaults");
        if !defaults.is_null() {
            // SAFETY: under this name LLVM's runtime has a function of this type, which reads the text during the call.
            unsafe {
                let set_defaults = std::mem::transmute::<*mut c_void, SetDefaults>(defaults);
                set_defaults(c"OMP_WAIT_POLICY=passive".as_ptr());
            }
            set(c"kmp_set_blocktime", 0);
        }
    }
    Ok(None)
}

/// The runtime, by its file.
pub(crate) fn name() -> Option<String> {
    let mut info = MaybeUninit::<libc::Dl_info>::zeroed();
    // SAFETY: `info` is a valid place for the result, whose name is valid while the library is loaded.
    unsafe {
        if libc::dladdr(entry_point(NUM_THREADS), info.as_mut_ptr()) == 0 {
            return None;
        }
        let name = CStr::from_ptr(info.assume_init().dli_fname);
        Some(OsStr::from_bytes(name.to_bytes()).to_string_lossy().into_owned())
    }
}

/// Calls a function that takes a number; whether there is one.
fn set(name: &CStr, number: usize) -> bool {
    let address = entry_point(name);
    if address.is_null() {
        return false;
    }
    // SAFETY: under these names OpenMP runtimes have functions of exactly this type.
    unsafe {
        let set_number = std::mem::transmute::<*mut c_void, SetNumber>(address);
        set_number(c_int::try_from(number).unwrap_or(c_int::MAX));
    }
    true
}

fn entry_point(name: &CStr) -> *mut c_void {
    // SAFETY: the name is a C string; a missing symbol is a null pointer.
    unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) }
}

fn is_set(variables: &[&str]) -> bool {
    variables.iter().any(|variable| env::var_os(variable).is_some())
}
