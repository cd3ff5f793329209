#![allow(unsafe_code, reason = "functions that C calls")]
//! Marks of OpenMP constructs for the witness, in C programs: pragmas leave no time stamps.
//!
//! `ats generate` writes a mark before and after each construct, and at the beginning and end of what a thread executes
//! inside. Together they log what the suite's engine in Rust logs (`ats-omp`). An implicit barrier has no place for a
//! mark: a thread has arrived there when it ends its last part of the construct, or when it enters a construct that has
//! no part for it. So each of these moments is logged as an arrival, and taken back if another part follows.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::{c_char, c_int, c_void};
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use ats_model::mpi::Function;
use ats_model::openmp::Construct;
use ats_work::log::{self, Entered};

use crate::failure::{Problem, call};
use crate::openmp::numbers;
use crate::text::{intern, text};

/// A construct that a thread is in.
struct Open {
    /// `None` for a call of MPI.
    construct: Option<Construct>,
    entered: Entered,
    /// The implicit barrier at its end, if it has one: whether the thread may have arrived there.
    barrier: Option<Option<Entered>>,
    /// The part that is executed inside, if it is a region of its own.
    part: Option<Entered>,
    /// The iterations of a loop that were executed last, one after the other: the first, and one past the last.
    chunk: Option<(u32, u32)>,
    /// Whether the thread has executed a part of it.
    has_part: bool,
}

/// A team that a thread has started.
struct Fork {
    parallel: Entered,
    /// The team that it worked in before.
    outer: Member,
}

/// The team that a thread works in, or worked in last.
#[derive(Clone, Copy, Default)]
struct Member {
    /// The number that [`ats_fork`] gave the team; 0 for none.
    team: c_int,
    /// The loop of a `parallel for`.
    combined: Option<Entered>,
    /// The implicit barrier at the region's end.
    end: Option<Entered>,
}

/// The constructs that a thread is in.
#[derive(Default)]
struct Marks {
    open: Vec<Open>,
    forks: Vec<Fork>,
    member: Member,
    /// For each task that it executes, whether it had no log before.
    tasks: Vec<(Entered, bool)>,
}

thread_local! {
    static MARKS: RefCell<Marks> = RefCell::new(Marks::default());
}

fn mark<R>(name: &str, work: impl FnOnce(&mut Marks) -> Result<R, Problem>) -> R {
    call(name, || MARKS.with_borrow_mut(work))
}

fn enter(construct: Construct) -> Entered {
    log::enter(construct.region())
}

/// Whether this thread has a log now that it had not before: that of a member which did not start its team.
fn resumed() -> bool {
    let path = numbers();
    path.last().is_some_and(|&number| number > 0) && log::resume(path)
}

/// A team is about to be started. Returns its number, which its members pass to `ats_begin_member`.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_fork() -> c_int {
    static TEAMS: AtomicI32 = AtomicI32::new(1);
    mark("ats_fork", |marks| {
        let outer = std::mem::take(&mut marks.member);
        marks.forks.push(Fork { parallel: enter(Construct::Parallel), outer });
        Ok(TEAMS.fetch_add(1, Ordering::Relaxed))
    })
}

/// The team that this thread has started is gone.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_join() {
    mark("ats_join", |marks| {
        let Fork { parallel, outer } = marks.forks.pop().ok_or_else(misplaced)?;
        let Member { end, .. } = std::mem::replace(&mut marks.member, outer);
        if let Some(end) = end {
            log::leave(end);
        }
        log::leave(parallel);
        Ok(())
    });
}

/// This thread begins its part of a parallel region.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_begin_member(team: c_int) {
    mark("ats_begin_member", |marks| {
        marks.begin_member(team);
        Ok(())
    });
}

/// This thread ends its part of a parallel region.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_end_member() {
    mark("ats_end_member", |marks| {
        marks.end_member();
        Ok(())
    });
}

