#![allow(unsafe_code, reason = "hands on what engines promise")]
//! Teams of any engine behind one type, for a catalogue that does not know the engine.

use std::sync::atomic::AtomicU64;

use crate::{Lock, LockKind, Reduction, Schedule, TaskQueue, Team, Thread};

/// A [`Team`] that can be a trait object; every team is one.
///
/// # Safety
/// As for [`Team`].
pub unsafe trait DynTeam: Sync {
    /// As [`Team::max_threads`].
    fn max_threads(&self) -> usize;
    /// As [`Team::parallel`].
    fn parallel(&self, threads: usize, body: &(dyn Fn(&AnyThread) + Sync));
    /// As [`Team::new_lock`].
    fn new_lock(&self, kind: LockKind) -> Lock;
}

/// A [`Thread`] that can be a trait object; every thread is one.
#[allow(missing_docs, reason = "each method is the one of the same name of Thread")]
pub trait DynThread {
    fn number(&self) -> usize;
    fn threads(&self) -> usize;
    fn barrier(&self);
    fn for_each(&self, iterations: usize, schedule: Schedule, body: &dyn Fn(usize));
    fn for_each_nowait(&self, iterations: usize, schedule: Schedule, body: &dyn Fn(usize));
    fn for_ordered(
        &self,
        iterations: usize,
        schedule: Schedule,
        parallel: &dyn Fn(usize),
        ordered: &dyn Fn(usize),
    );
    fn sections(&self, sections: usize, body: &dyn Fn(usize));
    fn sections_nowait(&self, sections: usize, body: &dyn Fn(usize));
    fn single(&self, body: &mut dyn FnMut());
    fn single_nowait(&self, body: &mut dyn FnMut());
    fn master(&self, body: &mut dyn FnMut());
    fn critical(&self, name: &'static str, body: &mut dyn FnMut());
    fn with_lock(&self, lock: &Lock, body: &mut dyn FnMut());
    fn try_with_lock(&self, lock: &Lock, body: &mut dyn FnMut()) -> bool;
    fn atomic(&self, target: &AtomicU64, update: &dyn Fn(u64) -> u64);
    fn reduce(&self, value: f64, sum: &Reduction);
    fn taskwait(&self);
    fn flush(&self);
    fn queue(&self) -> &dyn TaskQueue;
}

// SAFETY: the team keeps the promise.
unsafe impl<T: Team> DynTeam for T
where
    T::Thread: Sized + 'static,
{
    fn max_threads(&self) -> usize {
        Team::max_threads(self)
    }
    fn parallel(&self, threads: usize, body: &(dyn Fn(&AnyThread) + Sync)) {
        Team::parallel(self, threads, |t| body(t));
    }
    fn new_lock(&self, kind: LockKind) -> Lock {
        Team::new_lock(self, kind)
    }
}

impl<T: Thread + 'static> DynThread for T {
    fn number(&self) -> usize {
        Thread::number(self)
    }
    fn threads(&self) -> usize {
        Thread::threads(self)
    }
    fn barrier(&self) {
        Thread::barrier(self);
    }
    fn for_each(&self, iterations: usize, schedule: Schedule, body: &dyn Fn(usize)) {
        Thread::for_each(self, iterations, schedule, body);
    }
    fn for_each_nowait(&self, iterations: usize, schedule: Schedule, body: &dyn Fn(usize)) {
        Thread::for_each_nowait(self, iterations, schedule, body);
    }
    fn for_ordered(
        &self,
        iterations: usize,
        schedule: Schedule,
        parallel: &dyn Fn(usize),
        ordered: &dyn Fn(usize),
    ) {
        Thread::for_ordered(self, iterations, schedule, parallel, ordered);
    }
    fn sections(&self, sections: usize, body: &dyn Fn(usize)) {
        Thread::sections(self, sections, body);
    }
    fn sections_nowait(&self, sections: usize, body: &dyn Fn(usize)) {
        Thread::sections_nowait(self, sections, body);
    }
    fn single(&self, body: &mut dyn FnMut()) {
        Thread::single(self, body);
    }
    fn single_nowait(&self, body: &mut dyn FnMut()) {
        Thread::single_nowait(self, body);
    }
    fn master(&self, body: &mut dyn FnMut()) {
        Thread::master(self, body);
    }
    fn critical(&self, name: &'static str, body: &mut dyn FnMut()) {
        Thread::critical(self, name, body);
    }
    fn with_lock(&self, lock: &Lock, body: &mut dyn FnMut()) {
        Thread::with_lock(self, lock, body);
    }
    fn try_with_lock(&self, lock: &Lock, body: &mut dyn FnMut()) -> bool {
        Thread::try_with_lock(self, lock, body).is_some()
    }
    fn atomic(&self, target: &AtomicU64, update: &dyn Fn(u64) -> u64) {
        Thread::atomic(self, target, update);
    }
    fn reduce(&self, value: f64, sum: &Reduction) {
        Thread::reduce(self, value, sum);
    }
    fn taskwait(&self) {
        Thread::taskwait(self);
    }
    fn flush(&self) {
        Thread::flush(self);
    }
    fn queue(&self) -> &dyn TaskQueue {
        Thread::queue(self)
    }
}

