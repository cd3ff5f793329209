#![allow(
    unsafe_code,
    reason = "defines functions of OpenMP, which the program calls in place of the runtime's"
)]
//! Tests of locks. Runtimes before LLVM 15 tell of them as if the program had called `omp_set_lock`, so the calls themselves are
//! noted here.

use std::cell::Cell;
use std::ffi::{CStr, CString, c_int, c_void};
use std::ops::ControlFlow;
use std::sync::OnceLock;

use crate::loaded;

thread_local! {
    static TESTS: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread is testing a lock.
pub(super) fn is_in_progress() -> bool {
    TESTS.get()
}

type TestLock = unsafe extern "C" fn(*mut c_void) -> c_int;

/// The functions of C and of Fortran.
macro_rules! test_locks {
    ($($name:ident)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name(lock: *mut c_void) -> c_int {
            static ORIGINAL: OnceLock<TestLock> = OnceLock::new();
            const NAME: &str = concat!(stringify!($name), "\0");
            let original = ORIGINAL.get_or_init(|| original(NAME));
            TESTS.set(true);
            // SAFETY: the argument is what the program hands to the runtime.
            let has_lock = unsafe { original(lock) };
            TESTS.set(false);
            has_lock
        }
    )*};
}
test_locks! { omp_test_lock omp_test_nest_lock omp_test_lock_ omp_test_nest_lock_ }

/// The runtime's function of this name, which ends with a null byte.
fn original(name: &str) -> TestLock {
    let name = CStr::from_bytes_with_nul(name.as_bytes()).expect("a C string");
    // SAFETY: the name is a C string.
    let mut found = unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) };
    // A runtime that a plug-in has brought is behind nobody.
    if found.is_null() {
        found = in_any_library(name);
    }
    assert!(!found.is_null(), "ats-recorder: there is no OpenMP runtime with {name:?}");
    // SAFETY: the function of this name has this type.
    unsafe { std::mem::transmute::<*mut c_void, TestLock>(found) }
}

/// The function of this name of the OpenMP runtime that is loaded.
fn in_any_library(name: &CStr) -> *mut c_void {
    let mut paths: Vec<CString> = Vec::new();
    loaded::each(|module| {
        paths.push(module.path().to_owned());
        ControlFlow::Continue(())
    });
    // SAFETY: libraries that are loaded stay so; the names are C strings.
    unsafe {
        let runtimes = paths.iter().filter(|path| {
            let path = path.to_string_lossy();
            let file = path.rsplit('/').next().unwrap_or_default();
            ["libomp", "libgomp", "libiomp"].iter().any(|runtime| file.starts_with(runtime))
        });
        runtimes
            .map(|path| libc::dlopen(path.as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD))
            .filter(|library| !library.is_null())
            .map(|library| libc::dlsym(library, name.as_ptr()))
            .find(|symbol| !symbol.is_null())
            .unwrap_or(std::ptr::null_mut())
    }
}
