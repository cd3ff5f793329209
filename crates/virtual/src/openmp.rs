//! OpenMP on the kernel: teams of threads, barriers, locks, tasks and worksharing, and the wait states of waiting in
//! them.
//!
//! The calls of a program are above, in [`crate::program`]; here nothing pauses.

pub(crate) mod barrier;
pub(crate) mod body;
pub(crate) mod construct;
pub(crate) mod idle;
pub(crate) mod lock;
pub(crate) mod locking;
pub(crate) mod region;
pub(crate) mod rest;
pub(crate) mod resting;
pub(crate) mod rules;
pub(crate) mod share;
pub(crate) mod state;
pub(crate) mod task;
pub(crate) mod tasking;
pub(crate) mod team;
pub(crate) mod thread;
pub(crate) mod waiting;
pub(crate) mod worksharing;
