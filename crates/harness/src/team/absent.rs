#![allow(unsafe_code, reason = "a team must promise what there is nobody to break")]
//! The engine of programs whose harness starts no threads.

use ats_omp::{AnyThread, DynTeam, Lock, LockKind};

/// There is no team.
#[derive(Debug)]
pub enum Engine {}

// SAFETY: there is none.
unsafe impl DynTeam for Engine {
    fn max_threads(&self) -> usize {
        match *self {}
    }

    fn parallel(&self, _threads: usize, _body: &(dyn Fn(&AnyThread) + Sync)) {
        match *self {}
    }

    fn new_lock(&self, _kind: LockKind) -> Lock {
        match *self {}
    }
}
