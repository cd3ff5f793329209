//! The real engine: the calls of [`Op`](crate::Op) on an MPI library.
//!
//! rsmpi initialises and finalizes ([`Universe`]); the calls themselves go through `mpi::ffi`, which has every call of
//! the library, also those that rsmpi's safe interface lacks. Services for a harness, which tools should not see
//! ([`align`], [`clock`], [`eager_held`]), use `PMPI_` calls on a communicator of their own.
//!
//! Delivered data is added to the program's checksum (`delivery`). Every call is logged with [`ats_work::log`], with
//! its outcome if it could have found something else (`outcome`). The source that a wildcard has matched belongs to
//! the call that started the receive.

mod arguments;
mod bsend;
pub mod clock;
mod collective;
mod communicator;
mod delivery;
mod derived;
mod eager;
mod failure;
mod handle;
mod library;
mod member;
mod outcome;
mod partitioned;
mod point_to_point;
mod process;
mod quiet;
mod requests;
mod room;
mod topology;
mod universe;

pub use communicator::{MpiCommunicator, set_base_comm};
pub use eager::{eager_held, probe_eager_limit};
pub use failure::fatal;
pub use library::has;
pub use mpi::Threading;
pub use process::LaunchedProcess;
pub use quiet::{align, combined};
pub use universe::{InitError, Universe, library_version};
