//! Locations as threads.

use ats_model::CallPathId;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::kernel::profile::Spent;
use crate::kernel::time::Picoseconds;
use crate::omp::body::Body;
use crate::omp::rest::Rest;
use crate::omp::team::Member;

/// A thread's number in each team, from the outermost to the one it works in, without trailing zeros: the thread that
/// starts a team is its member 0. The same path is the same location in every region.
pub(crate) type ThreadPath = SmallVec<[u32; 2]>;

/// What a location is as a thread.
#[derive(Default)]
pub(crate) struct Thread {
    pub(crate) path: ThreadPath,
    /// The teams it is in, from the outermost.
    pub(crate) member_of: Vec<Member>,
    /// What it will do when it starts to run.
    pub(crate) body: Option<Body>,
    /// At a barrier or taskwait: how it goes on there.
    pub(crate) rest: Rest,
    /// What it waits for, where that is no barrier or taskwait.
    pub(crate) waits_for: Option<WaitsFor>,
    /// Call paths where another thread could have waited in its place.
    pub(crate) exchangeable: FxHashSet<CallPathId>,
    /// How long it has worked in teams under outermost parallel regions, by call path, and in how many of these throughout.
    pub(crate) busy: FxHashMap<CallPathId, Spent>,
    /// The same for the one that its process is in.
    pub(crate) busy_now: Picoseconds,
}

impl Thread {
    /// Whether it works in teams of nested regions only.
    pub(crate) fn is_nested(&self) -> bool {
        self.path.len() > 1
    }
}

/// What a thread waits for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum WaitsFor {
    /// This lock.
    Lock(u32),
    /// That all iterations of an ordered loop before this one are done.
    Turn(usize),
}
