//! Programs that are recorded.

mod assembly;
mod control;
mod counts;
mod ends;
mod failures;
mod instrumented;
mod left;
mod meters;
mod modules;
mod mpi;
mod openmp;
mod recording;
mod samples;
mod started;
