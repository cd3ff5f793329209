//! The command without the suite that it was built from: what it carries, and what is installed beside it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// A copy of the command in `dir`, which does not know where the suite is: another path of the same length stands in
/// it.
fn command_that_was_built_elsewhere(dir: &Path) -> PathBuf {
    let suite = ats_testing::suite().to_str().unwrap();
    let elsewhere = format!("/{}", "-".repeat(suite.len() - 1));
    let copy = dir.join("ats");
    fs::create_dir_all(dir).unwrap();
    let edited = Command::new("sed")
        .env("LC_ALL", "C")
        .arg(format!("s|{suite}/generator|{elsewhere}/generator|g"))
        .arg(env!("CARGO_BIN_EXE_ats"))
        .output()
        .unwrap();
    assert!(edited.status.success(), "{edited:?}");
    fs::write(&copy, edited.stdout).unwrap();
    fs::set_permissions(&copy, fs::metadata(env!("CARGO_BIN_EXE_ats")).unwrap().permissions()).unwrap();
    copy
}

fn run(command: &Path, dir: &Path, cache: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(command);
    command.args(arguments).current_dir(dir).env_remove("ATS_SUITE").env("XDG_CACHE_HOME", cache);
    command.envs([("OMPI_ALLOW_RUN_AS_ROOT", "1"), ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")]);
    command.output().unwrap()
}

/// The suite that a program is built from.
fn suite_of_program(program: &Path) -> PathBuf {
    let manifest: String = fs::read_to_string(program.join("Cargo.toml")).unwrap();
    let harness = manifest.split("ats-harness = { path = \"").nth(1).unwrap().split('"').next().unwrap();
    harness.strip_suffix("/crates/harness").unwrap().into()
}

#[test]
fn programs_are_built_from_the_sources_that_the_command_carries() {
    let dir = TempDir::new().unwrap();
    let (command, cache) = (command_that_was_built_elsewhere(dir.path()), dir.path().join("cache"));
    let generated = run(&command, dir.path(), &cache, &["generate", "late_sender", "-o", "program"]);
    assert!(generated.status.success(), "{}", String::from_utf8_lossy(&generated.stderr));
    let suite = suite_of_program(&dir.path().join("program"));
    assert!(suite.starts_with(cache.canonicalize().unwrap().join("ats")), "{}", suite.display());

    // What is left out is missed by nobody who builds: Cargo reads all manifests, and the locked versions are theirs.
    let cargo = |arguments: &[&str]| {
        let manifest = suite.join("Cargo.toml");
        let output = Command::new(env!("CARGO"))
            .args(arguments)
            .arg("--manifest-path")
            .arg(manifest)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    };
    cargo(&["tree", "--quiet", "--package", "ats-props", "--locked", "--offline"]);
    let metadata = cargo(&["metadata", "--no-deps", "--format-version", "1"]);
    let metadata: Value = serde_json::from_slice(&metadata).unwrap();
    let sources =
        metadata["packages"].as_array().unwrap().iter().flat_map(|it| it["targets"].as_array().unwrap());
    let missing: Vec<&str> = sources
        .map(|target| target["src_path"].as_str().unwrap())
        .filter(|source| source.starts_with(suite.to_str().unwrap()) && !Path::new(source).is_file())
        .collect();
    assert_eq!(missing, [] as [&str; 0]);
    for left_out in ["docs/README.md", "peers", "crates/cli/tests/it", "target", ".git"] {
        assert!(!suite.join(left_out).exists(), "{left_out}");
    }
}

/// The answer in JSON.
fn answered(output: Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn path(value: &Value) -> PathBuf {
    value.as_str().unwrap().into()
}

#[test]
fn an_installation_finds_its_parts() {
    let dir = TempDir::new().unwrap();
    let here = dir.path().canonicalize().unwrap();
    let (command, cache) = (command_that_was_built_elsewhere(&here), here.join("cache"));
    fs::create_dir_all(here.join("prefix/bin")).unwrap();
    fs::write(here.join("prefix/bin/others"), "").unwrap();
    for _again in 0..2 {
        let install = ["install", "prefix", "--without-libraries", "--format", "json"];
        let installed = answered(run(&command, &here, &cache, &install));
        assert_eq!(installed["mpi"], serde_json::Value::Null);
        let files: Vec<PathBuf> = installed["files"].as_array().unwrap().iter().map(path).collect();
        assert!(files.iter().all(|file| file.is_file() && file.starts_with(&here)), "{files:?}");
        for file in [
            "bin/ats",
            "share/man/man1/ats-install.1",
            "share/bash-completion/completions/ats",
            "share/zsh/site-functions/_ats",
            "share/fish/vendor_completions.d/ats.fish",
        ] {
            assert!(files.contains(&here.join("prefix").join(file)), "{file}: {files:?}");
        }
    }
    assert!(here.join("prefix/bin/others").is_file() && !cache.exists());

    let version = env!("CARGO_PKG_VERSION");
    let module = fs::read_to_string(here.join("prefix/share/modulefiles/ats").join(version)).unwrap();
    let prefix = format!("set prefix {{{}}}\n", here.join("prefix").display());
    assert!(
        module.starts_with("#%Module\n") && module.contains(&prefix) && !module.contains('@'),
        "{module}"
    );
    assert!(module.contains("\nprepend-path PATH $prefix/bin\n"), "{module}");

    fs::remove_file(command).unwrap();
    let moved = here.join("prefix/bin/ats");
    let generated = run(&moved, &here, &cache, &["generate", "late_sender", "-o", "program"]);
    assert!(generated.status.success(), "{}", String::from_utf8_lossy(&generated.stderr));
    assert_eq!(suite_of_program(&here.join("program")), here.join("prefix/share/ats/suite"));
}

#[test]
fn obstacles_of_an_installation_are_named() {
    let dir = TempDir::new().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "").unwrap();
    let install = |arguments: &[&str]| {
        let words = [&["install", "file/prefix"], arguments].concat();
        let output = run(Path::new(env!("CARGO_BIN_EXE_ats")), dir.path(), dir.path(), &words);
        (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, errors) = install(&["--without-libraries"]);
    assert!(code == 3 && errors.contains(file.to_str().unwrap()), "{errors}");
    let (code, errors) = install(&["--mpi", "lam"]);
    assert!(code == 2 && errors.contains("give openmpi or mpich"), "{errors}");
}

#[test]
fn an_installation_for_an_mpi_library_builds_and_records_without_the_suite() {
    if !["mpicc.openmpi", "mpirun.openmpi", "pkg-config"].iter().all(|tool| ats_testing::required(tool)) {
        return;
    }
    let dir = TempDir::new().unwrap();
    let (here, cache) = (dir.path().canonicalize().unwrap(), dir.path().join("cache"));
    let install = ["install", "prefix", "--mpi", "openmpi", "--format", "json"];
    let installed = answered(run(Path::new(env!("CARGO_BIN_EXE_ats")), &here, &cache, &install));
    assert_eq!(installed["mpi"], serde_json::json!(["openmpi"]));

    let command = here.join("prefix/bin/ats");
    for language in ["c", "fortran"] {
        let generate = ["generate", "late_sender", "--lang", language, "-o", language];
        assert!(run(&command, &here, &cache, &generate).status.success());
        let make = Command::new("make")
            .args(["-C", language, "MPICC=mpicc.openmpi", "MPIFC=mpifort.openmpi"])
            .current_dir(&here)
            .env_remove("PKG_CONFIG_PATH")
            .output()
            .unwrap();
        assert!(make.status.success(), "{}", String::from_utf8_lossy(&make.stderr));
    }
    let launch =
        ["record", "-o", "trace", "--format", "json", "--", "mpirun.openmpi", "--oversubscribe", "-np", "4"];
    let recorded =
        answered(run(&command, &here, &cache, &[&launch[..], &["c/bin/late_sender", "r=2"]].concat()));
    assert_eq!(path(&recorded["recorder"]), here.join("prefix/lib/openmpi/libats_recorder.so"));
    let analysis = answered(run(&command, &here, &cache, &["analyze", "trace", "--format", "json"]));
    assert_eq!(analysis["findings"][0]["property"], "late_sender");
    assert!(
        !here.join("prefix/share/ats/suite/target").exists() && !cache.join("ats").exists(),
        "nothing is built"
    );
}

#[test]
fn a_cache_that_cannot_be_written_is_named() {
    let dir = TempDir::new().unwrap();
    let command = command_that_was_built_elsewhere(dir.path());
    let no_cache = dir.path().join("no-cache");
    fs::write(&no_cache, "").unwrap();
    let refused = run(&command, dir.path(), &no_cache, &["generate", "late_sender", "-o", "program"]);
    let errors = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(3), "{errors}");
    assert!(errors.contains(no_cache.to_str().unwrap()) && errors.contains("ATS_SUITE"), "{errors}");
    assert!(!dir.path().join("program").exists());
}
