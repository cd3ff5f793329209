//! Really doing work, with state that belongs to the calling thread alone.

use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicU64, Ordering};

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use crate::worker::Worker;
use crate::{Amount, Config, config};

thread_local! {
    static THREAD: RefCell<Option<Thread>> = const { RefCell::new(None) };
    static STREAM: Cell<Option<u64>> = const { Cell::new(None) };
}

/// A thread's worker, and the version of the process' configuration that it follows; none if it has its own.
struct Thread {
    worker: Worker,
    follows: Option<u64>,
}

/// Sets how work is done on the calling thread, whatever the process' configuration says, and starts its state anew.
///
/// Threads configured with the same seed do the same work.
pub fn configure_thread(config: Config) {
    let worker = Worker::new(config, Xoshiro256PlusPlus::seed_from_u64(config.seed));
    THREAD.set(Some(Thread { worker, follows: None }));
}

/// A number that depends on all the work that the calling thread has done with its present configuration.
///
/// With the kind `counted`, or with work by amount, it is the same in every run with the same seed. [`crate::checksum`] is
/// the same whatever the kind.
pub fn thread_checksum() -> u64 {
    with_worker(|worker| worker.checksum())
}

/// Works for `seconds`; not at all where that is negative, NaN or infinite.
pub(crate) fn seconds(seconds: f64) {
    if seconds > 0.0 && seconds.is_finite() {
        with_worker(|worker| worker.seconds(seconds));
    }
}

/// Does an amount of work, and returns the number of remote pages if it has touched some.
pub(crate) fn amount(amount: &Amount) -> Option<u64> {
    with_worker(|worker| worker.amount(amount))
}

fn with_worker<R>(run: impl FnOnce(&mut Worker) -> R) -> R {
    THREAD.with_borrow_mut(|thread| {
        let version = config::version();
        let is_current = |thread: &Thread| thread.follows.is_none_or(|followed| followed == version);
        if !thread.as_ref().is_some_and(is_current) {
            *thread = Some(Thread { worker: Worker::following(config::process()), follows: Some(version) });
        }
        run(&mut thread.as_mut().expect("was made above").worker)
    })
}

impl Worker {
    /// A worker of the process' configuration: its generator starts where this thread's part of the sequence does.
    fn following(config: Config) -> Self {
        static STREAMS: AtomicU64 = AtomicU64::new(0);
        let stream = STREAM.get().unwrap_or_else(|| STREAMS.fetch_add(1, Ordering::Relaxed));
        STREAM.set(Some(stream));
        let mut generator = Xoshiro256PlusPlus::seed_from_u64(config.seed);
        (0..stream).for_each(|_| generator.jump());
        Worker::new(config, generator)
    }
}
