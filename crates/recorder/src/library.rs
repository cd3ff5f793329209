#![allow(unsafe_code, reason = "asks the dynamic linker")]
//! The MPI library that this recorder is built for, and the one that the program uses.

use std::ffi::{CStr, c_char, c_int};

unsafe extern "C" {
    static ATS_IS_OPEN_MPI: c_int;
}

/// A family of MPI libraries with one binary interface.
struct Family {
    name: &'static CStr,
    /// A symbol that only its libraries have.
    symbol: &'static CStr,
    compiler: &'static str,
}

const OPEN_MPI: Family =
    Family { name: c"Open MPI", symbol: c"ompi_mpi_comm_world", compiler: "mpicc.openmpi" };
const MPICH: Family = Family { name: c"MPICH", symbol: c"MPIR_Dup_fn", compiler: "mpicc.mpich" };

fn ours_and_other() -> (Family, Family) {
    // SAFETY: a constant.
    if unsafe { ATS_IS_OPEN_MPI } != 0 { (OPEN_MPI, MPICH) } else { (MPICH, OPEN_MPI) }
}

/// The family that this library is built for, for those who choose among several: `Open MPI` or `MPICH`.
#[unsafe(no_mangle)]
pub extern "C" fn ats_recorder_mpi() -> *const c_char {
    ours_and_other().0.name.as_ptr()
}

/// Why the program cannot be recorded: it uses an MPI library of another family than this recorder's.
///
/// The recorder's own MPI library is always loaded; that of the other family only if the program brings it.
pub(crate) fn foreign() -> Option<String> {
    let (ours, other) = ours_and_other();
    // SAFETY: the name is a C string.
    let symbol = unsafe { libc::dlsym(libc::RTLD_DEFAULT, other.symbol.as_ptr()) };
    (!symbol.is_null()).then(|| {
        let (ours, theirs) = (ours.name.to_string_lossy(), other.name.to_string_lossy());
        format!(
            "this recorder is built for {ours}, but the program uses {theirs}; preload one that was built with \
             MPICC={} in a target folder of its own",
            other.compiler
        )
    })
}

/// Whether the calling thread is the one that the process began with.
pub(crate) fn on_first_thread() -> bool {
    // SAFETY: both only ask the kernel.
    unsafe { libc::gettid() == libc::getpid() }
}
