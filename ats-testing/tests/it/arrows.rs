//! Dependencies between crates: the table of `ARCHITECTURE.md` and the manifests agree, and every arrow points to the
//! ground.

use std::collections::BTreeSet;

use ats_testing::suite;

use crate::house::{manifest, members, read};

/// A row of the table.
#[derive(Debug)]
struct Row {
    name: String,
    folder: String,
    knows: BTreeSet<String>,
}

fn rows(document: &str) -> Vec<Row> {
    let cells = |line: &str| -> Vec<String> {
        line.split('|').map(|cell| cell.trim().trim_matches('`').to_owned()).collect()
    };
    let rows = document.lines().map(cells).filter(|cells| cells.len() == 6 && cells[1].starts_with("ats-"));
    rows.map(|cells| Row {
        name: cells[1].clone(),
        folder: cells[2].trim_end_matches('/').to_owned(),
        knows: cells[4].split(", ").filter(|name| !name.is_empty()).map(full_name).collect(),
    })
    .collect()
}

fn full_name(short: &str) -> String {
    format!("ats-{short}")
}

/// The suite's crates that a crate is linked with, by its manifest; its tests may know more.
fn dependencies(folder: &str) -> BTreeSet<String> {
    let manifest = manifest(&suite().join(folder));
    let tables = ["dependencies", "build-dependencies"].into_iter().filter_map(|kind| manifest.get(kind));
    let names = tables.flat_map(|table| table.as_table().unwrap().keys());
    names.filter(|name| name.starts_with("ats-")).cloned().collect()
}

#[test]
fn the_table_is_that_of_the_manifests() {
    let rows = rows(&read(&suite().join("ARCHITECTURE.md")));
    let folders: BTreeSet<_> = rows.iter().map(|row| row.folder.clone()).collect();
    assert_eq!(folders, members().into_iter().collect());
    for row in &rows {
        let package = manifest(&suite().join(&row.folder))["package"]["name"].as_str().unwrap().to_owned();
        assert_eq!(row.name, package);
        assert_eq!(row.knows, dependencies(&row.folder), "what {} knows", row.name);
    }
}

#[test]
fn every_arrow_points_to_the_ground() {
    let rows = rows(&read(&suite().join("ARCHITECTURE.md")));
    for (at, row) in rows.iter().enumerate() {
        for known in &row.knows {
            let is_below = rows[..at].iter().any(|lower| lower.name == *known);
            assert!(is_below, "{} knows {known}, which stands beside or above it", row.name);
        }
    }
}
