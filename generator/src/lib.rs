//! From the catalogue to complete programs: source a person would have written, a build file, and a README about the
//! waits of the program and their amounts.
//!
//! [`generate`] writes one program into a folder of its own. [`generate_set`] writes several, with one target folder
//! and one workspace for each paradigm: Cargo unifies the features of the crates that it builds at once, and an OpenMP
//! program must not be linked with MPI because of its neighbours. The programs find the suite's crates by path
//! ([`SuiteSource`]).
//!
//! [`standalone`] is another kind of program: one file in C that needs nothing of the suite.
//!
//! Programs are in Rust, C or Fortran ([`Language`]); those in C and Fortran are built with `libats`, by make or CMake.
//! `libats` and the recorder are built as programs are, too ([`library_command`]).
//!
//! ```no_run
//! use ats_generator::{Mpi, Options, SuiteSource, generate_set};
//! use ats_props::Catalogue;
//!
//! let catalogue = Catalogue::builtin();
//! let options = Options::new(SuiteSource::find()?);
//! let programs = generate_set(catalogue.properties(), "programs".as_ref(), &options)?;
//! let mpi = Mpi::default();
//! for (_, mut command) in programs.build_commands(&mpi) {
//!     command.status()?;
//! }
//! println!("{}", programs.executable("late_sender", &mpi).display());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod build;
mod composition;
mod error;
mod files;
mod generate;
mod language;
mod library;
mod names;
mod native;
mod options;
mod readme;
mod standalone;
mod suite;
mod team;
mod template;

pub use build::{
    Generated, Mpi, RUSTFLAGS, Together, Workspace, share_crates, share_crates_of_programs, turn,
};
pub use error::GenerateError;
pub use generate::{generate, generate_set};
pub use language::Language;
pub use library::{SuiteLibrary, library_command};
pub use options::Options;
pub use standalone::{Standalone, standalone, standalone_build, write_standalone};
pub use suite::{Carried, INSTALLED_SUITE, SuiteSource, installed_prefix};
pub use team::Team;
