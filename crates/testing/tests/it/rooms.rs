//! Rooms of a crate: its README lists them, and a file uses only the rooms that its own may use.
//!
//! A room is a file, its folder, or both. Files that are in no room may use all rooms; no room uses them.

use std::collections::{BTreeMap, BTreeSet};

use ats_testing::{program, sources, suite};

use crate::circles::{Module, imports};
use crate::rules::read;

/// The rooms that each room may use, beside itself.
type Rooms = BTreeMap<String, BTreeSet<String>>;

/// The folders of the crates whose README has a table of rooms.
const CRATES: [&str; 2] = ["crates/analyzer", "crates/virtual"];

/// The table of a README with the columns room, contents, may use.
fn rooms(readme: &str) -> Rooms {
    let names = |cell: &str| -> Vec<String> {
        let quoted = cell.split('`').skip(1).step_by(2);
        quoted.map(|name| name.trim_end_matches(".rs").trim_end_matches('/').to_owned()).collect()
    };
    let table = readme.lines().skip_while(|line| *line != "| room | contents | may use |").skip(2);
    let rows = table.take_while(|line| line.starts_with('|'));
    let cells = rows.map(|row| row.split('|').collect::<Vec<_>>());
    let of_room = cells.flat_map(|cells| {
        let may_use: BTreeSet<String> = names(cells[3]).into_iter().collect();
        names(cells[1]).into_iter().map(move |room| (room, may_use.clone()))
    });
    of_room.collect()
}

/// The imports of rooms that the table does not allow.
fn breaches(rooms: &Rooms, imports: &BTreeMap<Module, BTreeSet<Module>>) -> Vec<String> {
    let room = |file: &Module| file.first().cloned().unwrap_or_default();
    let mut breaches = Vec::new();
    for (file, others) in imports {
        let own = room(file);
        let Some(may_use) = rooms.get(&own) else { continue };
        for other in others {
            let room = room(other);
            if room != own && !may_use.contains(&room) {
                breaches.push(format!("{}.rs uses {}.rs", file.join("/"), other.join("/")));
            }
        }
    }
    breaches
}

#[test]
fn rooms_use_only_what_their_table_allows() {
    for folder in CRATES {
        let rooms = rooms(&read(&suite().join(folder).join("README.md")));
        let imports = imports(&suite().join(folder).join("src"));
        let with_folder = imports.keys().filter(|file| file.len() > 1).map(|file| file[0].clone());
        let without_row: BTreeSet<String> = with_folder.filter(|name| !rooms.contains_key(name)).collect();
        assert_eq!(without_row, BTreeSet::new(), "{folder}: folders without a row in README.md");
        for room in rooms.keys().chain(rooms.values().flatten()) {
            assert!(imports.contains_key(&vec![room.clone()]), "{folder}: README.md has a room {room}");
        }
        assert_eq!(breaches(&rooms, &imports), Vec::<String>::new(), "{folder}");
    }
}

#[test]
fn a_use_that_the_table_does_not_allow_is_found() {
    let table = "| room | contents | may use |\n|---|---|---|\n\
                 | `a/` | x | none |\n| `b.rs` | y | `a/` |\n| the rest | z | everything |\n\n| `c/` | | |\n";
    let table = rooms(table);
    assert_eq!(table.keys().collect::<Vec<_>>(), ["a", "b"]);
    let file = |path: &str| -> Module { path.split('/').map(str::to_owned).collect() };
    let found = |from: &str, to: &str| breaches(&table, &[(file(from), [file(to)].into())].into());
    assert!(found("b", "a/x").is_empty() && found("a/x", "a/y").is_empty() && found("c", "a/x").is_empty());
    assert_eq!(found("a/x", "b"), ["a/x.rs uses b.rs"]);
    assert_eq!(found("b", "c"), ["b.rs uses c.rs"]);
    assert_eq!(breaches(&table, &[(file("a"), [Module::new()].into())].into()), ["a.rs uses .rs"]);
    let needed = imports(&suite().join("crates/analyzer/src"));
    assert!(needed[&file("judge/collective")].contains(&file("words/damage")), "imports are found");
}

#[test]
fn rooms_of_the_engine_speak_of_their_own_only() {
    let strange: [(&str, &[&str]); 3] = [
        ("kernel", &["ats_mpi", "ats_omp", "openmp", "MPI_", "mpi::"]),
        ("mpi", &["ats_omp", "openmp"]),
        ("openmp", &["ats_mpi", "MPI_", "mpi::"]),
    ];
    let src = suite().join("crates/virtual/src");
    for (room, words) in strange {
        let files = sources(&src.join(room));
        assert!(files.len() > 5, "{room} has files");
        for file in files.iter().chain([&src.join(room).with_extension("rs")]) {
            let text = program(file);
            let mut code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            let found = code.find(|line| words.iter().any(|word| line.contains(word)));
            assert_eq!(found, None, "{} knows nothing of that", file.display());
        }
    }
}
