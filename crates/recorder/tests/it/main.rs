//! Programs that are recorded.

mod assembly;
mod failures;
mod mpi;
mod openmp;
mod recording;
mod started;
