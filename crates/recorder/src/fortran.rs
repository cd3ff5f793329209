#![allow(unsafe_code, reason = "reads and writes the dynamic linker's tables")]
//! The Fortran libraries of Open MPI, and MPICH's for `mpi_f08`, call `PMPI_Send` where a program calls `MPI_Send`,
//! past every recorder. Here their links to `PMPI_…` are turned into links to `MPI_…`, so that Fortran programs are
//! recorded through the same wrappers as C programs, whichever of MPI's Fortran interfaces they use.
//!
//! The links pass over what remembers the call site, since the libraries' own calls are of no interest. If call sites
//! are wanted, the program's links to the Fortran libraries are led through functions that remember them.

use std::ffi::{CStr, CString, c_void};
use std::ops::ControlFlow;
use std::path::PathBuf;

use crate::{call_site, forwarding, links, loaded};

/// The prefixes of the Fortran libraries' names.
const FORTRAN_LIBRARIES: [&str; 4] = ["libmpi_mpifh", "libmpi_usempi", "libmpichfort", "libmpifort"];

/// Links the Fortran libraries that are loaded to the recorder's functions, and all others to functions that remember
/// who calls the Fortran libraries.
pub(crate) fn relink() {
    loaded::each(|module| {
        if is_fortran_library(&module.file()) {
            // SAFETY: the link is that of this name.
            links::each(module, |link, name| unsafe { relink_one(link, name) });
        } else if call_site::is_wanted() {
            // SAFETY: the link is that of this name.
            links::calls(module, |link, name| unsafe { lead_through(link, name) });
        }
        ControlFlow::Continue(())
    });
}

fn is_fortran_library(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    FORTRAN_LIBRARIES.iter().any(|library| name.starts_with(library))
}

/// # Safety
/// `link` holds the address of the function `name`.
unsafe fn relink_one(link: *mut usize, name: &CStr) {
    let name = name.to_bytes();
    let name = name.strip_prefix(b"P").unwrap_or(name);
    let Some(name) = CString::new(name).ok().filter(|_| name.starts_with(b"MPI_")) else { return };
    // SAFETY: asks the linker, in whose order the recorder comes first.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    if is_ours(found) {
        // SAFETY: behind its beginning the function goes on with the same arguments.
        unsafe { links::set(link, found as usize + call_site::REMEMBERS) };
    }
}

/// # Safety
/// `link` holds the address of the function `name`.
unsafe fn lead_through(link: *mut usize, name: &CStr) {
    let is_of_mpi = |prefix: &str| {
        name.to_bytes().get(..prefix.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(prefix.as_bytes()))
    };
    if !is_of_mpi("mpi_") && !is_of_mpi("pmpi_") {
        return;
    }
    // SAFETY: asks the linker, which has found the same for the link, or will at its first call.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    let is_fortran = |path: PathBuf| is_fortran_library(&path.to_string_lossy());
    if links::file_of(found).is_some_and(is_fortran)
        && let Some(forwarding) = forwarding::to(found as usize)
    {
        // SAFETY: it goes on to the same function.
        unsafe { links::set(link, forwarding) };
    }
}

/// Whether the recorder has defined this.
fn is_ours(symbol: *const c_void) -> bool {
    links::file_of(symbol).is_some_and(|file| Some(file) == links::recorder())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fortran_libraries_are_known_by_their_file_names() {
        assert!(is_fortran_library("/usr/lib/libmpi_mpifh.so.40"));
        assert!(is_fortran_library("/opt/x/libmpi_usempif08-gfortran.so.40"));
        assert!(is_fortran_library("/usr/lib/libmpichfort.so.12"));
        assert!(!is_fortran_library("/usr/lib/libmpi.so.40"));
        assert!(!is_fortran_library("/home/libmpi_mpifh/program"));
        assert!(!is_fortran_library(""));
    }
}
