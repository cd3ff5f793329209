//! Locations as threads.

use ats_model::CallPathId;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::kernel::profile::Spent;
use crate::kernel::time::Picoseconds;
use crate::openmp::body::Body;
use crate::openmp::rest::Rest;
use crate::openmp::team::Member;

/// A thread's number in each team, from the outermost to the one it works in, without trailing zeros: the thread that
/// starts a team is its member 0. The same path is the same location in every region.
pub(crate) type ThreadPath = SmallVec<[u32; 2]>;

/// The thread of a location.
#[derive(Default)]
pub(crate) struct Thread {
    pub(crate) path: ThreadPath,
    /// The teams it is in, from the outermost.
    pub(crate) member_of: Vec<Member>,
    /// The body that it will execute when it starts to run.
    pub(crate) body: Option<Body>,
    /// At a barrier or taskwait: how it goes on there.
    pub(crate) rest: Rest,
    /// The reason why it waits, if not at a barrier or taskwait.
    pub(crate) waits_for: Option<WaitsFor>,
    /// Call paths where another thread could have waited in its place.
    pub(crate) exchangeable: FxHashSet<CallPathId>,
    /// The time that it has worked in teams under outermost parallel regions, by call path, and the number of regions
    /// in which it worked throughout.
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

/// A reason why a thread waits.
#[derive(Clone, Copy, Debug)]
pub(crate) enum WaitsFor {
    /// The lock of this number.
    Lock(u32),
    /// That all iterations of an ordered loop before this one are done.
    Turn(usize),
}
