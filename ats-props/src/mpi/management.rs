//! Initialising and finalizing MPI, and making communicators: waits at these calls.

pub mod high_mpi_init_finalize_overhead;
pub mod imbalance_at_comm_create;
pub mod imbalance_at_comm_dup;
pub mod imbalance_at_comm_split;
pub mod imbalance_at_mpi_init;
pub mod wait_at_mpi_finalize;
