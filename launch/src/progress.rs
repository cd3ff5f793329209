//! What is going on, for whoever waits.

use std::path::Path;

use ats_documents::validation::ProgramResult;

/// What is being done, for whoever waits.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// Something is built.
    Building {
        /// What, and for which library.
        what: &'a str,
        /// The folder of the build's output.
        log: &'a Path,
    },
    /// What a build is at, in its own words.
    Compiling(&'a str),
    /// A program is run.
    Running {
        /// Which.
        program: &'a str,
        /// How many have been before it.
        done: usize,
        /// How many there are.
        of: usize,
    },
    /// A program has its result.
    Judged(&'a ProgramResult),
    /// A run of a plan is over.
    Ended {
        /// Which.
        program: &'a str,
        /// Why there is nothing of it, where that is so.
        message: Option<&'a str>,
    },
}

/// Whoever waits.
pub trait Progress {
    /// The next step begins.
    fn step(&mut self, step: Step<'_>);
}

/// Nobody waits.
impl Progress for () {
    fn step(&mut self, _step: Step<'_>) {}
}
