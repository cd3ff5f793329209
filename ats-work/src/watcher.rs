#![allow(unsafe_code, reason = "calls the entry points of whatever tool watches the process")]
//! Region marks and counts of a real process, handed to the tool that watches it.
//!
//! Nothing is linked: the entry points are looked up at run time. Known are our recorder, Score-P's user regions,
//! TAU, Caliper, Extrae and callgrind; the first that is present hears of every region. Our recorder hears of counts, too.

mod valgrind;

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::{CStr, CString, c_char, c_uint, c_ulonglong, c_void};
use std::mem::MaybeUninit;
use std::num::NonZeroU32;
use std::sync::OnceLock;

type ByName = unsafe extern "C" fn(*const c_char);
type Count = unsafe extern "C" fn(*const c_char, u64);
type ScorepBegin = unsafe extern "C" fn(
    *mut *mut c_void,
    *mut *const c_char,
    *mut u32,
    *const c_char,
    u32,
    *const c_char,
    u32,
);
type ScorepEnd = unsafe extern "C" fn(*mut c_void);
type ExtraeEvent = unsafe extern "C" fn(c_uint, c_ulonglong);
type ExtraeDefine =
    unsafe extern "C" fn(*mut c_uint, *mut c_char, *mut c_uint, *mut c_ulonglong, *mut *mut c_char);

/// A tool that wants to hear of regions.
enum Tool {
    /// Takes a name at begin and end: our recorder, TAU, Caliper.
    Named { enter: ByName, leave: ByName },
    /// Score-P keeps a handle per region.
    Scorep { begin: ScorepBegin, end: ScorepEnd },
    /// Extrae has events of a type, whose values are the regions; 0 is the end of the last one.
    Extrae { event: ExtraeEvent, define: ExtraeDefine },
    /// Callgrind ends a part of its report with a text.
    Callgrind,
}

/// The functions that identify a tool that takes names: its entry points, and a further function of the same library.
/// A program with functions of these names, but of another type, will hardly have all three.
const NAMED: [[&CStr; 3]; 3] = [
    [c"ats_region_enter", c"ats_region_leave", c"ats_recorder_mpi"],
    [c"Tau_start", c"Tau_stop", c"Tau_set_node"],
    [c"cali_begin_region", c"cali_end_region", c"cali_caliper_version"],
];
const SCOREP: [&CStr; 3] =
    [c"SCOREP_User_RegionBegin", c"SCOREP_User_RegionEnd", c"SCOREP_User_RewindRegionBegin"];
const EXTRAE: [&CStr; 3] = [c"Extrae_event", c"Extrae_define_event_type", c"Extrae_get_version"];

/// The type of the events of regions in a trace of Extrae: "ATS". Extrae's own begin at 30,000,000.
const EXTRAE_TYPE: c_uint = 0x41_5453;

/// The function of our recorder that takes a counter's name and what is added.
const COUNT: [&CStr; 3] = [c"ats_region_count", c"ats_region_enter", c"ats_recorder_mpi"];

/// The function that takes counts, if our recorder watches.
fn counting() -> Option<Count> {
    static COUNTING: OnceLock<Option<Count>> = OnceLock::new();
    *COUNTING.get_or_init(|| {
        let [count, _] = entry_points(COUNT)?;
        // SAFETY: under this name our recorder publishes a function of exactly this type.
        Some(unsafe { std::mem::transmute::<*mut c_void, Count>(count) })
    })
}

fn tool() -> Option<&'static Tool> {
    static TOOL: OnceLock<Option<Tool>> = OnceLock::new();
    TOOL.get_or_init(|| {
        if let Some([enter, leave]) = NAMED.into_iter().find_map(entry_points) {
            // SAFETY: under these names the tools publish functions of exactly this type.
            let (enter, leave) = unsafe {
                (
                    std::mem::transmute::<*mut c_void, ByName>(enter),
                    std::mem::transmute::<*mut c_void, ByName>(leave),
                )
            };
            return Some(Tool::Named { enter, leave });
        }
        if let Some([begin, end]) = entry_points(SCOREP) {
            // SAFETY: as in Score-P's SCOREP_User_Functions.h.
            let (begin, end) = unsafe {
                (
                    std::mem::transmute::<*mut c_void, ScorepBegin>(begin),
                    std::mem::transmute::<*mut c_void, ScorepEnd>(end),
                )
            };
            return Some(Tool::Scorep { begin, end });
        }
        let Some([event, define]) = entry_points(EXTRAE) else {
            return valgrind::runs().then_some(Tool::Callgrind);
        };
        // SAFETY: as in Extrae's extrae_user_events.h.
        let (event, define) = unsafe {
            (
                std::mem::transmute::<*mut c_void, ExtraeEvent>(event),
                std::mem::transmute::<*mut c_void, ExtraeDefine>(define),
            )
        };
        Some(Tool::Extrae { event, define })
    })
    .as_ref()
}

