//! Runs programs and judges what is reported about them against the truth. Two rooms, the second knows the first:
//!
//! - [`run`]: programs built, started, recorded, under tools.
//! - [`score`]: what was reported, judged against the truth; over all programs, and as text.
//!
//! [`template`] is what a tool's maker begins with. Above them, [`session`] runs program by program, and again where the machine disturbed one; [`pipeline`] does it on an engine
//! of ours, [`under`] beneath a tool of others. [`plan`] runs what a repository of experiments does not have yet.

pub mod pipeline;
pub mod plan;
pub mod run;
pub mod score;
pub mod session;
pub mod template;
pub mod under;
