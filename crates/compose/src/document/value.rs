//! The values of parameters, for the schema; `value.rs` reads them, in order to report all mistakes at once.

use schemars::JsonSchema;

/// The value of a parameter in all runs, or one for each run, or how it goes on from run to run.
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "describes what value.rs reads")]
pub(super) enum AnyValue {
    Constant(Scalar),
    List(Vec<Scalar>),
    Step(StepValue),
    Factor(FactorValue),
}

/// Adds the same to a number in every run.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "describes what value.rs reads")]
pub(super) struct StepValue {
    /// In the first run.
    first: Scalar,
    /// More in each further run; less if negative.
    step: Scalar,
}

/// Multiplies a number, or all amounts of a distribution, in every run.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "describes what value.rs reads")]
pub(super) struct FactorValue {
    /// In the first run.
    first: Scalar,
    /// The factor for each further run.
    factor: f64,
}

/// A number, or a text such as `50ms` or `block2:10ms:50ms`.
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "describes what value.rs reads")]
pub(super) enum Scalar {
    Number(f64),
    Text(String),
}
