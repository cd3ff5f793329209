//! MPI on the kernel: messages, requests, communicators and collective operations, and the wait states of waiting in
//! them.
//!
//! The calls of a program are above, in [`crate::program`]; here nothing pauses.

pub(crate) mod acting;
pub(crate) mod algorithm;
pub(crate) mod call;
pub(crate) mod collective;
pub(crate) mod completion;
pub(crate) mod costs;
pub(crate) mod group;
pub(crate) mod instance;
pub(crate) mod mailbox;
pub(crate) mod message;
pub(crate) mod neighborhood;
pub(crate) mod network;
pub(crate) mod nodes;
pub(crate) mod operation;
pub(crate) mod operations;
pub(crate) mod part;
pub(crate) mod point_to_point;
pub(crate) mod polling;
pub(crate) mod progress;
pub(crate) mod rules;
pub(crate) mod started;
pub(crate) mod starts;
pub(crate) mod state;
pub(crate) mod unexpected;
pub(crate) mod waiting;
pub(crate) mod waits;
