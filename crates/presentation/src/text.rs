//! Text for terminals: tables of documents.
//!
//! - [`printable`]: text from outside, without control characters.
//! - [`results`], [`score`], [`short_score`]: a score, in full or in a line per program. [`lines`]: the
//!   rows of a program, as soon as it is judged.
//! - [`truth`], [`analysis`]: the waits that a program shows, or that were found.
//! - [`causes_of`]: the root causes of a finding.
//! - [`View`]: a part of a profile, by region, call path or call graph.
//! - [`experiments`], [`experiment`], [`planned_runs`]: what a repository has.
//! - [`diagnosis`], [`diagnosis_of`], [`undefined`]: properties that hold for experiments.
//! - [`explanation`]: the problems of a run, and advice; [`comparison`]: what differs between two.
//! - [`memory`]: misses of caches.
//! - [`overheads`], [`efficiencies`]: comparisons of experiments; [`models`], [`prediction`]: what a program costs.
//! - [`what_if`]: gains of changes; [`what_if_score`]: how far off such predictions are.
//! - [`properties`], [`property`], [`rows`], [`wait_states`], [`composition`]: the catalogue.
//! - [`documents`], [`precision`]: answers of commands.

mod analysis;
mod answers;
mod catalogue;
mod causes;
mod comparison;
mod diagnosis;
mod efficiencies;
mod experiments;
mod explanation;
mod findings;
mod gate;
mod grid;
mod memory;
mod overheads;
mod prediction;
mod profile;
mod results;
mod sentences;
mod truth;
mod what_if;
mod what_if_score;

pub use crate::printable::{printable, printable_lines};
pub use analysis::analysis;
pub use answers::{documents, precision};
pub use catalogue::{ComposedStep, composition, properties, property, rows, wait_states};
pub use causes::causes_of;
pub use comparison::comparison;
pub use diagnosis::{diagnosis, diagnosis_of, undefined};
pub use efficiencies::efficiencies;
pub use experiments::{experiment, experiments, planned_runs};
pub use explanation::explanation;
pub use memory::memory;
pub use overheads::overheads;
pub use prediction::{models, prediction};
pub use profile::{Order, View};
pub use results::{Line, Look, Mood, Names, Shown, header, lines, results, score, short_score};
pub use sentences::sentences;
pub use truth::truth;
pub use what_if::what_if;
pub use what_if_score::what_if_score;
