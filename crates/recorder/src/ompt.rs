//! OpenMP's interface for tools (OMPT): a runtime tells the recorder of the actions of threads.
//!
//! - [`tool`]: how a runtime finds the recorder, and what it is asked to tell.
//! - [`callbacks`]: what it tells, and which event that is, by OMPT's numbers.
//! - [`test_lock`]: what some runtimes do not tell.

mod callbacks;
mod test_lock;
pub(crate) mod tool;
