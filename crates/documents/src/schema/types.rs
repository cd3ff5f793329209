//! The JSON schemas as the types have them.

use ats_model::WaitState;
use ats_model::wait_state::Name;
use schemars::{JsonSchema, schema_for};
use serde_json::{Map, Value, json};

use crate::short::FIELDS;
use crate::{Report, Truth};

/// The JSON schema of a document without short forms.
pub fn document_schema<D: JsonSchema>() -> Value {
    schema_for!(D).to_value()
}

/// The JSON schema of a [`Truth`], with the short forms of findings.
pub fn truth() -> Value {
    with_short_forms(document_schema::<Truth>())
}

/// The JSON schema of a [`Report`], with the short forms of findings.
pub fn report() -> Value {
    with_short_forms(document_schema::<Report>())
}

const CALL: &str = "In the place of `call_path`: the call or construct alone, where it is not known, or does not matter, what \
                    lies above it.";

/// A schema of findings, with their short forms, and without fields that it does not name.
fn with_short_forms(mut schema: Value) -> Value {
    close(&mut schema);
    schema["$defs"].as_object_mut().into_iter().flat_map(Map::values_mut).for_each(close);
    let metrics = |of: fn(WaitState) -> Vec<&'static str>| {
        let mut names: Vec<&str> = WaitState::ALL.into_iter().flat_map(of).collect();
        names.sort_unstable();
        names.dedup();
        names
    };
    let mut own = metrics(|state| state.metric().into_iter().collect());
    own.retain(|metric| WaitState::from_name(metric).is_none());
    let mut several = metrics(|state| state.accept().to_vec());
    several.retain(|name| Name::parse(name) == Ok(Name::Several(name)));
    let defs = &mut schema["$defs"];
    if let Some(states) = defs["WaitState"]["oneOf"].as_array_mut() {
        states
            .push(json!({ "description": "The same, by its metric in Score-P and Scalasca.", "enum": own }));
    }
    let short = &mut defs["LocationShare"];
    for (form, field, description) in &FIELDS[..1] {
        short["properties"][form] = alias(&short["properties"][field], description);
        short["required"] = json!(["rank"]);
        short["anyOf"] = json!([{ "required": [field] }, { "required": [form] }]);
    }
    let finding = &mut defs["Finding"];
    for (form, field, description) in FIELDS {
        finding["properties"][form] = alias(&finding["properties"][field], description);
    }
    finding["properties"]["call"] = json!({ "type": "string", "description": CALL });
    if let Some(fields) = finding.as_object_mut() {
        fields.remove("required");
    }
    finding["anyOf"] = json!([{ "required": ["call_path"] }, { "required": ["call"] }]);
    if let Some(names) = finding["properties"]["property"]["anyOf"].as_array_mut() {
        let description = "A metric that stands for several of them, as `metric` does.";
        names.insert(1, json!({ "description": description, "enum": several }));
    }
    schema
}

/// Forbids further fields in objects with named fields.
fn close(schema: &mut Value) {
    if schema["properties"].is_object() {
        schema["additionalProperties"] = json!(false);
    }
}

/// The schema of a field, for another that stands for it.
fn alias(field: &Value, description: &str) -> Value {
    let mut short = json!({ "description": description });
    for key in ["type", "format"] {
        short[key] = field[key].clone();
    }
    short
}
