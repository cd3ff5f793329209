//! Whole programs, as they are written.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use ats_generator::{GenerateError, KnownSeverity, Options, SuiteSource, generate, generate_set};
use ats_props::{Catalogue, Property};
use tempfile::TempDir;

fn late_sender() -> &'static Property {
    Catalogue::builtin().program("late_sender").unwrap().property
}

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn options() -> Options {
    Options::new(SuiteSource::find().unwrap())
}

/// Every file below a folder with its text, the suite's own folder and lock file taken out.
fn contents(dir: &Path, suite: &Path) -> BTreeMap<PathBuf, String> {
    let mut all = BTreeMap::new();
    let mut folders = vec![dir.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.file_name().unwrap() != "Cargo.lock" {
                let text = fs::read_to_string(&path).unwrap().replace(suite.to_str().unwrap(), "SUITE");
                all.insert(path.strip_prefix(dir).unwrap().to_owned(), text);
            }
        }
    }
    all
}

fn listed(contents: &BTreeMap<PathBuf, String>) -> String {
    contents.iter().map(|(path, text)| format!("==> {} <==\n{text}\n", path.display())).collect()
}

#[test]
fn a_program_in_a_folder_of_its_own() {
    let dir = folder();
    let mut options = options();
    let SuiteSource::Path(suite) = options.suite.clone();
    let known = [(2, 0.5, 0.4166), (4, 1.0, 0.41666), (8, 2.0, 0.41666)];
    let known = known.map(|(ranks, waiting_time, severity)| KnownSeverity { ranks, waiting_time, severity });
    options.severities.insert("late_sender".to_owned(), known.to_vec());
    let generated = generate(late_sender(), dir.path(), &options).unwrap();
    assert_eq!(generated.programs, ["late_sender"]);
    assert_eq!(fs::read(dir.path().join("Cargo.lock")).unwrap(), fs::read(suite.join("Cargo.lock")).unwrap());
    insta::assert_snapshot!(listed(&contents(dir.path(), &suite)));
}

#[test]
fn a_set_shares_one_workspace() {
    let dir = folder();
    let options = options();
    let SuiteSource::Path(suite) = options.suite.clone();
    let catalogue = Catalogue::builtin();
    let chosen = catalogue.properties().filter(|property| property.name.starts_with("late_s"));
    let generated = generate_set(chosen, dir.path(), &options).unwrap();
    assert_eq!(generated.programs, ["late_scatter", "late_scatterv", "late_sender"]);
    let mut contents = contents(dir.path(), &suite);
    let paths: Vec<_> = contents.keys().map(|path| path.to_str().unwrap()).collect();
    insta::assert_snapshot!(paths.join("\n"), @r"
    .cargo/config.toml
    .gitignore
    Cargo.toml
    README.md
    late_scatter/Cargo.toml
    late_scatter/README.md
    late_scatter/src/main.rs
    late_scatterv/Cargo.toml
    late_scatterv/README.md
    late_scatterv/src/main.rs
    late_sender/Cargo.toml
    late_sender/README.md
    late_sender/src/main.rs
    ");
    contents
        .retain(|path, _| path.parent() == Some(Path::new("")) || path.ends_with("late_sender/Cargo.toml"));
    insta::assert_snapshot!(listed(&contents));
}

#[test]
fn every_program_is_formatted() {
    let dir = folder();
    let generated = generate_set(Catalogue::builtin().properties(), dir.path(), &options()).unwrap();
    assert_eq!(generated.programs.len(), Catalogue::builtin().properties().count());
    let sources = generated.files.iter().filter(|path| path.extension().is_some_and(|kind| kind == "rs"));
    let check =
        Command::new("rustfmt").args(["--check", "--edition", "2024"]).args(sources).output().unwrap();
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stdout));
}

#[test]
fn a_fixed_address_is_a_build_script() {
    let (dir, set) = (folder(), folder());
    let mut options = Options { no_pie: true, ..options() };
    generate(late_sender(), dir.path(), &options).unwrap();
    generate_set([late_sender()], set.path(), &options).unwrap();
    for folder in [dir.path().to_owned(), set.path().join("late_sender")] {
        assert!(fs::read_to_string(folder.join("build.rs")).unwrap().contains("-no-pie"));
        assert!(fs::read_to_string(folder.join("Cargo.toml")).unwrap().contains("build = \"build.rs\""));
    }
    options.no_pie = false;
    options.force = true;
    generate(late_sender(), dir.path(), &options).unwrap();
    assert!(fs::read_to_string(dir.path().join("Cargo.toml")).unwrap().contains("build = false"));
}

