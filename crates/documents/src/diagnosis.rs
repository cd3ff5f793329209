//! Properties that hold for experiments: the document `ats-diagnosis/1`.

use serde::{Deserialize, Serialize};

use crate::experiment::Listed;
use crate::profile::ProcessingUnit;

/// `ats-diagnosis/1`: properties in the sense of JavaPSL (Fahringer and Seragiotto 2001, section 5), evaluated over experiments.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Diagnosis {
    /// The schema's name, `ats-diagnosis/1`.
    pub schema: String,
    /// The experiments, with the sequential runs that others are compared with.
    pub experiments: Vec<Listed>,
    /// The properties that were evaluated, in this order.
    pub properties: Vec<Evaluated>,
    /// The instances, by the part of the run's time × confidence; those that do not hold come last. Of single processing units only those that hold
    /// are listed.
    pub instances: Vec<Instance>,
    /// Experiments that could not be read, with the reasons, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// The numbers of instances of a property.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Evaluated {
    /// Its name.
    pub name: String,
    /// The properties that it explains.
    pub explains: Vec<String>,
    /// The number of instances that hold.
    pub holds: u64,
    /// The number of instances that do not.
    pub fails: u64,
    /// The instances that lack data, by reason.
    pub undefined: Vec<Undefined>,
}

/// A reason why instances are undefined.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Undefined {
    /// The reason, in words.
    pub reason: String,
    /// The number of instances.
    pub instances: u64,
}

/// A property of a region in one or several experiments.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Instance {
    /// The property.
    pub property: String,
    /// The region.
    pub region: String,
    /// The experiments: indices into `experiments`.
    pub experiments: Vec<u32>,
    /// The processing unit, if it is about a single one.
    pub unit: Option<ProcessingUnit>,
    /// The number of processing units that have the property, if it stands for them all; `unit` is the worst.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub units: Option<u32>,
    /// Whether the property holds.
    pub holds: bool,
    /// The importance, from 0 to 1; null if it does not hold.
    pub severity: Option<f64>,
    /// The confidence that it holds, from 0 to 1; null if it does not hold.
    pub confidence: Option<f64>,
    /// The part of the run's time that is lost at most: the severity times the part that it is relative to; null if it does not
    /// hold, or the part is not known.
    #[serde(default)]
    pub part: Option<f64>,
    /// The meaning, in words.
    pub text: Option<String>,
    /// The instance that it explains: an index into `instances`.
    pub under: Option<u32>,
}

impl Diagnosis {
    /// The value of [`Diagnosis::schema`].
    pub const SCHEMA: &str = "ats-diagnosis/1";
}

impl Instance {
    /// The part of the run's time × confidence, the order of instances; 0 if it does not hold. One that is not known may be
    /// as much as the severity.
    pub fn importance(&self) -> f64 {
        self.part.or(self.severity).unwrap_or_default() * self.confidence.unwrap_or_default()
    }
}
