//! Non-blocking and persistent collective operations: waits for them, overlapped with work.

pub mod early_igather;
pub mod early_ireduce;
pub mod early_iscan;
pub mod imbalance_at_iallreduce;
pub mod imbalance_at_ialltoall;
pub mod imbalance_at_ibarrier_wait;
pub mod late_ibcast;
pub mod late_iscatter;
pub mod no_overlap_nonblocking_collective;
pub mod persistent_collective_wait;
