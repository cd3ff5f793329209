//! The kernel: locations with their clocks and stacks, the order in which they run, call paths, accounts and replay.
//!
//! It knows processes and threads, calls and regions, but neither MPI nor OpenMP: the rooms above decide why a
//! location is blocked, and for how long.

pub(crate) mod account;
pub(crate) mod agenda;
pub(crate) mod call;
pub(crate) mod costs;
pub(crate) mod counters;
pub(crate) mod error;
pub(crate) mod held;
pub(crate) mod location;
pub(crate) mod measuring;
pub(crate) mod polls;
pub(crate) mod prefetch;
pub(crate) mod processors;
pub(crate) mod profile;
pub(crate) mod regions;
pub(crate) mod replay;
pub(crate) mod signals;
pub(crate) mod sink;
pub(crate) mod stack;
pub(crate) mod state;
pub(crate) mod time;
