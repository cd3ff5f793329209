//! The published JSON schemas.

use schemars::schema_for;

use crate::{Analysis, Report, Score, Truth, Validation, Witness};

/// Every document that has a schema, by the name that `ats schema` takes.
pub const NAMES: [&str; 6] =
    [Truth::SCHEMA, Analysis::SCHEMA, Report::SCHEMA, Validation::SCHEMA, Score::SCHEMA, Witness::SCHEMA];

/// The JSON schema of a document.
pub fn schema(name: &str) -> Option<serde_json::Value> {
    let schema = match name {
        Truth::SCHEMA => schema_for!(Truth),
        Analysis::SCHEMA => schema_for!(Analysis),
        Report::SCHEMA => schema_for!(Report),
        Score::SCHEMA => schema_for!(Score),
        Validation::SCHEMA => schema_for!(Validation),
        Witness::SCHEMA => schema_for!(Witness),
        _ => return None,
    };
    Some(schema.to_value())
}
