//! The JSON schemas of documents.

use schemars::{JsonSchema, schema_for};
use serde_json::Value;

use super::short::with_short_forms;
use crate::{Report, Truth};

/// The JSON schema of a document without short forms.
pub fn of<D: JsonSchema>() -> Value {
    schema_for!(D).to_value()
}

/// The JSON schema of a [`Truth`], with the short forms of findings.
pub fn truth() -> Value {
    with_short_forms(of::<Truth>())
}

/// The JSON schema of a [`Report`], with the short forms of findings.
pub fn report() -> Value {
    with_short_forms(of::<Report>())
}
