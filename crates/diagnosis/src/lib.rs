//! Reasons why runs are not as fast as they could be, found by comparing experiments.
//!
//! [`Reference::overheads`] divides the difference between a parallel and a sequential run into classes, and [`contradictions`]
//! checks the sums of such a table. [`Comparison::efficiencies`] says which share of their time runs compute, and why not more;
//! [`Talp`] is what another tool says about that. [`explain_trace`] says why the locations of one run wait, and what to change;
//! [`compare`] says where another takes longer.

mod check;
mod comparison;
mod efficiency;
mod entered;
mod explanation;
mod gate;
mod hierarchy;
mod ledger;
mod losses;
mod measured;
mod overheads;
pub mod properties;
mod run;
mod spending;
mod talp;
mod useful;
mod what_if;

pub use check::contradictions;
pub use comparison::{Divided, compare, divide_trace, divide_trace_with};
pub use efficiency::Comparison;
pub use explanation::{Explained, Limits, explain_trace};
pub use gate::{GateError, judge};
pub use overheads::Reference;
pub use run::{DiagnosisError, Run};
pub use talp::{Talp, TalpError};
pub use what_if::{AskedChanges, NoAnswer, ReplayOptions, Replays};

/// Parts that only the tests of this crate look into.
#[doc(hidden)]
pub mod testing {
    pub use crate::explanation::waits::{SingleWaits, Span};
}
