//! Properties of programs of MPI processes with OpenMP threads, one file each.
//!
//! P in the formulas is the number of processes, T that of the threads of each.

pub mod late_broadcast_hybrid_serial_root;
pub mod late_sender_hybrid;
pub mod mpi_in_master_with_barrier;
pub mod mpi_outside_parallel;
pub mod omp_imbalance_at_mpi_barrier;
pub mod oversubscribed_hybrid;
pub mod process_imbalance_only;
pub mod thread_imbalance_only;
