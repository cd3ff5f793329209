//! The published documents of ATS, their JSON schemas, and readers for those written by hand.
//!
//! - [`truth`], [`analysis`], [`report`]: findings of a program, known or found by a tool; [`finding`] is their common part.
//! - [`causes`]: who makes whom wait, and the critical path; [`explanation`]: what to do about it; [`comparison`]: what differs
//!   between two runs.
//! - [`profile`], [`summaries`], [`region_graph`]: the time that a run spent; [`classes`] are a user's rules for it.
//! - [`machine`]: processors and memory that the run had, in several of these.
//! - [`experiment`]: records of several runs, to be compared: their [`overheads`] over a sequential run, their
//!   [`efficiencies`], and [`diagnosis`], the properties that hold for them.
//! - [`memory`]: misses of caches of every size.
//! - [`models`], [`prediction`]: what a program costs as a function of its parameters, and at a size.
//! - [`what_if`]: what changes of a run gain; [`what_if_score`]: how far off such predictions are.
//! - [`score`], [`scoreboard`]: comparison of findings with the truth.
//! - [`page`]: the data of an HTML page.
//! - [`catalogue`]: programs, properties and wait states; [`answer`]: what commands have done.
//! - [`schema`]: the JSON schemas; [`written`]: documents in TOML or JSON with short forms.
//!
//! Programs and the recorder write none of them; the witness of a run is in [`ats_model::witness`].

pub mod analysis;
pub mod answer;
mod basis;
mod call;
pub mod catalogue;
pub mod causes;
pub mod classes;
pub mod comparison;
pub mod diagnosis;
pub mod efficiencies;
pub mod experiment;
pub mod explanation;
pub mod finding;
pub mod machine;
pub mod memory;
pub mod messages;
pub mod models;
pub mod overheads;
pub mod page;
pub mod prediction;
pub mod profile;
pub mod region_graph;
pub mod report;
pub mod schema;
pub mod score;
pub mod scoreboard;
mod short;
pub mod summaries;
pub mod truth;
mod unit;
pub mod what_if;
pub mod what_if_score;
pub mod written;

pub use analysis::{Analysis, Wait};
pub use causes::Causes;
pub use comparison::Comparison;
pub use diagnosis::Diagnosis;
pub use efficiencies::Efficiencies;
pub use experiment::{Experiment, Experiments, PlannedRuns};
pub use explanation::Explanation;
pub use finding::{Basis, Finding};
pub use memory::Memory;
pub use messages::Messages;
pub use models::Models;
pub use overheads::Overheads;
pub use page::Page;
pub use prediction::Prediction;
pub use profile::Profile;
pub use region_graph::RegionGraphs;
pub use report::Report;
pub use score::Score;
pub use scoreboard::Scoreboard;
pub use summaries::Summaries;
pub use truth::Truth;
pub use what_if::WhatIf;
pub use what_if_score::WhatIfScore;
