//! The vocabulary of ATS, shared by all other crates.
//!
//! - [`event`] and [`definitions`]: what a trace says, in OTF2's terms; [`source`] is how a trace is read, [`mod@record`] how a
//!   format of traces comes from the table of events.
//! - [`call_path`]: where something happens; [`call_site`]: where in the source a call stands; [`place`]: whether that is where it was expected.
//! - [`metric`]: what a recorder counts beside the events; [`attribute`]: what it notes of single ones; [`strings`]: what they
//!   name.
//! - [`messages`]: which ends belong together; [`groups`] are lists by key.
//! - [`mpi`] and [`openmp`]: the functions of MPI and the constructs of OpenMP, and what each of them is; [`regions`]: how
//!   recorders define them.
//! - [`region_class`]: what the time in a region is spent on.
//! - [`wait_state`]: what is measured; [`traffic`]: what is counted; [`hardware`]: what hardware and kernel count.
//! - [`clock_correction`]: how the clocks of a trace's processes agree.
//! - [`mistakes`]: what is wrong with a document; [`lines`]: where in a text.
//! - [`witness`]: what a real run tells about itself.
//! - [`files`]: how all that is opened.

pub mod attribute;
pub mod call_path;
pub mod call_site;
pub mod clock_correction;
pub mod definitions;
pub mod event;
pub mod files;
pub mod groups;
pub mod hardware;
pub mod lines;
mod listed;
pub mod locations;
pub mod messages;
pub mod metric;
pub mod mistakes;
pub mod mpi;
pub mod openmp;
pub mod place;
pub mod quantity;
pub mod record;
pub mod region_class;
pub mod regions;
pub mod source;
pub mod strings;
pub mod traffic;
pub mod wait_state;
pub mod witness;
pub mod xml;

pub use call_path::{CallPathId, CallTree};
pub use call_site::CallSite;
pub use clock_correction::ClockCorrection;
pub use definitions::Definitions;
pub use event::Event;
pub use quantity::View;
pub use source::EventSource;
pub use traffic::Traffic;
pub use wait_state::WaitState;
pub use witness::Witness;
