//! The engine over LLVM's OpenMP runtime (libomp 14 or newer).
//!
//! It calls what a program that clang compiled would call, so that every tool that knows OMPT sees genuine constructs.
//! The calls are inlined into the property that uses a construct: each use has a call site of its own.
//!
//! A program calls [`check`] first, and [`wait_passively`] if it has more threads than cores.
//!
//! The build script links `libomp.so`: from `LIBOMP_DIR` if set, else from the newest LLVM in `/usr/lib`, else from
//! where the linker looks. One program runs with any libomp from 14 on: the loader takes the one of the system or of
//! `LD_LIBRARY_PATH`. A program that should find one elsewhere sets its own run path, to what its build script finds
//! in `DEP_OMP_LIBRARY_FOLDER` if it depends on this crate.

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
