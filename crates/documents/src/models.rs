//! Models of what programs cost: the document `ats-models/1`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use ats_model::named;

/// `ats-models/1`: the costs of a program as functions of its parameters, fitted to experiments or given.
///
/// Amounts are those of a processing unit, the mean of all of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Models {
    /// The schema's name, `ats-models/1`.
    pub schema: String,
    /// The experiments.
    pub experiments: Vec<String>,
    /// The application.
    pub application: String,
    /// Its version; several if they were mixed.
    pub versions: Vec<String>,
    /// The machine, where it is known; several if they were mixed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub machines: Vec<String>,
    /// The parameters that differ between experiments, in the order of the values of points.
    pub parameters: Vec<ModelParameter>,
    /// The parameters that all experiments have alike.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub fixed: BTreeMap<String, f64>,
    /// The same of those that are not numbers.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub texts: BTreeMap<String, String>,
    /// The program.
    pub whole: RegionModels,
    /// Its regions, each with everything inside it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub regions: Vec<RegionModels>,
    /// Given expressions, which take the place of fitted models.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub costs: Option<CalibratedCosts>,
    /// Limits of the models, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A parameter that differs between experiments.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ModelParameter {
    /// Its name.
    pub name: String,
    /// Its values, each once, the least first.
    pub values: Vec<f64>,
}

/// The models of a region and everything inside it, or of the program.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RegionModels {
    /// The region; null for the program.
    pub region: Option<String>,
    /// T_p: the seconds of the slowest unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<Modelled>,
    /// The seconds of each term; one that takes no time in any experiment is left out.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub terms: BTreeMap<CostTerm, Modelled>,
    /// The numbers of events; one that is 0 in all experiments is left out.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub counts: BTreeMap<Count, Modelled>,
}

named! {
    /// A term of costs: each second belongs to one.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum CostTerm {
        /// The work itself.
        Computation = "computation",
        /// Waiting for memory, where that is given: recorders do not tell it from computation.
        Memory = "memory",
        /// Contents of files.
        Io = "io",
        /// Moving data between processes, without waits.
        Communication = "communication",
        /// Calls in which units meet without data, without waits.
        Synchronisation = "synchronisation",
        /// Managing parallel execution, without waits.
        Control = "control",
        /// Wait states in calls of any kind.
        Waiting = "waiting",
    }
}

named! {
    /// A number of events.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum Count {
        /// Entries into the region.
        Visits = "visits",
        /// Messages that were sent.
        Messages = "messages",
        /// Bytes that were sent.
        Bytes = "bytes",
        /// Instructions that were completed.
        Instructions = "instructions",
    }
}

/// An amount as a function of the parameters.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Modelled {
    /// The best model, in the language of property files.
    pub expression: String,
    /// Others that the data do not tell from it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<String>,
    /// The share by which the best model is off at the largest values, if it is fitted without them.
    pub error: f64,
    /// Whether a model meets every point.
    pub exact: bool,
    /// The amounts that the models are fitted to.
    pub points: Vec<ModelPoint>,
    /// Limits of the model, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// An amount in experiments with equal parameters.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ModelPoint {
    /// The values of the parameters.
    pub values: Vec<f64>,
    /// The amount in each experiment.
    pub measured: Vec<f64>,
}

/// Given expressions, with what experiments say about them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CalibratedCosts {
    /// The file, as it was named.
    pub file: String,
    /// Its content, `ats-costs/1`.
    pub text: String,
    /// The values of its coefficients; several sets if the experiments do not tell some of them apart.
    pub coefficients: Vec<BTreeMap<String, [f64; 2]>>,
    /// The parts that were counted in experiments, by name: from the least to the most of all.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub fractions: BTreeMap<String, [f64; 2]>,
    /// Coefficients that the experiments do not tell apart.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inseparable: Vec<Vec<String>>,
    /// The share by which the expressions are off, at most, in the experiments.
    pub error: f64,
}

impl Models {
    /// The value of [`Models::schema`].
    pub const SCHEMA: &str = "ats-models/1";
}
