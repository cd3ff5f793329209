//! The short forms of a finding, and the fields that they stand for.

use serde_json::{Map, Value, json};

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
pub(crate) const FIELDS: [(&str, &str, &str); 2] = [
    ("seconds", "waiting_time", "The same as `waiting_time`, in a word: seconds over all locations."),
    ("share", "severity", "The same as `severity`: a share of the location-seconds of the basis, at most 1."),
];

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
    let name = finding.get("property").and_then(Value::as_str).and_then(|name| Name::parse(name).ok());
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
