//! The property is a full member of the catalogue: it is listed, has its truth, and is validated.

use std::fs;
use std::process::{Command, Output};

fn ats(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_own-command")).args(arguments).output().expect("the command starts")
}

fn text_of(output: Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn it_is_listed() {
    assert!(text_of(ats(&["list"])).contains("serial_section"));
}

#[test]
fn it_has_its_truth() {
    let truth = text_of(ats(&["truth", "serial_section", "--np", "4", "serial=10ms", "r=5", "--format", "json"]));
    assert!(truth.contains(r#""property": "wait_at_barrier""#) || truth.contains(r#""property":"wait_at_barrier""#));
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
    let dir = tempfile::tempdir().expect("a folder");
    let kept = dir.path().to_str().expect("a path");
    text_of(ats(&["validate", "serial_section", "--np", "2", "-o", kept]));
    let score = text_of(ats(&["score", "--truth", kept, kept, "--format", "json"]));
    assert!(score.contains("\"outcome\": \"found\""), "{score}");
    assert!(!score.contains("does not fit the truth"), "{score}");
}
