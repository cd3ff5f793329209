//! The engine over LLVM's OpenMP runtime (libomp 14 or newer).
//!
//! It makes the calls that clang compiles into programs, so that every tool that knows OMPT sees genuine constructs.
//! The calls are inlined into the property that uses a construct: each use has a call site of its own.
//!
//! A program calls [`check`] first, and [`wait_passively`] if it has more threads than cores.
//!
//! A thread that starts regions with tasks stays until the program ends, as the main thread does. When it ends, libomp
//! (14, 15, 16 and 19 were tried) frees the memory of its tasks, while the threads of its teams, which work in the
//! teams of others from then on, still keep some of it in their lists: the program ends in an assertion of
//! kmp_alloc.cpp, or worse. A program in C does so too: `docs/libomp/ended_threads.c`.
//!
//! The build script links `libomp.so`: from `LIBOMP_DIR` if set, else from the newest LLVM in `/usr/lib`, else from
//! the linker's own folders. One program runs with any libomp from 14 on: the loader takes the one of the system or of
//! `LD_LIBRARY_PATH`. A program that should find one elsewhere sets its own run path, to the folder that its build
//! script finds in `DEP_OMP_LIBRARY_FOLDER` if it depends on this crate.

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
