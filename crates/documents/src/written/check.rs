//! A document against its JSON schema: of its words, those that our schemas use.

use serde_json::{Map, Value};

use ats_model::mistakes::{Mistakes, nearest};

/// Collects all mistakes.
///
/// # Errors
/// There are some.
pub(super) fn check(schema: &Value, document: &Value) -> Result<(), Mistakes> {
    let mut checker = Checker { schema, mistakes: Mistakes::default() };
    checker.value(schema, document, "");
    checker.mistakes.none_in(())
}

struct Checker<'a> {
    schema: &'a Value,
    mistakes: Mistakes,
}

impl<'a> Checker<'a> {
    fn value(&mut self, schema: &'a Value, value: &Value, place: &str) {
        let schema = self.resolved(schema);
        if let Some(names) = self.names(schema) {
            if !names.contains(&value) {
                self.name(value, &names, place);
            }
            return;
        }
        if let Some(other) = self.other_than_null(schema) {
            if !value.is_null() {
                self.value(other, value, place);
            }
            return;
        }
        let Some(kind) = kinds(schema).into_iter().find(|kind| is_of(value, kind, schema)) else {
            if let Some(wanted) = kinds(schema).first() {
                self.mistakes
                    .add(place, format!("it is {}, and should be {}", shown(value), in_words(wanted)));
            }
            return;
        };
        match (kind, value) {
            ("object", Value::Object(object)) => self.object(schema, object, place),
            ("array", Value::Array(items)) => {
                for (at, item) in items.iter().enumerate() {
                    self.value(&schema["items"], item, &format!("{place}[{at}]"));
                }
            }
            _ => {}
        }
    }

    fn object(&mut self, schema: &'a Value, object: &Map<String, Value>, place: &str) {
        let none = Map::new();
        let known = schema["properties"].as_object();
        let below = |name: &str| if place.is_empty() { name.to_owned() } else { format!("{place}.{name}") };
        for (name, value) in object {
            if let Some(schema) = known.and_then(|known| known.get(name)) {
                self.value(schema, value, &below(name));
            } else if schema["additionalProperties"].is_object() {
                self.value(&schema["additionalProperties"], value, &below(name));
            } else {
                let names = known.unwrap_or(&none).keys().map(String::as_str);
                let fix = match nearest(name, names.clone()) {
                    Some(nearest) => format!("did you mean {nearest}?"),
                    None => format!("there are {}", names.collect::<Vec<_>>().join(", ")),
                };
                self.mistakes.add(place, format!("there is no field `{name}`; {fix}"));
            }
        }
        let missing = |schema: &'a Value| {
            required(schema).find(|name| !object.contains_key(*name)).map(|name| format!("`{name}`"))
        };
        for name in required(schema).filter(|name| !object.contains_key(*name)) {
            self.mistakes.add(place, format!("missing field `{name}`"));
        }
        let choices: Vec<Option<String>> =
            schema["anyOf"].as_array().into_iter().flatten().map(missing).collect();
        if let Some(lacking) = choices.into_iter().collect::<Option<Vec<_>>>().filter(|all| !all.is_empty()) {
            self.mistakes.add(place, format!("missing field {}", lacking.join(" or ")));
        }
    }

    /// A word that is not among those allowed here.
    fn name(&mut self, value: &Value, names: &[&Value], place: &str) {
        let words = names.iter().filter_map(|name| name.as_str());
        let what = match value.as_str() {
            Some(word) => match nearest(word, words.clone()) {
                Some(nearest) => format!("there is no `{word}`; did you mean {nearest}?"),
                None => format!("there is no `{word}`; there are {}", words.collect::<Vec<_>>().join(", ")),
            },
            None => format!(
                "it is {}, and should be one of {}",
                shown(value),
                words.collect::<Vec<_>>().join(", ")
            ),
        };
        self.mistakes.add(place, what);
    }

    fn resolved(&self, schema: &'a Value) -> &'a Value {
        let target = schema["$ref"].as_str().and_then(|name| name.strip_prefix("#/$defs/"));
        target.map_or(schema, |name| &self.schema["$defs"][name])
    }

    /// The words that may stand here, and null among them where it may; null if anything else may.
    fn names(&self, schema: &'a Value) -> Option<Vec<&'a Value>> {
        let schema = self.resolved(schema);
        if let Some(names) = schema["enum"].as_array() {
            return Some(names.iter().collect());
        } else if !schema["const"].is_null() {
            return Some(vec![&schema["const"]]);
        } else if schema["type"] == "null" {
            return Some(vec![&Value::Null]);
        } else if schema["type"] == "object" {
            return None;
        }
        let choices = schema["oneOf"].as_array().or(schema["anyOf"].as_array())?;
        let names: Option<Vec<Vec<&Value>>> = choices.iter().map(|choice| self.names(choice)).collect();
        names.map(|names| names.concat())
    }

    /// The schema of a value that `null` may replace, without the `null`.
    fn other_than_null(&self, schema: &'a Value) -> Option<&'a Value> {
        let choices = schema["anyOf"].as_array().filter(|_| schema["type"].is_null())?;
        choices.iter().find(|choice| choice["type"] != "null")
    }
}

fn required(schema: &Value) -> impl Iterator<Item = &str> {
    schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str)
}

/// The kinds of value that are allowed, in the words of JSON Schema.
fn kinds(schema: &Value) -> Vec<&str> {
    match &schema["type"] {
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        kind => kind.as_str().into_iter().collect(),
    }
}

fn is_of(value: &Value, kind: &str, schema: &Value) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "integer" if schema["format"] == "uint32" => value.as_u64().is_some_and(|n| u32::try_from(n).is_ok()),
        "integer" => value.is_u64() || value.is_i64() && schema["minimum"].is_null(),
        _ => false,
    }
}

fn in_words(kind: &str) -> &str {
    match kind {
        "object" => "an object, `{ … }`",
        "array" => "a list, `[ … ]`",
        "string" => "a text in quotes",
        "boolean" => "true or false",
        "number" => "a number, without unit or quotes",
        "integer" => "a whole number from 0 on",
        other => other,
    }
}

/// A value as it stands there, not longer than fits into a message.
fn shown(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
