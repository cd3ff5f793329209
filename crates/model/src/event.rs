//! The events of a location, with OTF2's names and meanings.
//!
//! References ([`RegionRef`], [`CommunicatorRef`]) are dense indices into [`crate::Definitions`]; a reader has already
//! resolved an archive's own sparse ids and id maps.
//!
//! The table below holds all records of OTF2 3.0, and the lists that precede them. Records that are interpreted are
//! events, with their fields; the others are skipped, and known by name and class. To turn a record into an event,
//! move its row up.

use crate::record::records;
pub use crate::record::{Class, Record};

use crate::attribute::AttributeValue;
pub use crate::compact::{Bytes, Root};
use crate::listed;
use crate::metric::MetricValue;

/// Index into [`crate::Definitions::regions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RegionRef(pub u32);

/// Index into [`crate::Definitions::communicators`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CommunicatorRef(pub u32);

/// Index into [`crate::Definitions::teams`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TeamRef(pub u32);

/// A program that runs: the number of its name in [`crate::Definitions::strings`]. Its arguments are not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProgramRef(pub u32);

/// Index into [`crate::Definitions::metrics`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MetricRef(pub u32);

/// Index into [`crate::Definitions::attributes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AttributeRef(pub u32);

/// Index into [`crate::Definitions::calling_contexts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CallingContextRef(pub u32);

/// Index into [`crate::Definitions::interrupt_generators`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InterruptGeneratorRef(pub u32);

/// A point in time, in ticks of the trace's clock, as time stamps are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Time(pub u64);

