//! How programs are generated.

use crate::{Language, SuiteSource, Team};

/// How programs are generated.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Where they find the suite's crates.
    pub suite: SuiteSource,
    /// What they are written in.
    pub language: Language,
    /// What runs the threads of those in Rust that have some.
    pub team: Team,
    /// Write into a folder that is not empty, over the files of a former program; others stay.
    pub force: bool,
    /// Make one executable of the properties in Rust that run on the same, with a link for each ([`Generated::link`](crate::Generated::link)): it
    /// is built in a fraction of the time.
    pub together: bool,
    /// Link at a fixed address.
    pub no_pie: bool,
    /// Where those in C and Fortran find `libats` unless they are told; none where pkg-config has to know.
    pub prefix: Option<String>,
}

impl Options {
    /// In Rust, into new folders, with OpenMP.
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
