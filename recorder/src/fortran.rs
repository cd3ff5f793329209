#![allow(unsafe_code, reason = "reads and writes the dynamic linker's tables")]
//! The Fortran libraries of Open MPI, and MPICH's for `mpi_f08`, call `PMPI_Send` where a program calls `MPI_Send`, past
//! every recorder. Here their links to `PMPI_…` are turned into links to `MPI_…`, so that Fortran programs are recorded
//! through the same wrappers as C programs, whichever of MPI's Fortran interfaces they use. The links pass over what
//! remembers the call site: the libraries' own calls are of no interest.

use std::ffi::{CStr, CString, c_int, c_void};
use std::mem::MaybeUninit;

use libc::{Dl_info, dl_phdr_info};

use crate::{call_site, links};

/// How the names of the Fortran libraries begin.
const FORTRAN_LIBRARIES: [&str; 4] = ["libmpi_mpifh", "libmpi_usempi", "libmpichfort", "libmpifort"];

/// Links the Fortran libraries that are loaded to the recorder's functions.
pub(crate) fn relink() {
    // SAFETY: the function is of the type that is asked for, and needs no data.
    unsafe { libc::dl_iterate_phdr(Some(relink_library), std::ptr::null_mut()) };
}

unsafe extern "C" fn relink_library(info: *mut dl_phdr_info, _size: usize, _data: *mut c_void) -> c_int {
    // SAFETY: the linker hands in a valid description with a name that is null or a C string.
    unsafe {
        let info = &*info;
        if !info.dlpi_name.is_null() && is_fortran_library(&CStr::from_ptr(info.dlpi_name).to_string_lossy())
        {
            links::each(info, |link, name| relink_one(link, name));
        }
    }
    0
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
    // SAFETY: asks the linker, in whose order the recorder comes first; then makes the link's page writable, as it was
    // while the library was loaded, and changes the link before the program has begun.
    unsafe {
        let found = libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr());
        let page = libc::sysconf(libc::_SC_PAGESIZE) as usize;
        let start = (link as usize & !(page - 1)) as *mut c_void;
        if is_ours(found) && libc::mprotect(start, page, libc::PROT_READ | libc::PROT_WRITE) == 0 {
            *link = found as usize + call_site::REMEMBERS;
        }
    }
}

/// Whether the recorder has defined this.
fn is_ours(symbol: *const c_void) -> bool {
    library_of(symbol).is_some_and(|library| Some(library) == library_of(relink as *const c_void))
}

/// Where the library begins in memory that an address lies in.
fn library_of(address: *const c_void) -> Option<usize> {
    let mut found = MaybeUninit::<Dl_info>::uninit();
    // SAFETY: the linker looks the address up, whatever it is, and fills in what it finds.
    unsafe {
        (libc::dladdr(address, found.as_mut_ptr()) != 0).then(|| found.assume_init().dli_fbase as usize)
    }
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
