//! MPI programs in virtual time: exact, deterministic, on one core.
//!
//! Every rank is a coroutine with a clock of its own. Work advances the clock; communication obeys MPI's blocking
//! rules; nothing takes real time. What a rank waits for, and how long, is therefore known exactly: this is where the
//! suite's ground truth comes from.
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
//! # Ok::<(), ats_virtual::SimulationError>(())
//! ```

mod account;
mod call;
mod collective;
mod communicator;
mod completion;
mod error;
mod executor;
mod network;
mod outcome;
mod point_to_point;
mod rank;
mod replay;
mod simulation;
mod sink;
mod stack;
mod time;
mod unexpected;
mod world;

pub use error::{BlockedRank, SimulationError};
pub use network::Network;
pub use outcome::{Outcome, Wait};
pub use replay::RankReplay;
pub use simulation::Simulation;
pub use sink::Sink;
pub use time::TICKS_PER_SECOND;
