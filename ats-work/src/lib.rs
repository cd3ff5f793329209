//! Work of a given duration or amount: `do_work`, its kinds and their calibration, region marks, and the hook for an
//! engine to take them over.
//!
//! The functions are free, as in the report: `do_work(seconds)` needs no context. On a real thread the work is done
//! and the regions are announced to any tool that watches; on a thread with an installed [`Executor`], it decides.

mod affinity;
pub mod amount;
pub mod calibration;
pub mod checksum;
mod clock;
mod config;
mod cores;
mod deadline;
pub mod executor;
mod kind;
mod line;
pub mod log;
pub mod machine;
mod mapping;
mod nodes;
mod operations;
mod os;
pub mod perf_events;
mod perform;
mod precision;
mod quantile;
mod random_access;
mod regions;
mod watcher;
mod worker;

pub use amount::{Amount, MemoryWork};
#[cfg(target_arch = "x86_64")]
pub use clock::tsc_is_usable;
pub use config::{Config, configure};
pub use executor::{
    Executor, Region, cause, count, do_amount, do_flops, do_int_ops, do_memory, do_work, in_a_frame, install,
    now, region, same_for_all,
};
pub use kind::{Kind, UnknownKind};
pub use line::say;
pub use nodes::memory_nodes;
pub use perform::{configure_thread, thread_checksum};
pub use precision::{Row, precision};
pub use regions::{Measured, Regions};

/// The functions for C and Fortran that do work: those tools that see every function show them inside of their callers.
pub const WORKING_FUNCTIONS: [&str; 3] = ["do_work", "par_do_mpi_work", "par_do_omp_work"];
