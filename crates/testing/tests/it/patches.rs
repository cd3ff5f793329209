//! The examples of the recipes in `ARCHITECTURE.md`: patches in `docs/recipes`; each adds something made up, with a
//! test of its own. Each touches as many places as it says, and not more than its recipe; `make recipes` shows that they
//! work.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use ats_testing::suite;

use crate::recipes::recipe;
use crate::rules::read;

/// The change of a patch to one file. Lines have their ends.
struct Change {
    file: String,
    is_new: bool,
    /// The text before and after, each piece with the lines around it.
    pieces: Vec<(String, String)>,
}

/// A commit as `git show -U1 --format=%B` writes it.
struct Patch {
    name: String,
    message: String,
    changes: Vec<Change>,
}

impl Patch {
    fn parse(name: &str, text: &str) -> Patch {
        let mut files = text.split("diff --git ");
        let message = files.next().unwrap_or_default().trim().to_owned();
        Patch { name: name.to_owned(), message, changes: files.map(Change::parse).collect() }
    }

    fn list() -> Vec<Patch> {
        let entries = fs::read_dir(suite().join("docs/recipes")).unwrap();
        let files = entries.map(|entry| entry.unwrap().path());
        let patches = files.filter(|file| file.extension().is_some_and(|kind| kind == "patch"));
        let named: BTreeMap<String, PathBuf> =
            patches.map(|file| (file.file_stem().unwrap().to_str().unwrap().to_owned(), file)).collect();
        named.iter().map(|(name, file)| Patch::parse(name, &read(file))).collect()
    }

    /// The files that it touches, tests apart.
    fn places(&self) -> BTreeSet<&str> {
        let is_test = |file: &str| file.contains("/tests/") || file.ends_with("/tests.rs");
        self.changes.iter().map(|change| &*change.file).filter(|file| !is_test(file)).collect()
    }

    /// The commands at the end of its message that show that it works.
    fn commands(&self) -> Vec<Vec<&str>> {
        let commands = self.message.lines().filter_map(|line| line.strip_prefix("    cargo "));
        commands.map(|line| line.split_whitespace().collect()).collect()
    }

    /// The tests that it brings.
    fn tests(&self) -> Vec<&str> {
        let pieces = self.changes.iter().flat_map(|change| &change.pieces);
        let tests = pieces.flat_map(|(_, after)| after.split("#[test]\n").skip(1));
        tests.map(|test| test.trim_start().trim_start_matches("fn ").split('(').next().unwrap()).collect()
    }

    fn apply(&self, folder: &Path) -> Result<(), String> {
        self.changes.iter().try_for_each(|change| {
            change.apply(folder).map_err(|what| format!("{}.patch: {what}", self.name))
        })
    }
}

impl Change {
    fn parse(text: &str) -> Change {
        let (head, body) = text.split_once("\n@@").unwrap_or((text, ""));
        let file = head.lines().find_map(|line| line.strip_prefix("+++ b/")).expect("no file is deleted");
        let pieces = body.split("\n@@").map(|piece| {
            let lines = piece.split_inclusive('\n').skip(1);
            let side = |other: char| -> String {
                lines
                    .clone()
                    .filter(|line| !line.starts_with(other))
                    .filter_map(|line| line.get(1..))
                    .collect()
            };
            (side('+'), side('-'))
        });
        Change { file: file.to_owned(), is_new: head.contains("\n--- /dev/null\n"), pieces: pieces.collect() }
    }

    /// Writes the changed file below a folder, which has the suite as it is.
    fn apply(&self, folder: &Path) -> Result<(), String> {
        let path = folder.join(&self.file);
        if self.is_new {
            assert!(!path.exists(), "{} is there already", self.file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, &self.pieces[0].1).unwrap();
            return Ok(());
        }
        let mut text = read(&path);
        for (before, after) in &self.pieces {
            text = replaced(&text, before, after).map_err(|what| format!("{}: {what}", self.file))?;
        }
        fs::write(path, text).unwrap();
        Ok(())
    }
}

/// A text with these whole lines in place of others, which have to be there once, wherever they are.
fn replaced(text: &str, before: &str, after: &str) -> Result<String, String> {
    let is_begin = |at: usize| at == 0 || text[..at].ends_with('\n');
    let places: Vec<usize> =
        text.match_indices(before).map(|(at, _)| at).filter(|at| is_begin(*at)).collect();
    match places[..] {
        [at] => Ok([&text[..at], after, &text[at + before.len()..]].concat()),
        _ => Err(format!("these lines are there {} times:\n{before}", places.len())),
    }
}

/// Makes `to` a copy of the suite, without touching unchanged files, so that they are not built again.
fn mirror(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    let is_left_out = |name: &str| name == "target" || name == ".git";
    let names = |folder: &Path| -> BTreeSet<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    };
    let (wanted, found) = (names(from), names(to));
    for gone in found.difference(&wanted).map(|name| to.join(name)) {
        if gone.is_dir() { fs::remove_dir_all(gone).unwrap() } else { fs::remove_file(gone).unwrap() }
    }
    for name in wanted.iter().filter(|name| !is_left_out(name)) {
        let (from, to) = (from.join(name), to.join(name));
        if from.is_dir() {
            mirror(&from, &to);
        } else if fs::read(&to).ok() != fs::read(&from).ok() {
            fs::copy(from, to).unwrap();
        }
    }
}

