#![allow(unsafe_code, reason = "called by the OpenMP runtime with its own pointers")]
//! The callbacks of an OpenMP runtime, by the numbers and signatures of OMPT (OpenMP 5.0 to 5.2, chapter "OMPT
//! Interface").
//!
//! The data that the runtime keeps for us: for a parallel region a counted [`Team`], for an implicit task twice the
//! number of things open before it, plus one, for an explicit task a [`Task`].

use std::ffi::{c_int, c_uint, c_void};
use std::sync::Arc;

use ats_model::openmp::Construct;

use super::test_lock;
use crate::openmp::open::Buffer;
use crate::openmp::team::Team;
use crate::openmp::thread::barriers::Barrier;
use crate::openmp::thread::locks::Mutex;
use crate::openmp::thread::tasks::Next;
use crate::openmp::thread::{Task, Thread};
use crate::{belongs, buffer, clock, session, track};

/// The type `ompt_data_t`.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct Data(u64);

type Place = *const c_void;

/// `ompt_scope_endpoint_t`; a third, `beginend`, is both at once.
const BEGIN: c_int = 1;
const END: c_int = 2;

/// A callback's number and its function.
pub(super) type Callback = (c_int, *const c_void);

/// Those without which there is nothing to record: threads, parallel regions, implicit tasks and barriers.
pub(super) fn needed() -> [Callback; 5] {
    [
        (1, thread_begin as *const c_void),
        (3, parallel_begin as *const c_void),
        (4, parallel_end as *const c_void),
        (7, implicit_task as *const c_void),
        (23, sync_region as *const c_void),
    ]
}

/// The others; a runtime may not know some.
pub(super) fn further() -> [Callback; 11] {
    [
        (5, task_create as *const c_void),
        (6, task_schedule as *const c_void),
        (17, mutex_released as *const c_void),
        (20, work as *const c_void),
        (21, masked as *const c_void),
        (26, mutex_acquire as *const c_void),
        (27, mutex_acquired as *const c_void),
        (28, nest_lock as *const c_void),
        (29, flush as *const c_void),
        (31, reduction as *const c_void),
        (32, dispatch as *const c_void),
    ]
}

/// Records what happened at `ticks`, unless nothing is recorded.
#[inline]
fn record<R>(ticks: u64, record: impl FnOnce(&mut Thread, &mut Buffer) -> R) -> Option<R> {
    record_metered(ticks, |_| false, record)
}

/// As [`record`], at a place where the counters that are asked for are read before, if it `is_metered`.
#[inline]
fn record_metered<R>(
    ticks: u64,
    is_metered: impl FnOnce(&Thread) -> bool,
    record: impl FnOnce(&mut Thread, &mut Buffer) -> R,
) -> Option<R> {
    let recorded = track::with_thread(None, ticks, is_metered, record);
    make_room();
    recorded
}

#[inline]
fn make_room() {
    if buffer::is_full() {
        session::make_room();
    }
}

/// The value that the runtime keeps for us; `None` if it hands out none.
///
/// # Safety
/// `data` is null or points to the runtime's data.
unsafe fn value(data: *const Data) -> Option<u64> {
    // SAFETY: as the caller promises.
    unsafe { data.as_ref() }.map(|data| data.0).filter(|&value| value != 0)
}

/// The teams of a league are not followed.
const LEAGUE: c_int = 0x4000_0000;

/// The mark that the runtime keeps for us of a parallel region of its own; a team's address is never odd.
const OF_THE_RUNTIME: u64 = 1;

unsafe extern "C" fn thread_begin(thread_type: c_int, _thread: *mut Data) {
    belongs::announce(thread_type);
    if !belongs::thread_does() {
        track::leave_out();
    }
}

unsafe extern "C" fn parallel_begin(
    _task: *mut Data,
    _frame: *const c_void,
    parallel: *mut Data,
    requested: c_uint,
    flags: c_int,
    place: Place,
) {
    let ticks = clock::now();
    if flags & LEAGUE != 0 {
        return;
    }
    session::begin_alone();
    let fork = |thread: &mut Thread, buffer: &mut Buffer| {
        thread.forks(buffer, ticks, requested, place as usize) as u64
    };
    let team = record_metered(ticks, |_| true, fork);
    let not_recorded = || if belongs::thread_does() { 0 } else { OF_THE_RUNTIME };
    // SAFETY: the runtime's own, for us to fill in.
    unsafe { *parallel = Data(team.unwrap_or_else(not_recorded)) };
}

/// Ends a region without the value that the runtime keeps for it, which may be another thread's by now: LLVM's runtime
/// reuses a team before it reports the region's end.
unsafe extern "C" fn parallel_end(_parallel: *mut Data, _task: *mut Data, flags: c_int, _place: Place) {
    let ticks = clock::now();
    if flags & LEAGUE == 0 {
        record(ticks, |thread, buffer| thread.joins(buffer, ticks));
    }
}

