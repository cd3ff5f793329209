//! Every answer in JSON is a document of a published schema.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::{answer, ats_in};
use serde_json::Value;
use tempfile::TempDir;

/// The answer as a document, checked against the schema that it names.
fn document(dir: &Path, arguments: &[&str]) -> Value {
    let text = answer(dir, &[arguments, &["--format", "json"]].concat());
    let document: Value = serde_json::from_str(&text).unwrap();
    check(dir, &document);
    document
}

fn check(dir: &Path, document: &Value) {
    let name = document["schema"].as_str().unwrap();
    let schema: Value = serde_json::from_str(&answer(dir, &["schema", name])).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> = validator.iter_errors(document).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{name}: {errors:?}");
}

#[test]
fn of_the_catalogue() {
    let dir = TempDir::new().unwrap();
    let list = document(dir.path(), &["list"]);
    let programs = list["programs"].as_array().unwrap();
    assert!(programs.len() >= 24);
    for program in programs.iter().filter(|program| program["balanced"] == false) {
        let name = program["program"].as_str().unwrap();
        let shown = document(dir.path(), &["show", name]);
        assert_eq!(shown["property"], name);
        let (ranks, threads) = (&["--np", "5"][..], &["--threads", "5"][..]);
        let size = match program["paradigm"].as_str() {
            Some("mpi") => ranks.to_vec(),
            Some("openmp") => threads.to_vec(),
            _ => [ranks, threads].concat(),
        };
        document(dir.path(), &[&["truth", name, "r=2"], &size[..]].concat());
    }
}

#[test]
fn of_the_truth_in_its_fixed_shape() {
    let dir = TempDir::new().unwrap();
    let words = ["truth", "late_sender", "--np", "8", "basework=0.01", "extrawork=0.05", "r=10"];
    let truth = document(dir.path(), &words);
    assert_eq!(truth["schema"], "ats-truth/1");
    assert_eq!((&truth["ranks"], &truth["threads"]), (&8.into(), &1.into()));
    assert_eq!(truth["basis"]["region"], "ats_measured");
    let finding = &truth["findings"][0];
    assert_eq!(finding["property"], "late_sender");
    assert_eq!((&finding["view"], &finding["metric"]), (&"wait".into(), &"mpi_latesender".into()));
    assert_eq!(
        finding["call_path"],
        serde_json::json!(["late_sender", "mpi_commpattern_sendrecv", "MPI_Recv"])
    );
    assert!((finding["waiting_time"].as_f64().unwrap() - 2.0).abs() < 1e-9);
    assert_eq!(finding["locations"].as_array().unwrap().len(), 4);
    assert!(truth["counts"]["MPI_Recv"]["calls"] == 40);
}

#[test]
fn of_a_trace_and_its_analysis() {
    let dir = TempDir::new().unwrap();
    let trace = document(dir.path(), &["trace", "late_broadcast", "--np", "6", "r=2", "-o", "ideal"]);
    assert_eq!(trace["trace"], "ideal/traces.otf2");
    let analysis = document(dir.path(), &["analyze", "ideal/traces.otf2"]);
    assert_eq!(analysis["schema"], "ats-analysis/1");
    assert_eq!((&analysis["locations"], &analysis["basis"]["region"]), (&6.into(), &"ats_measured".into()));
    assert_eq!(analysis["findings"][0]["property"], "late_broadcast");
    assert_eq!(document(dir.path(), &["analyze", "ideal"]), analysis);
    let elsewhere = document(dir.path(), &["analyze", "ideal", "--region", "late_broadcast"]);
    assert_eq!(elsewhere["basis"]["region"], "late_broadcast");
}

#[test]
fn of_a_validation_on_the_virtual_engine() {
    let dir = TempDir::new().unwrap();
    let validation = document(dir.path(), &["validate", "--engine", "virtual", "--np", "4"]);
    assert_eq!(validation["schema"], "ats-validation/1");
    let programs = validation["programs"].as_array().unwrap();
    assert!(programs.len() >= 24);
    assert!(programs.iter().all(|program| program["run_status"] == "ok"));
    let totals = &validation["totals"];
    assert_eq!((totals["precision"].as_f64(), totals["recall"].as_f64()), (Some(1.0), Some(1.0)));
    assert_eq!(totals["false_alarms"], 0);
    assert!(validation["environment"]["command_line"].is_array());
}

