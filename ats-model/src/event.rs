//! The events of a location, with OTF2's names and meanings.
//!
//! References ([`RegionRef`], [`CommunicatorRef`]) are dense indices into [`crate::Definitions`];
//! a reader has resolved an archive's own sparse ids and id maps before anybody sees an event.

use crate::listed::listed;

/// Index into [`crate::Definitions::regions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RegionRef(pub u32);

/// Index into [`crate::Definitions::communicators`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CommunicatorRef(pub u32);

/// Index into [`crate::Definitions::teams`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TeamRef(pub u32);

/// One event of one location. Its time stamp, in ticks of the trace's clock, travels beside it.
///
/// Peers and roots are ranks *in the communicator*, as MPI and OTF2 count them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The location enters a region.
    Enter {
        /// Which region.
        region: RegionRef,
    },
    /// The location leaves a region.
    Leave {
        /// Which region.
        region: RegionRef,
    },
    /// A blocking send (`MPI_Send`, `MPI_Ssend`, the send half of `MPI_Sendrecv` …), inside its region.
    MpiSend {
        /// Destination rank in the communicator.
        receiver: u32,
        /// The communicator.
        communicator: CommunicatorRef,
        /// The message tag.
        tag: u32,
        /// Payload in bytes.
        bytes: u64,
    },
    /// A non-blocking send is started.
    MpiIsend {
        /// Destination rank in the communicator.
        receiver: u32,
        /// The communicator.
        communicator: CommunicatorRef,
        /// The message tag.
        tag: u32,
        /// Payload in bytes.
        bytes: u64,
        /// Identifies the request on this location until it completes.
        request: u64,
    },
    /// A non-blocking send is found complete, inside the completing call.
    MpiIsendComplete {
        /// The request of its [`Event::MpiIsend`].
        request: u64,
    },
    /// A non-blocking receive is posted.
    MpiIrecvRequest {
        /// Identifies the request on this location until it completes.
        request: u64,
    },
    /// A blocking receive has its message, inside its region.
    MpiRecv {
        /// Source rank in the communicator.
        sender: u32,
        /// The communicator.
        communicator: CommunicatorRef,
        /// The message tag.
        tag: u32,
        /// Payload in bytes.
        bytes: u64,
    },
    /// A non-blocking receive is found complete, inside the completing call.
    MpiIrecv {
        /// Source rank in the communicator.
        sender: u32,
        /// The communicator.
        communicator: CommunicatorRef,
        /// The message tag.
        tag: u32,
        /// Payload in bytes.
        bytes: u64,
        /// The request of its [`Event::MpiIrecvRequest`].
        request: u64,
    },
    /// A request was tested and is not complete.
    MpiRequestTest {
        /// The request.
        request: u64,
    },
    /// A request was cancelled.
    MpiRequestCancelled {
        /// The request.
        request: u64,
    },
    /// The location's part of a collective operation begins.
    MpiCollectiveBegin,
    /// The location's part of a collective operation ends.
    MpiCollectiveEnd {
        /// Which operation.
        operation: CollectiveOperation,
        /// The communicator.
        communicator: CommunicatorRef,
        /// The root's rank in the communicator, where the operation has one.
        root: Option<u32>,
        /// Bytes this location sent.
        sent: u64,
        /// Bytes this location received.
        received: u64,
    },
    /// The location starts a team of threads; its master waits for the [`Event::ThreadJoin`].
    ThreadFork {
        /// How many threads it asks for.
        requested: u32,
    },
    /// The team that the location started last is gone.
    ThreadJoin,
    /// The location begins to work as a member of a team.
    ThreadTeamBegin {
        /// The team.
        team: TeamRef,
    },
    /// The location's work for a team ends.
    ThreadTeamEnd {
        /// The team.
        team: TeamRef,
    },
    /// The location has a lock (or a critical) from now on.
    ThreadAcquireLock {
        /// Identifies the lock in its process.
        lock: u32,
        /// Counts the acquisitions of this lock.
        order: u32,
    },
    /// The location gives a lock back.
    ThreadReleaseLock {
        /// Identifies the lock in its process.
        lock: u32,
        /// The number of its acquisition.
        order: u32,
    },
    /// The location creates a task.
    ThreadTaskCreate {
        /// The team whose task it is.
        team: TeamRef,
        /// The task.
        task: TaskId,
    },
    /// The location goes on with another task.
    ThreadTaskSwitch {
        /// The team whose task it is.
        team: TeamRef,
        /// The task.
        task: TaskId,
    },
    /// The location has completed a task.
    ThreadTaskComplete {
        /// The team whose task it was.
        team: TeamRef,
        /// The task.
        task: TaskId,
    },
    /// Any other record, by its OTF2 id; its body was skipped.
    Other {
        /// OTF2 record id.
        record: u8,
    },
}

/// Names a task within its team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TaskId {
    /// The member of the team that created it.
    pub creator: u32,
    /// Counts the tasks that this member has created, from 1; 0 is its implicit task.
    pub generation: u32,
}

listed! {
    /// Collective operations, with the numbers of `OTF2_CollectiveOp`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[repr(u8)]
    #[allow(missing_docs, reason = "each variant is the MPI call of its name")]
    pub enum CollectiveOperation {
        Barrier = 0,
        Bcast = 1,
        Gather = 2,
        Gatherv = 3,
        Scatter = 4,
        Scatterv = 5,
        Allgather = 6,
        Allgatherv = 7,
        Alltoall = 8,
        Alltoallv = 9,
        Alltoallw = 10,
        Allreduce = 11,
        Reduce = 12,
        ReduceScatter = 13,
        Scan = 14,
        Exscan = 15,
        ReduceScatterBlock = 16,
        CreateHandle = 17,
        DestroyHandle = 18,
        Allocate = 19,
        Deallocate = 20,
        CreateHandleAndAllocate = 21,
        DestroyHandleAndDeallocate = 22,
        /// Any operation this list does not name.
        Other = 255,
    }
}

impl CollectiveOperation {
    /// The operation of an `OTF2_CollectiveOp` number.
    pub fn from_otf2(number: u8) -> Self {
        Self::ALL.get(usize::from(number)).copied().unwrap_or(Self::Other)
    }
}