unsafe extern "C" fn implicit_task(
    endpoint: c_int,
    parallel: *mut Data,
    task: *mut Data,
    size: c_uint,
    index: c_uint,
    _flags: c_int,
) {
    let ticks = clock::now();
    if endpoint == END {
        // SAFETY: the runtime's own data; what is in it was put there below.
        if let Some(depth) = unsafe { value(task) }.filter(|depth| depth & 1 != 0) {
            // A team of several is metered at the barrier before.
            record_metered(ticks, Thread::has_had_no_barrier, |thread, buffer| {
                thread.ends_in(buffer, ticks, (depth >> 1) as usize);
            });
        }
        return;
    }
    // SAFETY: the runtime's own data.
    let parallel = unsafe { value(parallel) };
    if parallel == Some(OF_THE_RUNTIME) {
        return track::leave_out();
    }
    // SAFETY: it names a counted team from `parallel_begin` until `parallel_end`, which comes after this.
    let team = unsafe {
        parallel.map(|team| {
            let team = team as *const Team;
            Arc::increment_strong_count(team);
            Arc::from_raw(team)
        })
    };
    if let Some(team) = team {
        let number = team.of_first_thread.then_some(index);
        track::with_thread(
            number,
            ticks,
            |_| true,
            |thread, buffer| {
                let depth = thread.begins_in(buffer, ticks, team, index, size);
                // SAFETY: the runtime's own, for us to fill in.
                unsafe { *task = Data((depth as u64) << 1 | 1) };
            },
        );
        make_room();
    }
}

unsafe extern "C" fn sync_region(
    kind: c_int,
    endpoint: c_int,
    _parallel: *mut Data,
    _task: *mut Data,
    place: Place,
) {
    let ticks = clock::now();
    let place = place as usize;
    // The runtime keeps the others in the barrier at the end of a team until it has new work for them.
    let is_metered = |thread: &Thread| {
        (kind == 9 || kind == 2 && thread.is_at_end(place)) && (endpoint == BEGIN || thread.is_master())
    };
    record_metered(ticks, is_metered, |thread, buffer| {
        let barrier = match kind {
            // Of any kind; of a construct or a team; that the runtime needs; of a construct; of a team.
            1 | 3 => Some(Barrier::Explicit),
            2 if thread.is_at_end(place) => Some(Barrier::OfTeam),
            2 | 8 | 10 => Some(Barrier::OfConstruct),
            4 => Some(Barrier::OfRuntime),
            9 => Some(Barrier::OfTeam),
            // The end of a taskwait, and of a taskgroup, which waits likewise.
            5 | 6 => None,
            _ => return,
        };
        if endpoint != END {
            match barrier {
                Some(barrier) => thread.barrier_begins(buffer, ticks, barrier, place),
                None => thread.construct_begins(buffer, ticks, Construct::TaskWait, None, place),
            }
        }
        if endpoint != BEGIN {
            match barrier {
                Some(_) => thread.barrier_ends(buffer, ticks),
                None => thread.construct_ends(buffer, ticks, Construct::TaskWait),
            }
        }
    });
}

unsafe extern "C" fn work(
    kind: c_int,
    endpoint: c_int,
    _parallel: *mut Data,
    _task: *mut Data,
    _count: u64,
    place: Place,
) {
    let ticks = clock::now();
    let (construct, block) = match kind {
        // Some runtimes tell the schedules of loops apart.
        1 | 10..=13 => (Construct::For, None),
        2 => (Construct::Sections, None),
        3 => (Construct::Single, Some(Construct::SingleBlock)),
        4 => (Construct::Single, None),
        _ => return,
    };
    record(ticks, |thread, buffer| {
        if endpoint != END {
            thread.construct_begins(buffer, ticks, construct, block, place as usize);
        }
        if endpoint != BEGIN {
            thread.work_ends(buffer, ticks, construct);
        }
    });
}

unsafe extern "C" fn dispatch(_parallel: *mut Data, _task: *mut Data, kind: c_int, instance: Data) {
    const SECTION: c_int = 2;
    let ticks = clock::now();
    if kind == SECTION {
        record(ticks, |thread, buffer| thread.section_begins(buffer, ticks, instance.0 as usize));
    }
}

unsafe extern "C" fn masked(endpoint: c_int, _parallel: *mut Data, _task: *mut Data, place: Place) {
    around(clock::now(), endpoint, Construct::Master, place);
}

