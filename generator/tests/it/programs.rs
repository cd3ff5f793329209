//! Whole programs, as they are written.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use ats_generator::{GenerateError, Mpi, Options, SuiteSource, Team, generate, generate_set};
use ats_props::{Catalogue, Entry, Needs, Property, Shown, WaitState, What};
use tempfile::TempDir;

fn property(name: &str) -> &'static Property {
    Catalogue::builtin().program(name).unwrap().property
}

fn late_sender() -> &'static Property {
    property("late_sender")
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
    let options = options();
    let suite = options.suite.root().to_owned();
    let generated = generate(late_sender(), dir.path(), &options).unwrap();
    assert_eq!(generated.programs().collect::<Vec<_>>(), ["late_sender"]);
    assert_eq!(fs::read(dir.path().join("Cargo.lock")).unwrap(), fs::read(suite.join("Cargo.lock")).unwrap());
    insta::assert_snapshot!(listed(&contents(dir.path(), &suite)));
}

#[test]
fn programs_with_threads() {
    for name in ["imbalance_at_omp_barrier", "late_sender_hybrid"] {
        let dir = folder();
        let options = options();
        let suite = options.suite.root().to_owned();
        generate(property(name), dir.path(), &options).unwrap();
        let mut contents = contents(dir.path(), &suite);
        contents.retain(|path, _| !path.starts_with(".cargo") && !path.starts_with(".gitignore"));
        insta::assert_snapshot!(name, listed(&contents));
    }
}

#[test]
fn programs_with_rayon_link_no_openmp() {
    let dir = folder();
    let options = Options { team: Team::Rayon, ..options() };
    generate(property("late_sender_hybrid"), dir.path(), &options).unwrap();
    let package = fs::read_to_string(dir.path().join("Cargo.toml")).unwrap();
    assert!(package.contains(r#"features = ["mpi", "rayon"]"#), "{package}");
    assert!(!package.contains("openmp") && package.contains("build = false"), "{package}");
    assert!(fs::read_to_string(dir.path().join("README.md")).unwrap().contains("OMPT tools do not see"));
}

#[test]
fn a_set_has_a_workspace_for_each_paradigm() {
    let dir = folder();
    let options = options();
    let suite = options.suite.root().to_owned();
    let chosen = ["late_sender", "late_sender_hybrid", "late_scatter", "imbalance_at_omp_barrier"];
    let generated = generate_set(chosen.map(property), dir.path(), &options).unwrap();
    let workspaces: Vec<_> = generated
        .workspaces
        .iter()
        .map(|workspace| (workspace.needs, workspace.programs.join(" ")))
        .collect();
    assert_eq!(
        workspaces,
        [
            (Needs::RANKS, "late_scatter late_sender".to_owned()),
            (Needs::TEAM, "imbalance_at_omp_barrier".to_owned()),
            (Needs::RANKS_AND_TEAM, "late_sender_hybrid".to_owned()),
        ]
    );
    let mut contents = contents(dir.path(), &suite);
    let paths: Vec<_> = contents.keys().map(|path| path.to_str().unwrap()).collect();
    insta::assert_snapshot!(paths.join("\n"));
    contents.retain(|path, _| path.components().count() <= 2 || path.ends_with("late_sender/Cargo.toml"));
    insta::assert_snapshot!(listed(&contents));
}

#[test]
fn all_of_a_set_is_built_into_one_folder() {
    let dir = folder();
    let generated =
        generate_set(["late_sender", "late_sender_hybrid"].map(property), dir.path(), &options()).unwrap();
    let mpi = Mpi { compiler: "mpicc.other".to_owned() };
    let program = generated.executable("late_sender_hybrid", &mpi);
    assert_eq!(program, dir.path().join("target-mpicc.other/release/late_sender_hybrid"));
    for (workspace, command) in generated.build_commands(&mpi) {
        let target = command.get_args().last().unwrap();
        assert_eq!(target, "../target-mpicc.other");
        assert_eq!(command.get_current_dir(), Some(workspace.dir.as_path()));
    }
}

#[test]
fn properties_that_run_on_the_same_can_be_one_executable_with_their_names() {
    let dir = folder();
    let options = Options { together: true, ..options() };
    let chosen = ["late_sender", "late_scatter", "imbalance_at_omp_barrier"];
    let generated = generate_set(chosen.map(property), dir.path(), &options).unwrap();
    let read = |path: &str| fs::read_to_string(dir.path().join(path)).unwrap();
    assert!(read("mpi/Cargo.toml").contains("members = [\n    \"mpi_programs\",\n]"));
    assert!(read("mpi/mpi_programs/Cargo.toml").contains("name = \"mpi_programs\""));
    assert!(read("mpi/mpi_programs/src/late_scatter.rs").contains("pub(crate) fn main()"));
    assert!(read("mpi/mpi_programs/src/main.rs").contains("\"late_sender\" => late_sender::main()"));
    assert!(read("openmp/Cargo.toml").contains("\"imbalance_at_omp_barrier\""), "one alone stays alone");
    let mpi = Mpi { compiler: "mpicc".to_owned() };
    let built = dir.path().join("target/release");
    assert_eq!(
        generated.executable("imbalance_at_omp_barrier", &mpi),
        built.join("imbalance_at_omp_barrier")
    );
    assert!(generated.link(&mpi).is_err(), "nothing is built yet");
    fs::create_dir_all(&built).unwrap();
    for text in ["first", "second"] {
        fs::remove_file(built.join("mpi_programs")).ok();
        fs::write(built.join("mpi_programs"), text).unwrap();
        generated.link(&mpi).unwrap();
        for program in ["late_sender", "late_scatter"] {
            assert_eq!(fs::read_to_string(generated.executable(program, &mpi)).unwrap(), text);
        }
    }
}

#[test]
fn every_program_is_formatted() {
    let (dir, catalogue) = (folder(), Catalogue::builtin().filter(Entry::has_program));
    for together in [false, true] {
        let options = Options { together, force: true, ..options() };
        let generated = generate_set(catalogue.properties(), dir.path(), &options).unwrap();
        assert_eq!(generated.programs().count(), catalogue.properties().count());
        let sources = generated.files.iter().filter(|path| path.extension().is_some_and(|kind| kind == "rs"));
        let check =
            Command::new("rustfmt").args(["--check", "--edition", "2024"]).args(sources).output().unwrap();
        assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stdout));
    }
}

