//! The published JSON schemas.

use schemars::schema_for;

use crate::{Analysis, Truth, Validation, Witness};

/// Every document that has a schema, by the name that `ats schema` takes.
pub const NAMES: [&str; 4] = [Truth::SCHEMA, Analysis::SCHEMA, Validation::SCHEMA, Witness::SCHEMA];

/// The JSON schema of a document.
pub fn schema(name: &str) -> Option<serde_json::Value> {
    let schema = match name {
        Truth::SCHEMA => schema_for!(Truth),
        Analysis::SCHEMA => schema_for!(Analysis),
        Validation::SCHEMA => schema_for!(Validation),
        Witness::SCHEMA => schema_for!(Witness),
        _ => return None,
    };
    Some(schema.to_value())
}
