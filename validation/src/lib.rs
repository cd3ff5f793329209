//! Validates tools: runs programs, and judges the reports about them against the truth.
//!
//! - [`score`]: reports judged against the truth; totals over all programs, as documents.
//! - [`template`]: files for a tool's maker to begin with.
//! - [`selection`]: the programs that a command means.
//! - [`pipeline`]: programs in, a score out: runs them on an engine, under our recorder or another tool. `session`: one
//!   program after the other, and those again that the machine disturbed.
//! - [`what_if`]: predictions for changed programs, judged by these.

pub mod pipeline;
pub mod score;
pub mod selection;
mod session;
pub mod template;
pub mod what_if;