/// A thread of any engine.
pub type AnyThread = dyn DynThread;

/// Runs a body that may run once, and keeps its result.
fn once<R>(body: impl FnOnce() -> R, run: impl FnOnce(&mut dyn FnMut())) -> Option<R> {
    let (mut body, mut result) = (Some(body), None);
    run(&mut || {
        if let Some(body) = body.take() {
            result = Some(body());
        }
    });
    result
}

impl Thread for AnyThread {
    fn number(&self) -> usize {
        DynThread::number(self)
    }
    fn threads(&self) -> usize {
        DynThread::threads(self)
    }
    fn barrier(&self) {
        DynThread::barrier(self);
    }
    fn for_each(&self, iterations: usize, schedule: Schedule, body: impl Fn(usize)) {
        DynThread::for_each(self, iterations, schedule, &body);
    }
    fn for_each_nowait(&self, iterations: usize, schedule: Schedule, body: impl Fn(usize)) {
        DynThread::for_each_nowait(self, iterations, schedule, &body);
    }
    fn for_ordered(
        &self,
        iterations: usize,
        schedule: Schedule,
        parallel: impl Fn(usize),
        ordered: impl Fn(usize),
    ) {
        DynThread::for_ordered(self, iterations, schedule, &parallel, &ordered);
    }
    fn sections(&self, sections: usize, body: impl Fn(usize)) {
        DynThread::sections(self, sections, &body);
    }
    fn sections_nowait(&self, sections: usize, body: impl Fn(usize)) {
        DynThread::sections_nowait(self, sections, &body);
    }
    fn single(&self, body: impl FnOnce()) {
        once(body, |body| DynThread::single(self, body));
    }
    fn single_nowait(&self, body: impl FnOnce()) {
        once(body, |body| DynThread::single_nowait(self, body));
    }
    fn master(&self, body: impl FnOnce()) {
        once(body, |body| DynThread::master(self, body));
    }
    fn critical<R>(&self, name: &'static str, body: impl FnOnce() -> R) -> R {
        once(body, |body| DynThread::critical(self, name, body))
            .expect("an engine executes a critical's body")
    }
    fn with_lock<R>(&self, lock: &Lock, body: impl FnOnce() -> R) -> R {
        once(body, |body| DynThread::with_lock(self, lock, body))
            .expect("an engine executes the body under a lock")
    }
    fn try_with_lock<R>(&self, lock: &Lock, body: impl FnOnce() -> R) -> Option<R> {
        once(body, |body| {
            DynThread::try_with_lock(self, lock, body);
        })
    }
    fn atomic(&self, target: &AtomicU64, update: impl Fn(u64) -> u64) {
        DynThread::atomic(self, target, &update);
    }
    fn reduce(&self, value: f64, sum: &Reduction) {
        DynThread::reduce(self, value, sum);
    }
    fn taskwait(&self) {
        DynThread::taskwait(self);
    }
    fn flush(&self) {
        DynThread::flush(self);
    }
    fn queue(&self) -> &dyn TaskQueue {
        DynThread::queue(self)
    }
}

/// A team of any engine.
#[derive(Clone, Copy)]
pub struct AnyTeam<'a>(pub &'a dyn DynTeam);

// SAFETY: the team keeps the promise.
unsafe impl Team for AnyTeam<'_> {
    type Thread = AnyThread;

    fn max_threads(&self) -> usize {
        self.0.max_threads()
    }
    fn parallel<F: Fn(&AnyThread) + Sync>(&self, threads: usize, body: F) {
        self.0.parallel(threads, &body);
    }
    fn new_lock(&self, kind: LockKind) -> Lock {
        self.0.new_lock(kind)
    }
}

/// Some threads of a team: a region has this many, unless it is given another number.
#[derive(Clone, Copy)]
pub struct PartOfTeam<'a> {
    /// The team.
    pub team: &'a dyn DynTeam,
    /// The number of its threads.
    pub threads: usize,
}

// SAFETY: the team keeps the promise.
unsafe impl DynTeam for PartOfTeam<'_> {
    fn max_threads(&self) -> usize {
        self.threads
    }
    fn parallel(&self, threads: usize, body: &(dyn Fn(&AnyThread) + Sync)) {
        self.team.parallel(threads, body);
    }
    fn new_lock(&self, kind: LockKind) -> Lock {
        self.team.new_lock(kind)
    }
}
