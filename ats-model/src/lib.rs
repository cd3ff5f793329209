//! The words of ATS: what every other crate speaks of.
//!
//! - [`event`] and [`definitions`]: what a trace says, in OTF2's terms; [`source`] is how a trace is read, [`mod@record`] how a
//!   format of traces comes from the table of events.
//! - [`call_path`]: where something happens; [`place`]: whether that is where it was expected.
//! - [`messages`]: which ends belong together; [`groups`] are lists by key.
//! - [`mpi`] and [`openmp`]: the functions of MPI and the constructs of OpenMP, and what each of them is; [`regions`]: how
//!   recorders define them.
//! - [`wait_state`]: what is measured; [`traffic`]: what is counted.
//! - [`clock_correction`]: how the clocks of a trace's processes agree.
//! - [`finding`], [`truth`], [`analysis`], [`report`], [`validation`], [`score`], [`scoreboard`]: the published documents; [`schema`]
//!   their JSON schemas.
//! - [`written`]: those that people write, and [`mistakes`] in them.
//! - [`witness`]: what a real run tells about itself.
//! - [`files`]: how all that is opened.

#[cfg(feature = "documents")]
pub mod analysis;
pub mod call_path;
pub mod clock_correction;
pub mod definitions;
pub mod event;
pub mod files;
#[cfg(feature = "documents")]
pub mod finding;
pub mod groups;
mod listed;
pub mod locations;
pub mod messages;
pub mod mistakes;
pub mod mpi;
pub mod openmp;
pub mod place;
pub mod quantity;
pub mod record;
pub mod regions;
#[cfg(feature = "documents")]
pub mod report;
#[cfg(feature = "documents")]
pub mod schema;
#[cfg(feature = "documents")]
pub mod score;
#[cfg(feature = "documents")]
pub mod scoreboard;
#[cfg(feature = "documents")]
mod short;
pub mod source;
pub mod traffic;
#[cfg(feature = "documents")]
pub mod truth;
#[cfg(feature = "documents")]
pub mod validation;
pub mod wait_state;
pub mod witness;
#[cfg(feature = "documents")]
pub mod written;

#[cfg(feature = "documents")]
pub use analysis::{Analysis, Wait};
pub use call_path::{CallPathId, CallTree};
pub use clock_correction::ClockCorrection;
pub use definitions::Definitions;
pub use event::Event;
#[cfg(feature = "documents")]
pub use finding::{Basis, Finding};
pub use quantity::View;
#[cfg(feature = "documents")]
pub use report::Report;
#[cfg(feature = "documents")]
pub use score::Score;
#[cfg(feature = "documents")]
pub use scoreboard::Scoreboard;
pub use source::EventSource;
pub use traffic::Traffic;
#[cfg(feature = "documents")]
pub use truth::Truth;
#[cfg(feature = "documents")]
pub use validation::Validation;
pub use wait_state::WaitState;
pub use witness::Witness;
