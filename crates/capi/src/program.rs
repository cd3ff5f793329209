#![allow(unsafe_code, reason = "functions that C calls")]
#![allow(non_camel_case_types, reason = "C's names")]
//! Frame of a program around its properties: the command line, the phases, the witness. Its functions are the steps of
//! the suite's harness; a program calls them on its main thread.

use std::cell::RefCell;
use std::env;
use std::ffi::{CStr, OsStr, OsString, c_char, c_int};
use std::mem::ManuallyDrop;
use std::os::unix::ffi::OsStrExt;
use std::process;
use std::sync::{PoisonError, RwLock};

use ats_distr::Distribution;
use ats_harness::{Harness, Measured, Measuring, Outline};
use ats_props::{CValue, Catalogue, Entry, Needs, ParameterType};
use ats_work::executor;

use crate::argument::count;
use crate::distribution::{distr_t, share};
use crate::failure::{Problem, call};
use crate::text::{intern, text};
use crate::work;

/// A value of C's enumeration; any number may come.
pub(crate) type ats_paradigm_t = c_int;

/// The descriptor of `df_given`: the number of a distribution from the command line.
#[repr(C)]
#[derive(Clone, Copy)]
struct given_distr_t {
    number: c_int,
}

/// The phase of the program.
enum Phase {
    Ready(Harness),
    Measuring(Measuring),
    Over(Box<Measured>),
}

thread_local! {
    /// Never dropped: a program that exits before its end must not finalize MPI then.
    static PROGRAM: RefCell<ManuallyDrop<Option<Phase>>> = const { RefCell::new(ManuallyDrop::new(None)) };
}

/// Begins the program of a property: reads the command line, initialises MPI if the property is one of MPI or hybrid,
/// configures work, and sets OpenMP's number of threads. Options and parameters are as in the suite's own programs;
/// `--help` lists them. If there is nothing to run, it ends the process. Without `argv`, the process' own arguments
/// are taken.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_begin(argc: c_int, argv: *mut *mut c_char, property: *const c_char) {
    call("ats_begin", || {
        // SAFETY: the program passes a string and what its main got.
        let (name, command_line) = unsafe { (text("property", property)?, command_line(argc, argv)) };
        let catalogue = Catalogue::builtin().filter(Entry::is_function);
        let program = catalogue.program(&name).map_err(|error| Problem(error.to_string()))?;
        begin(program.property.into(), command_line)
    });
}

/// As `ats_begin`, for a program of several properties, with this many ranks of this many threads. `sends_eagerly`
/// tells whether it needs standard sends that do not wait for their receives, `needs_limit` whether properties are
/// called with `ATS_LIMIT`.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_begin_composition(
    argc: c_int,
    argv: *mut *mut c_char,
    name: *const c_char,
    description: *const c_char,
    paradigm: ats_paradigm_t,
    ranks: c_int,
    threads: c_int,
    sends_eagerly: c_int,
    needs_limit: c_int,
) {
    call("ats_begin_composition", || {
        let needs = needs_of(paradigm)?;
        // SAFETY: the program passes strings and what its main got.
        let (name, description, command_line) =
            unsafe { (text("name", name)?, text("description", description)?, command_line(argc, argv)) };
        let outline = Outline {
            name: intern(&name),
            doc: intern(&description),
            needs,
            property: None,
            ranks: Some(count("ranks", ranks)?),
            threads: Some(count("threads", threads)?),
            owns_mpi: false,
            sends_eagerly: sends_eagerly != 0,
            needs_limit: needs_limit != 0,
            // Its properties are calls of its own, so it may have any.
            measured: Catalogue::builtin().measured(),
        };
        begin(outline, command_line)
    });
}

/// The needs with this number in the enumeration of the header and the module, which are written from the same.
fn needs_of(paradigm: ats_paradigm_t) -> Result<Needs, Problem> {
    let known = Needs::ALL.into_iter().find(|needs| needs.number() == paradigm);
    let names = || Needs::ALL.map(Needs::in_c).join(", ");
    known.ok_or_else(|| Problem(format!("paradigm is {paradigm}; it must be one of {}", names())))
}

fn begin(outline: Outline, command_line: Vec<OsString>) -> Result<(), Problem> {
    work::chosen();
    match Harness::begin(outline, command_line) {
        Ok(harness) => put(Phase::Ready(harness)),
        Err(code) => process::exit(code.into()),
    }
}

include!("../generated/getters.rs");

/// The number of the distribution that a parameter is, for the descriptor of `df_given`.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_distribution(name: *const c_char) -> c_int {
    call("ats_distribution", || {
        // SAFETY: the program passes a string.
        let CValue::Distribution(distribution) = (unsafe { part(name, Distribution::KIND, 0) })? else {
            unreachable!("a distribution is one in C, too")
        };
        let mut given = GIVEN.write().unwrap_or_else(PoisonError::into_inner);
        given.push(distribution);
        c_int::try_from(given.len() - 1).map_err(|_| Problem("there are too many distributions".to_owned()))
    })
}

/// The distributions that parameters are, by number.
static GIVEN: RwLock<Vec<Distribution>> = RwLock::new(Vec::new());

/// The share by a distribution from the command line.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn df_given(me: c_int, sz: c_int, scale: f64, dd: *mut distr_t) -> f64 {
    share("df_given", (me, sz), dd, |me, sz, given_distr_t { number }| {
        let given = GIVEN.read().unwrap_or_else(PoisonError::into_inner);
        let distribution = usize::try_from(number).ok().and_then(|number| given.get(number));
        let unknown = || Problem(format!("there is no distribution {number}; ask ats_distribution for one"));
        Ok(distribution.ok_or_else(unknown)?.value(me, sz, scale))
    })
}