/// This thread begins an iteration of a `parallel for`.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_begin_combined(team: c_int, iteration: i64) {
    mark("ats_begin_combined", |marks| {
        marks.begin_member(team);
        let entered = *marks.member.combined.get_or_insert_with(|| enter(Construct::For));
        choose_chunk(entered, chunk_of(iteration));
        Ok(())
    });
}

/// This thread ends an iteration of a `parallel for`.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_end_combined() {
    mark("ats_end_combined", |marks| {
        log::leave(marks.member.combined.ok_or_else(misplaced)?);
        marks.end_member();
        Ok(())
    });
}

/// A construct or a call of MPI comes next; `name` is that of its region, such as `!$omp barrier`.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_enter_construct(name: *const c_char) {
    mark("ats_enter_construct", |marks| {
        // SAFETY: the program passes a string.
        let name = unsafe { text("name", name) }?;
        let construct = Construct::of_region(&name);
        let entered = match (construct, Function::of_name(&name)) {
            (Some(construct), _) => enter(construct),
            (None, Some(function)) => log::enter(function.name()),
            (None, None) => {
                return Err(Problem(format!("`{name}` is neither a construct nor a call of MPI")));
            }
        };
        marks.push(construct, entered, false);
        Ok(())
    });
}

/// A worksharing construct with an implicit barrier at its end comes next.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_enter_worksharing(name: *const c_char) {
    mark("ats_enter_worksharing", |marks| {
        // SAFETY: the program passes a string.
        let name = unsafe { text("name", name) }?;
        let construct = Construct::of_region(&name);
        let construct = construct.ok_or_else(|| Problem(format!("`{name}` is not a construct")))?;
        marks.push(Some(construct), enter(construct), true);
        Ok(())
    });
}

/// The construct or call that was entered last is over.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_leave_construct() {
    mark("ats_leave_construct", |marks| {
        let Open { construct, entered, barrier, chunk, has_part, .. } =
            marks.open.pop().ok_or_else(misplaced)?;
        if let Some(chunk) = chunk {
            choose_chunk(entered, chunk);
        }
        if construct == Some(Construct::Single) && !has_part {
            log::choose(entered, 0);
        }
        if let Some(Some(barrier)) = barrier {
            log::leave(barrier);
        }
        log::leave(entered);
        Ok(())
    });
}

/// This thread begins to execute something of the construct that it entered last: an iteration or a section of this
/// number, or the body.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_begin_part(number: i64) {
    mark("ats_begin_part", |marks| {
        marks.last()?.begin_part(number);
        Ok(())
    });
}

/// This thread begins the body of the critical of this name; the one without a name has an empty one.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_begin_critical(name: *const c_char) {
    mark("ats_begin_critical", |marks| {
        // SAFETY: the program passes a string.
        let name = intern(&unsafe { text("name", name) }?);
        let open = marks.last()?;
        log::choose(open.entered, acquisition(name.as_ptr().addr()));
        open.begin_part(0);
        Ok(())
    });
}

/// This thread has executed what it began.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_end_part() {
    mark("ats_end_part", |marks| {
        let open = marks.last()?;
        if let Some(part) = open.part.take() {
            log::leave(part);
        }
        if let Some(arrival) = &mut open.barrier {
            *arrival = Some(enter(Construct::ImplicitBarrier));
        }
        Ok(())
    });
}

/// A lock was made.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_init_lock(lock: *mut c_void) {
    call("ats_init_lock", || {
        acquisitions().remove(&lock.addr());
        Ok(())
    });
}

/// This thread has acquired a lock, in the call that it entered last.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_acquired(lock: *mut c_void) {
    mark("ats_acquired", |marks| {
        log::choose(marks.last()?.entered, acquisition(lock.addr()));
        Ok(())
    });
}

/// A task is about to be created. Returns its number, which `ats_begin_task` takes; `ats_leave_construct` follows the task.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_create_task() -> c_int {
    static CREATED: Mutex<(u64, u32)> = Mutex::new((0, 0));
    mark("ats_create_task", |marks| {
        let entered = enter(Construct::CreateTask);
        let number = next(&mut CREATED.lock().unwrap_or_else(PoisonError::into_inner));
        log::choose(entered, number);
        marks.push(None, entered, false);
        Ok(number as c_int)
    })
}

