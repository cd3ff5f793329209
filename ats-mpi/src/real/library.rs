#![allow(unsafe_code, reason = "asks the dynamic linker for functions of the MPI library")]
//! Functions that not every MPI library has.

use std::ffi::{CString, c_void};

use ats_model::mpi::Function;

use super::failure::unsupported;

/// The address of a function under its own name, or under that of an extension: Open MPI 4 has `MPIX_Barrier_init`. Ends all
/// ranks if the library has neither.
///
/// # Safety
/// `F` is the type of a pointer to that function.
pub(super) unsafe fn function<F: Copy>(function: Function) -> F {
    const { assert!(size_of::<F>() == size_of::<*mut c_void>()) };
    let Some(address) = address(function) else { unsupported(function) };
    // SAFETY: the address of a function, as the caller promises.
    unsafe { std::mem::transmute_copy(&address) }
}

/// Whether the library has a function that programs look up, under one of its names.
pub fn has(function: Function) -> bool {
    address(function).is_some()
}

fn address(function: Function) -> Option<*mut c_void> {
    debug_assert!(function.is_looked_up(), "`ats doctor` looks for it, too");
    let names = [function.name().to_owned(), function.name_of_extension()];
    names.into_iter().map(symbol).find(|at| !at.is_null())
}

fn symbol(name: String) -> *mut c_void {
    let name = CString::new(name).expect("names of functions have no zero bytes");
    // SAFETY: the name ends with a zero byte.
    unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) }
}
