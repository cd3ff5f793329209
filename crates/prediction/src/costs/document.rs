//! Files of costs, as they are written: the document `ats-costs/1`.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

/// The value of the key `schema`.
pub const SCHEMA: &str = "ats-costs/1";

/// The JSON schema of files of costs.
#[cfg(feature = "schema")]
pub fn schema() -> schemars::Schema {
    schemars::schema_for!(Document)
}

/// `ats-costs/1`: what the regions of a program cost, as expressions in the language of property files.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Costs"))]
#[serde(deny_unknown_fields)]
pub(crate) struct Document {
    /// The schema's name, `ats-costs/1`.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub(crate) schema: Spanned<String>,
    /// The names that runs give values to; by default all that are neither parts nor parameters of the runs.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "Option<Vec<String>>"))]
    pub(crate) coefficients: Option<Vec<Spanned<String>>>,
    /// Parts of expressions, by name.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, String>"))]
    pub(crate) r#let: BTreeMap<String, Spanned<String>>,
    /// By region: seconds of a visit without what it calls, by term (`computation`, `memory`, `io`, `communication`,
    /// `synchronisation`, `control`, `waiting`); numbers (`messages`, `bytes`, `instructions`); the region that it is called from
    /// (`within`), and its `visits` in a visit of that; any other key is a part of expressions, as in `let`.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, BTreeMap<String, String>>"))]
    pub(crate) region: BTreeMap<String, BTreeMap<String, Spanned<String>>>,
    /// By region, the visits of other regions in one of its own: for those that are called from several.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, BTreeMap<String, String>>"))]
    pub(crate) calls: BTreeMap<String, BTreeMap<String, Spanned<String>>>,
}
