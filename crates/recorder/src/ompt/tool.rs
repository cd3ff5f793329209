#![allow(unsafe_code, reason = "called by the OpenMP runtime with its own pointers")]
//! The entry point that an OpenMP runtime finds the recorder by, and the callbacks that the recorder asks for.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};

use super::callbacks::{self, Callback};
use crate::openmp::{attachment, runtime};
use crate::{session, track};

type Lookup = unsafe extern "C" fn(*const c_char) -> *const c_void;
type SetCallback = unsafe extern "C" fn(c_int, *const c_void) -> c_int;

/// The type `ompt_start_tool_result_t`.
#[repr(C)]
#[derive(Debug)]
pub struct StartToolResult {
    initialize: unsafe extern "C" fn(Lookup, c_int, *mut c_void) -> c_int,
    finalize: unsafe extern "C" fn(*mut c_void),
    tool_data: u64,
}

static RESULT: StartToolResult = StartToolResult { initialize, finalize, tool_data: 0 };

/// An OpenMP runtime asks whether there is a tool. There is none here where the user names another.
///
/// # Safety
/// `runtime_version` is null or a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompt_start_tool(
    _omp_version: c_uint,
    runtime_version: *const c_char,
) -> *const StartToolResult {
    // A library's constructor may begin the runtime before the recorder's is called.
    session::prepare();
    if let Some(problem) = attachment::other_tool_is_named() {
        attachment::report(&problem);
        return std::ptr::null();
    }
    if !runtime_version.is_null() {
        // SAFETY: as the caller promises.
        let version = unsafe { CStr::from_ptr(runtime_version) };
        runtime::is(version.to_string_lossy().into_owned());
    }
    &raw const RESULT
}

unsafe extern "C" fn initialize(lookup: Lookup, _device: c_int, _tool_data: *mut c_void) -> c_int {
    // SAFETY: the runtime finds its own functions by their names.
    let set = unsafe { lookup(c"ompt_set_callback".as_ptr()) };
    // SAFETY: the function has OMPT's type, and gets functions of the types that the runtime calls.
    let set = (!set.is_null()).then(|| unsafe { std::mem::transmute::<*const c_void, SetCallback>(set) });
    // SAFETY: as above.
    let sets =
        |&(number, callback): &Callback| set.is_some_and(|set| unsafe { set(number, callback) } >= SOMETIMES);
    if !callbacks::needed().iter().all(sets) {
        attachment::report(&attachment::too_old(runtime::name().unwrap_or_default()));
        return NOT_ATTACHED;
    }
    callbacks::further().iter().for_each(|callback| _ = sets(callback));
    runtime::begins();
    ATTACHED
}

/// The results of `initialize`.
const NOT_ATTACHED: c_int = 0;
const ATTACHED: c_int = 1;
/// `ompt_set_sometimes`: lower answers to `ompt_set_callback` mean never.
const SOMETIMES: c_int = 3;

unsafe extern "C" fn finalize(_tool_data: *mut c_void) {
    runtime::ends(track::dismiss_workers);
}
