//! OpenMP for Rust: teams of threads, and the constructs they execute.
//!
//! A [`Team`] runs a closure on every thread of a parallel region; a [`Thread`] is the closure's view of its thread.
//! Engines implement both: a real OpenMP runtime, rayon, and virtual time (`ats-virtual`). Data shared between threads
//! is `Sync`, as in all of Rust; the actions of a thread are limited to those that OpenMP allows.
//!
//! ```
//! use ats_omp::{Schedule, Team, Thread};
//!
//! /// Thread t of the team works t + 1 units in a loop, and waits for the others at its end.
//! fn uneven(unit: f64, team: &impl Team) {
//!     team.parallel(team.max_threads(), |t| {
//!         t.for_each(t.threads(), Schedule::StaticChunk(1), |i| ats_work::do_work(unit * (i + 1) as f64));
//!     });
//! }
//! ```

mod erased;
mod lock;
#[cfg(feature = "openmp")]
pub mod openmp;
#[cfg(any(feature = "openmp", feature = "rayon"))]
mod protocol;
#[cfg(feature = "rayon")]
pub mod rayon;
mod schedule;
mod tasks;
mod team;
mod work;

pub use erased::{AnyTeam, AnyThread, DynTeam, DynThread, PartOfTeam};
pub use lock::{Lock, LockKind};
pub use schedule::Schedule;
pub use tasks::{TaskQueue, Tasks};
pub use team::{Reduction, Team, Thread};
pub use work::par_do_omp_work;