unsafe extern "C" fn reduction(
    _kind: c_int,
    endpoint: c_int,
    _parallel: *mut Data,
    _task: *mut Data,
    place: Place,
) {
    around(clock::now(), endpoint, Construct::Reduction, place);
}

fn around(ticks: u64, endpoint: c_int, construct: Construct, place: Place) {
    record(ticks, |thread, buffer| {
        if endpoint != END {
            thread.construct_begins(buffer, ticks, construct, None, place as usize);
        }
        if endpoint != BEGIN {
            thread.construct_ends(buffer, ticks, construct);
        }
    });
}

unsafe extern "C" fn flush(_thread: *mut Data, place: Place) {
    let ticks = clock::now();
    record(ticks, |thread, buffer| thread.instant(buffer, ticks, Construct::Flush, place as usize, None));
}

/// The kind of an `ompt_mutex_t`.
fn mutex(kind: c_int) -> Option<Mutex> {
    Some(match kind {
        1 if !test_lock::is_in_progress() => Mutex::Lock(Construct::SetLock),
        1 | 2 => Mutex::Lock(Construct::TestLock),
        3 if !test_lock::is_in_progress() => Mutex::Lock(Construct::SetNestLock),
        3 | 4 => Mutex::Lock(Construct::TestNestLock),
        5 => Mutex::Critical,
        6 => Mutex::Atomic,
        7 => Mutex::Ordered,
        _ => return None,
    })
}

unsafe extern "C" fn mutex_acquire(kind: c_int, _hint: c_uint, _how: c_uint, _identity: u64, place: Place) {
    let ticks = clock::now();
    if let Some(mutex) = mutex(kind) {
        record(ticks, |thread, buffer| thread.requests(buffer, ticks, mutex, place as usize));
    }
}

unsafe extern "C" fn mutex_acquired(kind: c_int, identity: u64, place: Place) {
    let ticks = clock::now();
    if let Some(mutex) = mutex(kind) {
        record(ticks, |thread, buffer| thread.acquires(buffer, ticks, mutex, identity, place as usize));
    }
}

unsafe extern "C" fn mutex_released(kind: c_int, identity: u64, place: Place) {
    let ticks = clock::now();
    if let Some(mutex) = mutex(kind) {
        record(ticks, |thread, buffer| thread.releases(buffer, ticks, mutex, identity, place as usize));
    }
}

unsafe extern "C" fn nest_lock(endpoint: c_int, identity: u64, place: Place) {
    let ticks = clock::now();
    record(ticks, |thread, buffer| match endpoint {
        BEGIN => thread.reacquires(buffer, ticks, identity),
        _ => thread.releases_once(buffer, ticks, identity, place as usize),
    });
}

unsafe extern "C" fn task_create(
    _creator: *mut Data,
    _frame: *const c_void,
    task: *mut Data,
    _flags: c_int,
    _dependences: c_int,
    place: Place,
) {
    let ticks = clock::now();
    record(ticks, |thread, buffer| {
        let created = Box::into_raw(thread.creates_task(buffer, ticks, place as usize));
        // SAFETY: the runtime's own, for us to fill in.
        unsafe { *task = Data(created as u64) };
    });
}

/// The explicit task that the data stand for.
///
/// # Safety
/// The data are null or the runtime's own, of a task that is not gone.
unsafe fn explicit<'a>(task: *const Data) -> Option<&'a Task> {
    // SAFETY: as the caller promises; an even number is what `task_create` has put there.
    unsafe { value(task).filter(|value| value & 1 == 0).map(|task| &*(task as *const Task)) }
}

unsafe extern "C" fn task_schedule(prior: *mut Data, status: c_int, next: *mut Data) {
    let ticks = clock::now();
    /// `ompt_task_status_t`: its body is done, and the task with it, or all but an event that is to be fulfilled.
    const COMPLETE: c_int = 1;
    const CANCEL: c_int = 3;
    const DETACH: c_int = 4;
    const LATE_FULFILL: c_int = 6;
    let done = matches!(status, COMPLETE | CANCEL | DETACH);
    record(ticks, |thread, buffer| {
        // SAFETY: both are tasks of the runtime, not gone before this returns.
        let (prior, next) = unsafe {
            let next = match explicit(next) {
                _ if next.is_null() => Next::Nothing,
                Some(task) => Next::Explicit(task),
                None => Next::Implicit,
            };
            (explicit(prior), next)
        };
        thread.switches(buffer, ticks, prior, done, next);
    });
    if matches!(status, COMPLETE | CANCEL | LATE_FULFILL) {
        // SAFETY: the task is gone for the runtime, which has handed in its data for the last time.
        unsafe {
            if let Some(task) = value(prior).filter(|value| value & 1 == 0) {
                *prior = Data(0);
                drop(Box::from_raw(task as *mut Task));
            }
        }
    }
}
