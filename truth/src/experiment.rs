//! The promises of a program over several runs.

use std::collections::BTreeMap;

use ats_compose::Subject;
use schemars::JsonSchema;
use serde::Serialize;

use super::size::Size;
use super::{TruthError, TruthOptions, nominal};

/// `ats-truths/1`: what the parameters of a program promise in each of several runs, and from one to the other.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Experiment {
    /// The schema: `ats-truths/1`.
    pub schema: &'static str,
    /// The program.
    pub program: String,
    /// The values of its parameters, by name.
    pub parameters: BTreeMap<String, String>,
    /// In the order in which they are compared: each with the first.
    pub runs: Vec<ExperimentRun>,
}

/// One run of an experiment.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct ExperimentRun {
    /// The number of ranks.
    pub ranks: usize,
    /// The number of threads of each rank.
    pub threads: usize,
    /// The duration of the measured part, in seconds.
    pub wall_time: f64,
    /// The waiting time summed over all locations, in seconds.
    pub waiting_time: f64,
    /// The speedup over the first run.
    pub speedup: f64,
    /// The speedup divided by the growth in locations since the first run; 1 if nothing is lost.
    pub efficiency: f64,
}

impl Experiment {
    /// The schema's name and version.
    pub const SCHEMA: &str = "ats-truths/1";

    /// Of runs of these sizes, on an ideal machine.
    ///
    /// # Errors
    /// One of them is too small, or does not come to its end.
    pub fn nominal(subject: &Subject, sizes: &[Size], options: &TruthOptions) -> Result<Self, TruthError> {
        let mut runs: Vec<ExperimentRun> = Vec::new();
        for &size in sizes {
            let truth = nominal(subject, size, options)?;
            let wall_time = truth.basis.wall_time;
            let first = runs.first().map_or((wall_time, size.locations()), |first| {
                (first.wall_time, first.ranks * first.threads)
            });
            // What takes no time at all is as fast in every run.
            let speedup = if wall_time > 0.0 { first.0 / wall_time } else { 1.0 };
            runs.push(ExperimentRun {
                ranks: size.ranks,
                threads: size.threads,
                wall_time,
                waiting_time: truth.findings.iter().map(|finding| finding.waiting_time).sum(),
                speedup,
                efficiency: speedup * first.1 as f64 / size.locations() as f64,
            });
        }
        let (program, parameters) = (subject.name().to_owned(), subject.parameters());
        Ok(Experiment { schema: Experiment::SCHEMA, program, parameters, runs })
    }
}
