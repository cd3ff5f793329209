//! A preloadable library that records an MPI program into an OTF2 trace. `README.md` says how to build and use it.
//!
//! - [`wrappers`]: the functions of MPI as the program sees them; `call` is the language they are written in.
//! - [`user`]: regions that the program marks.
//! - [`buffer`]: events in memory; [`clock`]: their time stamps; [`region`], [`communicator`], [`request`]: what they
//!   refer to.
//! - [`session`]: from `MPI_Init` to the archive; [`exchange`] and [`unify`]: how the ranks agree on definitions.
//! - [`fortran`]: how Fortran programs come to the same functions.
//! - [`library`]: whether the program's MPI library is the one that the recorder is built for.

mod buffer;
mod call;
mod clock;
mod communicator;
mod exchange;
mod fortran;
mod library;
mod load;
mod region;
mod request;
mod session;
mod unify;
pub mod user;
mod wrappers;

pub use library::ats_recorder_mpi;
