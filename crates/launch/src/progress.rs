//! Progress of builds and runs, for a caller that waits.

use std::path::Path;

use ats_documents::score::ProgramResult;

/// A step of the work in progress.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// Something is built.
    Building {
        /// The thing that is built, with its library.
        what: &'a str,
        /// The folder of the build's output.
        log: &'a Path,
    },
    /// The current unit of a build, in the build's own words.
    Compiling(&'a str),
    /// A program is run.
    Running {
        /// The name of the program.
        program: &'a str,
        /// The number of programs before it.
        done: usize,
        /// The number of all programs.
        of: usize,
    },
    /// A program has its result.
    Judged(&'a ProgramResult),
    /// A run of a plan is over.
    Ended {
        /// The name of the program.
        program: &'a str,
        /// The reason why the run has no result; `None` if it has one.
        message: Option<&'a str>,
    },
}

/// Whoever waits.
pub trait Progress {
    /// The next step begins.
    fn step(&mut self, step: Step<'_>);
}

/// A sink that drops all steps.
impl Progress for () {
    fn step(&mut self, _step: Step<'_>) {}
}
