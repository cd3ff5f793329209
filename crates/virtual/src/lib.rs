//! MPI and OpenMP programs in virtual time: exact, deterministic, on one core.
//!
//! Every rank, and every thread of it, is a coroutine with a clock of its own. Work advances the clock; communication
//! and constructs obey the blocking rules of MPI and OpenMP; nothing takes real time. The duration and cause of every
//! wait are therefore known exactly: this is the source of the suite's ground truth.
//!
//! Three rooms: the kernel knows locations and turns, MPI and OpenMP stand on it, and neither knows the other. The world is
//! the three of them; above it are what programs see, and the run itself, in [`Simulation`]. The README says more.
//!
//! ```
//! use ats_mpi::Communicator;
//! use ats_virtual::Simulation;
//!
//! let outcome = Simulation::new(4).run(|c| {
//!     ats_work::do_work(0.01 * c.rank() as f64);
//!     c.barrier();
//! })?;
//! let waited = outcome.waiting_time(ats_model::WaitState::WaitAtBarrier);
//! assert!((waited - 0.06).abs() < 1e-12);
//!
//! use ats_omp::{Team, Thread};
//!
//! let outcome = Simulation::new(2).threads(4).run_with_team(|c, team| {
//!     team.parallel(4, |t| ats_work::do_work(0.01 * t.number() as f64));
//!     c.barrier();
//! })?;
//! let waited = outcome.waiting_time(ats_model::WaitState::WaitAtImplicitOmpBarrier);
//! assert!((waited - 0.12).abs() < 1e-12);
//! # Ok::<(), ats_virtual::SimulationError>(())
//! ```

mod deadlock;
mod definitions;
mod kernel;
mod mpi;
mod openmp;
mod outcome;
mod program;
mod scheduler;
mod simulation;
mod world;

pub use kernel::costs::{CostKey, Costs};
pub use kernel::error::{BlockedLocation, Place, SimulationError};
pub use kernel::processors::Processors;
pub use kernel::replay::{RankReplay, ThreadReplay};
pub use kernel::sink::Sink;
pub use kernel::time::TICKS_PER_SECOND;
pub use mpi::algorithm::Algorithm;
pub use mpi::network::{Network, Node};
pub use openmp::lock::LockOrder;
pub use outcome::{Location, MeasuredRegion, Outcome, Wait};
pub use program::align::align;
pub use program::communicator::recorded::{
    CommunicatorGroup, RecordedCommunicator, RecordedOperation, complete_recorded, first_to_complete,
};
pub use program::recorded;
pub use program::team::VirtualTeam;
pub use program::thread::VirtualThread;
pub use program::unreplayed::unreplayed;
pub use simulation::Simulation;
