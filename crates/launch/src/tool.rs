//! The tools of others, as data: how a program is built for one, started under it, and what it leaves.
//!
//! A tool is an axis of its own: any program runs under any tool that can bear it. Adding a tool is one file in
//! `crates/launch/tools`, or one of your own that is named by its path.

mod attach;
mod description;
mod known;
mod predict;
mod report;
mod simulator;
mod when;

pub use ats_reports::csv;
pub use attach::{Places, Unfit};
pub use description::{CallPaths, Format, Tested, Tool, ToolError};
pub use known::Known;
pub use predict::Predicted;
pub use simulator::Simulator;
