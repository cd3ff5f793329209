//! The parts that all logs have.

use std::path::Path;

use serde_json::{Value, json};

use crate::sources::path_in;

/// The only run of a log.
pub(super) struct Run {
    /// The version of the suite that found the results.
    pub(super) version: String,
    pub(super) rules: Vec<Value>,
    pub(super) is_successful: bool,
    pub(super) notifications: Vec<Value>,
    pub(super) results: Vec<Value>,
    /// Its bag of properties.
    pub(super) properties: Value,
}

impl Run {
    /// The text of the log.
    pub(super) fn log(self) -> String {
        let log = json!({
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [{
                "tool": {
                    "driver": {
                        "name": "ats",
                        "version": self.version,
                        "informationUri": env!("CARGO_PKG_REPOSITORY"),
                        "rules": self.rules,
                    }
                },
                "invocations": [{
                    "executionSuccessful": self.is_successful,
                    "toolExecutionNotifications": self.notifications,
                }],
                "results": self.results,
                "properties": self.properties,
            }],
        });
        format!("{log:#}\n")
    }
}

/// The rule of this id.
pub(super) fn rule(id: &str, name: &str, definition: &str) -> Value {
    json!({ "id": id, "name": name, "shortDescription": { "text": definition } })
}

/// The index of a rule among those of the run; a result without a rule has -1.
pub(super) fn index(mut rules: impl Iterator<Item = &'static str>, rule: &str) -> Value {
    rules.position(|name| name == rule).map_or(-1, |at| at as i64).into()
}

/// What the run has to say besides its results.
pub(super) fn notification(level: &str, text: &str) -> Value {
    json!({ "level": level, "message": { "text": text } })
}

/// A location: a call path, or what it is all of if the path is empty; and the line of a file, if it is known.
pub(super) fn location(
    call_path: &[String],
    whole: &str,
    place: Option<(&str, u32)>,
    sources: &Path,
) -> Value {
    let logical = match call_path.last() {
        Some(call) => {
            json!({ "name": call, "fullyQualifiedName": call_path.join("/"), "kind": "function" })
        }
        None => json!({ "name": whole, "kind": "module" }),
    };
    let mut location = json!({ "logicalLocations": [logical] });
    if let Some((file, line)) = place {
        location["physicalLocation"] =
            json!({ "artifactLocation": { "uri": uri(file, sources) }, "region": { "startLine": line } });
    }
    location
}

/// A reference to a source file: its path from the folder if it lies there, else the path in the trace.
fn uri(file: &str, sources: &Path) -> String {
    let path = path_in(sources, file).map_or_else(|| file.into(), |path| path.display().to_string());
    let scheme = if path.starts_with('/') { "file://" } else { "" };
    let encoded = path.bytes().map(|byte| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
            char::from(byte).to_string()
        }
        _ => format!("%{byte:02X}"),
    });
    scheme.to_owned() + &encoded.collect::<String>()
}

/// Per cent, in the bounds that the standard sets.
pub(super) fn rank(severity: f64) -> Value {
    (severity * 100.0).clamp(0.0, 100.0).into()
}
