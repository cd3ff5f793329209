//! Frame of a generated program around its property, so that the program itself stays short.
//!
//! [`main`] reads the command line, initialises MPI or a team of threads, or both, as the property needs them, and
//! ends them; between, the program walks through its phases with a [`Harness`]:
//!
//! | region | what happens |
//! |---|---|
//! | `ats_setup` | work is configured, threads are started, eager sends are probed, clocks are compared |
//! | `ats_align` | [`Harness::align`]: all ranks wait for each other, unseen by tools |
//! | `ats_warmup` | [`Harness::warm_up`]: the balanced twin takes the start-up costs |
//! | `ats_measured` | [`Harness::measure`]: the property, between `MPI_Pcontrol(1)` and `MPI_Pcontrol(0)` |
//! | `ats_report` | clocks are compared again, checksums are combined, the witness is written, rank 0 prints a summary line |
//!
//! What a program links is its own choice: MPI with the feature `mpi`, an OpenMP runtime with `openmp`, threads without
//! one with `rayon`; with `pragmas` threads are those that its compiler makes. Cargo unifies the features of what it builds at once; so programs of different paradigms belong into
//! different workspaces.
//!
//! [`main`] is for programs in Rust. Others take the same steps one by one: [`Harness::begin`],
//! [`Harness::begin_measured`], [`Measuring::end`], [`Measured::report`].
//!
//! It works alike for a property from any crate:
//!
//! ```no_run
//! use ats_props::mpi::messages::late_sender::{PROPERTY, late_sender};
//!
//! fn main() -> std::process::ExitCode {
//!     ats_harness::main(&PROPERTY, |harness| {
//!         let basework = harness.argument("basework");
//!         let extrawork = harness.argument("extrawork");
//!         let r = harness.argument("r");
//!         harness.align();
//!         harness.warm_up();
//!         harness.align();
//!         harness.measure(|run| late_sender(basework, extrawork, r, run.communicator()))
//!     })
//! }
//! ```

mod affinity;
#[cfg(feature = "composition")]
mod composition;
mod environment;
mod harness;
mod launcher;
mod options;
mod outline;
mod refusal;
mod report;
mod run;
mod team;
mod world;

#[cfg(feature = "composition")]
pub use composition::composition;
pub use harness::{Harness, Measured, Measuring, Run};
pub use outline::Outline;
pub use run::main;
pub use team::Engine;
