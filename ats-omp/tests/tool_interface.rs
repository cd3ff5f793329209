#![allow(unsafe_code, reason = "is a tool that listens by OMPT (OpenMP 5.0, chapter 4)")]
//! A tool sees genuine constructs, and every use of one at a call site of its own. This program is its own tool.

use std::collections::BTreeSet;
use std::ffi::{c_char, c_void};
use std::ptr;
use std::sync::Mutex;
use std::sync::atomic::AtomicU64;

use ats_omp::openmp::OpenMp;
use ats_omp::{LockKind, Reduction, Schedule, Team, Thread};

/// The events and requests seen, each with the address of the call.
static SEEN: Mutex<Vec<(&str, usize)>> = Mutex::new(Vec::new());

const BEGIN: i32 = 1;

fn see(what: &'static str, endpoint: i32, call: *const c_void) {
    if endpoint == BEGIN {
        SEEN.lock().unwrap().push((what, call.addr()));
    }
}

extern "C" fn parallel(
    _: *mut u64,
    _: *const c_void,
    _: *mut u64,
    _threads: u32,
    _flags: i32,
    call: *const c_void,
) {
    see("parallel", BEGIN, call);
}

extern "C" fn work(_kind: i32, endpoint: i32, _: *mut u64, _: *mut u64, _count: u64, call: *const c_void) {
    see("work", endpoint, call);
}

extern "C" fn masked(endpoint: i32, _: *mut u64, _: *mut u64, call: *const c_void) {
    see("masked", endpoint, call);
}

extern "C" fn synchronisation(kind: i32, endpoint: i32, _: *mut u64, _: *mut u64, call: *const c_void) {
    const TASKWAIT: i32 = 5;
    see(if kind == TASKWAIT { "taskwait" } else { "barrier" }, endpoint, call);
}

extern "C" fn reduction(_kind: i32, endpoint: i32, _: *mut u64, _: *mut u64, call: *const c_void) {
    see("reduction", endpoint, call);
}

extern "C" fn acquire(kind: i32, _hint: u32, _implementation: u32, _lock: u64, call: *const c_void) {
    let kinds = ["", "lock", "lock", "nested lock", "nested lock", "critical", "atomic", "ordered"];
    see(kinds[kind as usize], BEGIN, call);
}

extern "C" fn flush(_: *mut u64, call: *const c_void) {
    see("flush", BEGIN, call);
}

type Callback = *const c_void;
type SetCallback = extern "C" fn(event: i32, callback: Callback) -> i32;
type Lookup = extern "C" fn(name: *const c_char) -> Option<SetCallback>;

#[repr(C)]
struct Tool {
    initialize: extern "C" fn(lookup: Lookup, device: i32, tool: *mut u64) -> i32,
    finalize: extern "C" fn(tool: *mut u64),
    data: u64,
}

extern "C" fn initialize(lookup: Lookup, _device: i32, _tool: *mut u64) -> i32 {
    let set_callback = lookup(c"ompt_set_callback".as_ptr()).unwrap();
    for (event, callback) in [
        (3, parallel as Callback),
        (20, work as Callback),
        (21, masked as Callback),
        (23, synchronisation as Callback),
        (26, acquire as Callback),
        (29, flush as Callback),
        (31, reduction as Callback),
    ] {
        set_callback(event, callback);
    }
    1
}

extern "C" fn finalize(_tool: *mut u64) {}

/// The entry point that a runtime looks for in a program when it starts.
#[unsafe(no_mangle)]
extern "C" fn ompt_start_tool(_version: u32, _runtime: *const c_char) -> *mut c_void {
    static TOOL: Tool = Tool { initialize, finalize, data: 0 };
    ptr::from_ref(&TOOL).cast_mut().cast()
}

/// Uses every construct once, wherever it is written. A region has a critical of its own name, since the compiler
/// makes one of two that do the same.
macro_rules! uses {
    ($team:expr, $name:literal) => {
        let (simple, nested) = ($team.new_lock(LockKind::Simple), $team.new_lock(LockKind::Nested));
        let (target, sum) = (AtomicU64::new(0), Reduction::default());
        $team.parallel(1, |t| {
            t.barrier();
            t.for_each(1, Schedule::Static, |_| ());
            t.for_each_nowait(1, Schedule::Dynamic(1), |_| ());
            t.for_ordered(1, Schedule::StaticChunk(1), |_| (), |_| ());
            t.sections(1, |_| ());
            t.single(|| ());
            t.master(|| ());
            t.critical($name, || ());
            t.with_lock(&simple, || ());
            t.with_lock(&nested, || ());
            t.try_with_lock(&simple, || ());
            t.atomic(&target, |value| value);
            t.flush();
            t.taskwait();
            t.reduce(1.0, &sum);
        });
    };
}

const EXPECTED: [&str; 20] = [
    "parallel",
    "barrier",
    "work",
    "barrier",
    "work",
    "work",
    "ordered",
    "barrier",
    "work",
    "barrier",
    "work",
    "barrier",
    "masked",
    "critical",
    "lock",
    "nested lock",
    "lock",
    "atomic",
    "flush",
    "taskwait",
];

#[test]
fn every_use_of_a_construct_is_seen_at_a_place_of_its_own() {
    uses!(OpenMp, "here");
    uses!(OpenMp, "there");
    let mut seen = std::mem::take(&mut *SEEN.lock().unwrap());
    let reductions = seen.extract_if(.., |&mut (what, _)| what == "reduction").count();
    assert_eq!(reductions, 2, "seen, though not where");
    assert_eq!(seen.iter().map(|&(what, _)| what).collect::<Vec<_>>(), [EXPECTED, EXPECTED].concat());
    let places: BTreeSet<_> = seen.iter().map(|&(_, place)| place).collect();
    assert_eq!(places.len(), seen.len());
    let property = every_use_of_a_construct_is_seen_at_a_place_of_its_own as fn() as usize;
    let farthest = places.iter().map(|place| place.abs_diff(property)).max().unwrap();
    assert!(farthest < 1 << 20, "the places are in the program, not in the runtime: {seen:x?}");
}
