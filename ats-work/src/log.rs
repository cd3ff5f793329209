#![allow(unsafe_code, reason = "reads the system's clocks through libc")]
//! Logs of real threads: stamps at entry and exit of every construct and of every piece of work.
//!
//! Off until [`start`]; then an entry costs two clock readings and no lock. A team of threads is followed from the
//! thread that starts it: [`fork`] before, [`Fork::member`] around the body of each member; [`stop`] returns the
//! members' logs with that of the starting thread. Where no closure can hold a member's body, [`resume`] and [`suspend`]
//! take the place of [`Fork::member`].

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, RwLock};

use crate::Regions;

/// The log of one thread between [`start`] and [`stop`], in order of entry; times in nanoseconds of [`now_ns`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Log {
    /// Calls and constructs: name, entry, exit.
    pub constructs: Vec<(&'static str, u64, u64)>,
    /// Calls in a row that found nothing, which are one in `constructs` ([`missed`]): its index, how many they are.
    pub repeated: Vec<(usize, u64)>,
    /// Work: seconds asked for (0 if the amount was), begin, end.
    pub work: Vec<(f64, u64, u64)>,
    /// Choices that the run made: index into `constructs`, and choice.
    pub choices: Vec<(usize, u32)>,
    /// When it began to work in a team, for each parallel region in turn.
    pub begins: Vec<u64>,
    /// Time and counts of the regions that are [measured](measure).
    pub regions: Regions,
    /// Nanoseconds of the processor in these regions, if they are [asked for](TASK_CLOCK).
    pub processor: Regions,
    /// The logs of the members of its teams, by their paths; only in the result of [`stop`].
    pub threads: BTreeMap<Path, Log>,
}

/// A thread's number in its team, from the outermost team to the one it works in, without trailing zeros: the thread
/// that starts a team is its member 0. Empty for the thread that called [`start`].
pub type Path = Vec<u32>;

/// A thread's log, with the number of teams it is in.
#[derive(Default)]
struct Open {
    log: Log,
    path: Path,
    level: usize,
    /// The last call that found nothing, and how much work was logged before it.
    missed: Option<(usize, usize)>,
}

thread_local! {
    static OPEN: RefCell<Option<Open>> = const { RefCell::new(None) };
}

/// Logs of members of teams.
static MEMBERS: Mutex<BTreeMap<Path, Log>> = Mutex::new(BTreeMap::new());

static SESSIONS: AtomicU64 = AtomicU64::new(0);

/// The number of logs between their [`start`] and their [`stop`].
static STARTED: AtomicUsize = AtomicUsize::new(0);

/// The regions whose time is measured.
static MEASURED: RwLock<Vec<&'static str>> = RwLock::new(Vec::new());

/// A name among the [measured](measure) regions that asks for the processor's time in all others: that of the counter.
pub const TASK_CLOCK: &str = "task_clock";

/// Chooses the regions of the program whose time and counts belong into logs, on all threads; none at first.
pub fn measure(regions: Vec<&'static str>) {
    *MEASURED.write().unwrap_or_else(PoisonError::into_inner) = regions;
}

/// Whether the time of a region is measured.
fn is_measured(region: &str) -> bool {
    MEASURED.read().unwrap_or_else(PoisonError::into_inner).contains(&region)
}

/// Notes that this thread enters a region of the program.
#[inline]
pub(crate) fn enter_region(region: &'static str) {
    if may_log() && is_measured(region) {
        with_open(|open| {
            if is_measured(TASK_CLOCK) {
                open.log.processor.enter(region, processor_ns());
            }
            open.log.regions.enter(region, now_ns());
        });
    }
}

/// Notes that this thread leaves the region that it entered last.
#[inline]
pub(crate) fn leave_region(region: &'static str) {
    if may_log() && is_measured(region) {
        with_open(|open| {
            open.log.regions.leave(now_ns());
            if is_measured(TASK_CLOCK) {
                open.log.processor.leave(processor_ns());
            }
        });
    }
}

/// Counts in the innermost of the measured regions that this thread is in.
pub(crate) fn count(counter: &'static str, number: u64) {
    if may_log() {
        with_open(|open| open.log.regions.count(counter, number));
    }
}

