#![allow(unsafe_code, reason = "asks the runtime about itself")]
//! The runtime itself: its version, its limits, how its threads wait.

use std::ffi::{CStr, OsStr, c_void};
use std::mem::MaybeUninit;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::sync::LazyLock;

use super::entry;
use crate::protocol;

/// The runtime that was found is older than LLVM 14.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[error(
    "the OpenMP runtime {library} is older than LLVM 14: install a newer one (Debian: libomp-dev), or put its folder \
     first in LD_LIBRARY_PATH"
)]
pub struct TooOld {
    /// The path of its library.
    pub library: String,
}

/// Whether the runtime is one that this engine knows.
pub fn check() -> Result<(), TooOld> {
    let since_14 = c"__kmpc_scope";
    if entry_point(since_14).is_null() {
        let library = library().map_or("(of unknown place)".into(), |path| path.display().to_string());
        return Err(TooOld { library });
    }
    Ok(())
}

/// The file of the runtime that this program uses.
pub fn library() -> Option<PathBuf> {
    let mut info = MaybeUninit::<libc::Dl_info>::zeroed();
    // SAFETY: `info` is a valid place for the result, whose name is valid while the library is loaded.
    unsafe {
        if libc::dladdr(entry_point(c"__kmpc_fork_call"), info.as_mut_ptr()) == 0 {
            return None;
        }
        let name = CStr::from_ptr(info.assume_init().dli_fname);
        Some(PathBuf::from(OsStr::from_bytes(name.to_bytes())))
    }
}

/// The address of this entry point of the runtime; null if it has none of the name.
fn entry_point(name: &CStr) -> *mut c_void {
    // SAFETY: looks up a name only.
    unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) }
}

/// Lets waiting threads give their core away instead of spinning, unless the user said how they wait
/// (`OMP_WAIT_POLICY`, `KMP_BLOCKTIME`, `KMP_LIBRARY`). It holds for the regions that the calling thread starts.
///
/// For programs with more threads than cores, whose waiting threads would take the cores from the working ones.
pub fn wait_passively() {
    if is_set(&["OMP_WAIT_POLICY", "KMP_BLOCKTIME", "KMP_LIBRARY"]) {
        return;
    }
    // SAFETY: the text is read during the call only. The first call does not reach threads that the runtime knows
    // already, as it does the calling one.
    unsafe {
        entry::kmp_set_defaults(c"OMP_WAIT_POLICY=passive".as_ptr());
        entry::kmp_set_blocktime(0);
    }
}

/// Sets the number of threads of regions that do not ask for another number, whatever `OMP_NUM_THREADS` says.
pub fn set_max_threads(threads: usize) {
    // SAFETY: sets a value of the calling task only.
    unsafe { entry::omp_set_num_threads(i32::try_from(threads).unwrap_or(i32::MAX)) };
}

/// Whether the user said how deep regions may be nested.
static NESTING_IS_SET: LazyLock<bool> = LazyLock::new(|| is_set(&["OMP_MAX_ACTIVE_LEVELS", "OMP_NESTED"]));

/// Whether the user has set any of these variables.
fn is_set(variables: &[&str]) -> bool {
    variables.iter().any(|variable| std::env::var_os(variable).is_some())
}

/// Lets this thread start a team of several inside a region, unless the user said how deep regions may be nested. The runtime's
/// default is a team of one.
#[inline(always)]
pub(super) fn allow_nesting() {
    // SAFETY: asks, and sets a value of the calling task only.
    unsafe {
        let levels = entry::omp_get_active_level();
        if levels > 0 && levels >= entry::omp_get_max_active_levels() && !*NESTING_IS_SET {
            entry::omp_set_max_active_levels(levels + 1);
        }
    }
}

/// Ends the program if the team that this thread is member `number` of is not as large as asked for.
#[inline(always)]
pub(super) fn check_team(number: usize, asked: usize) {
    if asked > 1 {
        check_size(number, asked);
    }
}

fn check_size(number: usize, asked: usize) {
    // SAFETY: asks only.
    let threads = unsafe { entry::omp_get_num_threads() } as usize;
    if threads == asked {
        return;
    }
    if number == 0 {
        protocol::end_program(&shortage(asked, threads));
    }
    loop {
        std::thread::park();
    }
}

/// The reason why a team is smaller than asked for, and what to do.
#[cold]
fn shortage(asked: usize, threads: usize) -> String {
    // SAFETY: asks only.
    let (limit, dynamic, level, max_levels) = unsafe {
        (
            entry::omp_get_thread_limit(),
            entry::omp_get_dynamic() != 0,
            entry::omp_get_active_level(),
            entry::omp_get_max_active_levels(),
        )
    };
    let why = if threads == 1 && level >= max_levels {
        let needed = level + 1;
        format!(
            "OMP_MAX_ACTIVE_LEVELS is {max_levels}: unset it and OMP_NESTED, or set it to {needed} or more"
        )
    } else if dynamic {
        "OMP_DYNAMIC lets it give fewer: set it to false".to_owned()
    } else {
        format!(
            "OMP_THREAD_LIMIT is {limit}, for all teams together: unset it and KMP_DEVICE_THREAD_LIMIT, or ask for \
             fewer threads"
        )
    };
    format!("a team of {asked} threads was asked for, and the OpenMP runtime gave {threads}: {why}")
}
