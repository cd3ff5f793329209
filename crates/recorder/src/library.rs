#![allow(unsafe_code, reason = "asks the dynamic linker")]
//! The MPI library that this recorder is built for, and the one that the program uses.

use std::ffi::{CStr, CString, OsStr, OsString, c_char, c_int};
use std::ops::ControlFlow;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;
use std::ptr;

use crate::{launcher, links, loaded};

unsafe extern "C" {
    static ATS_IS_OPEN_MPI: c_int;
}

/// A family of MPI libraries with one binary interface.
struct Family {
    name: &'static CStr,
    /// A symbol that only its libraries have.
    symbol: &'static CStr,
    /// The beginning of its libraries' file names.
    files: &'static [&'static str],
    compiler: &'static str,
}

const OPEN_MPI: Family = Family {
    name: c"Open MPI",
    symbol: c"ompi_mpi_comm_world",
    files: &["libmpi.so.20", "libmpi.so.40"],
    compiler: "mpicc.openmpi",
};
const MPICH: Family = Family {
    name: c"MPICH",
    symbol: c"MPIR_Dup_fn",
    // The second one is the name that MPICH and its kin agreed on.
    files: &["libmpich", "libmpi.so.12"],
    compiler: "mpicc.mpich",
};

fn ours_and_other() -> (Family, Family) {
    // SAFETY: a constant.
    if unsafe { ATS_IS_OPEN_MPI } != 0 { (OPEN_MPI, MPICH) } else { (MPICH, OPEN_MPI) }
}

/// The family that this library is built for, for those who choose among several: `Open MPI` or `MPICH`.
#[unsafe(no_mangle)]
pub extern "C" fn ats_recorder_mpi() -> *const c_char {
    ours_and_other().0.name.as_ptr()
}

/// The family and the recorder's file, for `ats record`.
pub(crate) fn description() -> String {
    let file = links::recorder().unwrap_or_default();
    format!("{}\n{}", ours_and_other().0.name.to_string_lossy(), file.display())
}

/// Why the program cannot be recorded: it uses an MPI library of another family than this recorder's.
///
/// The recorder's own MPI library is always loaded; that of the other family only if the program brings it.
pub(crate) fn foreign() -> Option<String> {
    let (_, other) = ours_and_other();
    // SAFETY: the name is a C string.
    let symbol = unsafe { libc::dlsym(libc::RTLD_DEFAULT, other.symbol.as_ptr()) };
    (!symbol.is_null()).then(is_of_other)
}

/// Ends a process that is about to initialise MPI if a library of the other family was loaded since the program began,
/// as by an interpreter: its handles have another form, and the call would crash.
pub(crate) fn refuse_foreign() {
    let (_, other) = ours_and_other();
    let mut is_loaded = false;
    loaded::each(|module| {
        let file = module.file();
        is_loaded |= other.files.iter().any(|begin| file.starts_with(begin));
        ControlFlow::Continue(())
    });
    if is_loaded {
        refuse(&is_of_other());
    }
}

/// Ends the process, which cannot be recorded, and says why.
pub(crate) fn refuse(problem: &str) -> ! {
    ats_work::say(format_args!("ats-recorder: {problem}"));
    // SAFETY: nothing of MPI has begun, so that nobody waits for a recording that cannot be.
    unsafe { libc::_exit(1) }
}

fn is_of_other() -> String {
    let (ours, other) = ours_and_other();
    let (ours, theirs) = (ours.name.to_string_lossy(), other.name.to_string_lossy());
    format!(
        "this recorder is built for {ours}, but the program uses {theirs}; give `ats record` its launcher, or preload a \
         recorder that was built with MPICC={} in a target folder of its own",
        other.compiler
    )
}

/// A recorder for the other family.
const OTHER: &str = "ATS_RECORDER_OTHER";
const PRELOAD: &str = "LD_PRELOAD";

/// Begins the program again, before it has begun: with the recorder for its own family, if there is one, and without any
/// otherwise, which is said. Returns if that fails.
pub(crate) fn begin_again(problem: &str) {
    let (Ok(program), Ok(line)) = (std::env::current_exe(), std::fs::read("/proc/self/cmdline")) else {
        return;
    };
    let Ok(program) = CString::new(program.into_os_string().into_vec()) else { return };
    let words: Vec<CString> = line
        .split_inclusive(|&byte| byte == 0)
        .filter_map(|word| CString::from_vec_with_nul(word.into()).ok())
        .collect();
    if std::env::var_os(OTHER).is_none() && launcher::rank() == 0 {
        ats_work::say(format_args!("ats-recorder: {problem}; it is not recorded"));
    }
    let arguments: Vec<_> = words.iter().map(|word| word.as_ptr()).chain([ptr::null()]).collect();
    let ours = links::recorder().unwrap_or_default();
    let loaded = std::env::var_os(PRELOAD).unwrap_or_default();
    let others = std::env::split_paths(&loaded).filter(|path| *path != ours);
    let loaded: Vec<OsString> = std::env::var_os(OTHER)
        .map(PathBuf::from)
        .into_iter()
        .chain(others)
        .map(PathBuf::into_os_string)
        .collect();
    // SAFETY: no other thread has begun. The words are C strings, and a null pointer ends them.
    unsafe {
        std::env::set_var(PRELOAD, loaded.join(OsStr::new(":")));
        std::env::remove_var(OTHER);
        libc::execv(program.as_ptr(), arguments.as_ptr());
    }
}

/// Whether the calling thread is the one that the process began with.
pub(crate) fn on_first_thread() -> bool {
    // SAFETY: both only ask the kernel.
    unsafe { libc::gettid() == libc::getpid() }
}