#[test]
fn each_has_the_places_that_are_named() {
    let table = read(&suite().join("docs/recipes/README.md"));
    let folder = tempfile::tempdir().unwrap();
    let patches = Patch::list();
    assert!(patches.len() >= 6);
    for patch in &patches {
        let row = table.lines().find(|line| line.contains(&format!("({}.patch)", patch.name)));
        let row: Vec<&str> =
            row.unwrap_or_else(|| panic!("no row has {}.patch", patch.name)).split('|').collect();
        let [_, recipe_name, most, touched, ..] = row[..] else { panic!("{row:?}") };
        let [most, touched] = [most, touched].map(|cell| cell.trim().parse::<usize>().unwrap());
        let places = patch.places();
        assert_eq!(places.len(), touched, "{}: {places:?}", patch.name);
        let recipe = recipe(&format!("**{}** ({most}", recipe_name.trim()));
        assert!(touched <= most, "{}: {places:?}", patch.name);
        let named: Vec<&str> = recipe.split('`').skip(1).step_by(2).collect();
        for place in places {
            let is_named = |name: &str| name == place || name.ends_with('/') && place.starts_with(name);
            assert!(named.iter().any(|name| is_named(name)), "{}: {place} is in no recipe", patch.name);
        }
        for change in patch.changes.iter().filter(|change| !change.is_new) {
            let copy = folder.path().join(&change.file);
            fs::create_dir_all(copy.parent().unwrap()).unwrap();
            fs::copy(suite().join(&change.file), copy).unwrap();
        }
        patch.apply(folder.path()).unwrap_or_else(|error| panic!("{error}"));
        assert!(!patch.commands().is_empty() && !patch.tests().is_empty(), "{}", patch.name);
    }
    let rows = table.lines().filter(|line| line.contains(".patch)")).count();
    assert_eq!(rows, patches.len());
}

/// A copy of the suite with all patches: one with each alone would be built ten times.
fn patched_copy(patches: &[Patch]) -> PathBuf {
    let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join("recipes/suite");
    mirror(suite(), &copy);
    patches.iter().for_each(|patch| patch.apply(&copy).unwrap_or_else(|error| panic!("{error}")));
    copy
}

/// Succeeds in a folder, and returns all output.
#[track_caller]
fn cargo(folder: &Path, target: &Path, command: &[&str]) -> String {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(command).current_dir(folder).env("CARGO_TARGET_DIR", target);
    // Patches change the catalogue, of which files are made.
    let output = cargo.env("ATS_RENEW", "1").output().unwrap();
    let said = [&output.stdout, &output.stderr].map(|said| String::from_utf8_lossy(said)).concat();
    assert!(output.status.success(), "{command:?}: {said}");
    said
}

#[test]
fn each_works() {
    let patches = Patch::list();
    let copy = patched_copy(&patches);
    let target = copy.with_file_name("target");
    for patch in &patches {
        let passed: String = patch.commands().iter().map(|command| cargo(&copy, &target, command)).collect();
        for test in patch.tests() {
            let has_passed =
                |line: &str| line.starts_with("test ") && line.ends_with(&format!("{test} ... ok"));
            assert!(passed.lines().any(has_passed), "{}: {test} was not run: {passed}", patch.name);
        }
    }
}

#[test]
fn lines_are_replaced_where_they_are_there_once() {
    assert_eq!(replaced("aa\na\nb\n", "a\n", "c\n").unwrap(), "aa\nc\nb\n");
    assert!(replaced("a\nb\na\n", "a\n", "c\n").unwrap_err().contains("2 times"));
    assert!(replaced("b\n", "a\n", "c\n").unwrap_err().contains("0 times"));
    let patch = "Adds b.\n\n    cargo test b\ndiff --git a/x/f b/x/f\nindex 1..2 1\n--- a/x/f\n+++ b/x/f\n\
                 @@ -1,2 +1,3 @@ fn\n a\n+b\n c\n@@ -7 +8 @@\n-d\n+e\ndiff --git a/x/tests/n b/x/tests/n\n\
                 new file mode 1\n--- /dev/null\n+++ b/x/tests/n\n@@ -0,0 +1,3 @@\n+#[test]\n+fn works() {}\n+\n";
    let patch = Patch::parse("p", patch);
    assert_eq!((patch.places(), patch.commands()), (["x/f"].into(), vec![vec!["test", "b"]]));
    assert_eq!(patch.tests(), ["works"]);
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("x")).unwrap();
    fs::write(folder.path().join("x/f"), "d\na\nc\n").unwrap();
    patch.apply(folder.path()).unwrap();
    assert_eq!(read(&folder.path().join("x/f")), "e\na\nb\nc\n");
    assert_eq!(read(&folder.path().join("x/tests/n")), "#[test]\nfn works() {}\n\n");
}
