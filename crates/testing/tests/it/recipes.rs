//! Number of places of a call of MPI and of a wait state: not more than their recipes in `ARCHITECTURE.md` name.

use std::collections::BTreeSet;

use ats_testing::{program, sources, suite};

use crate::rules::{members, read};

/// The sources that are not tests, by their place in the suite.
fn programs() -> Vec<(String, String)> {
    let all = members().into_iter().filter(|member| member != "fuzz");
    let all = all.flat_map(|member| sources(&suite().join(member)));
    all.map(|file| (file.strip_prefix(suite()).unwrap().to_str().unwrap().to_owned(), program(&file)))
        .collect()
}

/// The files in which a word stands by itself, comments apart.
fn places<'a>(programs: &'a [(String, String)], word: &str) -> BTreeSet<&'a str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let stands = |line: &str| {
        line.match_indices(word)
            .any(|(at, _)| !line[..at].ends_with(is_part) && !line[at + word.len()..].starts_with(is_part))
    };
    let in_code = |text: &str| text.lines().any(|line| !line.trim_start().starts_with("//") && stands(line));
    programs.iter().filter(|(_, text)| in_code(text)).map(|(file, _)| file.as_str()).collect()
}

/// The recipe in `ARCHITECTURE.md` that begins with these words.
pub(crate) fn recipe(begin: &str) -> String {
    let document = read(&suite().join("ARCHITECTURE.md"));
    let recipe = document.split("\n\n").find(|paragraph| paragraph.starts_with(begin));
    recipe.unwrap_or_else(|| panic!("no recipe begins with `{begin}`")).to_owned()
}

/// The variants of an enumeration, as rustfmt writes them.
fn variants(text: &str, enumeration: &str) -> Vec<String> {
    let body =
        text.split(&format!("pub enum {enumeration} {{\n")).nth(1).unwrap().split("\n}\n").next().unwrap();
    let lines = body.lines().filter_map(|line| line.strip_prefix("    "));
    let names = lines.filter(|line| line.starts_with(char::is_uppercase));
    names.map(|line| line.split([' ', ',']).next().unwrap().to_owned()).collect()
}

#[test]
fn a_collective_call_has_the_places_of_its_recipe() {
    let programs = programs();
    let recipe = recipe("**A call of MPI** (5)");
    let operations = variants(&read(&suite().join("ats-mpi/src/op.rs")), "Op");
    assert!(operations.len() > 15, "{operations:?}");
    // Messages are what the engines are about; all others are alike.
    let collective = operations.iter().filter(|name| !["Send", "Recv", "Sendrecv"].contains(&name.as_str()));
    for name in collective {
        let mut places = places(&programs, &format!("Op::{name}"));
        // Properties make the call, and a call that many of them make has a method of its name.
        places.retain(|file| !file.starts_with("ats-props/") && *file != "ats-mpi/src/communicator.rs");
        // What programs call most goes the shortest way through the virtual engine.
        places.retain(|file| (name.as_str(), *file) != ("Barrier", "crates/virtual/src/mpi/part.rs"));
        for file in &places {
            assert!(recipe.contains(&format!("`{file}`")), "{name} stands in {file}, which no recipe names");
        }
        assert!(places.contains("ats-mpi/src/part.rs") && places.len() <= 3, "{name}: {places:?}");
    }
}

#[test]
fn a_wait_state_has_the_places_of_its_recipe() {
    /// Other files that ask for a wait state besides its rules, and the reasons.
    const OTHERS: [(&str, &str); 10] = [
        ("ats-props/src/testing/formulas.rs", "twins that avoid a wait by other calls"),
        ("crates/virtual/src/mpi/waits.rs", "a late sender may turn out to be one in the wrong order"),
        ("crates/virtual/src/openmp/idle.rs", "idle threads are what is left of all others' time"),
        ("crates/truth/src/lib.rs", "for OMPT, waiting for one's turn is waiting for a lock"),
        ("crates/reports/src/cube/findings.rs", "how Scalasca writes idle threads and management"),
        ("crates/model/src/instances.rs", "Scalasca counts the waits for messages, too"),
        (
            "crates/diagnosis/src/spending.rs",
            "idle threads are a loss of parallelism, whatever they wait for",
        ),
        (
            "crates/diagnosis/src/explanation/division.rs",
            "parts of MPI_Init and MPI_Finalize lie between the first leave and the last enter",
        ),
        ("crates/documents/src/summaries/of_profile.rs", "management is fork and join, which is control"),
        ("crates/prediction/src/kept.rs", "a prediction does not tell the calls that its waits are in"),
    ];
    let programs = programs();
    let recipe = recipe("**A wait state** (4)");
    let table = read(&suite().join("crates/model/src/wait_state/table.rs"));
    let of_table = |line: &&str| line.starts_with(char::is_uppercase);
    let rows =
        table.lines().filter_map(|line| line.strip_prefix("    ").filter(of_table)?.split_once(" = \""));
    let states: Vec<&str> = rows.clone().map(|(name, _)| name).collect();
    assert!(
        states.len() > 15 && states.iter().all(|name| name.chars().all(char::is_alphanumeric)),
        "{states:?}"
    );
    let definitions = read(&suite().join("docs/wait-states.md"));
    for (_, row) in rows {
        let documented = row.split('"').next().unwrap();
        assert!(definitions.contains(documented), "{documented} has no definition");
    }
    for name in states {
        let places = places(&programs, &format!("WaitState::{name}"));
        let rules = |engine: &str| places.iter().filter(|file| file.starts_with(engine)).count();
        // The rule by times, that from durations, and the meeting of those that wait.
        assert!(rules("crates/analyzer/") <= 3, "{name}: {places:?}");
        for file in places.iter().filter(|file| !file.starts_with("crates/analyzer/")) {
            let file = file.strip_prefix("crates/virtual/src/").unwrap_or(file);
            let is_other = OTHERS.iter().any(|(other, _)| other.ends_with(file));
            assert!(recipe.contains(file) || is_other, "{name} stands in {file}, which no recipe names");
        }
    }
}

#[test]
fn places_are_whole_words_outside_comments() {
    let programs =
        [("a.rs", "// Op::Scan\nlet a = Op::Scan;"), ("b.rs", "Op::Scanner"), ("c.rs", "// Op::Scan")];
    let programs = programs.map(|(file, text)| (file.to_owned(), text.to_owned()));
    assert_eq!(places(&programs, "Op::Scan"), ["a.rs"].into());
    assert_eq!(
        variants("pub enum Op {\n    A,\n    /// B.\n    B {\n        c: D,\n    },\n}\n", "Op"),
        ["A", "B"]
    );
}
