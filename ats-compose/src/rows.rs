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
    pub fn all() -> Vec<Row> {
        let rows: Rows = toml::from_str(ats_props::ROWS).expect("the rows are part of the suite and tested");
        rows.row
    }

    /// Whether it is this property.
    pub fn is_property(&self, property: &Property) -> bool {
        self.property.as_deref() == Some(property.name)
    }

    /// The names of those that a program is, or shows by itself with the parameters given.
    pub fn of(rows: &[Row], program: &str) -> Vec<String> {
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use ats_props::Catalogue;

    use super::Row;

    #[test]
    fn every_row_is_there_once_and_says_one_thing() {
        let rows = Row::all();
        let names: BTreeSet<_> = rows.iter().map(|row| (row.table, &row.row)).collect();
        assert_eq!(names.len(), rows.len());
        assert_eq!(
            rows.iter().map(|row| row.table).collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>(),
            [1, 2, 3, 4, 5, 6, 7, 8]
        );
        for row in &rows {
            let said = [row.property.is_some(), row.by.is_some(), row.excluded.is_some(), row.open];
            assert_eq!(said.into_iter().filter(|&said| said).count(), 1, "{row:?}");
            assert!(row.excluded.as_ref().is_none_or(|reason| reason.len() > 10), "{row:?}");
            assert!(row.reading.is_none() || row.by.is_some() && row.read_by().is_some(), "{row:?}");
        }
    }

    #[test]
    fn a_program_is_in_the_rows_that_it_is_or_shows() {
        let rows = Row::all();
        assert_eq!(
            Row::of(&rows, "wait_at_mpi_finalize"),
            ["wait_at_mpi_finalize", "control_of_parallelism"]
        );
        assert_eq!(Row::of(&rows, "late_sender_balanced"), [""; 0]);
        assert_eq!(Row::of(&rows, "imbalance_at_mpi_barrier_balanced"), ["balanced_mpi_barrier"]);
    }

    #[test]
    fn what_a_row_names_is_there_and_what_is_there_is_not_open() {
        let catalogue = Catalogue::builtin();
        let rows = Row::all();
        let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
        for by in rows.iter().filter_map(|row| row.by.as_ref()) {
            let words: Vec<String> = by.split(' ').map(str::to_owned).collect();
            let is_there = match catalogue.program(&words[0]) {
                Ok(program) => program.property.arguments_of_words(&words[1..]).is_ok(),
                Err(_) => words.len() == 1 && examples.join(by).is_file(),
            };
            assert!(is_there, "{by}");
        }
        let properties: BTreeSet<&str> = catalogue.properties().map(|property| property.name).collect();
        let mut named = BTreeSet::new();
        for name in rows.iter().filter_map(|row| row.property.as_deref()) {
            assert!(properties.contains(name), "there is no {name}");
            assert!(named.insert(name), "{name} is in two rows");
        }
        let missing: Vec<_> = properties.difference(&named).collect();
        assert!(missing.is_empty(), "{missing:?} are in no row of rows.toml");
        for Row { row, .. } in rows.iter().filter(|row| row.open) {
            assert!(!properties.contains(&**row), "{row} is there, and its row says that it is open");
        }
    }
}
