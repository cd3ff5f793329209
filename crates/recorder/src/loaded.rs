#![allow(unsafe_code, reason = "asks the dynamic linker")]
//! The executable and libraries that are loaded.

use std::ffi::{CStr, c_int, c_void};
use std::ops::ControlFlow;

use libc::dl_phdr_info;

/// An executable or library, while it is visited: the linker neither loads nor unloads any meanwhile.
#[derive(Clone, Copy)]
pub(crate) struct Loaded<'a>(&'a dl_phdr_info);

impl<'a> Loaded<'a> {
    /// The path that it was loaded by; empty for the executable.
    pub(crate) fn path(self) -> &'a CStr {
        // SAFETY: a null pointer or a C string.
        unsafe { if self.0.dlpi_name.is_null() { c"" } else { CStr::from_ptr(self.0.dlpi_name) } }
    }

    /// The name of its file.
    pub(crate) fn file(self) -> String {
        let path = self.path().to_string_lossy();
        path.rsplit('/').next().unwrap_or_default().to_owned()
    }

    /// The difference of its addresses in memory from those in its file.
    pub(crate) fn bias(self) -> usize {
        self.0.dlpi_addr as usize
    }

    /// Its program headers.
    pub(crate) fn headers(self) -> &'a [libc::Elf64_Phdr] {
        // SAFETY: the description says how many there are.
        unsafe { std::slice::from_raw_parts(self.0.dlpi_phdr, self.0.dlpi_phnum as usize) }
    }

    /// The numbers of modules that were loaded and unloaded so far, of all.
    pub(crate) fn changes(self) -> (u64, u64) {
        (self.0.dlpi_adds, self.0.dlpi_subs)
    }
}

/// Hands the executable and all libraries to `visit`, until it breaks off.
pub(crate) fn each<F: FnMut(Loaded<'_>) -> ControlFlow<()>>(mut visit: F) {
    unsafe extern "C" fn one<F: FnMut(Loaded<'_>) -> ControlFlow<()>>(
        info: *mut dl_phdr_info,
        _size: usize,
        visit: *mut c_void,
    ) -> c_int {
        // SAFETY: the linker hands in a valid description, and the function that is given below.
        let (info, visit) = unsafe { (&*info, &mut *visit.cast::<F>()) };
        c_int::from(visit(Loaded(info)).is_break())
    }
    // SAFETY: the function is of the type that is asked for, and gets the one that it calls.
    unsafe { libc::dl_iterate_phdr(Some(one::<F>), (&raw mut visit).cast()) };
}
