//! Bytes that a process sends and receives in a collective operation.

use crate::event::CollectiveOperation;

/// A member of a collective operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// Rank in the communicator.
    pub rank: u32,
    /// The size of the communicator.
    pub size: u32,
    /// The root's rank, where the operation has one.
    pub root: Option<u32>,
}

/// Bytes that a member has for the others, or has room for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Payload {
    /// For all members together.
    pub all: u64,
    /// For itself.
    pub own: u64,
}

impl Payload {
    /// As many bytes for each of `size` members.
    pub fn each(bytes: u64, size: u32) -> Self {
        Payload { all: bytes * u64::from(size), own: bytes }
    }
}

impl CollectiveOperation {
    /// The bytes that a member sends and receives, as Score-P counts them: what the operation's definition moves, also to
    /// oneself, not what an algorithm does; where the data is `in_place`, not to oneself.
    ///
    /// The amounts sent and received are asked for only if they are significant: at the root alone, if only the root
    /// has them, and not if the data is in place.
    pub fn bytes(
        self,
        member: Member,
        in_place: bool,
        sends: impl FnOnce() -> Payload,
        receives: impl FnOnce() -> Payload,
    ) -> (u64, u64) {
        use CollectiveOperation::*;
        let Member { rank, size, root } = member;
        let is_root = root == Some(rank);
        let partners = u64::from(size) - u64::from(in_place);
        let moved = |data: Payload| if in_place { data.all - data.own } else { data.all };
        match self {
            Bcast if is_root => {
                let data = sends();
                (data.all, data.own)
            }
            Bcast => (0, receives().own),
            Scatter | Scatterv => {
                let received = if in_place { 0 } else { receives().own };
                (if is_root { moved(sends()) } else { 0 }, received)
            }
            Gather | Gatherv | Reduce => {
                let sent = if in_place { 0 } else { sends().own };
                (sent, if is_root { moved(receives()) } else { 0 })
            }
            Allreduce | Alltoall | Alltoallv | Alltoallw => {
                let received = moved(receives());
                (if in_place { received } else { sends().all }, received)
            }
            Allgather | Allgatherv => {
                let received = receives();
                let own = if in_place { received.own } else { sends().own };
                (partners * own, moved(received))
            }
            ReduceScatter | ReduceScatterBlock => {
                let sent = sends();
                (moved(sent), partners * sent.own)
            }
            Scan | Exscan => {
                let each = sends().own;
                let own = if self == Scan && !in_place { each } else { 0 };
                (u64::from(size - rank - 1) * each + own, u64::from(rank) * each + own)
            }
            Barrier
            | CreateHandle
            | DestroyHandle
            | Allocate
            | Deallocate
            | CreateHandleAndAllocate
            | DestroyHandleAndDeallocate
            | Other => (0, 0),
        }
    }
}
