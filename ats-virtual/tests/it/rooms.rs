//! Imports among the engine's files: rooms know only those below them, and files do not import each other in a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Of each file, as `mpi/state`, the text of its program, without tests and comments.
fn files() -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = BTreeMap::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let text = text.split("#[cfg(test)]").next().unwrap();
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            let name = path.strip_prefix(&root).unwrap().with_extension("");
            files.insert(name.to_str().unwrap().to_owned(), code.collect::<Vec<_>>().join("\n"));
        }
    }
    files
}

/// The files that a text imports. A name of the crate's own surface is `lib`.
fn imports(text: &str, files: &BTreeMap<String, String>) -> BTreeSet<String> {
    assert!(!text.contains("super::"), "paths are written from the crate's root");
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = BTreeSet::new();
    let single = text.match_indices("crate::").map(|(at, found)| &text[at + found.len()..]);
    for path in single {
        // A group stands for each of its members.
        let members: Vec<&str> = match path.strip_prefix('{') {
            Some(group) => group.split('}').next().unwrap().split(',').map(str::trim).collect(),
            None => vec![path],
        };
        for member in members {
            let mut parts = member.split("::").map(|part| part.split(|c| !is_word(c)).next().unwrap());
            let first = parts.next().unwrap();
            let second = format!("{first}/{}", parts.next().unwrap_or_default());
            let file = [second.as_str(), first].into_iter().find(|name| files.contains_key(*name));
            found.insert(file.unwrap_or("lib").to_owned());
        }
    }
    found
}

/// The room of a file: its folder, or itself where it lies above the rooms.
fn room(file: &str) -> &str {
    file.split('/').next().unwrap()
}

#[test]
fn rooms_know_only_what_is_below_them() {
    let files = files();
    let mut seen = BTreeSet::new();
    for (file, text) in &files {
        let allowed: &[&str] = match room(file) {
            "kernel" => &["kernel"],
            "mpi" => &["kernel", "mpi"],
            "omp" => &["kernel", "omp"],
            "world" => &["kernel", "mpi", "omp"],
            "program" => &["kernel", "mpi", "omp", "world", "program"],
            _ => continue,
        };
        seen.insert(room(file));
        for import in imports(text, &files) {
            assert!(allowed.contains(&room(&import)), "{file}.rs may not know {import}.rs");
        }
    }
    assert_eq!(seen, BTreeSet::from(["kernel", "mpi", "omp", "program", "world"]));
}

#[test]
fn rooms_speak_of_their_own_only() {
    for (file, text) in files() {
        let strange: &[&str] = match room(&file) {
            "kernel" => &["ats_mpi", "ats_omp", "openmp", "MPI_", "mpi::"],
            "mpi" => &["ats_omp", "openmp"],
            "omp" => &["ats_mpi", "MPI_", "mpi::"],
            _ => continue,
        };
        let uses = |word: &&&str| text.contains(**word);
        assert_eq!(strange.iter().find(uses), None, "{file}.rs is to know nothing of that");
    }
}

#[test]
fn files_do_not_go_round_in_a_circle() {
    let files = files();
    let mut left: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (file, text) in &files {
        let mut imports = imports(text, &files);
        imports.remove(file.as_str());
        left.insert(file, imports);
    }
    assert!(left.values().flatten().count() > 100, "imports are found");
    // Whoever imports nobody that is left is in no circle.
    loop {
        let names: BTreeSet<String> = left.keys().map(|&file| file.to_owned()).collect();
        left.retain(|_, imports| imports.iter().any(|import| names.contains(import)));
        if left.len() == names.len() {
            break;
        }
    }
    let circle: Vec<&&str> = left.keys().collect();
    assert!(left.is_empty(), "these are in a circle, or lead to one: {circle:?}");
}
