//! Sizes of functions, files and folders; and the manifests.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use ats_testing::{program, sources, suite};

/// The most lines that a function has.
const LINES_OF_FUNCTION: usize = 80;

/// The most lines that a file has, without its tests.
const LINES_OF_FILE: usize = 450;

/// The most properties that a folder has.
const PROPERTIES_OF_FOLDER: usize = 30;

pub(crate) fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// The manifest in a folder.
pub(crate) fn manifest(folder: &Path) -> toml::Table {
    read(&folder.join("Cargo.toml")).parse().unwrap()
}

/// The folders of the workspace's members, as the root's manifest names them.
pub(crate) fn members() -> Vec<String> {
    let members = &manifest(suite())["workspace"]["members"];
    members.as_array().unwrap().iter().map(|member| member.as_str().unwrap().to_owned()).collect()
}

/// Calls `found` with every file of this kind (`rs`) below a folder, including tests.
pub(crate) fn walk(folder: &Path, kind: &str, found: &mut dyn FnMut(&Path)) {
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() && !entry.ends_with("target") {
            walk(&entry, kind, found);
        } else if entry.extension().is_some_and(|extension| extension == kind) {
            found(&entry);
        }
    }
}

/// The functions of a source, as rustfmt writes them, and how many lines each has.
fn functions(program: &str) -> Vec<(&str, usize)> {
    let lines: Vec<&str> = program.lines().collect();
    (0..lines.len()).filter_map(|first| function(&lines[first..])).collect()
}

/// The function that begins in the first line.
fn function<'a>(lines: &[&'a str]) -> Option<(&'a str, usize)> {
    const BEFORE: [&str; 7] = ["pub", "pub(crate)", "pub(super)", "const", "unsafe", "extern", "\"C\""];
    let line = lines[0];
    let (before, after) = line.split_once("fn ")?;
    let name = after.split(['(', '<']).next()?;
    let indent = line.len() - line.trim_start().len();
    let is_end = |end: &&str| match end.split_at_checked(indent) {
        Some((_, "}")) => true,
        // Of a trait, without a body.
        Some((_, end)) => end.starts_with(')') && end.ends_with(';'),
        None => false,
    };
    let length = if line.ends_with(['}', ';']) { 1 } else { lines.iter().position(is_end)? + 1 };
    before.split_whitespace().all(|word| BEFORE.contains(&word)).then_some((name, length))
}

/// Output of one of several ranks: its lines are not torn by those of others.
#[test]
fn ranks_say_whole_lines() {
    for member in ["ats-mpi", "ats-omp", "crates/capi", "crates/harness", "crates/recorder"] {
        for source in sources(&suite().join(member).join("src")) {
            let says = program(&source).contains("eprint");
            assert!(!says, "{}: ats_work::say writes a line at once", source.display());
        }
    }
}

/// `test = false` saves a build of a library, and would leave out in silence the tests that it has.
#[test]
fn libraries_that_are_not_tested_have_no_tests() {
    for member in members() {
        let folder = suite().join(&member);
        let is_tested =
            manifest(&folder).get("lib").and_then(|lib| lib.get("test")?.as_bool()).unwrap_or(true);
        if !is_tested {
            walk(&folder.join("src"), "rs", &mut |file| {
                assert!(!read(file).contains("#[test]"), "{}: `test = false` in {member}", file.display());
            });
        }
    }
}

#[test]
fn functions_are_found_with_their_lines() {
    let source = "\
trait A {
    fn zero(
        &self,
    ) -> usize;

    // fn none
    pub(crate) unsafe fn one<T>(&self) {
        a(|| {
            b();
        });
    }
}
const fn two() {}
";
    assert_eq!(functions(source), [("zero", 3), ("one", 5), ("two", 1)]);
}

#[test]
fn functions_and_files_are_small() {
    let mut longer = Vec::new();
    for source in members().iter().flat_map(|member| sources(&suite().join(member))) {
        let file = source.strip_prefix(suite()).unwrap().to_str().unwrap().to_owned();
        let program = program(&source);
        if program.lines().count() > LINES_OF_FILE {
            longer.push(file.clone());
        }
        let functions = functions(&program).into_iter().filter(|(_, lines)| *lines > LINES_OF_FUNCTION);
        longer.extend(functions.map(|(name, _)| format!("{file}: {name}")));
    }
    for member in members() {
        walk(&suite().join(member), "js", &mut |script| {
            if read(script).lines().count() > LINES_OF_FILE {
                longer.push(script.display().to_string());
            }
        });
    }
    assert!(longer.is_empty(), "too long: {longer:?}");
}

#[test]
fn folders_of_properties_are_small() {
    let mut properties = BTreeMap::new();
    for source in
        sources(&suite().join("ats-props/src")).iter().filter(|source| read(source).contains("\n#[property"))
    {
        *properties.entry(source.parent().unwrap().to_owned()).or_insert(0) += 1;
    }
    assert!(properties.len() >= 6, "{properties:?}");
    properties.retain(|_, number| *number > PROPERTIES_OF_FOLDER);
    assert!(properties.is_empty(), "families of their own: {properties:?}");
}

/// Lines that declare what all ranks of the virtual engine would share, since they share a thread.
fn statics(program: &str) -> Vec<&str> {
    let declares = |line: &&str| {
        let item = line.trim_start().trim_start_matches("pub ").trim_start_matches("pub(crate) ");
        item.starts_with("static ") || item.starts_with("thread_local!")
    };
    program.lines().filter(declares).collect()
}

#[test]
fn bodies_of_properties_have_no_statics() {
    assert_eq!(statics("fn body() {\n    static CALLS: u32 = 0;\n    let static_ = 1;\n}").len(), 1);
    for source in sources(&suite().join("ats-props/src")) {
        let program = program(&source);
        let is_property = program.contains("\n#[property");
        let statics = if is_property { statics(&program) } else { Vec::new() };
        assert!(statics.is_empty(), "{}: ranks share {statics:?}; pass a value", source.display());
    }
}

#[test]
fn a_module_lies_beside_the_folder_of_its_parts() {
    let mut old_style = Vec::new();
    let folders = members().into_iter().map(|member| suite().join(member).join("src"));
    for folder in folders.filter(|folder| folder.is_dir()) {
        walk(&folder, "rs", &mut |file| {
            if file.ends_with("mod.rs") {
                old_style.push(file.display().to_string());
            }
        });
    }
    assert!(old_style.is_empty(), "name these after their folder, NAME.rs beside NAME/: {old_style:?}");
}