/// The first two of these functions, if all are there and in one library.
fn entry_points(names: [&CStr; 3]) -> Option<[*mut c_void; 2]> {
    let [enter, leave, further] = names.map(symbol);
    let (enter, leave, further) = (enter?, leave?, further?);
    let in_library = library(enter)?;
    [leave, further].iter().all(|function| library(*function) == Some(in_library)).then_some([enter, leave])
}

fn symbol(name: &CStr) -> Option<*mut c_void> {
    // SAFETY: the name is a C string; a missing symbol is a null pointer.
    let address = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    (!address.is_null()).then_some(address)
}

/// The path of the library that a function belongs to.
fn library(function: *mut c_void) -> Option<*mut c_void> {
    let mut info = MaybeUninit::<libc::Dl_info>::zeroed();
    // SAFETY: `info` is a valid place for the result, whose all-zero value is valid, too.
    unsafe { (libc::dladdr(function, info.as_mut_ptr()) != 0).then(|| info.assume_init().dli_fbase) }
}

/// A region's name as C wants it, the texts for callgrind's parts, Score-P's handle for it, and Extrae's number once that
/// has its name.
struct Known {
    name: CString,
    /// The text of a part that ends where the region begins.
    enters: CString,
    /// The text of a part that ends where the region does.
    leaves: CString,
    handle: *mut c_void,
    number: Option<NonZeroU32>,
}

impl Known {
    /// The region's number, the same in all processes; Extrae gets its name first.
    fn number(&mut self, define: ExtraeDefine) -> NonZeroU32 {
        *self.number.get_or_insert_with(|| {
            let number = number_of(self.name.to_bytes());
            let mut values = [0, c_ulonglong::from(number.get())];
            let mut names = [c"End".as_ptr().cast_mut(), self.name.as_ptr().cast_mut()];
            let (mut kind, mut count) = (EXTRAE_TYPE, values.len() as c_uint);
            // SAFETY: all pointers are valid for the call, the tables as long as it says, and the names C strings, which
            // are only read.
            unsafe {
                define(
                    &mut kind,
                    c"Regions".as_ptr().cast_mut(),
                    &mut count,
                    values.as_mut_ptr(),
                    names.as_mut_ptr(),
                );
            }
            number
        })
    }
}

/// A number for a name: FNV-1a, which is the same everywhere.
fn number_of(name: &[u8]) -> NonZeroU32 {
    let hash =
        name.iter().fold(0x811c_9dc5, |hash: u32, &byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    NonZeroU32::new(hash).unwrap_or(NonZeroU32::MIN)
}

thread_local! {
    static KNOWN: RefCell<HashMap<&'static str, Known>> = RefCell::default();
}

fn with_known(name: &'static str, use_it: impl FnOnce(&mut Known)) {
    KNOWN.with_borrow_mut(|known| {
        let text = |before: &str| {
            CString::new(format!("{before}{name}").replace('\0', "")).expect("the zeros were taken out")
        };
        use_it(known.entry(name).or_insert_with(|| Known {
            name: text(""),
            enters: text("ats enter "),
            leaves: text("ats leave "),
            handle: std::ptr::null_mut(),
            number: None,
        }));
    });
}

pub(crate) fn enter(name: &'static str) {
    let Some(tool) = tool() else { return };
    with_known(name, |known| match *tool {
        // SAFETY: the name is a C string that outlives the call.
        Tool::Named { enter, .. } => unsafe { enter(known.name.as_ptr()) },
        Tool::Scorep { begin, .. } => {
            let (mut last_file_name, mut last_file) = (std::ptr::null(), 0);
            // SAFETY: all pointers are valid for the call; the handle starts as null, which Score-P fills in.
            unsafe {
                begin(
                    &mut known.handle,
                    &mut last_file_name,
                    &mut last_file,
                    known.name.as_ptr(),
                    0,
                    c"ats".as_ptr(),
                    0,
                );
            }
        }
        Tool::Extrae { event, define } => {
            let number = known.number(define);
            // SAFETY: it takes any numbers.
            unsafe { event(EXTRAE_TYPE, number.get().into()) };
        }
        Tool::Callgrind => valgrind::end_part(&known.enters),
    });
}

/// Counts `number` more of what `counter` counts.
pub(crate) fn count(counter: &'static str, number: u64) {
    let Some(count) = counting() else { return };
    // SAFETY: the name is a C string that outlives the call.
    with_known(counter, |known| unsafe { count(known.name.as_ptr(), number) });
}

pub(crate) fn leave(name: &'static str) {
    let Some(tool) = tool() else { return };
    with_known(name, |known| match *tool {
        // SAFETY: the name is a C string that outlives the call.
        Tool::Named { leave, .. } => unsafe { leave(known.name.as_ptr()) },
        // SAFETY: the handle was filled in by the matching begin.
        Tool::Scorep { end, .. } => unsafe { end(known.handle) },
        // SAFETY: it takes any numbers.
        Tool::Extrae { event, .. } => unsafe { event(EXTRAE_TYPE, 0) },
        Tool::Callgrind => valgrind::end_part(&known.leaves),
    });
}
