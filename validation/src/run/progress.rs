//! What is going on, for whoever waits.

use ats_model::validation::ProgramResult;

/// What is being done, for whoever waits.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// Something is built.
    Building(&'a str),
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
