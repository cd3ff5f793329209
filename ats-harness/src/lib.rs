//! What a generated program does around its property, so that the program itself stays short.
//!
//! [`main`] reads the command line, initialises MPI and finalizes it; between, the program walks through its phases
//! with a [`Harness`]:
//!
//! | region | what happens |
//! |---|---|
//! | `ats_setup` | work is configured, eager sends are probed, clocks are compared |
//! | `ats_align` | [`Harness::align`]: all ranks wait for each other, unseen by tools |
//! | `ats_warmup` | [`Harness::warm_up`]: the balanced twin takes the start-up costs |
//! | `ats_measured` | [`Harness::measure`]: the property, between `MPI_Pcontrol(1)` and `MPI_Pcontrol(0)` |
//! | `ats_report` | clocks are compared again, the witness is written, rank 0 prints a summary line |
//!
//! It works alike for a property from any crate:
//!
//! ```no_run
//! use ats_props::mpi::late_sender::{PROPERTY, late_sender};
//!
//! fn main() -> std::process::ExitCode {
//!     ats_harness::main(&PROPERTY, |harness| {
//!         let basework = harness.argument("basework");
//!         let extrawork = harness.argument("extrawork");
//!         let r = harness.argument("r");
//!         harness.align();
//!         harness.warm_up();
//!         harness.align();
//!         harness.measure(|c| late_sender(basework, extrawork, r, c))
//!     })
//! }
//! ```

mod affinity;
mod calls;
mod environment;
mod harness;
mod launcher;
mod options;
mod refusal;
mod report;
mod run;

pub use harness::{Harness, Measured};
pub use run::main;