/// Whether this thread may have a log; without any log, logging costs as much as this.
#[inline(always)]
fn may_log() -> bool {
    STARTED.load(Ordering::Relaxed) > 0
}

/// Starts an empty log on this thread, with room for `constructs` entries so that logging seldom allocates.
pub fn start(constructs: usize) {
    let log = Log {
        constructs: Vec::with_capacity(constructs),
        work: Vec::with_capacity(constructs),
        ..Log::default()
    };
    SESSIONS.fetch_add(1, Ordering::Relaxed);
    if OPEN.replace(Some(Open { log, ..Open::default() })).is_none() {
        STARTED.fetch_add(1, Ordering::Relaxed);
    }
}

/// Ends this thread's log and returns it with those of its teams; empty if there was none.
pub fn stop() -> Log {
    let Some(Open { mut log, .. }) = OPEN.take() else { return Log::default() };
    STARTED.fetch_sub(1, Ordering::Relaxed);
    log.threads = std::mem::take(&mut *MEMBERS.lock().unwrap_or_else(PoisonError::into_inner));
    log
}

/// The number of calls of [`start`]: numbers that are counted per log begin anew when it changes.
pub fn session() -> u64 {
    SESSIONS.load(Ordering::Relaxed)
}

/// Runs a construct and logs it under its name.
pub fn construct<R>(name: &'static str, run: impl FnOnce() -> R) -> R {
    let entered = enter(name);
    let result = run();
    leave(entered);
    result
}

/// Notes that this thread enters a construct, which [`leave`] ends. Constructs are logged in the order of entry.
#[inline]
pub fn enter(name: &'static str) -> Entered {
    if may_log() { log_entry(name) } else { Entered(None) }
}

fn log_entry(name: &'static str) -> Entered {
    Entered(with_open(|open| {
        let now = now_ns();
        open.log.constructs.push((name, now, now));
        open.log.constructs.len() - 1
    }))
}

/// A construct that was entered: its index, if there is a log.
#[derive(Clone, Copy, Debug)]
#[must_use = "the construct is to be left"]
pub struct Entered(Option<usize>);

/// Notes that this thread leaves a construct.
#[inline]
pub fn leave(Entered(index): Entered) {
    if let Some(index) = index {
        log_exit(index);
    }
}

fn log_exit(index: usize) {
    with_open(|open| open.log.constructs[index].2 = now_ns());
}

/// Notes a choice that a run makes in a construct.
pub fn choose(Entered(index): Entered, chosen: u32) {
    if let Some(index) = index {
        with_open(|open| open.log.choices.push((index, chosen)));
    }
}

/// Takes back a construct that was entered last, because the thread did not enter it after all.
pub fn retract(Entered(index): Entered) {
    if let Some(index) = index {
        with_open(|open| {
            if index + 1 == open.log.constructs.len() {
                open.log.constructs.pop();
            }
        });
    }
}

/// Notes that the call that was made last only looked for something, and that it was not there. Such calls in a row, with
/// nothing done between them, are kept as one: so a program that polls does not log without end.
pub fn missed(Entered(index): Entered) {
    if let Some(index) = index {
        with_open(|open| open.miss(index));
    }
}

impl Open {
    fn miss(&mut self, index: usize) {
        let Log { constructs, repeated, work, .. } = &mut self.log;
        let (name, _, leave) = constructs[index];
        let before = self.missed.replace((index, work.len()));
        let Some(last) = index.checked_sub(1) else { return };
        if before != Some((last, work.len())) || constructs[last].0 != name {
            return;
        }
        constructs.pop();
        constructs[last].2 = leave;
        match repeated.last_mut() {
            Some((at, times)) if *at == last => *times += 1,
            _ => repeated.push((last, 2)),
        }
        self.missed = before;
    }
}

/// This thread is about to start a team.
#[inline]
pub fn fork() -> Fork {
    if may_log() { log_fork() } else { Fork(None) }
}

fn log_fork() -> Fork {
    OPEN.with_borrow(|open| Fork(open.as_ref().map(|open| (open.path.clone(), open.level))))
}

/// A team that is started, as its members see it.
#[derive(Clone, Debug)]
pub struct Fork(Option<(Path, usize)>);

