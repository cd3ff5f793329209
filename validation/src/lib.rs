//! Runs programs and holds what is reported of them against what they show. Three rooms, each of which knows those before it:
//!
//! - [`truth`]: what a program shows, from its parameters and from its own stamps.
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
pub mod truth;
pub mod under;
