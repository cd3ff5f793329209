//! Execution of work and region marks: by a real thread itself, or by the engine that has installed itself on it.

use std::cell::Cell;
use std::rc::Rc;

use crate::amount::REMOTE_PAGES;
use crate::{Amount, MemoryWork, log, perform, watcher};

/// The services of an engine on every thread it runs programs on.
///
/// Without one, work is really done and regions are announced to the tools that watch the process.
pub trait Executor {
    /// Passes `seconds` of work.
    fn work(&self, seconds: f64);
    /// Passes work that is described by its amount.
    fn amount(&self, amount: &Amount);
    /// Counts something that the program does at this moment; see [`count`].
    fn count(&self, counter: &'static str, number: u64) {
        let _ = (counter, number);
    }
    /// Enters a region.
    fn enter(&self, region: &'static str);
    /// Leaves the region that was entered last.
    fn leave(&self, region: &'static str);
    /// Seconds since some fixed moment, on the calling location's clock.
    fn now(&self) -> f64;
    /// The values that `make` gives, which all locations would make alike; see [`same_for_all`].
    fn same_for_all(&self, of: &str, make: &dyn Fn() -> Vec<f64>) -> Rc<[f64]> {
        let _ = of;
        make().into()
    }
}

thread_local! {
    static INSTALLED: Cell<Option<&'static dyn Executor>> = const { Cell::new(None) };
}

/// Makes `executor` responsible for this thread and returns its predecessor; `None` means real.
pub fn install(executor: Option<&'static dyn Executor>) -> Option<&'static dyn Executor> {
    INSTALLED.replace(executor)
}

/// Works for `seconds`; none or negative means not at all (report, section 3.1.1).
///
/// ```
/// ats_work::do_work(0.001);
/// ```
pub fn do_work(seconds: f64) {
    match INSTALLED.get() {
        Some(executor) => executor.work(seconds),
        None => log::work(seconds, || perform::seconds(seconds)),
    }
}

/// Does `n` double-precision operations, a multiplication and an addition in turn, each on the result of the last.
pub fn do_flops(n: u64) {
    do_amount(&Amount::Flops(n));
}

/// Does `n` operations on 64-bit integers, a multiplication and an exclusive or in turn, each on the result of the last.
pub fn do_int_ops(n: u64) {
    do_amount(&Amount::IntOps(n));
}

/// Does the loads and stores that `work` describes.
pub fn do_memory(work: &MemoryWork) {
    do_amount(&Amount::Memory(*work));
}

/// Does work that is described by its amount.
///
/// ```
/// use ats_work::amount::{Amount, Chase};
/// ats_work::do_amount(&Amount::Chase(Chase { lines: 512, stride_bytes: 64, rounds: 2, huge_pages: false }));
/// ```
pub fn do_amount(amount: &Amount) {
    match INSTALLED.get() {
        Some(executor) => executor.amount(amount),
        None => {
            if let Some(pages) = log::work(0.0, || perform::amount(amount)) {
                count(REMOTE_PAGES, pages);
            }
        }
    }
}

/// Counts something that the program does where it is: `number` more of what `counter` counts.
///
/// It belongs to the innermost region that a property of the run shows a number or a time of. The virtual engine and the
/// witness of a real run add it up by region, and our recorder by call path.
///
/// ```
/// let _region = ats_work::region("transform");
/// ats_work::count("evaluations", 2_000);
/// ```
pub fn count(counter: &'static str, number: u64) {
    match INSTALLED.get() {
        Some(executor) => executor.count(counter, number),
        None => {
            log::count(counter, number);
            watcher::count(counter, number);
        }
    }
}

/// Says how much of what the kernel or the hardware counts the program causes where it is.
///
/// As [`count`], but recorders do not hear of it: they have to count it themselves.
pub fn cause(counter: &'static str, number: u64) {
    match INSTALLED.get() {
        Some(executor) => executor.count(counter, number),
        None => log::count(counter, number),
    }
}

/// Seconds since some fixed moment, on this location's clock.
pub fn now() -> f64 {
    match INSTALLED.get() {
        Some(executor) => executor.now(),
        None => log::now_ns() as f64 * 1e-9,
    }
}

/// The values that `make` gives, where every rank would make the same ones: an engine whose ranks share a process makes and
/// keeps them once. `of` names them, with all that they depend on: where it is the same, they are.
///
/// ```
/// let squares = ats_work::same_for_all("squares to 3", || (0..=3).map(|i| f64::from(i * i)).collect());
/// assert_eq!(*squares, [0.0, 1.0, 4.0, 9.0]);
/// ```
pub fn same_for_all(of: &str, make: impl Fn() -> Vec<f64>) -> Rc<[f64]> {
    match INSTALLED.get() {
        Some(executor) => executor.same_for_all(of, &make),
        None => make().into(),
    }
}

/// Marks a region of the program for as long as the result lives.
///
/// ```
/// let _region = ats_work::region("late_sender");
/// ```
pub fn region(name: &'static str) -> Region {
    enter(name);
    Region { name }
}

/// Calls `body` in a stack frame of its own, so that none of it is inlined into the caller: by debug information a
/// profiler that unwinds the stack knows a frame by the function inlined in it last, and the caller should be known by
/// its own name.
#[inline(never)]
pub fn in_a_frame<T>(body: impl FnOnce() -> T) -> T {
    body()
}

/// Enters a region, which [`leave`] ends: [`region`] for callers that cannot keep its result.
pub fn enter(region: &'static str) {
    match INSTALLED.get() {
        Some(executor) => executor.enter(region),
        None => {
            log::enter_region(region);
            watcher::enter(region);
        }
    }
}

/// Leaves the region that was entered last.
pub fn leave(region: &'static str) {
    match INSTALLED.get() {
        Some(executor) => executor.leave(region),
        None => {
            watcher::leave(region);
            log::leave_region(region);
        }
    }
}

/// A region that the program is in; dropping it leaves the region.
#[derive(Debug)]
#[must_use = "the region ends when this is dropped"]
pub struct Region {
    name: &'static str,
}

impl Drop for Region {
    fn drop(&mut self) {
        leave(self.name);
    }
}
