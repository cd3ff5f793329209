//! The property is a full member of the catalogue: it is listed, has its truth, and is validated.

use std::process::{Command, Output};

fn ats(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_own-property")).args(arguments).output().expect("the command starts")
}

fn text(output: Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn it_is_listed() {
    assert!(text(ats(&["list"])).contains("serial_section"));
}

#[test]
fn it_has_its_truth() {
    let truth = text(ats(&["truth", "serial_section", "--np", "4", "serial=10ms", "r=5", "--format", "json"]));
    assert!(truth.contains(r#""property": "wait_at_barrier""#) || truth.contains(r#""property":"wait_at_barrier""#));
    assert!(truth.contains("0.15"), "5 repetitions, 3 ranks, 10 ms each: {truth}");
}

#[test]
fn it_is_validated() {
    let table = text(ats(&["validate", "serial_section", "--np", "4", "--engine", "virtual"]));
    assert!(table.contains("serial_section"), "{table}");
}
