#![allow(unsafe_code, reason = "reads and writes the dynamic linker's tables")]
//! The Fortran libraries of Open MPI, and MPICH's for `mpi_f08`, call `PMPI_Send` where a program calls `MPI_Send`,
//! past every recorder. Here their links to `PMPI_…` are turned into links to `MPI_…`, so that Fortran programs are
//! recorded through the same wrappers as C programs, whichever of MPI's Fortran interfaces they use.
//!
//! The links pass over what remembers the call site, since the libraries' own calls are of no interest. If call sites
//! are wanted, the program's links to the Fortran libraries are led through functions that remember them.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::mem::MaybeUninit;

use libc::{Dl_info, dl_phdr_info};

use crate::{call_site, forwarding, links};

/// The prefixes of the Fortran libraries' names.
const FORTRAN_LIBRARIES: [&str; 4] = ["libmpi_mpifh", "libmpi_usempi", "libmpichfort", "libmpifort"];

/// Links the Fortran libraries that are loaded to the recorder's functions, and all others to functions that remember
/// who calls the Fortran libraries.
pub(crate) fn relink() {
    // SAFETY: the function is of the type that is asked for, and needs no data.
    unsafe { libc::dl_iterate_phdr(Some(relink_library), std::ptr::null_mut()) };
}

unsafe extern "C" fn relink_library(info: *mut dl_phdr_info, _size: usize, _data: *mut c_void) -> c_int {
    // SAFETY: the linker hands in a valid description with a name that is null or a C string.
    unsafe {
        let info = &*info;
        if is_fortran_library(info.dlpi_name) {
            links::each(info, |link, name| relink_one(link, name));
        } else if call_site::is_wanted() {
            links::calls(info, |link, name| lead_through(link, name));
        }
    }
    0
}

/// # Safety
/// The path is null or a C string.
unsafe fn is_fortran_library(path: *const c_char) -> bool {
    // SAFETY: as the caller promises.
    !path.is_null() && is_name_of_fortran_library(&unsafe { CStr::from_ptr(path) }.to_string_lossy())
}

fn is_name_of_fortran_library(path: &str) -> bool {
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
        unsafe { set(link, found as usize + call_site::REMEMBERS) };
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
    // SAFETY: the linker's names are C strings.
    let is_fortran =
        library_of(found).is_some_and(|library| unsafe { is_fortran_library(library.dli_fname) });
    if is_fortran && let Some(forwarding) = forwarding::to(found as usize) {
        // SAFETY: it goes on to the same function.
        unsafe { set(link, forwarding) };
    }
}

/// Makes the link's page writable, as it was while the library was loaded, and changes the link.
///
/// # Safety
/// `link` holds the address of a function, and the new one can be called in its place. The program has not begun.
unsafe fn set(link: *mut usize, address: usize) {
    // SAFETY: the page is the link's, and nobody else uses the link now.
    unsafe {
        let page = libc::sysconf(libc::_SC_PAGESIZE) as usize;
        let start = (link as usize & !(page - 1)) as *mut c_void;
        if libc::mprotect(start, page, libc::PROT_READ | libc::PROT_WRITE) == 0 {
            *link = address;
        }
    }
}

/// Whether the recorder has defined this.
fn is_ours(symbol: *const c_void) -> bool {
    let begin = |address| library_of(address).map(|library| library.dli_fbase);
    begin(symbol).is_some_and(|library| Some(library) == begin(relink as *const c_void))
}

/// The library that an address lies in.
fn library_of(address: *const c_void) -> Option<Dl_info> {
    let mut found = MaybeUninit::<Dl_info>::uninit();
    // SAFETY: the linker looks the address up, whatever it is, and fills in what it finds.
    unsafe { (libc::dladdr(address, found.as_mut_ptr()) != 0).then(|| found.assume_init()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fortran_libraries_are_known_by_their_file_names() {
        assert!(is_name_of_fortran_library("/usr/lib/libmpi_mpifh.so.40"));
        assert!(is_name_of_fortran_library("/opt/x/libmpi_usempif08-gfortran.so.40"));
        assert!(is_name_of_fortran_library("/usr/lib/libmpichfort.so.12"));
        assert!(!is_name_of_fortran_library("/usr/lib/libmpi.so.40"));
        assert!(!is_name_of_fortran_library("/home/libmpi_mpifh/program"));
        assert!(!is_name_of_fortran_library(""));
    }
}
