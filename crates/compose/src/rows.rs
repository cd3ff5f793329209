//! The rows of the catalogue: properties that the suite should have, and their state.

use ats_props::Property;
use serde::{Deserialize, Serialize};

/// A row of the catalogue. Of `property`, `by`, `excluded` and `open` it has one.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Its name.
    pub row: String,
    /// The table that it is in: messages, collective operations, the rest of MPI, OpenMP, both, sequential programs,
    /// programs and experiments, nothing to find.
    pub table: u8,
    /// The property that it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub property: Option<String>,
    /// Another program that shows it: one with the parameters given, or one of the example compositions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The command that reads it from runs of that program, and the name that it has there: `diagnose LateSender`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reading: Option<String>,
    /// Why it cannot be had.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub excluded: Option<String>,
    /// Not there yet.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub open: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rows {
    row: Vec<Row>,
}

impl Row {
    /// All rows, table by table.
    pub fn list() -> Vec<Row> {
        let rows: Rows = toml::from_str(ats_props::ROWS).expect("the rows are part of the suite and tested");
        rows.row
    }

    /// Whether it is this property.
    pub fn is_property(&self, property: &Property) -> bool {
        self.property.as_deref() == Some(property.name)
    }

    /// The names of those that a program is, or shows by itself with the parameters given.
    pub fn names_for(rows: &[Row], program: &str) -> Vec<String> {
        let is_it = |row: &&Row| {
            let by = row.by.as_deref().and_then(|by| by.split(' ').next());
            [row.property.as_deref(), by].contains(&Some(program))
        };
        rows.iter().filter(is_it).map(|row| row.row.clone()).collect()
    }

    /// The command that reads it from runs, and the name that it has there.
    pub fn read_by(&self) -> Option<(&str, &str)> {
        self.reading.as_deref()?.split_once(' ')
    }

    /// Its state, in a few words.
    pub fn status(&self) -> String {
        match (&self.property, &self.by, &self.excluded) {
            (Some(property), ..) => property.clone(),
            (_, Some(by), _) => match self.read_by() {
                Some((command, name)) => format!("by {by}: {name} of `ats {command}`"),
                None => format!("by {by}"),
            },
            (.., Some(reason)) => format!("excluded: {reason}"),
            _ => "open".to_owned(),
        }
    }
}
