//! Traces as programs: run again in virtual time, with other work, another network or another place.
//!
//! Each location of a trace is a coroutine of the virtual engine that does what its events say: time between calls is
//! work, calls are what their records tell. The engine decides as usual what waits last. A first replay measures what
//! each call takes beside waiting; so, without changes and on the recorded network, a replay ends where the trace
//! ends.
//!
//! ```
//! use ats_whatif::{Changes, Network, Program};
//!
//! let trace = ats_analyzer::notation::parse(
//!     "0: 0..5 work; 5..6 MPI_Send send 1
//!      1: 0..2 work; 2..6 MPI_Recv recv 0",
//! )?;
//! let program = Program::new(&trace, &[], Network::default()).unwrap();
//! assert_eq!(program.unchanged(), program.recorded());
//! let changes = Changes { speeds: vec!["work=2".parse().unwrap()], ..Changes::default() };
//! let (replayed, _) = program.run_in_memory(&changes).unwrap();
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod call;
mod changes;
mod clock;
mod error;
mod evidence;
mod interpreter;
mod network;
mod reader;
mod replay;
mod run;
mod simulators;
mod state;
mod survey;
mod tables;
mod tape;

pub use ats_virtual::Network;
pub use changes::{
    Changes, End, NetworkOfReplay, Segment, SegmentError, Selection, SelectionError, Speed, SpeedError,
};
pub use error::WhatIfError;
pub use evidence::EagerSizes;
pub use glob::Pattern;
pub use network::{EagerLimit, EagerSource, NetworkOfTrace};
pub use replay::{Destination, Program, Replayed, TICKS_PER_SECOND};
pub use simulators::NotWritten;
