//! Programs of one process: built, run and recorded without MPI, OpenMP and launcher, and compiled alone.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use ats_props::{Catalogue, Needs};
use ats_testing::required;
use serde_json::Value;
use tempfile::TempDir;

use crate::common::{answer, ats_command};

/// Makes a folder with the commands of all folders of the path, but for launchers.
fn link_all_but_launchers(folder: &Path) {
    let is_launcher = |name: &str| {
        ["mpirun", "mpiexec", "orterun", "prterun", "srun"].iter().any(|launcher| name.starts_with(launcher))
    };
    fs::create_dir(folder).unwrap();
    let path = std::env::var_os("PATH").unwrap();
    for command in std::env::split_paths(&path).filter_map(|dir| fs::read_dir(dir).ok()).flatten().flatten() {
        if !is_launcher(&command.file_name().to_string_lossy()) {
            // The first one of a name counts.
            let _ = symlink(command.path(), folder.join(command.file_name()));
        }
    }
}

/// Validates for real, on a machine without launcher. Nothing may be wrong; ratios are the machine's, and counters that it
/// refuses are not in the trace.
fn validated(dir: &Path, words: &[&str]) -> Vec<Value> {
    let commands = dir.join("commands");
    link_all_but_launchers(&commands);
    let mut command = ats_command(dir);
    let output = command
        .arg("validate")
        .args(words)
        .args(["--format", "json"])
        .env("PATH", commands)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let result: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{said}"));
    for name in ["wrong", "missed", "failed", "false_alarms"] {
        assert_eq!(result["totals"][name], 0, "{name}: {result:#}\n{said}");
    }
    assert!(result["environment"]["launcher"].is_null(), "{:#}", result["environment"]);
    result["programs"].as_array().unwrap().clone()
}

fn outcomes(programs: &[Value], name: &str) -> Vec<String> {
    let program = programs.iter().find(|program| program["program"] == name).unwrap();
    let expectations = program["expectations"].as_array().unwrap().iter();
    expectations.map(|one| one["outcome"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn programs_of_one_process_need_no_launcher() {
    if !required("mpicc.openmpi") {
        return;
    }
    let dir = TempDir::new().unwrap();
    let words = ["hot_procedure", "r=2", "low_instruction_throughput", "r=2", "small_writes", "k=100", "r=2"];
    let programs = validated(dir.path(), &words);
    assert_eq!(programs.len(), 6, "each with its twin");
    assert_eq!(outcomes(&programs, "hot_procedure"), ["found", "found"]);
    assert_eq!(outcomes(&programs, "low_instruction_throughput"), ["found"]);
    let counted = outcomes(&programs, "small_writes");
    assert!(counted.iter().all(|one| one == "found" || one == "unsupported"), "{counted:?}");
}

/// Counts of a region are not asked of a tool that shows no regions; that it knows nothing of them is no failure.
#[test]
fn tools_without_regions_are_not_asked_for_numbers_in_them() {
    if !required("mpicc.openmpi") || !required("valgrind") {
        return;
    }
    let dir = TempDir::new().unwrap();
    let mut command = ats_command(dir.path());
    command.args(["validate", "l1_cache_misses", "lines=1024", "r=20", "--tool", "cachegrind"]);
    let output = command.args(["--format", "json"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let result: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{said}"));
    let programs = result["programs"].as_array().unwrap();
    assert_eq!(outcomes(programs, "l1_cache_misses"), ["unsupported", "unsupported"], "{result:#}");
    let message = programs[0]["message"].as_str().unwrap();
    assert!(
        message.contains("PAPI_L1_DCM of chase is not asked for: the tool shows no regions"),
        "{message}"
    );
    assert_eq!(output.status.code(), Some(0), "{said}");
}

#[test]
fn a_tool_that_is_not_installed_says_how_it_is() {
    let dir = TempDir::new().unwrap();
    let mut command = ats_command(dir.path());
    command.args(["doctor", "--tool", "perf-stat"]).env("PATH", dir.path());
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("`perf` is not on the PATH") && said.contains("apt-get install linux-perf"),
        "{said}"
    );
    assert!(!output.status.success() && !said.contains("panicked"), "{said}");
}

#[test]
fn every_program_of_one_process_is_judged_on_a_real_machine() {
    if !required("mpicc.openmpi") {
        return;
    }
    let dir = TempDir::new().unwrap();
    let programs = validated(dir.path(), &["--all", "--paradigm", "sequential"]);
    let catalogue = Catalogue::builtin();
    let expected = catalogue.programs().filter(|program| program.property.needs == Needs::NOTHING);
    assert_eq!(programs.len(), expected.count());
}

/// A program that a compiler makes of one file runs, and prints no errors.
#[test]
fn a_file_of_one_process_needs_no_more_than_a_compiler() {
    if !required("cc") {
        return;
    }
    let dir = TempDir::new().unwrap();
    for (name, parameters) in [
        ("hot_procedure", &["hotwork=1ms", "otherwork=1ms", "r=1"][..]),
        ("l1_cache_misses", &["r=1"]),
        ("branch_misprediction", &["n=1000", "r=2"]),
        ("small_writes", &["k=10", "r=2"]),
        ("page_faults", &["pages=10", "r=2"]),
        ("intrinsic_function_call", &["k=10", "r=2"]),
    ] {
        let (file, program) = (format!("{name}.c"), dir.path().join(name));
        answer(dir.path(), &[&["generate", name], parameters, &["--standalone", "-o", &file]].concat());
        let text = fs::read_to_string(dir.path().join(&file)).unwrap();
        assert!(!text.contains("mpi.h") && !text.contains("omp.h"), "{text}");
        assert!(text.contains("Made for one process of one thread"), "{text}");
        let mut compiler = Command::new("cc");
        compiler.args(["-O2", "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]);
        let compiled =
            compiler.arg(dir.path().join(&file)).arg("-o").arg(&program).arg("-lm").output().unwrap();
        assert!(compiled.status.success(), "{name}: {}", String::from_utf8_lossy(&compiled.stderr));
        let ran = Command::new(&program).output().unwrap();
        assert!(ran.status.success() && ran.stderr.is_empty(), "{name}: {ran:?}");
    }
}
