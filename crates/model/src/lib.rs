//! The vocabulary of ATS, shared by all other crates.
//!
//! - [`event`] and [`definitions`]: the content of a trace, in OTF2's terms; [`source`]: access to it; [`mod@record`]:
//!   formats of traces, made from the table of events.
//! - [`call_path`]: places in a run; [`call_site`]: places of calls in the source; [`place`]: whether they are the
//!   expected ones.
//! - [`metric`]: values sampled beside the events, [`own_metric`] those of the suite's recorder, [`machine_counter`] those of the machine; [`attribute`]: values of
//!   single events; [`strings`]: their names.
//! - [`messages`]: matching of sends and receives; [`groups`]: lists by key.
//! - [`mpi`] and [`openmp`]: the functions of MPI and the constructs of OpenMP, with their properties; [`regions`]:
//!   their definitions by recorders.
//! - [`region_class`]: purposes of the time in regions.
//! - [`wait_state`], [`traffic`], [`hardware`]: wait states, traffic of calls, and counters of hardware and kernel;
//!   [`derived`]: what follows from counters; [`counter`]: the numbers that properties show.
//! - [`delay`]: the kinds of waits that have root causes.
//! - [`clock_correction`]: agreement of the clocks of a trace's processes.
//! - [`mistakes`]: errors in a document; [`lines`]: their places in a text.
//! - [`simulator`]: forms of traces that simulators read.
//! - [`witness`]: the record that a real run keeps of itself.
//! - [`files`]: opening and reading all these.

pub mod affinity;
pub mod attribute;
pub mod call_path;
pub mod call_site;
pub mod cause;
pub mod clock_correction;
mod compact;
pub mod counter;
pub mod definitions;
pub mod delay;
pub mod derived;
pub mod event;
pub mod files;
pub mod groups;
pub mod hardware;
pub mod instances;
pub mod lines;
mod listed;
pub mod locations;
pub mod machine_counter;
pub mod messages;
pub mod metric;
pub mod mistakes;
pub mod mpi;
pub mod neighbors;
pub mod openmp;
pub mod own_attribute;
pub mod own_metric;
pub mod place;
pub mod quantity;
pub mod record;
pub mod region_class;
pub mod regions;
pub mod signature;
pub mod simulator;
pub mod source;
pub mod strings;
pub mod traffic;
pub mod wait_state;
pub mod witness;
pub mod xml;

pub use call_path::{CallPathId, CallTree};
pub use call_site::CallSite;
pub use cause::CauseKind;
pub use clock_correction::ClockCorrection;
pub use counter::Counter;
pub use definitions::Definitions;
pub use event::Event;
pub use quantity::View;
pub use source::EventSource;
pub use traffic::Traffic;
pub use wait_state::WaitState;
pub use witness::Witness;
