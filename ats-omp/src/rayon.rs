//! The engine over rayon's thread pools, for machines without an OpenMP runtime.
//!
//! Constructs do the same as OpenMP's and are logged in the same way, but they are none of OpenMP's: a tool that
//! listens by OMPT sees nothing of them. Threads that wait sleep.

mod lock;
mod region;
mod team;
mod thread;

pub use team::RayonTeam;
pub use thread::RayonThread;
