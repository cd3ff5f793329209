//! The performance property functions and their catalogue.
//!
//! One file per property: [`mpi`], [`openmp`], [`hybrid`] and [`sequential`] list them. Each is a function, which runs its balanced twin,
//! too. The function's signature is the source of its catalogue entry ([`Property`]), from which the command line, the
//! documentation and the truth derive.
//!
//! A property of your own lives in any crate:
//!
//! ```
//! use ats_props::{property, Balance, Communicator, Seconds, do_work};
//!
//! /// Every rank waits for rank 0 at a barrier.
//! #[property(finds = WaitAtBarrier, formula = (P - 1) * work)]
//! pub fn lazy_master(
//!     /// Work of rank 0 alone.
//!     #[default(Seconds(0.01))]
//!     work: Seconds,
//!     c: &dyn Communicator,
//!     balance: Balance,
//! ) {
//!     // In the twin all share the work.
//!     let of_rank = if c.rank() == 0 { work.0 } else { 0.0 };
//!     do_work(balance.pick(of_rank, work.0 / c.size() as f64));
//!     c.barrier();
//! }
//!
//! let catalogue = ats_props::Catalogue::builtin().with(&PROPERTY);
//! assert_eq!(catalogue.program("lazy_master").unwrap().name(), "lazy_master");
//! ```

extern crate self as ats_props;

/// The rows of the catalogue that these properties are a part of: `rows.toml`.
pub const ROWS: &str = include_str!("../rows.toml");

mod balance;
mod catalogue;
mod entry;
mod family;
mod finds;
pub mod formula;
pub mod hybrid;
pub mod mpi;
pub mod native;
mod needs;
pub mod openmp;
mod parameter;
mod property;
pub mod sequential;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[cfg(test)]
mod formulas {
    //! The formulas of every property and its twin, held against the virtual engine.

    include!(concat!(env!("OUT_DIR"), "/formulas.rs"));
}
mod token;

pub use ats_distr::Distribution;
pub use ats_macros::property;
pub use ats_model::mpi::Function as MpiFunction;
pub use ats_model::{CauseKind, Counter, WaitState, openmp::Construct};
pub use ats_mpi::{Communicator, Process, Progress, SendMode};
pub use ats_omp::{LockKind, Schedule, Team, Thread, par_do_omp_work};
pub use ats_work::amount::{
    Allocations, Amount, Bound, Branches, Chase, Multiplications, Pages, Placed, REMOTE_PAGES, Readings,
    Target, Triad, Updates, Writes,
};
pub use ats_work::{
    MemoryWork, cause, count, do_amount, do_flops, do_int_ops, do_memory, do_work, in_a_frame, region,
    same_for_all,
};
pub use balance::Balance;
pub use catalogue::{Catalogue, Program, UnknownProgram};
pub use entry::Entry;
pub use finds::{Also, Cause, Finds, Place, Shown, TASK_CLOCK, Truth, What};
pub use formula::{Location, Term};
pub use needs::{Context, Needs};
pub use parameter::*;
pub use property::{ArgumentError, Arguments, Origin, Property};