/// This thread begins to execute a task.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_begin_task(number: c_int) {
    mark("ats_begin_task", |marks| {
        // In the barrier at a region's end, the log of a member is closed.
        let resumed = resumed();
        let entered = enter(Construct::Task);
        log::choose(entered, number as u32);
        marks.tasks.push((entered, resumed));
        Ok(())
    });
}

/// This thread has executed the task that it began last.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_end_task() {
    mark("ats_end_task", |marks| {
        let (entered, resumed) = marks.tasks.pop().ok_or_else(misplaced)?;
        log::leave(entered);
        if resumed {
            log::suspend();
        }
        Ok(())
    });
}

impl Marks {
    fn push(&mut self, construct: Option<Construct>, entered: Entered, has_barrier: bool) {
        let barrier = has_barrier.then(|| Some(enter(Construct::ImplicitBarrier)));
        self.open.push(Open { construct, entered, barrier, part: None, chunk: None, has_part: false });
    }

    fn last(&mut self) -> Result<&mut Open, Problem> {
        self.open.last_mut().ok_or_else(misplaced)
    }

    /// Begins the part of a region, or goes on with it: the iterations of a `parallel for` are all that a thread executes
    /// of it.
    fn begin_member(&mut self, team: c_int) {
        resumed();
        if self.member.team != team {
            self.member = Member { team, ..Member::default() };
            log::begin();
        } else if let Some(end) = self.member.end.take() {
            log::retract(end);
        }
    }

    fn end_member(&mut self) {
        let end = enter(Construct::ImplicitBarrier);
        self.member.end = Some(end);
        if numbers().last().is_some_and(|&number| number > 0) {
            log::leave(end);
            log::suspend();
        }
    }
}

impl Open {
    fn begin_part(&mut self, number: i64) {
        if let Some(arrival) = self.barrier.as_mut().and_then(Option::take) {
            log::retract(arrival);
        }
        self.has_part = true;
        let block = match self.construct {
            Some(Construct::For) => {
                let (first, end) = chunk_of(number);
                let (entered, chunk) = (self.entered, self.chunk);
                self.chunk = Some(match chunk {
                    Some((begin, last)) if last == first => (begin, end),
                    before => {
                        if let Some(before) = before {
                            choose_chunk(entered, before);
                        }
                        (first, end)
                    }
                });
                return;
            }
            Some(Construct::Sections) => {
                log::choose(self.entered, number as u32);
                Construct::Section
            }
            Some(Construct::Single) => {
                log::choose(self.entered, 1);
                Construct::SingleBlock
            }
            Some(Construct::Critical) => Construct::CriticalBlock,
            Some(Construct::Ordered) => Construct::OrderedBlock,
            _ => return,
        };
        self.part = Some(enter(block));
    }
}

fn chunk_of(iteration: i64) -> (u32, u32) {
    (iteration as u32, iteration as u32 + 1)
}

fn choose_chunk(entered: Entered, (first, end): (u32, u32)) {
    log::choose(entered, first);
    log::choose(entered, end);
}

/// The number of acquisitions of each lock, by its address, or by that of the name of its critical.
fn acquisitions() -> MutexGuard<'static, BTreeMap<usize, (u64, u32)>> {
    static ACQUISITIONS: Mutex<BTreeMap<usize, (u64, u32)>> = Mutex::new(BTreeMap::new());
    ACQUISITIONS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The number of acquisitions of a lock before this one.
fn acquisition(lock: usize) -> u32 {
    next(acquisitions().entry(lock).or_default())
}

/// Counts in `(session, next)`: numbers begin anew with each log.
fn next((session, next): &mut (u64, u32)) -> u32 {
    if *session != log::session() {
        (*session, *next) = (log::session(), 0);
    }
    *next += 1;
    *next - 1
}

fn misplaced() -> Problem {
    Problem("it is not its turn: nothing was begun that it could end".to_owned())
}