#[test]
fn a_property_brings_its_twin_and_its_parameters() {
    let dir = TempDir::new().unwrap();
    let words = ["validate", "late_sender", "r=3", "late_receiver_balanced", "--engine", "virtual"];
    let validation = document(dir.path(), &words);
    let programs: Vec<_> = validation["programs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|program| (program["program"].as_str().unwrap(), program["parameters"]["r"].as_str().unwrap()))
        .collect();
    assert_eq!(
        programs,
        [("late_sender", "3"), ("late_sender_balanced", "3"), ("late_receiver_balanced", "10")]
    );
}

#[test]
fn of_a_generated_program() {
    let dir = TempDir::new().unwrap();
    let generated = document(dir.path(), &["generate", "late_sender", "-o", "program"]);
    assert_eq!(generated["programs"], serde_json::json!(["late_sender"]));
    assert!(dir.path().join("program/Cargo.toml").exists());
    let set = document(dir.path(), &["generate", "--all", "-o", "set"]);
    assert!(set["programs"].as_array().unwrap().len() >= 12);
}

#[test]
fn of_the_machine() {
    let dir = TempDir::new().unwrap();
    let precision = document(dir.path(), &["calibrate", "--work", "sleep", "--repeats", "1"]);
    assert_eq!(precision["precision"].as_array().unwrap().len(), 4);
    let output = ats_in(dir.path(), &["doctor", "--format", "json"]);
    let doctor: Value = serde_json::from_slice(&output.stdout).unwrap();
    check(dir.path(), &doctor);
    assert_eq!(output.status.code(), Some(if doctor["ready"] == true { 0 } else { 3 }));
    for check in doctor["checks"].as_array().unwrap() {
        assert_eq!(check["ok"] == true, check["fix"].is_null(), "what is not well has a fix: {check}");
    }
}

#[test]
fn every_schema_is_one() {
    let dir = TempDir::new().unwrap();
    let names = answer(dir.path(), &["schema"]);
    assert!(names.lines().count() >= 12);
    for name in names.lines() {
        let schema: Value = serde_json::from_str(&answer(dir.path(), &["schema", name])).unwrap();
        assert!(jsonschema::meta::is_valid(&schema), "{name}");
    }
    assert_eq!(answer(dir.path(), &["schema", "ats-truth"]), answer(dir.path(), &["schema", "ats-truth/1"]));
}

#[test]
#[ignore = "needs an MPI library and builds programs for it: `make test-mpi` runs it"]
fn of_what_runs_under_mpi() {
    let dir = TempDir::new().unwrap();
    let run = document(dir.path(), &["run", "late_sender", "--np", "2", "r=1"]);
    assert_eq!(run["schema"], "ats-run/1");
    let validation = document(dir.path(), &["validate", "late_sender", "--np", "2", "r=3"]);
    assert_eq!(
        (&validation["schema"], &validation["totals"]["found"]),
        (&"ats-validation/1".into(), &1.into())
    );
    // Our recorder measures the clocks: none is derived.
    let recorded = document(dir.path(), &["analyze", "target/ats-validation/late_sender/trace"]);
    assert_ne!(recorded["clock_correction"]["method"], "derived", "{recorded:#}");

    let figure = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/report-figure-3.5.toml");
    let validation = document(dir.path(), &["validate", figure, "--threshold", "0.02"]);
    let [program] = &validation["programs"].as_array().unwrap()[..] else { panic!("{validation:#}") };
    assert_eq!((&program["run_status"], &program["ranks"]), (&"ok".into(), &16.into()), "{program:#}");
    let broadcast = program["expectations"].as_array().unwrap().iter();
    let broadcast = broadcast.filter(|e| e["wait_state"] == "late_broadcast").collect::<Vec<_>>();
    let ranks = broadcast[0]["waiting"].as_array().unwrap().iter().map(|location| &location["rank"]);
    assert!(ranks.eq([8, 10, 11, 12, 13, 14, 15].iter()), "{program:#}");
    assert_eq!(broadcast[0]["outcome"], "found", "{program:#}");

    let source = "#include <mpi.h>\nint main(void) { MPI_Init(0, 0); return MPI_Finalize(); }\n";
    std::fs::write(dir.path().join("empty.c"), source).unwrap();
    let compiled =
        Command::new("mpicc.openmpi").args(["empty.c", "-o", "empty"]).current_dir(dir.path()).status();
    assert!(compiled.unwrap().success());
    let words =
        ["record", "-o", "recorded", "--format", "json", "--", "mpirun.openmpi", "-n", "2", "./empty"];
    let recording: Value = serde_json::from_str(&answer(dir.path(), &words)).unwrap();
    check(dir.path(), &recording);
    assert_eq!((&recording["exit_code"], &recording["problem"]), (&0.into(), &Value::Null));
    assert_eq!(document(dir.path(), &["analyze", "recorded/traces.otf2"])["locations"], 2);
}

#[test]
fn a_result_is_shown_in_every_form() {
    let dir = TempDir::new().unwrap();
    let result = answer(dir.path(), &["validate", "--engine", "virtual", "late_sender", "--format", "json"]);
    fs::write(dir.path().join("result.json"), result).unwrap();
    for (form, part) in [
        ("html", "<!doctype html>"),
        ("junit", "<testsuite"),
        ("sarif", "\"version\": \"2.1.0\""),
        ("csv", "late_sender"),
        ("markdown", "| "),
    ] {
        let text = answer(dir.path(), &["report", "result.json", "--as", form]);
        assert!(text.contains(part) && text.contains("late_sender"), "{form}: {text}");
    }
    answer(dir.path(), &["trace", "late_sender", "r=2", "-o", "runs/late_sender/trace"]);
    let truth = answer(dir.path(), &["truth", "late_sender", "r=2", "--format", "json"]);
    fs::write(dir.path().join("runs/late_sender/nominal.json"), truth).unwrap();
    let file = answer(dir.path(), &["report", "result.json", "--runs", "runs", "-o", "page.html"]);
    let page = fs::read_to_string(dir.path().join(file.trim())).unwrap();
    assert!(page.contains("mpi_commpattern_sendrecv"), "the run's call tree");
    let nothing = ats_in(dir.path(), &["report", "runs/late_sender/nominal.json"]);
    assert_eq!(nothing.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&nothing.stderr).contains("its schema is `ats-truth/1`"));
}

#[test]
fn a_trace_is_exported_for_every_viewer() {
    let dir = TempDir::new().unwrap();
    answer(dir.path(), &["trace", "late_sender", "r=2", "-o", "t"]);
    for (viewer, part) in
        [("html", "<!doctype html>"), ("chrome", "\"traceEvents\""), ("speedscope", "speedscope.app")]
    {
        answer(dir.path(), &["export", "t", "--as", viewer, "-o", viewer]);
        let text = fs::read_to_string(dir.path().join(viewer)).unwrap();
        assert!(text.contains(part) && text.contains("MPI_Recv"), "{viewer}");
    }
}