impl Fork {
    /// Runs member `number` of the team on this thread and keeps its log. Member 0 goes on with the log of the thread
    /// that started the team.
    #[inline]
    pub fn member<R>(&self, number: usize, run: impl FnOnce() -> R) -> R {
        if self.0.is_none() {
            return run();
        }
        self.logged(number, || {
            with_open(|open| open.log.begins.push(now_ns()));
            run()
        })
    }

    /// Runs a task on member `number`, which may do so while it is in a construct, or after [`Fork::member`] has
    /// returned there: a thread executes tasks in the barrier at the region's end, too.
    pub fn task<R>(&self, number: usize, run: impl FnOnce() -> R) -> R {
        if OPEN.with_borrow(Option::is_some) { run() } else { self.logged(number, run) }
    }

    fn logged<R>(&self, number: usize, run: impl FnOnce() -> R) -> R {
        let Some((path, level)) = &self.0 else { return run() };
        if number == 0 {
            with_open(|open| open.level += 1);
            let result = run();
            with_open(|open| open.level -= 1);
            return result;
        }
        let mut path = path.clone();
        path.resize(*level, 0);
        path.push(number as u32);
        let open = Open { path: path.clone(), level: level + 1, ..Open::default() };
        let previous = OPEN.replace(Some(open));
        let result = run();
        if let Some(Open { log, .. }) = OPEN.replace(previous) {
            MEMBERS.lock().unwrap_or_else(PoisonError::into_inner).entry(path).or_default().append(log);
        }
        result
    }
}

/// Notes that this thread begins to work in a team.
pub fn begin() {
    if may_log() {
        with_open(|open| open.log.begins.push(now_ns()));
    }
}

/// Opens on this thread the log of a member of a team other than its member 0, as [`suspend`] left it: for members that do
/// not run inside [`Fork::member`]. Returns whether it did; it does not where the thread has a log, or nothing is logged.
pub fn resume(path: Path) -> bool {
    if !may_log() || OPEN.with_borrow(Option::is_some) {
        return false;
    }
    let log = MEMBERS.lock().unwrap_or_else(PoisonError::into_inner).remove(&path).unwrap_or_default();
    OPEN.set(Some(Open { log, path, ..Open::default() }));
    true
}

/// Closes the log that [`resume`] opened on this thread.
pub fn suspend() {
    if let Some(Open { log, path, .. }) = OPEN.take() {
        MEMBERS.lock().unwrap_or_else(PoisonError::into_inner).insert(path, log);
    }
}

fn with_open<R>(work: impl FnOnce(&mut Open) -> R) -> Option<R> {
    OPEN.with_borrow_mut(|open| open.as_mut().map(work))
}

impl Log {
    fn append(&mut self, later: Log) {
        let before = self.constructs.len();
        self.constructs.extend(later.constructs);
        self.repeated.extend(later.repeated.into_iter().map(|(index, times)| (before + index, times)));
        self.work.extend(later.work);
        self.begins.extend(later.begins);
        self.regions.append(later.regions);
        self.processor.append(later.processor);
        self.choices.extend(later.choices.into_iter().map(|(index, chosen)| (before + index, chosen)));
    }
}

pub(crate) fn work<R>(seconds: f64, run: impl FnOnce() -> R) -> R {
    if OPEN.with_borrow(Option::is_none) {
        return run();
    }
    let begin = now_ns();
    let result = run();
    let end = now_ns();
    with_open(|open| open.log.work.push((seconds, begin, end)));
    result
}

/// The system's monotonic clock in nanoseconds: the same for all processes of one machine.
pub fn now_ns() -> u64 {
    read(libc::CLOCK_MONOTONIC)
}

/// The processor time of this thread in nanoseconds.
pub(crate) fn processor_ns() -> u64 {
    read(libc::CLOCK_THREAD_CPUTIME_ID)
}

