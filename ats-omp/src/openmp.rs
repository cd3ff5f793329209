//! The engine over LLVM's OpenMP runtime (libomp 14 or newer).
//!
//! It calls what a program that clang compiled would call, so that every tool that knows OMPT sees genuine constructs.
//! The calls are inlined into the property that uses a construct: each use has a call site of its own.
//!
//! A program that has more threads than cores calls [`wait_passively`] first.

mod entry;
mod lock;
mod loops;
mod runtime;
mod task;
mod team;
mod thread;

pub use runtime::{TooOld, check, library, set_max_threads, wait_passively};
pub use team::OpenMp;
pub use thread::OpenMpThread;
