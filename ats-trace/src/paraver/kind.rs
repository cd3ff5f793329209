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
/// OpenMP, as Extrae 5 and as those before it have it.
pub(super) const OPENMP: [RangeInclusive<u32>; 2] = [60_000..=60_999, 60_000_001..=60_000_018];
/// What else is Extrae's own: synchronisation, and all from samples on up to the lines of callers.
pub(super) const OWN: [RangeInclusive<u32>; 2] = [1_000..=1_001, 30_000_000..=89_999_999];
