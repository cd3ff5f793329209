//! How much work: `do_work`, its kinds and their calibration, amounts of work, region marks, and the hook by which an
//! engine takes them over.
//!
//! The functions are free, as in the report: `do_work(seconds)` needs no context. On a real thread the work is done
//! and the regions are announced to whatever tool watches; on a thread where an [`Executor`] is installed, it decides.

pub mod executor;
pub mod log;
mod watcher;

pub use executor::{Executor, Region, do_work, install, now, region};

pub mod amount;
pub mod perform;
pub use amount::Amount;
