//! Message passing: the part of MPI that performance properties need, as a trait that a real and a virtual engine
//! implement.
//!
//! - [`Communicator`]: the trait. Its calls are data ([`Op`]); the named methods on `dyn Communicator` read like MPI.
//! - [`Process`]: the same before MPI is initialised, and after.
//! - [`part`]: the data that a call reads and writes on a rank.
//! - [`MpiBuf`], [`MpiVBuf`], [`BaseComm`]: the report's buffers (section 3.1.3); [`Column`]: one with gaps.
//! - [`patterns`]: communication patterns (report, section 3.1.4).
//! - [`par_do_mpi_work`]: parallel work (section 3.1.1).
//! - `real` (feature `real`): the engine on an MPI library.

mod buffer;
mod communicator;
mod counts;
mod datatype;
mod op;
mod outcome;
pub mod part;
mod partitions;
pub mod patterns;
mod process;
#[cfg(feature = "real")]
pub mod real;
mod request;
mod topology;
mod work;

pub use ats_model::mpi::{Progress, SendMode};
pub use buffer::{BaseComm, Memory, MpiBuf, MpiVBuf};
pub use communicator::Communicator;
pub use counts::Counts;
pub use datatype::{Column, Datatype, DerivedType};
pub use op::{Op, ReduceOp, Source, Tag};
pub use outcome::{Choice, Outcome};
pub use partitions::{NO_PARTITIONS, Partitions};
pub use patterns::{
    Direction, Transfer, mpi_commpattern_all_to_one, mpi_commpattern_chain, mpi_commpattern_one_to_all,
    mpi_commpattern_sendrecv, mpi_commpattern_shift,
};
pub use process::Process;
pub use request::{Completion, How, Matched, Request, Status};
pub use topology::{Dimension, grid_neighbors};
pub use work::par_do_mpi_work;
