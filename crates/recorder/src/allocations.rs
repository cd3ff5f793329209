#![allow(unsafe_code, reason = "stands before the functions of the C library that allocate memory")]
//! The memory that each thread allocates and frees, if that is asked for.
//!
//! The links of the program and its libraries to the functions that allocate are then led through functions that count. The
//! recorder's own links are not, so that what it allocates itself is not counted; and where nothing is asked for, nothing
//! stands between. A library of its own that is preloaded would have both wrong.

use std::cell::Cell;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::{links, loaded};

/// Allocations and frees of a thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Allocations {
    /// Calls that returned memory.
    pub(crate) allocations: u64,
    /// Calls that took memory back.
    pub(crate) frees: u64,
    /// Bytes that were asked for.
    pub(crate) bytes: u64,
}

thread_local! {
    // Without a destructor, so that reaching it never allocates.
    static OWN: Cell<Allocations> = const { Cell::new(Allocations { allocations: 0, frees: 0, bytes: 0 }) };
}

static IS_FOLLOWED: AtomicBool = AtomicBool::new(false);

/// Those of this thread since [`follow`]; `None` if they are not followed.
pub(crate) fn own() -> Option<Allocations> {
    IS_FOLLOWED.load(Ordering::Relaxed).then(|| OWN.get())
}

fn allocated(memory: *const c_void, bytes: usize) {
    if !memory.is_null() {
        let own = OWN.get();
        OWN.set(Allocations {
            allocations: own.allocations + 1,
            bytes: own.bytes.saturating_add(bytes as u64),
            ..own
        });
    }
}

fn freed(memory: *const c_void) {
    if !memory.is_null() {
        let own = OWN.get();
        OWN.set(Allocations { frees: own.frees + 1, ..own });
    }
}

/// Memory that had another place or size, and another one now, is freed and allocated.
fn moved(from: *const c_void, to: *const c_void, bytes: usize) {
    allocated(to, bytes);
    if !to.is_null() || bytes == 0 {
        freed(from);
    }
}

/// Defines functions that count beside those of the C library, and [`FOLLOWED`].
macro_rules! followed {
    ($($name:ident = $place:literal ($($argument:ident: $type:ty),*) -> $returned:ty, |$result:ident| $count:expr;)*) => {
        $(unsafe extern "C" fn $name($($argument: $type),*) -> $returned {
            let original = FOLLOWED[$place].original.load(Ordering::Relaxed);
            // SAFETY: links lead here once the address of the function of this name is known, which gets its arguments.
            let $result = unsafe {
                let original = std::mem::transmute::<usize, unsafe extern "C" fn($($type),*) -> $returned>(original);
                original($($argument),*)
            };
            $count;
            $result
        })*

        /// The functions, each at its place.
        static FOLLOWED: [Followed; [$($place),*].len()] = [$(Followed {
            name: concat!(stringify!($name), "\0"),
            counting: $name as *const c_void,
            original: AtomicUsize::new(0),
        }),*];
    };
}

/// A function of the C library.
struct Followed {
    /// With a null byte behind it.
    name: &'static str,
    /// The function that counts beside it.
    counting: *const c_void,
    /// The address of the function itself; 0 before it is looked up, and if there is none.
    original: AtomicUsize,
}

// SAFETY: the pointer is that of a function.
unsafe impl Sync for Followed {}

followed! {
    malloc = 0 (bytes: usize) -> *mut c_void, |memory| allocated(memory, bytes);
    calloc = 1 (number: usize, bytes: usize) -> *mut c_void, |memory| allocated(memory, number.saturating_mul(bytes));
    realloc = 2 (before: *mut c_void, bytes: usize) -> *mut c_void, |memory| moved(before, memory, bytes);
    reallocarray = 3 (before: *mut c_void, number: usize, bytes: usize) -> *mut c_void,
        |memory| moved(before, memory, number.saturating_mul(bytes));
    aligned_alloc = 4 (alignment: usize, bytes: usize) -> *mut c_void, |memory| allocated(memory, bytes);
    memalign = 5 (alignment: usize, bytes: usize) -> *mut c_void, |memory| allocated(memory, bytes);
    posix_memalign = 6 (memory: *mut *mut c_void, alignment: usize, bytes: usize) -> c_int, |code| {
        if code == 0 {
            // SAFETY: the function has just written it.
            allocated(unsafe { *memory }, bytes);
        }
    };
    free = 7 (memory: *mut c_void) -> (), |_nothing| freed(memory);
}

/// Follows them from now on, in all that is loaded; libraries that are loaded later are not followed. The program has not begun.
pub(crate) fn follow() {
    for function in &FOLLOWED {
        // SAFETY: a C string; asks the linker for what the links of this name lead to.
        let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, function.name.as_ptr().cast::<c_char>()) };
        function.original.store(found as usize, Ordering::Relaxed);
    }
    let recorder = links::recorder();
    loaded::each(|module| {
        if recorder
            .as_ref()
            .is_none_or(|recorder| recorder.as_os_str().as_encoded_bytes() != module.path().to_bytes())
        {
            // SAFETY: the link is that of this name.
            links::each(module, |link, name| unsafe { lead_through(link, name) });
        }
        ControlFlow::Continue(())
    });
}

/// # Safety
/// `link` holds the address of the function `name`.
unsafe fn lead_through(link: *mut usize, name: &CStr) {
    let is_it = |function: &&Followed| function.name.as_bytes() == name.to_bytes_with_nul();
    if let Some(function) = FOLLOWED.iter().find(is_it)
        && function.original.load(Ordering::Relaxed) != 0
    {
        // SAFETY: it goes on to the same function.
        unsafe { links::set(link, function.counting as usize) };
        IS_FOLLOWED.store(true, Ordering::Relaxed);
    }
}
