//! The file as it is written.

#[cfg(feature = "schema")]
mod value;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use toml::{Spanned, Value};

/// The JSON schema of a composition file.
#[cfg(feature = "schema")]
pub fn schema() -> schemars::Schema {
    schemars::schema_for!(Document)
}

/// A program of several performance properties.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(title = "Composition"))]
pub(crate) struct Document {
    /// The schema's name, `ats-composition/1`.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub(crate) schema: Spanned<String>,
    /// The program's name: letters, digits and `_`.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub(crate) name: Spanned<String>,
    /// Its purpose, in words.
    #[serde(default = "nothing", skip_serializing_if = "is_nothing")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub(crate) description: Spanned<String>,
    /// The number of ranks it is made for; the command line may override it.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    #[cfg_attr(feature = "schema", schemars(with = "usize", range(min = 1)))]
    pub(crate) ranks: Spanned<usize>,
    /// The number of threads of each.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    #[cfg_attr(feature = "schema", schemars(with = "usize", range(min = 1)))]
    pub(crate) threads: Spanned<usize>,
    /// Its phases, in order.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<PhaseDocument>", length(min = 1)))]
    pub(crate) phase: Vec<Spanned<PhaseDocument>>,
}

/// A part of the program: properties, or groups of ranks with properties of their own.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct PhaseDocument {
    /// Whether all ranks wait for each other before it, unseen by tools. Without, they start as the phase before has left them.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub(crate) align: bool,
    /// The number of times it is run.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    #[cfg_attr(feature = "schema", schemars(with = "usize", range(min = 1)))]
    pub(crate) repeat: Spanned<usize>,
    /// The properties that all ranks run, one after the other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<StepDocument>"))]
    pub(crate) property: Vec<Spanned<StepDocument>>,
    /// The teams that every rank then divides its threads into.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<TeamDocument>"))]
    pub(crate) team: Vec<Spanned<TeamDocument>>,
    /// Ranks that run something of their own, side by side; instead of `property` and `team`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<GroupDocument>"))]
    pub(crate) group: Vec<Spanned<GroupDocument>>,
}

/// Ranks with a communicator of their own.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct GroupDocument {
    /// Its ranks: ranges (`0-7`), ranges with a step (`0-14:2`), colours (`1%3`: those that leave 1 when divided by
    /// 3), joined by commas.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub(crate) ranks: Spanned<String>,
    /// The properties that they run, one after the other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<StepDocument>"))]
    pub(crate) property: Vec<Spanned<StepDocument>>,
    /// The teams that each of them then divides its threads into.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<TeamDocument>"))]
    pub(crate) team: Vec<Spanned<TeamDocument>>,
}

/// Threads that run something of their own, beside the other teams of their process.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct TeamDocument {
    /// The number of its threads.
    #[cfg_attr(feature = "schema", schemars(with = "usize", range(min = 1)))]
    pub(crate) threads: Spanned<usize>,
    /// The properties that they run, one after the other: properties of OpenMP.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<StepDocument>"))]
    pub(crate) property: Vec<Spanned<StepDocument>>,
}

/// A property to run.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct StepDocument {
    /// The property's name in the catalogue.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub(crate) name: Spanned<String>,
    /// Whether its balanced twin runs in its place.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) balanced: bool,
    /// The number of times it is run.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    #[cfg_attr(feature = "schema", schemars(with = "usize", range(min = 1)))]
    pub(crate) repeat: Spanned<usize>,
    /// Regions around it, from the outermost.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub(crate) regions: Vec<Spanned<String>>,
    /// Its parameters; omitted ones have their defaults.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, value::AnyValue>"))]
    pub(crate) parameters: BTreeMap<Spanned<String>, Spanned<Value>>,
}

/// Something that was not written but made.
pub(crate) fn made<T>(value: T) -> Spanned<T> {
    Spanned::new(0..0, value)
}

fn one() -> Spanned<usize> {
    made(1)
}

fn is_one(number: &Spanned<usize>) -> bool {
    *number.get_ref() == 1
}

fn nothing() -> Spanned<String> {
    made(String::new())
}

fn is_nothing(text: &Spanned<String>) -> bool {
    text.get_ref().is_empty()
}

fn yes() -> bool {
    true
}

fn is_yes(value: &bool) -> bool {
    *value
}
