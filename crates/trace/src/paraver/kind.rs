//! The types of events that Extrae writes, from its `events.h` and `MPI_EventEncoding.h`.

use std::ops::RangeInclusive;

/// Calls of MPI: messages, collective operations, others, one-sided ones, files.
pub(super) const MPI: RangeInclusive<u32> = 50_000_001..=50_000_005;
/// Functions of the program that were instrumented.
pub(super) const USER_FUNCTION: u32 = 60_000_019;
/// Of a collective operation: bytes that are sent, and received, whether this is its root, and its communicator.
pub(super) const SENT: u32 = 50_100_001;
pub(super) const RECEIVED: u32 = 50_100_002;
pub(super) const ROOT: u32 = 50_100_003;
pub(super) const COMMUNICATOR: u32 = 50_100_004;
/// OpenMP: the types that are read, by their names in `new_openmp_events.h` and in `events.h` (`OLD`).
pub(super) mod openmp {
    pub(in super::super) const CALL: u32 = 60_000;
    pub(in super::super) const PARALLEL: u32 = 60_002;
    pub(in super::super) const WORKSHARING: u32 = 60_003;
    pub(in super::super) const SYNCHRONIZATION: u32 = 60_004;
    pub(in super::super) const LOCK: u32 = 60_005;
    pub(in super::super) const TASKING: u32 = 60_009;
    pub(in super::super) const OLD_PARALLEL: u32 = 60_000_001;
    pub(in super::super) const OLD_WORKSHARING: u32 = 60_000_002;
    pub(in super::super) const OLD_BARRIER: u32 = 60_000_005;
    pub(in super::super) const OLD_NAMED: u32 = 60_000_006;
    pub(in super::super) const OLD_UNNAMED: u32 = 60_000_007;
    pub(in super::super) const OLD_FUNCTION: u32 = 60_000_018;
    pub(in super::super) const OLD_TASKWAIT: u32 = 60_000_022;
    pub(in super::super) const OLD_TASK: u32 = 60_000_023;
    pub(in super::super) const OLD_TASK_CREATION: u32 = 60_000_024;
    /// Those with the states of a lock, and those with its address.
    pub(in super::super) const LOCKS: [u32; 3] = [LOCK, OLD_NAMED, OLD_UNNAMED];
    pub(in super::super) const LOCK_NAMES: [u32; 2] = [60_006, 60_000_032];
    /// All that begin or end something.
    pub(in super::super) const ALL: [u32; 14] = [
        PARALLEL,
        WORKSHARING,
        SYNCHRONIZATION,
        LOCK,
        TASKING,
        OLD_PARALLEL,
        OLD_WORKSHARING,
        OLD_BARRIER,
        OLD_NAMED,
        OLD_UNNAMED,
        OLD_FUNCTION,
        OLD_TASKWAIT,
        OLD_TASK,
        OLD_TASK_CREATION,
    ];
}
/// OpenMP, as Extrae 5 and as those before it have it.
pub(super) const OPENMP: [RangeInclusive<u32>; 2] = [60_000..=60_999, 60_000_001..=60_000_018];
/// Further types of Extrae's own: synchronisation, and all from samples on up to the lines of callers.
pub(super) const OWN: [RangeInclusive<u32>; 2] = [1_000..=1_001, 30_000_000..=89_999_999];
