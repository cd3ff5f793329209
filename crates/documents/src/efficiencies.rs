//! Efficiencies of runs, by factors: the document `ats-efficiencies/1`.

use serde::{Deserialize, Serialize};

use ats_model::named;

/// `ats-efficiencies/1`: the efficiencies of POP (Performance Optimisation and Productivity, a centre of excellence) for MPI, for
/// OpenMP, and for both.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Efficiencies {
    /// The schema's name, `ats-efficiencies/1`.
    pub schema: String,
    /// The run that those of the first group are compared with, or all, if one was asked for.
    pub reference: String,
    /// The way in which the work changes with the number of units.
    pub scaling: Scaling,
    /// The runs, group by group, in the order of their units.
    pub experiments: Vec<RunEfficiencies>,
}

named! {
    /// The way in which the work changes with the number of units.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum Scaling {
        /// All units together do the same work.
        #[default]
        Strong = "strong",
        /// Each unit does the same work.
        Weak = "weak",
    }
}

/// The efficiencies of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunEfficiencies {
    /// The experiment, or the report of a tool.
    pub id: String,
    /// The common features of the runs that it can be compared with: application, version and parameters.
    #[serde(default)]
    pub group: String,
    /// The run that it is compared with, the first of its repetitions.
    #[serde(default)]
    pub reference: String,
    /// The number of repetitions that it is compared with the mean of.
    #[serde(default)]
    pub reference_repetitions: u32,
    /// The tool that reports the factors; null for an experiment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The number of processes.
    pub ranks: u32,
    /// The most threads that a process had.
    pub threads: u32,
    /// The number of units.
    pub units: u32,
    /// The region that stands for the program.
    pub region: String,
    /// The time of the slowest unit in the run, from `MPI_Init` to `MPI_Finalize`, in seconds.
    pub time: f64,
    /// The time that it takes if communication costs nothing, in seconds; null if that is not known.
    pub ideal_time: Option<f64>,
    /// Useful computation of all units, in seconds.
    pub useful: f64,
    /// Seconds of all units in computation without a processor; null if they were not counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_running: Option<f64>,
    /// Seconds of all units outside of the run: before `MPI_Init` and after `MPI_Finalize`.
    #[serde(default)]
    pub outside: f64,
    /// The time of the reference, divided by that of the run.
    pub speed_up: Option<f64>,
    /// The factors: a factor is the product of those below it.
    pub multiplicative: Vec<Factor>,
    /// The parts of the parallel efficiency: what a factor lacks of 1 is the sum of what those below it lack.
    pub additive: Vec<Factor>,
}

/// An efficiency in a hierarchy.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Factor {
    /// Its name.
    pub name: String,
    /// The number of factors above it.
    pub depth: u32,
    /// Its value, 1 if nothing is lost; null if it is not known.
    pub value: Option<f64>,
    /// The reason why it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

impl Efficiencies {
    /// The value of [`Efficiencies::schema`].
    pub const SCHEMA: &str = "ats-efficiencies/1";
}

impl RunEfficiencies {
    /// The value of a multiplicative factor, if it is known.
    pub fn factor(&self, name: &str) -> Option<f64> {
        self.multiplicative.iter().find(|factor| factor.name == name)?.value
    }
}
