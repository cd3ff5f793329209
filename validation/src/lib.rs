//! Launches programs, computes the truth, runs the analyzer, scores.
//!
//! - [`subject`]: what a program is about. [`size`]: how many processes and threads. [`truth`]: what a program shows; [`ideal_trace`]: its trace, both on the virtual engine.
//! - [`mpi`], [`openmp`], [`build`], [`launch`], [`run`]: programs under a launcher, recorded; [`claim`]: in a folder of their own.
//! - [`semantics`]: whether a program did the same in two runs.
//! - [`mod@judge`]: one program's report against its truth; [`score`]: over all programs; [`mod@table`]: as text.
//! - [`tool`]: the tools of others, as data, and programs run under them.
//! - [`pipeline`]: all of it; [`session`]: program by program, and again where the machine disturbed one. [`doctor`]: whether it can be done here.

pub mod build;
pub mod claim;
mod disturbance;
pub mod doctor;
pub mod ideal_trace;
pub mod judge;
pub mod launch;
mod linked;
pub mod mpi;
pub mod openmp;
pub mod pipeline;
pub mod run;
pub mod score;
pub mod semantics;
pub mod session;
pub mod size;
pub mod subject;
pub mod table;
pub mod tool;
pub mod truth;
