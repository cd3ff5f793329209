#![allow(unsafe_code, reason = "reads the frames of a Python interpreter, by the layout of its version")]
//! The functions in Python that lead to a call of MPI.
//!
//! Since version 3.11, CPython calls functions of the program without calls of C, so its own stack says nothing of them.
//! Nor does its interface: it creates objects, which takes the global lock, and libraries release that before they call
//! MPI. So the frames of this thread are read as they are in memory. They do not change while it is in a call.
//!
//! Of an interpreter with another layout nothing is read: its version has to be known, and each frame has to execute
//! something that begins as a code object.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::iter;
use std::ops::Range;
use std::ptr;
use std::sync::OnceLock;

use ats_trace::parts::LocalContext;

/// A frame: what it executes, and where in that it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Frame {
    code: usize,
    instruction: usize,
}

/// Offsets in bytes, as the headers of CPython have them on machines with 64 bits.
#[derive(Debug)]
struct Layout {
    /// From the state of a thread to its innermost frame, by one or two pointers.
    innermost: &'static [usize],
    /// From a frame to the next outer one, to what it executes, and to its place in that.
    outer: usize,
    code: usize,
    instruction: usize,
    place: Position,
    /// From a code object to the name of its file, and to its own.
    file: usize,
    name: usize,
    /// The bytes of a string before its characters, if they are all ASCII and otherwise.
    ascii: usize,
    unicode: usize,
}

/// The place of a frame in what it executes.
#[derive(Debug)]
enum Position {
    /// An index of instructions that take this many bytes.
    Index(i32),
    /// A pointer to an instruction; the first one is this far from the code object.
    Pointer(usize),
}

/// The layout of a version 3.x; `None` if it is not known.
fn layout(minor: u32) -> Option<Layout> {
    let old = Layout {
        innermost: &[24],
        outer: 24,
        code: 32,
        instruction: 104,
        place: Position::Index(1),
        file: 104,
        name: 112,
        ascii: 48,
        unicode: 72,
    };
    let new = Layout {
        innermost: &[56, 0],
        outer: 8,
        code: 0,
        instruction: 56,
        place: Position::Pointer(192),
        file: 112,
        name: 128,
        ascii: 40,
        unicode: 56,
    };
    Some(match minor {
        9 => old,
        10 => Layout { instruction: 96, place: Position::Index(2), ..old },
        11 => Layout {
            innermost: &[56, 8],
            outer: 48,
            code: 32,
            place: Position::Pointer(184),
            ascii: 48,
            unicode: 72,
            ..new
        },
        12 => new,
        13 => Layout { innermost: &[72], place: Position::Pointer(200), ..new },
        _ => return None,
    })
}

/// The interpreter of this process.
#[derive(Debug)]
pub(crate) struct Interpreter {
    layout: Layout,
    /// The state of this thread; null if it has none. Needs no lock.
    state: unsafe extern "C" fn() -> *const c_void,
    /// The line of an instruction of a code object, by its distance in bytes. Reads only what never changes.
    line: unsafe extern "C" fn(*const c_void, c_int) -> c_int,
    /// The type of code objects.
    code: usize,
    /// The addresses of the executable or library that it is.
    pub(crate) module: Range<usize>,
}

static INTERPRETER: OnceLock<Option<Interpreter>> = OnceLock::new();

/// The interpreter, if one has been found.
#[inline]
pub(crate) fn interpreter() -> Option<&'static Interpreter> {
    INTERPRETER.get()?.as_ref()
}

/// Looks for an interpreter, which a program may load at any time.
pub(crate) fn find() -> Option<&'static Interpreter> {
    if INTERPRETER.get().is_none()
        && let Some(version) = symbol(c"Py_GetVersion")
    {
        INTERPRETER.get_or_init(|| Interpreter::from_version(version));
    }
    interpreter()
}

fn symbol(name: &CStr) -> Option<ptr::NonNull<c_void>> {
    // SAFETY: the linker gets a name.
    ptr::NonNull::new(unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) })
}

impl Interpreter {
    fn from_version(version: ptr::NonNull<c_void>) -> Option<Self> {
        // Counts references in each object, or has objects of another form.
        if !cfg!(target_pointer_width = "64") || symbol(c"_Py_PrintReferences").is_some() {
            return None;
        }
        // SAFETY: as Python.h declares them. The version is a constant, `3.11.2 (main, …) [GCC 12.2.0]`.
        let (version, state, line) = unsafe {
            let version_of =
                std::mem::transmute::<ptr::NonNull<c_void>, extern "C" fn() -> *const c_char>(version);
            (
                CStr::from_ptr(version_of()).to_str().ok()?,
                std::mem::transmute::<ptr::NonNull<c_void>, unsafe extern "C" fn() -> *const c_void>(symbol(
                    c"PyGILState_GetThisThreadState",
                )?),
                std::mem::transmute::<
                    ptr::NonNull<c_void>,
                    unsafe extern "C" fn(*const c_void, c_int) -> c_int,
                >(symbol(c"PyCode_Addr2Line")?),
            )
        };
        if version.contains("free-threading") {
            return None;
        }
        let (minor, _) = version.strip_prefix("3.")?.split_once('.')?;
        Some(Interpreter {
            layout: layout(minor.parse().ok()?)?,
            state,
            line,
            code: symbol(c"PyCode_Type")?.as_ptr().addr(),
            module: crate::code::span(state as usize)?,
        })
    }

