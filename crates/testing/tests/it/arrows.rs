//! Dependencies between crates: the table of `ARCHITECTURE.md` and the manifests agree, and every arrow points to the
//! ground; crates name what they depend on.

use std::collections::BTreeSet;
use std::path::Path;

use ats_testing::suite;

use crate::rules::{manifest, members, read, walk};

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
    of_kind(&manifest(&suite().join(folder)), "dependencies")
        .filter(|name| name.starts_with("ats-"))
        .collect()
}

/// The dependencies of a kind, `dev-dependencies`.
fn of_kind(manifest: &toml::Table, kind: &str) -> impl Iterator<Item = String> {
    manifest.get(kind).into_iter().flat_map(|table| table.as_table().unwrap().keys().cloned())
}

/// The text of all Rust files below a folder, and of the modules that they take from other folders.
fn code(folder: &Path) -> String {
    let mut code = String::new();
    walk(folder, "rs", &mut |file| {
        let text = read(file);
        for module in text.split("#[path = \"../").skip(1).filter_map(|rest| rest.split('"').next()) {
            let module = file.parent().unwrap().join("..").join(module);
            walk(module.parent().unwrap(), "rs", &mut |file| code += &read(file));
        }
        code += &text;
    });
    code
}

fn has_name(code: &str, name: &str) -> bool {
    let is_of_name = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(name)
        .any(|(at, _)| !code[..at].ends_with(is_of_name) && !code[at + name.len()..].starts_with(is_of_name))
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

/// A crate that a build script needs is compiled for the host as well, with all that it depends on.
#[test]
fn no_build_script_depends_on_a_crate_of_the_suite() {
    for member in members() {
        let of_suite = of_kind(&manifest(&suite().join(&member)), "build-dependencies")
            .find(|it| it.starts_with("ats-"));
        assert_eq!(of_suite, None, "of the build script of {member}");
    }
}

#[test]
fn every_dependency_is_named_in_the_code() {
    for member in members() {
        let folder = suite().join(&member);
        let (manifest, all) = (manifest(&folder), code(&folder));
        let program = folder.join("src");
        let own = if program.is_dir() { code(&program) } else { all.clone() };
        for kind in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let code = if kind == "dependencies" { &own } else { &all };
            let unnamed = of_kind(&manifest, kind).find(|name| !has_name(code, &name.replace('-', "_")));
            assert_eq!(unnamed, None, "of the {kind} of {member}");
        }
    }
}
