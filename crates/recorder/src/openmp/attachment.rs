#![allow(unsafe_code, reason = "asks the dynamic linker")]
//! Why OpenMP may not be recorded: its runtime tells nothing, or tells another.

use std::ffi::{CStr, CString, c_void};
use std::ops::ControlFlow;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::links::{self, file_of, recorder};
use crate::{launcher, loaded};

/// A function that every runtime of LLVM's kind has, and one of GNU's, which every parallel region calls.
const LLVM: &CStr = c"__kmpc_fork_call";
const GNU: &CStr = c"GOMP_parallel";
const START_TOOL: &CStr = c"ompt_start_tool";

/// Says it, once for all processes of a program.
pub(crate) fn report(problem: &str) {
    if launcher::rank() == 0 {
        ats_work::say(format_args!("ats-recorder: {problem}"));
    }
}

/// Why the runtime that the program is linked to will not tell the recorder of its threads.
pub(crate) fn problem() -> Option<String> {
    let Some(runtime) = symbol(libc::RTLD_DEFAULT, LLVM) else {
        return (symbol(libc::RTLD_DEFAULT, GNU).is_some() && somebody_calls(GNU)).then(|| {
            "GNU's OpenMP runtime (libgomp) has no interface for tools, so threads are not recorded; compile the program \
             with clang -fopenmp, which uses libomp"
                .into()
        });
    };
    if std::env::var("OMP_TOOL").is_ok_and(|value| value.trim().eq_ignore_ascii_case("disabled")) {
        return Some("OMP_TOOL=disabled, so threads are not recorded; unset OMP_TOOL".into());
    }
    let library = file_of(runtime)?;
    if !has(&library, START_TOOL) {
        return Some(format!(
            "the OpenMP runtime {} was built without an interface for tools (OMPT), so threads are not recorded; use \
             LLVM's libomp",
            library.display()
        ));
    }
    // Whoever comes first in the linker's order is asked.
    let first = symbol(libc::RTLD_DEFAULT, START_TOOL)?;
    let (asked, ours) = (file_of(first)?, recorder()?);
    (asked != ours && asked != library).then(|| taken_by(&asked))
}

/// The variable that tells a runtime where tools are.
const TOOL_LIBRARIES: &str = "OMP_TOOL_LIBRARIES";

/// Names the recorder as the tool of this process, unless another one is named. Copies of the runtime need the name if
/// they see no symbols of the rest of the process, since they were loaded with `RTLD_DEEPBIND`.
pub(crate) fn name_tool() {
    if std::env::var_os(TOOL_LIBRARIES).is_none()
        && let Some(ours) = recorder()
    {
        // SAFETY: the process begins; it has one thread.
        unsafe { std::env::set_var(TOOL_LIBRARIES, ours) };
    }
}

/// Why the recorder is no tool of this run: `OMP_TOOL_LIBRARIES` names one, and not the recorder.
pub(crate) fn other_tool_is_named() -> Option<String> {
    let named = std::env::var_os(TOOL_LIBRARIES)?;
    let named: Vec<PathBuf> =
        std::env::split_paths(&named).filter(|path| !path.as_os_str().is_empty()).collect();
    let ours = recorder()?;
    let is_ours = |path: &PathBuf| path.file_name() == ours.file_name();
    if named.iter().any(is_ours) {
        return None;
    }
    named.first().map(|tool| taken_by(tool))
}

fn taken_by(tool: &Path) -> String {
    format!(
        "another OpenMP tool is attached, {}, so threads are not recorded; run without it (see OMP_TOOL_LIBRARIES)",
        tool.display()
    )
}

/// Why a runtime that has asked the recorder cannot be recorded.
pub(crate) fn too_old(runtime: &str) -> String {
    format!(
        "the OpenMP runtime ({runtime}) does not tell tools of its parallel regions, so threads are not recorded; use \
         libomp 14 or later"
    )
}

fn symbol(library: *mut c_void, name: &CStr) -> Option<*const c_void> {
    // SAFETY: the name is a C string, the library one of the linker's.
    let symbol = unsafe { libc::dlsym(library, name.as_ptr()) };
    (!symbol.is_null()).then_some(symbol.cast_const())
}

/// Whether a library that is loaded has a function of this name, or one of those that it needs.
fn has(library: &Path, name: &CStr) -> bool {
    let Ok(path) = CString::new(library.as_os_str().as_bytes()) else { return false };
    // SAFETY: the path is a C string; the library stays loaded, since it was so before.
    unsafe {
        let handle = libc::dlopen(path.as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD);
        // An executable cannot be opened; it has what it is linked with.
        let found = handle.is_null() || symbol(handle, name).is_some();
        if !handle.is_null() {
            libc::dlclose(handle);
        }
        found
    }
}

/// Whether an executable or library, other than the one that has it, calls a function of this name.
fn somebody_calls(name: &CStr) -> bool {
    let mut found = false;
    loaded::each(|module| {
        links::each(module, |_, called| found |= called == name);
        if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    found
}