fn read(clock: libc::clockid_t) -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid place for the result; should the clock be missing, it stays zero.
    unsafe { libc::clock_gettime(clock, &mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

#[cfg(test)]
mod tests {
    use std::sync::MutexGuard;

    use super::*;

    /// Keeps other tests waiting: the logs of teams, and what is measured, are those of the process.
    fn alone() -> MutexGuard<'static, ()> {
        static ALONE: Mutex<()> = Mutex::new(());
        ALONE.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Logs a construct of this thread with a choice.
    fn choosing(name: &'static str, chosen: u32) {
        let entered = enter(name);
        leave(entered);
        choose(entered, chosen);
    }

    fn missing(name: &'static str) {
        let entered = enter(name);
        leave(entered);
        missed(entered);
    }

    #[test]
    fn calls_in_a_row_that_find_nothing_are_one() {
        let _alone = alone();
        start(16);
        (0..3).for_each(|_| missing("MPI_Test"));
        (0..2).for_each(|_| missing("MPI_Iprobe"));
        construct("MPI_Barrier", || ());
        missing("MPI_Iprobe");
        work(0.0, || ());
        (0..4).for_each(|_| missing("MPI_Iprobe"));
        choosing("MPI_Iprobe", 7);
        missing("MPI_Iprobe");
        let log = stop();
        let names: Vec<_> = log.constructs.iter().map(|&(name, ..)| name).collect();
        let [test, probe] = ["MPI_Test", "MPI_Iprobe"];
        assert_eq!(names, [test, probe, "MPI_Barrier", probe, probe, probe, probe]);
        assert_eq!((&log.repeated[..], &log.choices[..]), (&[(0, 3), (1, 2), (4, 4)][..], &[(5, 7)][..]));
        assert!(log.constructs.iter().is_sorted_by(|a, b| a.1 <= a.2 && a.2 <= b.1), "{log:?}");
    }

    #[test]
    fn members_of_teams_are_logged_by_their_paths() {
        let _alone = alone();
        start(16);
        let outer = fork();
        outer.member(0, || {
            construct("master", || {
                let inner = fork();
                std::thread::scope(|scope| {
                    scope.spawn(|| inner.member(1, || choosing("under the master", 7)));
                });
            });
        });
        for _ in 0..2 {
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    outer.member(1, || {
                        let inner = fork();
                        inner.member(0, || choosing("one", 3));
                        std::thread::scope(|scope| {
                            scope.spawn(|| inner.member(2, || construct("one and two", || ())));
                        });
                    });
                });
            });
        }
        let log = stop();
        let names = |log: &Log| log.constructs.iter().map(|&(name, ..)| name).collect::<Vec<_>>();
        assert_eq!(names(&log), ["master"]);
        let threads: Vec<_> = log.threads.iter().map(|(path, log)| (path.clone(), names(log))).collect();
        assert_eq!(
            threads,
            [
                (vec![0, 1], vec!["under the master"]),
                (vec![1], vec!["one", "one"]),
                (vec![1, 2], vec!["one and two", "one and two"]),
            ]
        );
        assert_eq!(log.threads[&vec![1]].choices, [(0, 3), (1, 3)]);
        let begins: Vec<_> = log.threads.values().map(|log| log.begins.len()).collect();
        assert_eq!((log.begins.len(), begins), (1, vec![1, 4, 2]));
        assert_eq!(stop(), Log::default());
    }

    #[test]
    fn the_processors_time_is_measured_if_it_is_asked_for() {
        let _alone = alone();
        let logged = |regions: Vec<&'static str>| {
            measure(regions);
            start(4);
            enter_region("asleep");
            std::thread::sleep(std::time::Duration::from_millis(20));
            leave_region("asleep");
            let log = stop();
            measure(Vec::new());
            let time = |regions: &Regions| regions.sums().get("asleep").map(|sum| sum.time);
            (time(&log.regions), time(&log.processor))
        };
        assert_eq!(logged(vec!["asleep"]).1, None);
        let (Some(time), Some(processor)) = logged(vec!["asleep", TASK_CLOCK]) else { panic!("both") };
        assert!(time >= 20_000_000 && processor < time / 2, "{processor} of {time} ns");
    }

    #[test]
    fn constructs_stand_in_the_order_of_entry() {
        let _alone = alone();
        start(4);
        construct("outer", || construct("inner", || ()));
        let log = stop();
        let [(outer, from, to), (inner, enter, leave)] = log.constructs[..] else { panic!("two constructs") };
        assert_eq!((outer, inner), ("outer", "inner"));
        assert!(from <= enter && enter <= leave && leave <= to);
    }
}
