//! Programs of several performance properties (report, section 3.3).
//!
//! A composition is written as a file: phases in order; in each phase groups of ranks side by side; in each group
//! properties one after the other.
//!
//! ```
//! use ats_compose::Composition;
//! use ats_props::{Catalogue, Context};
//! use ats_virtual::Simulation;
//!
//! let text = r#"
//! schema = "ats-composition/1"
//! name = "two_halves"
//! ranks = 8
//!
//! [[phase]]
//! group = [
//!     { ranks = "0-3", property = [{ name = "late_sender", regions = ["halo"], parameters.extrawork = "20ms" }] },
//!     { ranks = "4-7", property = [{ name = "late_broadcast", parameters = { root = 1, r = 3 } }] },
//! ]
//!
//! [[phase]]
//! repeat = 3
//!
//! [[phase.property]]
//! name = "early_reduce"
//! parameters.baseextrawork = { first = "10ms", step = "10ms" }
//! "#;
//!
//! let composition = Composition::parse(text, "two_halves.toml", &Catalogue::builtin())?;
//! let plan = composition.plan(8, 1)?;
//! let outcome = Simulation::new(8).run(|c| plan.set_up(&Context::new(Some(c), None)).run(ats_virtual::align))?;
//! # assert!(outcome.waiting_time_of(ats_model::WaitState::LateBroadcast, 4) > 0.1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The stages: [`Composition::parse`] resolves a document against the catalogue; [`Composition::plan`] checks it for a
//! number of ranks and threads; [`Plan::set_up`] makes the communicators on every rank; [`Stage::run`] runs it there.

mod composition;
mod document;
mod error;
mod given;
mod plan;
mod random;
mod ranks;
mod region;
mod rows;
mod run;
mod selection;
mod subject;

pub use composition::{Composition, Group, Phase, Step, Team};
#[cfg(feature = "schema")]
pub use document::schema;
pub use error::CompositionError;
pub use given::Given;
pub use plan::Plan;
pub use ranks::{Part, Ranks};
pub use rows::Row;
pub use run::Stage;
pub use selection::Selection;
pub use subject::Subject;
