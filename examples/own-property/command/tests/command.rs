//! The property is a full member of the catalogue: it is listed, has its truth, and is validated.

use std::fs;
use std::process::{Command, Output};
use std::sync::{Mutex, PoisonError};

/// Real runs take turns: beside another one, a program may wait for a processor.
static ONE: Mutex<()> = Mutex::new(());

fn ats(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_own-command")).args(arguments).output().expect("the command starts")
}

fn text_of(output: Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn it_is_listed() {
    assert!(text_of(ats(&["list"])).contains("serial_section"));
}

#[test]
fn it_has_its_truth() {
    let truth =
        text_of(ats(&["truth", "serial_section", "--np", "4", "serial=10ms", "r=5", "--format", "json"]));
    assert!(
        truth.contains(r#""property": "wait_at_barrier""#)
            || truth.contains(r#""property":"wait_at_barrier""#)
    );
    assert!(truth.contains("0.15"), "5 repetitions, 3 ranks, 10 ms each: {truth}");
}

#[test]
fn it_is_validated() {
    let table = text_of(ats(&["validate", "serial_section", "--np", "4", "--engine", "virtual"]));
    assert!(table.contains("serial_section"), "{table}");
}

#[test]
fn it_is_a_part_of_compositions() {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("own.toml");
    let text = r#"
        schema = "ats-composition/1"
        name = "own"
        ranks = 4
        [[phase]]
        property = [{ name = "serial_section", parameters = { serial = "10ms", r = 5 } }, { name = "late_sender" }]
    "#;
    fs::write(&file, text).expect("the folder is writable");
    let file = file.to_str().expect("a path");
    assert!(text_of(ats(&["truth", file])).contains("serial_section"));
    let table = text_of(ats(&["validate", file, "--engine", "virtual"]));
    assert!(table.contains("own"), "{table}");
}

#[test]
fn its_runs_are_scored_by_their_witness() {
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let dir = tempfile::tempdir().expect("a folder");
    let kept = dir.path().to_str().expect("a path");
    text_of(ats(&["validate", "serial_section", "--np", "2", "-o", kept]));
    let score = text_of(ats(&["score", "--truth", kept, kept, "--format", "json"]));
    assert!(score.contains("\"outcome\": \"found\""), "{score}");
    assert!(!score.contains("does not fit the truth"), "{score}");
}

/// The run's witness has the time and the number; our recorder and analyzer find them, and the ratio.
#[test]
fn times_and_numbers_of_a_real_run_are_those_of_its_witness() {
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let dir = tempfile::tempdir().expect("a folder");
    let kept = dir.path().to_str().expect("a path");
    let validation = ats(&["validate", "slow_solver", "--np", "2", "k=7", "-o", kept, "--format", "json"]);
    assert_eq!(validation.status.code(), Some(0), "{}", String::from_utf8_lossy(&validation.stderr));
    let trace = format!("{kept}/slow_solver/trace");
    let validation: serde_json::Value = serde_json::from_slice(&validation.stdout).expect("JSON");
    let observed = |id: &str| expectation(&validation, id)["observed"].as_f64().expect("a number");
    assert!(observed("time@slow_solver/solve") >= 0.6, "{validation:#}");
    assert!(observed("time_ratio@slow_solver/solve") >= 2.0, "{validation:#}");
    assert_eq!(observed("iterations@slow_solver/solve"), 14.0);
    for reports in [kept, &trace] {
        let truth = format!("{kept}/slow_solver");
        let score = text_of(ats(&["score", "--truth", &truth, reports, "--format", "json"]));
        let score: serde_json::Value = serde_json::from_str(&score).expect("JSON");
        for judged in [&validation, &score] {
            let outcome =
                |name: &str| expectation(judged, &format!("{name}@slow_solver/solve"))["outcome"].clone();
            let outcomes = ["time", "time_ratio", "iterations"].map(outcome);
            assert_eq!(outcomes, ["found"; 3], "{reports}: {judged:#}");
        }
    }
}

/// An expectation of the property, by its id.
fn expectation<'a>(document: &'a serde_json::Value, id: &str) -> &'a serde_json::Value {
    let programs = document["programs"].as_array().expect("programs").iter();
    let mut all = programs.filter_map(|program| program["expectations"].as_array()).flatten();
    all.find(|one| one["id"] == id).unwrap_or_else(|| panic!("{id}: {document:#}"))
}

#[test]
fn its_class_is_known() {
    let validation =
        text_of(ats(&["validate", "serial_section", "--np", "4", "--engine", "virtual", "--format", "json"]));
    let validation: serde_json::Value = serde_json::from_str(&validation).expect("JSON");
    let barriers = &validation["totals"]["by_class"]["barrier"];
    assert_eq!((&barriers["true_positives"], &barriers["silent"]), (&1.into(), &1.into()), "{validation:#}");
}

/// A tool that unwinds stacks sees the property's function, not the regions of the composition around it. On the
/// scoreboard, compositions come last.
#[test]
fn its_function_is_a_landmark_and_a_scoreboard_knows_it() {
    let dir = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = dir.path().join(name);
        fs::write(&path, text).expect("the folder is writable");
        path.to_str().expect("a path").to_owned()
    };
    let composition = r#"
        schema = "ats-composition/1"
        name = "composed"
        ranks = 4
        [[phase]]
        property = [{ name = "serial_section" }]
    "#;
    let composition = write("composed.toml", composition);
    let alone =
        write("alone.json", &text_of(ats(&["truth", "serial_section", "--np", "4", "--format", "json"])));
    let composed = write("composed.json", &text_of(ats(&["truth", &composition, "--format", "json"])));
    let report = text_of(ats(&["template", "report", "serial_section", "--np", "4"]));
    let report = report
        .replace(r#"["serial_section","#, r#"["main","own_property::serial_section","serial_section","#);
    let reports = [write("of_alone.json", &report), write("of_composed.json", &report)];
    let tool = r#"
        schema = "ats-tool/1"
        name = "unwinder"
        [report]
        path = "of_*.json"
        [shows]
        call_paths = "unwound"
    "#;
    let tool = write("unwinder.toml", tool);
    let arguments = [
        "score",
        "--truth",
        &alone,
        "--truth",
        &composed,
        &reports[0],
        &reports[1],
        "--tool",
        &tool,
        "--format",
        "json",
    ];
    let score = text_of(ats(&arguments));
    fs::create_dir(dir.path().join("scores")).expect("the folder is writable");
    write("scores/unwinder.json", &score);
    let board = text_of(ats(&["scoreboard", dir.path().join("scores").to_str().expect("a path")]));
    let place = |name: &str| board.find(name).unwrap_or_else(|| panic!("{name} is not in {board}"));
    assert!(place("serial_section") < place("composed"), "{board}");
}