#[test]
fn a_folder_in_use_stays_as_it_is() {
    let dir = folder();
    let precious = dir.path().join("README.md");
    fs::write(&precious, "mine").unwrap();
    let mut options = options();
    let error = generate(late_sender(), dir.path(), &options).unwrap_err();
    assert!(matches!(error, GenerateError::Exists(_)), "{error}");
    assert!(error.to_string().contains("--force"), "{error}");
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    options.force = true;
    generate(late_sender(), dir.path(), &options).unwrap();
    assert_ne!(fs::read_to_string(&precious).unwrap(), "mine");
}

#[test]
fn writing_again_touches_nothing() {
    let dir = folder();
    let options = Options { force: true, ..options() };
    let modified = |path: &PathBuf| fs::metadata(path).unwrap().modified().unwrap();
    let first = generate(late_sender(), dir.path(), &options).unwrap();
    let before: Vec<_> = first.files.iter().map(modified).collect();
    generate(late_sender(), dir.path(), &options).unwrap();
    assert_eq!(first.files.iter().map(modified).collect::<Vec<_>>(), before);
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let dir = folder();
    let file = dir.path().join("file");
    fs::write(&file, "").unwrap();
    let error = generate(late_sender(), &file.join("program"), &options()).unwrap_err();
    assert!(matches!(error, GenerateError::Write { .. }), "{error}");
    assert!(error.to_string().starts_with(&format!("cannot write {}", file.display())), "{error}");
}

#[test]
fn a_suite_that_is_not_there_is_named() {
    let dir = folder();
    let error = SuiteSource::at(dir.path().to_owned()).unwrap_err().to_string();
    assert!(error.contains(dir.path().to_str().unwrap()) && error.contains("ATS_SUITE"), "{error}");
}

/// A property as a stranger's code might make it.
fn foreign(change: impl FnOnce(&mut Property)) -> Property {
    let mut property = Property { ..*late_sender() };
    change(&mut property);
    property
}

#[test]
fn names_are_not_code_and_not_paths() {
    let changes: [fn(&mut Property); 4] = [
        |property| property.name = "../../escaped",
        |property| property.name = "a; fn b",
        |property| property.origin.module = "x::{*}; mod y",
        |property| property.origin.package = "x = \"*\"\n[profile]\ny",
    ];
    for change in changes {
        let dir = folder();
        let error = generate_set([&foreign(change)], dir.path(), &options()).unwrap_err();
        assert!(matches!(error, GenerateError::Name { .. }), "{error}");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}

#[test]
fn documentation_stays_in_its_comment() {
    let dir = folder();
    let property = foreign(|property| {
        property.doc = "One.\rfn two() {}";
        property.formula = "W = 1\nfn three() {}";
    });
    generate(&property, dir.path(), &options()).unwrap();
    let source = fs::read_to_string(dir.path().join("src/main.rs")).unwrap();
    let code: Vec<_> = source.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    assert!(!code.iter().any(|line| line.contains("two") || line.contains("three")), "{source}");
    assert!(!source.contains('\r'));
}

#[test]
fn a_property_of_another_crate_is_depended_on_where_it_is() {
    let dir = folder();
    let property = foreign(|property| {
        property.origin = ats_props::Origin {
            package: "my-props",
            folder: "/home/me/my \"props\"",
            module: "my_props::waits",
        };
    });
    generate(&property, dir.path(), &options()).unwrap();
    let package = fs::read_to_string(dir.path().join("Cargo.toml")).unwrap();
    assert!(package.contains(r#"my-props = { path = "/home/me/my \"props\"" }"#), "{package}");
    let source = fs::read_to_string(dir.path().join("src/main.rs")).unwrap();
    assert!(source.contains("use my_props::waits::{PROPERTY, late_sender};"), "{source}");
}

#[test]
fn one_name_is_one_program() {
    let dir = folder();
    let error = generate_set([late_sender(), late_sender()], dir.path(), &options()).unwrap_err();
    assert!(matches!(error, GenerateError::Twice(name) if name == "late_sender"));
}
