//! Collective operations: waits at them, their number and size.

pub mod barrier_completion;
pub mod diffuse_procedure;
pub mod early_exscan;
pub mod early_gather;
pub mod early_gatherv;
pub mod early_reduce;
pub mod early_scan;
pub mod frequent_barrier;
pub mod frequent_small_collectives;
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
pub mod late_reduce_root;
pub mod late_scatter;
pub mod late_scatterv;
pub mod nxn_completion;
pub mod random_barrier;
pub mod serialized_broadcast;
pub mod uneven_vector_collective;
