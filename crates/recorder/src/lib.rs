//! A preloadable library that records a program with MPI and OpenMP into an OTF2 trace. `README.md` says how to build and use it.
//!
//! - [`wrappers`]: the functions of MPI as the program sees them; [`calls`] is the form that they are written in, [`call`]
//!   one that is being made, [`pmpi`] the library's own functions; [`jumps`] may leave them; [`control`] switches recording
//!   off and on.
//! - [`openmp`]: the recorder as a tool of an OpenMP runtime.
//! - [`user`]: regions that the program marks; [`instrumented`]: its functions, as the compiler marks them.
//! - [`track`]: what a thread records, by its number ([`numbers`]), and what the [`machine`] does for it; [`buffer`]: its
//!   events in memory; [`clock`]: their time stamps, and their [`offsets`]; [`region`], with its [`place`] in the
//!   source, the [`code`] there, of a module that is [`loaded`] for a time ([`unloading`]) and may have a
//!   [`debug_file`], and its [`call_site`], the [`stack`] of calls, with functions that are [`outlined`],
//!   [`communicator`] and its [`topology`], [`request`], [`watched`], [`message`], [`collective`]: what they refer to;
//!   [`status`]: what MPI says of a message.
//! - [`metrics`]: what the program counts; [`meter`]: counters of the machine that are asked for, and [`allocations`].
//! - [`samples`]: where threads are in the program now and then, and their [`sampling`]; the [`tables`] that stacks are unwound
//!   by.
//! - [`session`]: from `MPI_Init`, or the first parallel region, to the end of the process, which may be by one of its
//!   [`signals`], with a thread in the [`background`]; [`load`] has both ends, [`finalizing`] that of MPI;
//!   [`exchange`]: how the ranks agree on definitions; [`folder`], [`archive`]: what lies on the disk; [`belongs`], [`claim`]: who is recorded; [`affinity`]: their processors.
//! - [`fortran`]: how Fortran programs come to the same functions, by their [`links`] and through [`forwarding`].
//! - [`library`]: whether the program's MPI library is the one that the recorder is built for; [`launcher`]: what is
//!   known before MPI is initialised.

mod affinity;
mod allocations;
mod archive;
mod background;
mod belongs;
mod buffer;
mod call;
mod call_site;
mod calls;
mod claim;
mod clock;
mod code;
mod collective;
mod communicator;
mod control;
mod debug_file;
mod exchange;
mod finalizing;
mod folder;
mod fortran;
mod forwarding;
mod instrumented;
mod jumps;
mod launcher;
mod library;
mod links;
mod load;
mod loaded;
mod lock;
mod machine;
mod message;
mod meter;
mod metrics;
mod numbers;
mod offsets;
mod ompt;
mod openmp;
mod outlined;
mod place;
mod pmpi;
mod python;
mod region;
mod request;
mod samples;
mod sampling;
mod session;
mod signals;
mod stack;
mod status;
mod tables;
mod topology;
mod track;
mod unloading;
pub mod user;
mod watched;
mod wrappers;

pub use library::ats_recorder_mpi;
pub use ompt::tool::ompt_start_tool;
