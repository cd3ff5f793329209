//! Programs that are recorded.

mod failures;
mod mpi;
mod openmp;
mod recording;
