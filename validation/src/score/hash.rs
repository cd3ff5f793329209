//! The questions that a tool was asked, as one number.

use ats_documents::Truth;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// `sha256:` and the hash of these truths in canonical JSON: names in order, no spaces, whatever the order of the
/// truths.
pub fn truth_hash<'a>(truths: impl IntoIterator<Item = &'a Truth>) -> String {
    let mut texts: Vec<String> = truths
        .into_iter()
        .map(|truth| {
            let mut text = String::new();
            canonical(&serde_json::to_value(truth).expect("a truth is plain data"), &mut text);
            text
        })
        .collect();
    texts.sort();
    let digest = Sha256::digest(format!("[{}]", texts.join(",")));
    digest.iter().fold("sha256:".to_owned(), |text, byte| text + &format!("{byte:02x}"))
}

/// As RFC 8785 has it, but for how numbers are written.
fn canonical(value: &Value, text: &mut String) {
    match value {
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_key(|(name, _)| *name);
            text.push('{');
            for (at, (name, value)) in members.into_iter().enumerate() {
                text.push_str(if at > 0 { "," } else { "" });
                text.push_str(&Value::from(name.as_str()).to_string());
                text.push(':');
                canonical(value, text);
            }
            text.push('}');
        }
        Value::Array(values) => {
            text.push('[');
            for (at, value) in values.iter().enumerate() {
                text.push_str(if at > 0 { "," } else { "" });
                canonical(value, text);
            }
            text.push(']');
        }
        plain => text.push_str(&plain.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn truth(program: &str) -> Truth {
        let text = format!(
            r#"{{"schema": "ats-truth/1", "program": "{program}", "parameters": {{"b": "2", "a": "1"}}, "ranks": 4,
                "threads": 1, "basis": {{"region": null, "wall_time": 0.1, "location_seconds": 0.4}}, "findings": [],
                "absent": [], "ambient": [], "counts": {{}}, "skew_left": [0.0, 0.20654931437723742]}}"#
        );
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn a_hash_is_of_what_is_said_and_not_of_how() {
        let (one, other) = (truth("one"), truth("other"));
        let hash = truth_hash([&one, &other]);
        assert_eq!(hash, truth_hash([&other, &one]));
        let printed = serde_json::to_string_pretty(&one).unwrap();
        assert_eq!(truth_hash([&serde_json::from_str(&printed).unwrap()]), truth_hash([&one]));
        assert_ne!(hash, truth_hash([&one]));
        assert_ne!(truth_hash([&Truth { ranks: 5, ..one.clone() }]), truth_hash([&one]));
        // Kept from the first time: later versions have to give the same.
        assert_eq!(truth_hash([]), "sha256:4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945");
    }

    #[test]
    fn names_are_in_order() {
        let mut text = String::new();
        canonical(&serde_json::json!({"b": [1, {"d": null, "c": "\""}], "a": 0.5}), &mut text);
        assert_eq!(text, r#"{"a":0.5,"b":[1,{"c":"\"","d":null}]}"#);
    }
}
