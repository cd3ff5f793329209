#![allow(unsafe_code, reason = "promises that a region's end completes its tasks")]
//! Parallel regions.

use std::sync::Arc;

use ats_model::openmp::Construct;
use ats_work::log;
use parking_lot::Mutex;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::region::Region;
use super::{RayonThread, lock};
use crate::{Lock, LockKind, Team, protocol};

/// Starts teams of rayon's threads.
///
/// Every team has a pool of its own while it works, since the members of a team wait for each other; pools are used
/// again.
#[derive(Debug)]
pub struct RayonTeam {
    max_threads: usize,
    idle: Mutex<Vec<ThreadPool>>,
}

impl RayonTeam {
    /// Without any pool yet; a region has as many threads as there are cores, unless it is given another number.
    pub fn new() -> Self {
        Self::with_max_threads(std::thread::available_parallelism().map_or(1, usize::from))
    }

    /// As [`RayonTeam::new`], but a region has this many threads unless it is given another number.
    pub fn with_max_threads(max_threads: usize) -> Self {
        RayonTeam { max_threads, idle: Mutex::default() }
    }

    fn pool(&self, threads: usize) -> ThreadPool {
        let mut idle = self.idle.lock();
        if let Some(found) = idle.iter().position(|pool| pool.current_num_threads() == threads) {
            return idle.swap_remove(found);
        }
        ThreadPoolBuilder::new().num_threads(threads).build().unwrap_or_else(|error| {
            protocol::end_program(&format!("no team of {} threads: {error}", threads + 1))
        })
    }
}

impl Default for RayonTeam {
    fn default() -> Self {
        Self::new()
    }
}

// SAFETY: a member gets a thread of the region, and waits for all tasks in the barrier at its end.
unsafe impl Team for RayonTeam {
    type Thread = RayonThread;

    fn max_threads(&self) -> usize {
        self.max_threads
    }

    fn parallel<F: Fn(&RayonThread) + Sync>(&self, threads: usize, body: F) {
        protocol::check_asked(threads);
        let parallel = log::enter(Construct::Parallel.region());
        let region = Arc::new(Region::new(threads, log::fork()));
        let member = |number| {
            let thread = RayonThread::new(number, &region);
            let end = protocol::member(&region.fork, number, || body(&thread));
            region.barrier(number);
            end
        };
        let end = if threads == 1 {
            member(0)
        } else {
            let pool = self.pool(threads - 1);
            let end = pool.in_place_scope(|scope| {
                scope.spawn_broadcast(|_, others| {
                    member(others.index() + 1);
                });
                member(0)
            });
            self.idle.lock().push(pool);
            end
        };
        if let Some(end) = end {
            log::leave(end);
        }
        log::leave(parallel);
    }

    fn new_lock(&self, kind: LockKind) -> Lock {
        lock::new(kind)
    }
}