records! {
    /// One event of one location. Its time stamp, in ticks of the trace's clock, travels beside it.
    ///
    /// Peers and roots are ranks *in the communicator*, as MPI and OTF2 count them.
    pub enum Event {
        /// An attribute of the event that follows, which may have several. A list of several becomes as many of these,
        /// and none of them counts as an event.
        6 ATTRIBUTE_LIST Attribute: Attribute, Sized {
            /// The attribute.
            attribute: AttributeRef,
            /// Its value.
            value: AttributeValue,
        }
        /// The recorder begins to write the events that it has kept in memory.
        10 BUFFER_FLUSH BufferFlush: Measurement, Sized {
            /// When it is done; until then the location does not go on.
            stop: Time,
        }
        /// The recorder goes on, or stops for a while.
        11 MEASUREMENT_ON_OFF MeasurementOnOff: Measurement, Sized {
            /// Whether it goes on or stops.
            mode: MeasurementMode,
        }
        /// The location enters a region.
        12 ENTER Enter: Region, Lone {
            /// The region entered.
            region: RegionRef,
        }
        /// The location leaves a region.
        13 LEAVE Leave: Region, Lone {
            /// The region left.
            region: RegionRef,
        }
        /// A blocking send (`MPI_Send`, `MPI_Ssend`, the send half of `MPI_Sendrecv` …), inside its region.
        14 MPI_SEND MpiSend: PointToPoint, Sized {
            /// Destination rank in the communicator.
            receiver: u32,
            /// The communicator.
            communicator: CommunicatorRef,
            /// The message tag.
            tag: u32,
            /// Payload in bytes.
            bytes: u64,
        }
        /// A non-blocking send is started.
        15 MPI_ISEND MpiIsend: PointToPoint, Sized {
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
        }
        /// A non-blocking send is found complete, inside the completing call.
        16 MPI_ISEND_COMPLETE MpiIsendComplete: PointToPoint, Lone {
            /// The request of its [`Event::MpiIsend`].
            request: u64,
        }
        /// A non-blocking receive is posted.
        17 MPI_IRECV_REQUEST MpiIrecvRequest: PointToPoint, Lone {
            /// Identifies the request on this location until it completes.
            request: u64,
        }
        /// A blocking receive has its message, inside its region.
        18 MPI_RECV MpiRecv: PointToPoint, Sized {
            /// Source rank in the communicator.
            sender: u32,
            /// The communicator.
            communicator: CommunicatorRef,
            /// The message tag.
            tag: u32,
            /// Payload in bytes.
            bytes: u64,
        }
        /// A non-blocking receive is found complete, inside the completing call.
        19 MPI_IRECV MpiIrecv: PointToPoint, Sized {
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
        }
        /// A request was tested and is not complete.
        20 MPI_REQUEST_TEST MpiRequestTest: PointToPoint, Lone {
            /// The request.
            request: u64,
        }
        /// A request was cancelled.
        21 MPI_REQUEST_CANCELLED MpiRequestCancelled: PointToPoint, Lone {
            /// The request.
            request: u64,
        }
        /// The location's part of a collective operation begins.
        22 MPI_COLLECTIVE_BEGIN MpiCollectiveBegin: Collective, Sized
        /// The location's part of a collective operation ends.
        23 MPI_COLLECTIVE_END MpiCollectiveEnd: Collective, Sized {
            /// The kind of operation.
            operation: CollectiveOperation,
            /// The communicator.
            communicator: CommunicatorRef,
            /// The root's rank in the communicator, where the operation has one.
            root: Option<u32>,
            /// Bytes this location sent.
            sent: u64,
            /// Bytes this location received.
            received: u64,
        }
        /// A value of a metric. A record of several is as many events.
        31 METRIC Metric: Metric, Sized {
            /// The metric.
            metric: MetricRef,
            /// Its value.
            value: MetricValue,
        }
        /// The location starts a team of threads; its master waits for the [`Event::ThreadJoin`].
        53 THREAD_FORK ThreadFork: Thread, OfOpenMp {
            /// The number of threads requested.
            requested: u32,
        }
        /// The team that the location started last is gone.
        54 THREAD_JOIN ThreadJoin: Thread, OfOpenMp
        /// The location begins to work as a member of a team.
        55 THREAD_TEAM_BEGIN ThreadTeamBegin: Thread, Sized {
            /// The team.
            team: TeamRef,
        }
        /// The location's work for a team ends.
        56 THREAD_TEAM_END ThreadTeamEnd: Thread, Sized {
            /// The team.
            team: TeamRef,
        }
        /// The location has a lock (or a critical) from now on.
        57 THREAD_ACQUIRE_LOCK ThreadAcquireLock: Thread, OfOpenMp {
            /// Identifies the lock in its process.
            lock: u32,
            /// Counts the acquisitions of this lock.
            order: u32,
        }
        /// The location gives a lock back.
        58 THREAD_RELEASE_LOCK ThreadReleaseLock: Thread, OfOpenMp {
            /// Identifies the lock in its process.
            lock: u32,
            /// The number of its acquisition.
            order: u32,
        }
        /// The location creates a task.
        59 THREAD_TASK_CREATE ThreadTaskCreate: Task, Sized {
            /// The team whose task it is.
            team: TeamRef,
            /// The task.
            task: TaskId,
        }
        /// The location goes on with another task.
        60 THREAD_TASK_SWITCH ThreadTaskSwitch: Task, Sized {
            /// The team whose task it is.
            team: TeamRef,
            /// The task.
            task: TaskId,
        }
        /// The location has completed a task.
        61 THREAD_TASK_COMPLETE ThreadTaskComplete: Task, Sized {
            /// The team whose task it was.
            team: TeamRef,
            /// The task.
            task: TaskId,
        }
        /// The location was interrupted to see where in the program it is.
        68 CALLING_CONTEXT_SAMPLE CallingContextSample: CallingContext, Sized {
            /// The innermost function, and the calls that lead to it.
            context: CallingContextRef,
            /// The number of functions entered or left since the sample before; `u32::MAX` where it is not known.
            unwind_distance: u32,
            /// The source of the interrupts.
            interrupts: InterruptGeneratorRef,
        }
        /// The program begins.
        83 PROGRAM_BEGIN ProgramBegin: Program, Sized {
            /// The program that runs.
            program: ProgramRef,
        }
        /// The program ends.
        84 PROGRAM_END ProgramEnd: Program, Sized {
            /// Its exit status, in two's complement; `i64::MIN` where that is unknown.
            status: i64,
        }
        /// A non-blocking collective operation is started.
        85 NON_BLOCKING_COLLECTIVE_REQUEST NonBlockingCollectiveRequest: NonBlockingCollective, Sized {
            /// Identifies the request on this location until it completes.
            request: u64,
        }
        /// A non-blocking collective operation is found complete, inside the completing call.
        86 NON_BLOCKING_COLLECTIVE_COMPLETE NonBlockingCollectiveComplete: NonBlockingCollective, Sized {
            /// The kind of operation.
            operation: CollectiveOperation,
            /// The communicator.
            communicator: CommunicatorRef,
            /// The root, if the operation has one.
            root: Root,
            /// Bytes this location sent.
            sent: Bytes,
            /// Bytes this location received.
            received: Bytes,
            /// The request of its [`Event::NonBlockingCollectiveRequest`].
            request: u64,
        }
    }
    former {
        24 OMP_FORK ThreadFork: Thread, Lone { requested: u32, }
        25 OMP_JOIN ThreadJoin: Thread, Sized
        26 OMP_ACQUIRE_LOCK ThreadAcquireLock: Thread, Sized { lock: u32, order: u32, }
        27 OMP_RELEASE_LOCK ThreadReleaseLock: Thread, Sized { lock: u32, order: u32, }
    }
    unread {
        // These name neither team nor creator.
        28 OMP_TASK_CREATE: Task, Lone { task: u64 }
        29 OMP_TASK_SWITCH: Task, Lone { task: u64 }
        30 OMP_TASK_COMPLETE: Task, Lone { task: u64 }
        32 PARAMETER_STRING: Parameter, Sized { parameter: u32, string: u32 }
        33 PARAMETER_INT: Parameter, Sized { parameter: u32, value: i64 }
        34 PARAMETER_UNSIGNED_INT: Parameter, Sized { parameter: u32, value: u64 }
        35 RMA_WIN_CREATE: Rma, Sized { window: u32 }
        36 RMA_WIN_DESTROY: Rma, Sized { window: u32 }
        37 RMA_COLLECTIVE_BEGIN: Rma, Sized {}
        38 RMA_COLLECTIVE_END: Rma, Sized {
            operation: u8, synchronizes: u32, window: u32, root: u32, sent: u64, received: u64
        }
        39 RMA_GROUP_SYNC: Rma, Sized { synchronizes: u32, window: u32, group: u32 }
        40 RMA_REQUEST_LOCK: Rma, Sized { window: u32, remote: u32, lock: u64, kind: u8 }
        41 RMA_ACQUIRE_LOCK: Rma, Sized { window: u32, remote: u32, lock: u64, kind: u8 }
        42 RMA_TRY_LOCK: Rma, Sized { window: u32, remote: u32, lock: u64, kind: u8 }
        43 RMA_RELEASE_LOCK: Rma, Sized { window: u32, remote: u32, lock: u64 }
        44 RMA_SYNC: Rma, Sized { window: u32, remote: u32, kind: u8 }
        45 RMA_WAIT_CHANGE: Rma, Sized { window: u32 }
        46 RMA_PUT: Rma, Sized { window: u32, remote: u32, bytes: u64, operation: u64 }
        47 RMA_GET: Rma, Sized { window: u32, remote: u32, bytes: u64, operation: u64 }
        48 RMA_ATOMIC: Rma, Sized { window: u32, remote: u32, kind: u8, sent: u64, received: u64, operation: u64 }
        49 RMA_OP_COMPLETE_BLOCKING: Rma, Sized { window: u32, operation: u64 }
        50 RMA_OP_COMPLETE_NON_BLOCKING: Rma, Sized { window: u32, operation: u64 }
        51 RMA_OP_TEST: Rma, Sized { window: u32, operation: u64 }
        52 RMA_OP_COMPLETE_REMOTE: Rma, Sized { window: u32, operation: u64 }
        62 THREAD_CREATE: Thread, Sized { contingent: u32, number: u64 }
        63 THREAD_BEGIN: Thread, Sized { contingent: u32, number: u64 }
        64 THREAD_WAIT: Thread, Sized { contingent: u32, number: u64 }
        65 THREAD_END: Thread, Sized { contingent: u32, number: u64 }
        66 CALLING_CONTEXT_ENTER: CallingContext, Sized { context: u32, unwind_distance: u32 }
        67 CALLING_CONTEXT_LEAVE: CallingContext, Sized { context: u32 }
        69 IO_CREATE_HANDLE: Io, Sized { handle: u32, access: u8, creation: u32, status: u32 }
        70 IO_DESTROY_HANDLE: Io, Sized { handle: u32 }
        71 IO_DUPLICATE_HANDLE: Io, Sized { handle: u32, duplicate: u32, status: u32 }
        72 IO_SEEK: Io, Sized { handle: u32, offset: i64, whence: u8, position: u64 }
        73 IO_CHANGE_STATUS_FLAGS: Io, Sized { handle: u32, status: u32 }
        74 IO_DELETE_FILE: Io, Sized { paradigm: u8, file: u32 }
        75 IO_OPERATION_BEGIN: Io, Sized { handle: u32, mode: u8, flags: u32, bytes: u64, operation: u64 }
        76 IO_OPERATION_TEST: Io, Sized { handle: u32, operation: u64 }
        77 IO_OPERATION_ISSUED: Io, Sized { handle: u32, operation: u64 }
        78 IO_OPERATION_COMPLETE: Io, Sized { handle: u32, bytes: u64, operation: u64 }
        79 IO_OPERATION_CANCELLED: Io, Sized { handle: u32, operation: u64 }
        80 IO_ACQUIRE_LOCK: Io, Sized { handle: u32, kind: u8 }
        81 IO_RELEASE_LOCK: Io, Sized { handle: u32, kind: u8 }
        82 IO_TRY_LOCK: Io, Sized { handle: u32, kind: u8 }
        87 COMM_CREATE: Communicator, Sized { communicator: u32 }
        88 COMM_DESTROY: Communicator, Sized { communicator: u32 }
    }
}

/// Whether a recorder records, with the numbers of `OTF2_MeasurementMode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum MeasurementMode {
    /// The recorder goes on.
    On = 1,
    /// It does not.
    Off = 2,
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
