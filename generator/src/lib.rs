//! From the catalogue to complete programs: source a person would have written, a build file, a README that says what
//! the program shows and how much.
//!
//! [`generate`] writes one program into a folder of its own. [`generate_set`] writes several into one workspace, so
//! that they share a lock file and a target folder. The programs find the suite's crates by path ([`SuiteSource`]).
//!
//! ```no_run
//! use ats_generator::{Mpi, Options, SuiteSource, generate_set};
//! use ats_props::Catalogue;
//!
//! let catalogue = Catalogue::builtin();
//! let options = Options::new(SuiteSource::find()?);
//! let programs = generate_set(catalogue.properties(), "programs".as_ref(), &options)?;
//! let mpi = Mpi::default();
//! programs.build_command(&mpi).status()?;
//! println!("{}", programs.executable("late_sender", &mpi).display());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod build;
mod error;
mod files;
mod generate;
mod names;
mod suite;
mod template;

pub use build::{Generated, Mpi};
pub use error::GenerateError;
pub use generate::{KnownSeverity, Options, generate, generate_set};
pub use suite::SuiteSource;
