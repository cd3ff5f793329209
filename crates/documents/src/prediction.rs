//! The predicted costs of a program: the document `ats-prediction/1`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::models::{CostTerm, Count};

/// `ats-prediction/1`: the costs of a program at sizes that it need not have been run at.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Prediction {
    /// The schema's name, `ats-prediction/1`.
    pub schema: String,
    /// The file of models or costs, as it was named.
    pub source: String,
    /// The size that was asked for; several if a parameter was varied.
    pub sizes: Vec<PredictedSize>,
    /// The size that passes a limit, if that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Until>,
    /// The experiment that the prediction is compared with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    /// Factors that terms were multiplied by, from the least to the most.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub scaled: BTreeMap<CostTerm, [f64; 2]>,
    /// The experiments whose measurements take the place of models, by region.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub measured: BTreeMap<String, String>,
    /// Limits of the prediction, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// The costs at a size.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PredictedSize {
    /// The values of the parameters.
    pub parameters: BTreeMap<String, f64>,
    /// The program.
    pub whole: PredictedCosts,
    /// T_p as the sum of its terms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sum: Option<Bounded>,
    /// The speed-up over one unit; with models that know no run of one unit, the units of the smallest times its time, by T_p.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed_up: Option<Bounded>,
    /// The speed-up by the number of units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub efficiency: Option<Bounded>,
    /// The term that takes most of the time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dominant: Option<CostTerm>,
    /// The regions, each with everything inside it, those that take most first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub regions: Vec<PredictedCosts>,
    /// Limits of the numbers, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// The costs of a region and everything inside it, or of the program, as the mean of the units.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PredictedCosts {
    /// The region; null for the program.
    pub region: Option<String>,
    /// Its seconds: of the program T_p, of a region the sum of its terms.
    pub time: Bounded,
    /// The seconds of each term.
    pub terms: BTreeMap<CostTerm, Bounded>,
    /// The numbers of events.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub counts: BTreeMap<Count, Bounded>,
}

/// A predicted number with its bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Bounded {
    /// The number.
    pub value: f64,
    /// The least that it may be.
    pub low: f64,
    /// The most that it may be.
    pub high: f64,
    /// The number in the experiment that the prediction is compared with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured: Option<f64>,
}

/// The size that brings a number below a limit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Until {
    /// The parameter that grows.
    pub parameter: String,
    /// The efficiency.
    pub efficiency: f64,
    /// The last whole value of the parameter with at least as much; null if there is none up to the largest that was tried.
    pub last: Option<f64>,
    /// The same by the lower and by the upper bounds of the efficiency.
    pub bounds: [Option<f64>; 2],
    /// The largest value that was tried.
    pub tried: f64,
}

impl Prediction {
    /// The value of [`Prediction::schema`].
    pub const SCHEMA: &str = "ats-prediction/1";
}

impl Bounded {
    /// A number between these bounds; rounding does not put it outside.
    pub fn new(value: f64, [low, high]: [f64; 2]) -> Self {
        Bounded { value: value.clamp(low.min(high), high.max(low)), low, high, measured: None }
    }

    /// A number that is known.
    pub fn known(value: f64) -> Self {
        Bounded::new(value, [value; 2])
    }

    /// The sum of independent numbers.
    #[must_use]
    pub fn plus(self, other: Bounded) -> Self {
        Bounded::new(self.value + other.value, [self.low + other.low, self.high + other.high])
    }

    /// The product of numbers that are not negative.
    #[must_use]
    pub fn times(self, other: Bounded) -> Self {
        Bounded::new(self.value * other.value, [self.low * other.low, self.high * other.high])
    }

    /// The quotient of numbers that are not negative; `None` if it may divide by 0.
    pub fn per(self, other: Bounded) -> Option<Self> {
        let bounds = [self.low / other.high, self.high / other.low];
        (other.low > 0.0).then(|| Bounded::new(self.value / other.value, bounds))
    }

    /// Whether a measured number lies in the bounds, but for rounding.
    pub fn holds(&self, measured: f64) -> bool {
        let rounding = 1e-9 * self.high.abs();
        (self.low - rounding..=self.high + rounding).contains(&measured)
    }
}

impl PredictedCosts {
    /// The sum of the terms.
    pub fn sum(&self) -> Option<Bounded> {
        self.terms.values().copied().reduce(Bounded::plus)
    }
}
