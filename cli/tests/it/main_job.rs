//! The main job, as its user does it: representative programs generated, built, run under `mpirun`, recorded, analyzed
//! and judged.

use ats_compose::Selection;
use ats_props::{Catalogue, Program};
use serde_json::Value;
use tempfile::TempDir;

use crate::common::ats_in;

/// The relative error that a found amount may have against the observed one.
fn bar(program: &Value) -> f64 {
    if program["threads"] == 1 { 0.005 } else { 0.01 }
}

#[test]
#[ignore = "needs an MPI library and builds all programs: `make test` runs it"]
fn every_program_shows_what_it_promises_and_the_analyzer_finds_it() {
    let dir = TempDir::new().unwrap();
    let output = ats_in(dir.path(), &["validate", "--format", "json"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let result: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{said}"));
    let (programs, totals) = (result["programs"].as_array().unwrap(), &result["totals"]);
    assert_eq!(output.status.code(), Some(0), "{totals:#}\n{said}");
    assert!(dir.path().join("target/ats-validation/ats-build/recorder/stderr.txt").exists());

    let wanted: Vec<_> = Selection::Representative.programs(&Catalogue::builtin()).collect();
    for name in wanted.iter().map(|program| program.name()) {
        assert!(programs.iter().any(|program| program["program"] == name), "{name}");
    }
    for name in ["wrong", "missed", "failed", "false_alarms"] {
        assert_eq!(totals[name], 0, "{name}: {totals:#}");
    }
    let shows = |program: &&Program| !program.balanced && !program.property.finds.is_silent();
    let least = wanted.iter().filter(shows).count() as u64;
    assert!(totals["found"].as_u64().unwrap() >= least, "{totals:#}");
    for program in programs {
        // What is too small to be reported is smaller than what stamps and records may differ by.
        let is_due = |of: &&Value| {
            // In its place a library that makes progress by itself may show others.
            of["outcome"] != "not_manifested"
                && of["severity"]["nominal"].as_f64() >= totals["threshold"].as_f64()
        };
        for expectation in program["expectations"].as_array().unwrap().iter().filter(is_due) {
            let of = |name: &str| expectation[name].as_f64().unwrap();
            let deviation = (of("found") - of("observed")).abs();
            assert!(deviation <= bar(program) * of("observed"), "{}: {expectation:#}", program["program"]);
        }
    }
}
