//! The fields of the data, in its schema and in the script.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::javascript::{Script, Step};
use crate::script::script;

/// The fields of the browser's objects that the script reads.
const BROWSER: [&str; 36] = [
    "activeElement",
    "altKey",
    "body",
    "checked",
    "classList",
    "clientHeight",
    "clientWidth",
    "clientX",
    "clientY",
    "color",
    "ctrlKey",
    "currentTarget",
    "dataset",
    "deltaX",
    "deltaY",
    "documentElement",
    "firstElementChild",
    "fontFamily",
    "groupBy",
    "hash",
    "height",
    "hidden",
    "left",
    "metaKey",
    "namespaceURI",
    "offsetHeight",
    "offsetTop",
    "parentElement",
    "pointerId",
    "scrollTop",
    "shiftKey",
    "style",
    "tBodies",
    "target",
    "textContent",
    "value",
];

/// The objects of the script that are parts of the data, and their schemas.
const PARTS: [(&[&str], &str); 10] = [
    (&["data"], "Page"),
    (&["compared"], "Experiments"),
    (&["program"], "Program"),
    (&["profile"], "Profile"),
    (&["causes"], "Causes"),
    (&["explanation"], "Explanation"),
    (&["communication"], "Communication"),
    (&["comparison"], "Comparison"),
    (&["picture"], "Timeline"),
    (&["state", "picture"], "Timeline"),
];

/// The schema of the data.
struct Schema(Value);

impl Schema {
    fn new() -> Self {
        let schema = ats_documents::schema::text(ats_documents::Page::SCHEMA).unwrap();
        Schema(serde_json::from_str(schema).unwrap())
    }

    fn definitions(&self) -> &Map<String, Value> {
        self.0["$defs"].as_object().unwrap()
    }

    /// The schema of a type.
    fn type_schema(&self, name: &str) -> &Value {
        if self.0["title"] == name { &self.0 } else { &self.definitions()[name] }
    }

    /// The names of all fields.
    fn fields(&self) -> BTreeSet<&str> {
        let objects = self.definitions().values().chain([&self.0]);
        let properties = objects.filter_map(|object| object["properties"].as_object());
        properties.flat_map(Map::keys).map(String::as_str).collect()
    }

    /// A schema without its reference, and without the null that it may be.
    fn resolved<'a>(&'a self, schema: &'a Value) -> &'a Value {
        let alternatives = schema["anyOf"].as_array().into_iter().flatten();
        if let Some(name) = schema["$ref"].as_str() {
            self.type_schema(name.rsplit('/').next().unwrap())
        } else if let Some(other) = alternatives.into_iter().find(|one| one["$ref"].is_string()) {
            self.resolved(other)
        } else {
            schema
        }
    }

    /// Whether these steps lead to a field of the data, or to more than the data: the length of a list.
    fn has(&self, from: &Value, steps: &[Step<'_>]) -> bool {
        let schema = self.resolved(from);
        let [step, rest @ ..] = steps else { return true };
        let next = match step {
            Step::Field(name) if schema["properties"].is_object() => &schema["properties"][name],
            Step::Field(name) => return *name == "length" && schema["items"].is_object(),
            Step::Entry if schema["items"].is_object() => &schema["items"],
            Step::Entry => &schema["additionalProperties"],
        };
        !next.is_null() && self.has(next, rest)
    }
}

#[test]
fn all_fields_that_the_script_reads_are_there() {
    let (script, schema) = (script(), Schema::new());
    let script = Script::parse(&script).unwrap();
    let read = script.read_fields();
    let known: BTreeSet<&str> = schema.fields().union(&script.defined_fields()).copied().collect();
    let others: BTreeSet<&str> = read.difference(&known).copied().collect();
    assert_eq!(others, BTreeSet::from(BROWSER));
}

#[test]
fn the_script_reads_all_fields_that_are_there() {
    let (script, schema) = (script(), Schema::new());
    let read = Script::parse(&script).unwrap().read_fields();
    let unread: BTreeSet<&str> = schema.fields().difference(&read).copied().collect();
    assert_eq!(unread, BTreeSet::from(["schema"]), "of other programs");
}

#[test]
fn parts_of_the_data_have_the_fields_that_the_script_reads_of_them() {
    let (script, schema) = (script(), Schema::new());
    let paths = Script::parse(&script).unwrap().paths();
    for (part, name) in PARTS {
        let part: Vec<Step<'_>> = part.iter().map(|name| Step::Field(name)).collect();
        let steps: Vec<&[Step<'_>]> = paths.iter().filter_map(|path| path.strip_prefix(&part[..])).collect();
        assert!(!steps.is_empty(), "{part:?} is not in the script");
        for steps in steps {
            assert!(schema.has(schema.type_schema(name), steps), "{name} has no {steps:?}");
        }
    }
}