    /// The frames of this thread, the innermost first.
    pub(crate) fn frames(&self) -> impl Iterator<Item = Frame> {
        let Layout { innermost, outer, code, instruction, ref place, .. } = self.layout;
        let is_index = matches!(place, Position::Index(_));
        // SAFETY: the interpreter's own function.
        let state = unsafe { (self.state)() }.addr();
        // SAFETY: the state of this thread, and what it points to, as its version has it.
        let first = innermost.iter().fold(state, |at, offset| unsafe { word(at, *offset) });
        // SAFETY: the frames of a thread that is in a call do not change.
        let next = move |&frame: &usize| Some(unsafe { word(frame, outer) });
        iter::successors(Some(first), next).take_while(|&frame| frame != 0).filter_map(move |frame| {
            // SAFETY: as above.
            let code = unsafe { word(frame, code) };
            // Where C calls Python, there is a frame that executes nothing.
            // SAFETY: an object, whose second word is its type.
            if unsafe { word(code, size_of::<usize>()) } != self.code {
                return None;
            }
            // SAFETY: as above.
            let at = unsafe { word(frame, instruction) };
            // An index takes half of a word.
            Some(Frame { code, instruction: if is_index { at as u32 as usize } else { at } })
        })
    }

    /// The function of a frame of this thread, with file and line.
    pub(crate) fn context(&self, frame: Frame) -> LocalContext {
        let Frame { code, instruction } = frame;
        let distance = match self.layout.place {
            Position::Index(bytes) => (instruction as i32).wrapping_mul(bytes),
            Position::Pointer(first) => instruction.wrapping_sub(code + first) as i32,
        };
        // SAFETY: the code object of a frame.
        let line = unsafe { (self.line)(ptr::with_exposed_provenance(code), distance) };
        // SAFETY: its names are strings.
        let text = |offset| unsafe { self.text_of(word(code, offset)) }.unwrap_or_default();
        LocalContext {
            function: text(self.layout.name),
            file: text(self.layout.file),
            line: u32::try_from(line).unwrap_or(0),
            parent: None,
        }
    }

    /// The characters of a string.
    ///
    /// # Safety
    /// It is a string of the interpreter.
    unsafe fn text_of(&self, string: usize) -> Option<String> {
        // Behind the header of an object: its length, its hash, and what it is like.
        const LENGTH: usize = 16;
        const STATE: usize = 32;
        /// The bytes of a character in bits 2 to 4, and whether the characters follow, and are all ASCII.
        const COMPACT: usize = 1 << 5;
        const ASCII: usize = 1 << 6;
        // SAFETY: the fields of a string.
        let (length, state) = unsafe { (word(string, LENGTH), word(string, STATE)) };
        if state & COMPACT == 0 {
            return None;
        }
        let first = string + if state & ASCII == 0 { self.layout.unicode } else { self.layout.ascii };
        let at = ptr::with_exposed_provenance::<u8>(first);
        // SAFETY: as many characters as it is long, of the size that it has.
        unsafe {
            Some(match state >> 2 & 7 {
                1 => std::slice::from_raw_parts(at, length).iter().map(|&byte| char::from(byte)).collect(),
                2 => String::from_utf16_lossy(std::slice::from_raw_parts(at.cast(), length)),
                4 => std::slice::from_raw_parts(at.cast(), length)
                    .iter()
                    .filter_map(|&c| char::from_u32(c))
                    .collect(),
                _ => return None,
            })
        }
    }
}

/// The word at a distance from an address; 0 if there is none.
///
/// # Safety
/// The address is 0, or can be read.
unsafe fn word(at: usize, offset: usize) -> usize {
    if at == 0 {
        return 0;
    }
    // SAFETY: by contract.
    unsafe { ptr::read_volatile(ptr::with_exposed_provenance(at + offset)) }
}

/// Whether a file is of what starts programs in Python, and imports their modules.
pub(crate) fn is_below_programs(file: &str) -> bool {
    // From 3.12 on, a frame without code of the program stands between C and Python.
    file == "<shim>"
        || file.starts_with("<frozen ")
        || file.ends_with("/runpy.py")
        || file.contains("/mpi4py/")
}