#[test]
fn a_fixed_address_is_a_build_script() {
    let (dir, set) = (folder(), folder());
    let mut options = Options { no_pie: true, ..options() };
    generate(late_sender(), dir.path(), &options).unwrap();
    generate_set([late_sender()], set.path(), &options).unwrap();
    for folder in [dir.path().to_owned(), set.path().join("mpi/late_sender")] {
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
    let error = SuiteSource::open(dir.path().to_owned()).unwrap_err().to_string();
    assert!(error.contains(dir.path().to_str().unwrap()) && error.contains("ATS_SUITE"), "{error}");
}

/// A property as a stranger's code might make it.
fn foreign(change: impl FnOnce(&mut Property)) -> &'static Property {
    let mut property = Property { ..*late_sender() };
    change(&mut property);
    Box::leak(Box::new(property))
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
        let error = generate_set([foreign(change)], dir.path(), &options()).unwrap_err();
        assert!(matches!(error, GenerateError::Name { .. }), "{error}");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}

#[test]
fn documentation_stays_in_its_comment() {
    let dir = folder();
    let property = foreign(|property| {
        property.doc = "One.\rfn two() {}";
        let what = What::Wait(WaitState::LateSender);
        let formula = "W = 1\nfn three() {}";
        property.finds.shown = Box::leak(Box::new([Shown { what, formula, ..property.finds.shown[0] }]));
    });
    generate(property, dir.path(), &options()).unwrap();
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
    generate(property, dir.path(), &options()).unwrap();
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
