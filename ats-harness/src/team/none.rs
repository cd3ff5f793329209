//! Programs without threads.

use ats_omp::{AnyThread, DynTeam, Lock, LockKind};

use crate::refusal::Refusal;

/// There is no team.
#[derive(Debug)]
pub enum Engine {}

impl DynTeam for Engine {
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

pub(super) fn engine(_threads: usize, _crowded: bool) -> Result<Engine, Refusal> {
    Err(Refusal::Missing(
        "this program was built without threads; its Cargo.toml has to ask for the feature `openmp` or `rayon` of \
         ats-harness"
            .to_owned(),
    ))
}

pub(crate) fn name() -> Option<String> {
    None
}
