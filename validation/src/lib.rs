//! Validates tools: runs programs, and judges the reports about them against the truth.
//!
//! - [`score`]: reports judged against the truth; totals over all programs, as documents.
//! - [`template`]: files for a tool's maker to begin with.
//! - [`selection`]: the programs that a command means.
//! - [`session`]: runs program by program, and again if the machine disturbed one; [`pipeline`] does so on an engine of the
//!   suite, [`under`] beneath another tool.

pub mod pipeline;
pub mod score;
pub mod selection;
pub mod session;
pub mod template;
pub mod under;
