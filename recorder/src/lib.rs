//! A preloadable library that records a program with MPI and OpenMP into an OTF2 trace. `README.md` says how to build and use it.
//!
//! - [`wrappers`]: the functions of MPI as the program sees them; `call` is the language they are written in.
//! - [`openmp`]: the recorder as a tool of an OpenMP runtime.
//! - [`user`]: regions that the program marks.
//! - [`buffer`]: events in memory, [`packed`] into [`chunk`]s; [`clock`]: their time stamps; [`region`], [`communicator`], [`request`], [`message`]: what
//!   they refer to.
//! - [`session`]: from `MPI_Init`, or the first parallel region, to the archive; [`exchange`] and [`unify`]: how the ranks agree on definitions.
//! - [`fortran`]: how Fortran programs come to the same functions, by their [`links`].
//! - [`library`]: whether the program's MPI library is the one that the recorder is built for; [`launcher`]: what is
//!   known before MPI is initialised.

mod buffer;
mod call;
mod chunk;
mod clock;
mod communicator;
mod exchange;
mod fortran;
mod launcher;
mod library;
mod links;
mod load;
mod message;
mod openmp;
mod packed;
mod region;
mod request;
mod session;
mod unify;
pub mod user;
mod wrappers;

pub use library::ats_recorder_mpi;
pub use openmp::tool::ompt_start_tool;
