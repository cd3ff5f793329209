//! The interface of a simulation for programs: communicators, teams and threads, work and regions.
//!
//! All are plain ids; location and world come from the coroutine that they are used in. Only here a location pauses.

pub(crate) mod align;
pub(crate) mod communicator;
pub(crate) mod executor;
pub(crate) mod probes;
pub(crate) mod process;
pub(crate) mod rank;
pub mod recorded;
pub(crate) mod requests;
pub(crate) mod team;
pub(crate) mod thread;
pub(crate) mod unreplayed;
