//! The names of MPI's functions stand in one table.

use ats_model::mpi::Function;
use ats_testing::{program, sources, suite};

/// The folder of the table.
const TABLE: &str = "crates/model/src/mpi";

/// Files with a name, or a prefix of names, outside of the table, and why.
const EXCEPTIONS: [(&str, &str, &str); 10] = [
    ("crates/compose/src/region.rs", "mpi_", "names that a region of one's own may not have, MPI's or not"),
    ("crates/compose/src/region.rs", "pmpi_", "the same"),
    (
        "crates/model/src/region_class.rs",
        "mpi_barrier",
        "what time in barriers of MPI is called, not one of them",
    ),
    ("crates/recorder/build.rs", "MPI_Comm_idup_with_info", "not in every mpi.h"),
    ("crates/recorder/build.rs", "PMPI_", "reads the functions of mpi.h"),
    ("crates/recorder/build.rs", "MPI_Psend_init", "a build script depends on no crate of the suite"),
    ("crates/recorder/build/table.rs", "MPI_", "the same: it reads the table as text"),
    ("crates/recorder/src/fortran.rs", "MPI_", "whatever function of the library a link is to"),
    ("crates/recorder/src/fortran.rs", "mpi_", "the same, in Fortran"),
    ("crates/recorder/src/fortran.rs", "pmpi_", "the same"),
];

/// The source of a property without the places that its formulas are for: its test fails if the engine has no such place.
fn without_places(source: &str) -> String {
    let mut parts = source.split("at = \"");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, rest| text + rest.split_once('"').map_or("", |(_, after)| after))
}

/// The string literals of a source, as they are written between the quotes.
fn literals(source: &str) -> Vec<&str> {
    let bytes = source.as_bytes();
    let (mut literals, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let rest = &source[at..];
        at += match bytes[at] {
            b'/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            b'\'' if rest.starts_with("'\"'") => 3,
            b'\'' if rest.starts_with("'\\") => 3,
            b'r' if rest.starts_with("r#\"") => rest.find("\"#").map_or(rest.len(), |end| end + 2),
            b'"' => {
                let mut end = 1;
                while bytes.get(at + end).is_some_and(|&byte| byte != b'"') {
                    end += 1 + usize::from(bytes[at + end] == b'\\');
                }
                literals.push(rest.get(1..end).unwrap_or_default());
                end + 1
            }
            _ => rest.chars().next().map_or(1, char::len_utf8),
        };
    }
    literals
}

fn is_name(literal: &str) -> bool {
    let begins_names = |prefix: &str| literal.trim_start_matches(['P', 'p']).eq_ignore_ascii_case(prefix);
    begins_names("mpi_") || Function::of_spelling(literal).is_some()
}

#[test]
fn literals_are_found_where_they_are() {
    let source = "a(\"MPI_Send\", '\"', '\\'', r#\"x\"#) // \"MPI_Recv\"\n\"\\\"é\" \"\"";
    assert_eq!(literals(source), ["MPI_Send", "\\\"é", ""]);
    assert!(["MPI_Send", "pmpi_send_", "MPI_", "pmpi_"].into_iter().all(is_name));
    assert!(!["mpi_latesender", "MPI_COMM_WORLD", "MPI", "call MPI_Send"].into_iter().any(is_name));
}

#[test]
fn no_name_of_a_function_of_mpi_is_written_outside_the_table() {
    let files = sources(suite());
    assert!(files.len() > 300, "{}", files.len());
    let mut found = Vec::new();
    let mut used = [false; EXCEPTIONS.len()];
    for file in files {
        let path = file.strip_prefix(suite()).unwrap().to_str().unwrap();
        if path.starts_with(TABLE) {
            continue;
        }
        let mut text = program(&file);
        if path.starts_with("ats-props/src/") {
            text = without_places(&text);
        }
        for literal in literals(&text).into_iter().filter(|literal| is_name(literal)) {
            match EXCEPTIONS.iter().position(|(file, name, _)| (path, literal) == (*file, *name)) {
                Some(exception) => used[exception] = true,
                None => found.push(format!("{path}: \"{literal}\"")),
            }
        }
    }
    assert_eq!(found, [""; 0], "take them from ats_model::mpi::Function");
    assert_eq!(used, [true; EXCEPTIONS.len()], "exceptions that are none any more");
}
