//! `ats score`: what a user has in hand, and what comes of it.

mod common;

use std::fs;
use std::path::Path;

use common::{answer, ats_in};
use serde_json::{Value, json};
use tempfile::TempDir;

/// The truth of a property, and a trace of it from virtual time.
fn prepare(dir: &Path) {
    fs::write(dir.join("late_sender.json"), answer(dir, &["truth", "late_sender", "--format", "json"]))
        .unwrap();
    answer(dir, &["trace", "late_sender", "-o", "trace"]);
}

const SCORE: [&str; 6] = ["score", "--truth", "late_sender.json", "trace/traces.otf2", "--tool", "ats"];

fn score(dir: &Path, more: &[&str]) -> (Option<i32>, Value, String) {
    let output = ats_in(dir, &[&SCORE[..], more, &["--format", "json"]].concat());
    let errors = String::from_utf8(output.stderr).unwrap();
    (output.status.code(), serde_json::from_slice(&output.stdout).unwrap_or_default(), errors)
}

#[test]
fn a_report_is_scored_into_a_document_of_a_fixed_shape() {
    let dir = TempDir::new().unwrap();
    prepare(dir.path());
    let (code, score, errors) = score(dir.path(), &["--option", "verbose"]);
    assert_eq!(code, Some(0), "{errors}");
    assert_eq!((&score["schema"], &score["tool"]), (&json!("ats-score/1"), &json!("ats")));
    assert_eq!(score["options"], json!(["verbose"]));
    assert!(score["truth_hash"].as_str().unwrap().starts_with("sha256:"));
    let expectation = &score["programs"][0]["expectations"][0];
    assert_eq!((&expectation["outcome"], &expectation["grade"]), (&json!("found"), &json!("amount")));
    let seconds = |name: &str| expectation[name].as_f64().unwrap();
    assert!((seconds("expected") - 1.0).abs() < 1e-9 && (seconds("reported") - 1.0).abs() < 1e-6);
    assert_eq!(score["programs"][0]["unexpected"], json!([]));
    assert_eq!(score["programs"][0]["false_seconds"], json!(0.0));
    assert_eq!(score["totals"]["by_grade"]["amount"]["recall"], json!(1.0));
    assert!(score["environment"]["time"].is_string());

    let name = score["schema"].as_str().unwrap();
    let schema: Value = serde_json::from_str(&answer(dir.path(), &["schema", name])).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> = validator.iter_errors(&score).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
}

#[test]
fn a_baseline_fails_on_a_regression_alone() {
    let dir = TempDir::new().unwrap();
    prepare(dir.path());
    let (_, right, _) = score(dir.path(), &[]);
    fs::write(dir.path().join("right.json"), right.to_string()).unwrap();
    let (code, _, errors) = score(dir.path(), &["--baseline", "right.json"]);
    assert_eq!((code, errors.as_str()), (Some(0), ""));

    // No amount is right to a part in 1e12 of the clock's resolution: the same report, judged too strictly.
    let strict = ["--tolerance", "0", "--baseline", "right.json"];
    answer(dir.path(), &["truth", "late_sender", "extrawork=50.3ms", "--format", "json"]);
    let wrong = answer(dir.path(), &["truth", "late_sender", "extrawork=60ms", "--format", "json"]);
    fs::write(dir.path().join("late_sender.json"), wrong.replace("\"60ms\"", "\"50ms\"")).unwrap();
    let (code, worse, errors) = score(dir.path(), &strict);
    assert_eq!(code, Some(1), "{errors}");
    assert!(errors.contains("worse: late_sender:"), "{errors}");
    fs::write(dir.path().join("wrong.json"), worse.to_string()).unwrap();
    let (code, _, errors) = score(dir.path(), &["--tolerance", "0", "--baseline", "wrong.json"]);
    assert_eq!(code, Some(0), "wrong, but no worse: {errors}");
    let (code, _, errors) = score(dir.path(), &["--baseline", "trace/traces.otf2"]);
    assert_eq!(code, Some(2));
    assert!(errors.contains("traces.otf2 is no score"), "{errors}");
}

#[test]
fn scores_are_kept_in_a_folder() {
    let dir = TempDir::new().unwrap();
    prepare(dir.path());
    for _ in 0..2 {
        assert_eq!(score(dir.path(), &["--append", "scores"]).0, Some(0));
    }
    assert_eq!(fs::read_dir(dir.path().join("scores")).unwrap().count(), 2);
}

#[test]
fn a_sweep_says_from_where_on_a_property_is_found() {
    let dir = TempDir::new().unwrap();
    let sweep = ["validate", "--engine", "virtual", "late_sender", "--sweep", "extrawork=1ms,5ms,50ms"];
    let text = answer(dir.path(), &sweep);
    assert!(
        text.contains("late_sender@late_sender/mpi_commpattern_sendrecv/MPI_Recv is found from"),
        "{text}"
    );
    let output =
        ats_in(dir.path(), &["validate", "--engine", "virtual", "late_sender", "--sweep", "extrawork"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_tool_that_is_missing_or_unknown_is_an_error_with_the_fix() {
    let dir = TempDir::new().unwrap();
    let error = |arguments: &[&str]| {
        let output = ats_in(dir.path(), arguments);
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, text) = error(&["validate", "late_sender", "--tool", "scalaska"]);
    assert!(
        code == Some(2) && text.contains("there is no tool `scalaska`; there are ats, eztrace"),
        "{text}"
    );
    let (code, text) = error(&["validate", "late_sender", "--tool", "ats", "--engine", "virtual"]);
    assert!(code == Some(2) && text.contains("sees real processes alone"), "{text}");
    let (code, text) = error(&["validate", "late_sender", "--append", "x"]);
    assert!(code == Some(2) && text.contains("name a --tool"), "{text}");
    prepare(dir.path());
    let (code, text) = error(&["score", "--truth", "trace/traces.otf2", "trace/traces.otf2"]);
    assert!(code == Some(2) && text.contains("is no truth"), "{text}");
}
