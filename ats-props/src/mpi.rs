//! Properties of MPI programs, one file each.

pub mod early_gather;
pub mod early_gatherv;
pub mod early_reduce;
pub mod imbalance_at_mpi_allgather;
pub mod imbalance_at_mpi_allgatherv;
pub mod imbalance_at_mpi_allreduce;
pub mod imbalance_at_mpi_alltoall;
pub mod imbalance_at_mpi_alltoallv;
pub mod imbalance_at_mpi_alltoallw;
pub mod imbalance_at_mpi_barrier;
pub mod imbalance_at_mpi_reduce_scatter;
pub mod imbalance_at_mpi_reduce_scatter_block;
pub mod late_broadcast;
pub mod late_receiver;
pub mod late_scatter;
pub mod late_scatterv;
pub mod late_sender;
pub mod right_order;
pub mod wrong_order;