/// Whether the balanced twin is to be measured in place of the property (`--balanced`).
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_balanced() -> c_int {
    call("ats_balanced", || with_harness(|harness| Ok(harness.balanced().into())))
}

/// The number of times that the balanced twin is to be repeated before the measured part (`--warmup`).
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_warm_ups() -> c_int {
    call("ats_warm_ups", || {
        with_harness(|harness| {
            let times = harness.warm_ups();
            c_int::try_from(times).map_err(|_| Problem(format!("--warmup is {times}; use a smaller number")))
        })
    })
}

/// All ranks wait for each other, by calls that tools do not see unless `--harness=mpi` is given.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_align() {
    call("ats_align", || {
        with_harness(|harness| {
            harness.align();
            Ok(())
        })
    });
}

/// The measured part begins: from here on there is something to find.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_begin_measured() {
    call("ats_begin_measured", || match take() {
        Some(Phase::Ready(harness)) => put(Phase::Measuring(harness.begin_measured())),
        _ => Err(misplaced()),
    });
}

/// The measured part ends.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_end_measured() {
    call("ats_end_measured", || match take() {
        Some(Phase::Measuring(measuring)) => put(Phase::Over(Box::new(measuring.end()))),
        _ => Err(misplaced()),
    });
}

/// Ends the program: writes the witness if asked for, prints a summary, finalizes MPI. Returns the exit code for main.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_end() -> c_int {
    call("ats_end", || match take() {
        Some(Phase::Over(measured)) => Ok(measured.report().into()),
        _ => Err(misplaced()),
    })
}

/// Enters a region of the program, which is announced to the tool that watches.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_enter(region: *const c_char) {
    call("ats_enter", || {
        // SAFETY: the program passes a string.
        executor::enter(intern(&unsafe { text("region", region) }?));
        Ok(())
    });
}

/// Leaves the region that was entered last.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_leave(region: *const c_char) {
    call("ats_leave", || {
        // SAFETY: the program passes a string.
        executor::leave(intern(&unsafe { text("region", region) }?));
        Ok(())
    });
}

/// Counts `number` more of what `counter` counts, such as "evaluations", in the region that the program is in. The witness
/// of a run adds it up, and the recorder writes the sums into its trace.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_add(counter: *const c_char, number: i64) {
    // SAFETY: as the caller promises.
    unsafe { add("ats_add", counter, number, ats_work::count) };
}

/// Says how much of what the kernel or the hardware counts, such as "syscw", the program causes in the region that it is in.
/// The witness of a run adds it up; recorders have to count it themselves.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_cause(counter: *const c_char, number: i64) {
    // SAFETY: as the caller promises.
    unsafe { add("ats_cause", counter, number, ats_work::cause) };
}

/// Adds to a counter.
///
/// # Safety
/// `counter` is a string.
unsafe fn add(function: &'static str, counter: *const c_char, number: i64, add: fn(&'static str, u64)) {
    call(function, || {
        let number = u64::try_from(number)
            .map_err(|_| Problem(format!("number is {number}; a count only grows, so give 0 or more")))?;
        // SAFETY: as the caller promises.
        add(intern(&unsafe { text("counter", counter) }?), number);
        Ok(())
    });
}

/// Ends all ranks with a message.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_fail(message: *const c_char) {
    // SAFETY: the program passes a string.
    call("error", || Err::<(), _>(Problem(unsafe { text("message", message) }?)));
}

fn take() -> Option<Phase> {
    PROGRAM.with_borrow_mut(|program| program.take())
}

fn put(phase: Phase) -> Result<(), Problem> {
    PROGRAM.with_borrow_mut(|program| **program = Some(phase));
    Ok(())
}

/// With a program that is set up and not over yet.
fn with_harness<R>(run: impl FnOnce(&Harness) -> Result<R, Problem>) -> Result<R, Problem> {
    PROGRAM.with_borrow(|program| match &**program {
        Some(Phase::Ready(harness)) => run(harness),
        Some(Phase::Measuring(measuring)) => run(measuring.harness()),
        _ => Err(misplaced()),
    })
}

fn misplaced() -> Problem {
    Problem(
        "it is not its turn; on the main thread come ats_begin, the arguments, ats_begin_measured, ats_end_measured, \
         ats_end"
            .to_owned(),
    )
}

/// The argument of C for a parameter of a kind, or for a part of it.
///
/// # Safety
/// `name` is a string of C, or null.
unsafe fn part(name: *const c_char, kind: &str, at: usize) -> Result<CValue, Problem> {
    // SAFETY: the caller's promise.
    let name = unsafe { text("name", name) }?;
    with_harness(|harness| {
        let value = harness.value(&name).filter(|value| value.kind() == kind);
        let value =
            value.ok_or_else(|| Problem(format!("the property has no {kind} of the name `{name}`")))?;
        Ok(value.to_c().swap_remove(at))
    })
}

/// # Safety
/// `argv` is null, or has `argc` strings of C.
unsafe fn command_line(argc: c_int, argv: *mut *mut c_char) -> Vec<OsString> {
    if argv.is_null() {
        return env::args_os().collect();
    }
    // SAFETY: the caller's promise.
    let argument = |at| unsafe { CStr::from_ptr(*argv.add(at)) };
    (0..usize::try_from(argc).unwrap_or(0))
        .map(|at| OsStr::from_bytes(argument(at).to_bytes()).to_owned())
        .collect()
}
