//! The short forms of a finding: their entries in its schema, and the fields that they stand for.

use serde_json::{Map, Value, json};

use ats_model::WaitState;
use ats_model::mistakes::Mistakes;
use ats_model::place::ANYWHERE;
use ats_model::wait_state::Name;

/// The meaning of a call without a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Calls {
    /// This call, wherever it is: of a truth.
    Wherever,
    /// This call, and the tool does not know where: of a report.
    Unknown,
}

/// The short form, the field that it stands for, and its description.
const FIELDS: [(&str, &str, &str); 2] = [
    ("seconds", "waiting_time", "The same as `waiting_time`, in a word: seconds over all locations."),
    ("share", "severity", "The same as `severity`: a share of the location-seconds of the basis, at most 1."),
];

const CALL: &str = "In the place of `call_path`: the call or construct alone, where it is not known, or does not matter, what \
                    lies above it.";

/// A schema of findings, with their short forms, and without fields that it does not name.
pub(crate) fn with_short_forms(mut schema: Value) -> Value {
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
    several.retain(|name| Name::of(name) == Ok(Name::Several(name)));
    let defs = &mut schema["$defs"];
    if let Some(states) = defs["WaitState"]["oneOf"].as_array_mut() {
        states
            .push(json!({ "description": "The same, by its metric in Score-P and Scalasca.", "enum": own }));
    }
    let short = &mut defs["LocationShare"];
    for (form, field, description) in &FIELDS[..1] {
        short["properties"][form] = of(&short["properties"][field], description);
        short["required"] = json!(["rank"]);
        short["anyOf"] = json!([{ "required": [field] }, { "required": [form] }]);
    }
    let finding = &mut defs["Finding"];
    for (form, field, description) in FIELDS {
        finding["properties"][form] = of(&finding["properties"][field], description);
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
fn of(field: &Value, description: &str) -> Value {
    let mut short = json!({ "description": description });
    for key in ["type", "format"] {
        short[key] = field[key].clone();
    }
    short
}

/// Expands the short forms of a document that fits its schema.
///
/// # Errors
/// A fact is given twice.
pub(crate) fn lengthen(document: &mut Value, calls: Calls) -> Result<(), Mistakes> {
    let mut mistakes = Mistakes::default();
    for list in ["findings", "ambient"] {
        let findings = document.get_mut(list).and_then(Value::as_array_mut);
        for (at, finding) in findings.into_iter().flatten().enumerate() {
            let Value::Object(finding) = finding else { continue };
            let place = format!("{list}[{at}]");
            if let Some(call) = finding.remove("call") {
                let path = if calls == Calls::Unknown { json!([ANYWHERE, call]) } else { json!([call]) };
                put(finding, "call", "call_path", path, &place, &mut mistakes);
            }
            rename(finding, &FIELDS, &place, &mut mistakes);
            metric(finding, &place, &mut mistakes);
            let shares = finding.get_mut("locations").and_then(Value::as_array_mut);
            for (at, share) in shares.into_iter().flatten().enumerate() {
                let Value::Object(share) = share else { continue };
                rename(share, &FIELDS[..1], &format!("{place}.locations[{at}]"), &mut mistakes);
            }
        }
    }
    mistakes.none_in(())
}

type Object = Map<String, Value>;

fn rename(object: &mut Object, fields: &[(&str, &str, &str)], place: &str, mistakes: &mut Mistakes) {
    for (form, field, _) in fields {
        if let Some(value) = object.remove(*form) {
            put(object, form, field, value, place, mistakes);
        }
    }
}

/// A name that stands for several wait states is a metric, wherever it is written.
fn metric(finding: &mut Object, place: &str, mistakes: &mut Mistakes) {
    let name = finding.get("property").and_then(Value::as_str).and_then(|name| Name::of(name).ok());
    if let Some(Name::Several(metric)) = name {
        finding.remove("property");
        put(finding, "property", "metric", json!(metric), place, mistakes);
    }
}

fn put(object: &mut Object, form: &str, field: &str, value: Value, place: &str, mistakes: &mut Mistakes) {
    if object.insert(field.to_owned(), value).is_some() {
        mistakes.add(place, format!("it has `{form}` and `{field}`, which are the same; omit one"));
    }
}
