//! The files for other people's harnesses (`share/`) do what they promise.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

const TESTS: &str = r#"
cmake_minimum_required(VERSION 3.20)
project(tests NONE)
enable_testing()
include("@ATS@")
ats_add_test(late_sender RANKS 4 ARGUMENTS r=3 TIMEOUT 1800)
ats_add_test(late_sender_hybrid RANKS 2 THREADS 4)
"#;

/// A folder with such tests, configured.
fn project() -> TempDir {
    let dir = TempDir::new().unwrap();
    let module = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../share/cmake/Ats.cmake");
    fs::write(dir.path().join("CMakeLists.txt"), TESTS.replace("@ATS@", module.to_str().unwrap())).unwrap();
    let ats = format!("-DATS_COMMAND={}", env!("CARGO_BIN_EXE_ats"));
    output(Command::new("cmake").args(["-S", ".", "-B", "build", &ats]).current_dir(dir.path()));
    dir
}

fn output(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let said = String::from_utf8(stdout).unwrap();
    assert!(status.success(), "{command:?}: {said}{}", String::from_utf8_lossy(&stderr));
    said
}

fn ctest(dir: &Path) -> Command {
    let mut command = Command::new("ctest");
    command.current_dir(dir.join("build"));
    command
}

#[test]
fn ctest_knows_how_large_a_test_is_and_runs_it_alone() {
    let dir = project();
    let shown: Value = serde_json::from_str(&output(ctest(dir.path()).arg("--show-only=json-v1"))).unwrap();
    let tests = shown["tests"].as_array().unwrap();
    let known: Vec<(&str, BTreeMap<&str, String>)> = tests
        .iter()
        .map(|test| {
            let properties = test["properties"].as_array().unwrap().iter();
            let named = properties.map(|of| (of["name"].as_str().unwrap(), of["value"].to_string()));
            (test["name"].as_str().unwrap(), named.collect())
        })
        .collect();
    assert_eq!(known.len(), 2);
    for ((name, properties), (wanted, processors, timeout, labels)) in known.iter().zip([
        ("ats.late_sender", "4", "1800.0", r#"["ats","mpi"]"#),
        ("ats.late_sender_hybrid", "8", "900.0", r#"["ats","mpi","openmp"]"#),
    ]) {
        assert_eq!(*name, wanted);
        assert_eq!(properties["PROCESSORS"], processors);
        assert_eq!(properties["RUN_SERIAL"], "true");
        assert_eq!(properties["SKIP_RETURN_CODE"], "77");
        assert_eq!(properties["TIMEOUT"], timeout);
        assert_eq!(properties["LABELS"], labels);
    }
}

#[test]
fn ctest_runs_a_test_where_mpi_is_and_skips_it_where_it_is_not() {
    let dir = project();
    let said = output(ctest(dir.path()).args(["-R", "late_sender$"]));
    assert!(said.contains("100% tests passed"), "{said}");

    let ctest_alone = only_on_path(dir.path(), "ctest");
    let said = output(ctest(dir.path()).args(["-R", "late_sender$"]).env("PATH", ctest_alone));
    assert!(said.contains("Skipped"), "{said}");
}

/// A folder for `PATH` in which there is nothing but this command.
fn only_on_path(dir: &Path, command: &str) -> PathBuf {
    let path = dir.join("path");
    fs::create_dir(&path).unwrap();
    let found = output(Command::new("sh").args(["-c", &format!("command -v {command}")]));
    std::os::unix::fs::symlink(found.trim(), path.join(command)).unwrap();
    path
}

/// The commands of a block of a YAML file: the lines below its `key: |`, or the items of its list.
fn commands(file: &str, after: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../share").join(file);
    let text = fs::read_to_string(path).unwrap();
    let (_, rest) = text.split_once(after).unwrap_or_else(|| panic!("{file}: {after}"));
    let mut lines =
        rest.lines().skip_while(|line| !line.ends_with("script:") && !line.ends_with("run: |")).skip(1);
    let first = lines.next().unwrap();
    let indent = first.len() - first.trim_start().len();
    let block = std::iter::once(first)
        .chain(lines.take_while(|line| {
            line.len() > indent && line.as_bytes()[..indent].iter().all(|of| *of == b' ')
        }));
    block.map(|line| line.trim_start().trim_start_matches("- ").to_owned() + "\n").collect()
}

#[test]
fn gates_of_gitlab_and_github_keep_runs_and_judge_later_ones() {
    for (file, keep, gate) in [
        ("gitlab/ats-gate.yml", "\n.ats-keep:", "\n.ats-gate:"),
        ("github/action.yml", "- if: inputs.keep == 'true'", "- if: inputs.keep != 'true'"),
    ] {
        let dir = TempDir::new().unwrap();
        let ats = Path::new(env!("CARGO_BIN_EXE_ats")).parent().unwrap();
        let run = |commands: &str, program: &str| {
            let path = format!("{}:{}", ats.display(), std::env::var("PATH").unwrap());
            // Programs in virtual time instead of recorded ones.
            let record = format!("ats trace {program} --np 4 -o trace");
            let mut shell = Command::new("bash");
            shell.args(["-e", "-o", "pipefail", "-c", commands]).current_dir(dir.path());
            shell.env("PATH", path).env("ATS_RECORD", record).env("ATS_KEPT", "performance").output().unwrap()
        };
        let kept = run(&commands(file, keep), "heat_solver");
        assert!(kept.status.success(), "{file}: {}", String::from_utf8_lossy(&kept.stderr));
        for (program, code) in [("heat_solver", 0), ("heat_solver_slow_rank", 1), ("heat_solver_barrier", 1)]
        {
            let judged = run(&commands(file, gate), program);
            let said = String::from_utf8_lossy(&judged.stdout);
            assert_eq!(judged.status.code(), Some(code), "{file} {program}: {said}");
            assert!(!said.contains("one earlier run"), "there are three: {said}");
            for report in ["gate.xml", "gate.sarif"] {
                assert!(fs::read_to_string(dir.path().join(report)).unwrap().contains("trace"), "{report}");
            }
            fs::remove_dir_all(dir.path().join("trace")).unwrap();
        }
    }
}
