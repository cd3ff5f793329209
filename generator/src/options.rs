//! Options of generation.

use crate::{Language, SuiteSource, Team};

/// Options for the generation of programs.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The place of the suite's crates.
    pub suite: SuiteSource,
    /// The language of the programs.
    pub language: Language,
    /// The thread teams of programs in Rust that have threads.
    pub team: Team,
    /// Write into a folder that is not empty, over the files of a former program; others stay.
    pub force: bool,
    /// Make one executable of the properties in Rust that run on the same, with a link for each
    /// ([`Generated::link`](crate::Generated::link)): it is built in a fraction of the time.
    pub together: bool,
    /// Link at a fixed address.
    pub no_pie: bool,
    /// The prefix where those in C and Fortran find `libats` by default; `None` if pkg-config finds it.
    pub prefix: Option<String>,
}

impl Options {
    /// Options for programs in Rust, in new folders, with OpenMP.
    pub fn new(suite: SuiteSource) -> Self {
        Options {
            suite,
            language: Language::Rust,
            team: Team::OpenMp,
            force: false,
            together: false,
            no_pie: false,
            prefix: None,
        }
    }
}
