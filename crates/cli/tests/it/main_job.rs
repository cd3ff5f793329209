//! The main job, as its user does it: representative programs generated, built, run under `mpirun`, recorded, analyzed
//! and judged.
//!
//! Each is run once: here on the sizes that `ats validate` takes, or on eight locations in `real_explanations`, where
//! causes and explanation are judged as well. `make validate` runs them all with all repetitions.

use ats_compose::Selection;
use ats_props::{Catalogue, Needs, Program, Property};
use serde_json::Value;
use tempfile::TempDir;

use crate::common::ats_in;
use crate::real_explanations;

/// The relative error that a found amount may have against the observed one.
fn bar(program: &Value) -> f64 {
    if program["threads"] == 1 { 0.005 } else { 0.01 }
}

/// The programs that are run here: those that wait, and do so on any machine. Those of one process are in `sequential`.
fn programs() -> Vec<&'static str> {
    let catalogue = Catalogue::builtin();
    let may_wait =
        |property: &Property| property.needs != Needs::NOTHING && !property.finds.are_of_the_machine();
    let programs = Selection::Representative.programs(&catalogue).filter(|program| !program.balanced);
    let names =
        programs.filter(|program| may_wait(program.property)).map(|program: Program| program.property.name);
    names.filter(|name| real_explanations::names().all(|other| other != *name)).collect()
}

/// Fails unless what a real run shows of its property is found in the right amount.
#[track_caller]
pub(crate) fn assert_amounts(program: &Value, threshold: &Value) {
    let expectations = program["expectations"].as_array().unwrap().iter();
    for expectation in expectations.filter(|of| is_of_property(of) && is_due(of, threshold)) {
        let of = |name: &str| expectation[name].as_f64().unwrap();
        let deviation = (of("found") - of("observed")).abs();
        assert!(deviation <= bar(program) * of("observed"), "{}: {expectation:#}", program["program"]);
    }
}

/// Root causes and explanations are judged elsewhere.
fn is_of_property(of: &Value) -> bool {
    !["delay", "propagation", "critical_path", "explanation"].contains(&of["view"].as_str().unwrap())
}

/// Whether an amount is compared. One that is too small to be reported is smaller than the difference that stamps and records
/// may have. In the place of a wait that does not manifest, a library that makes progress by itself may show others.
fn is_due(of: &Value, threshold: &Value) -> bool {
    of["outcome"] != "not_manifested" && of["severity"]["nominal"].as_f64() >= threshold.as_f64()
}

/// Runs and judges every so many-th program, with few repetitions.
fn judge_part(part: usize) {
    ats_testing::before_others(ats_testing::Priority::OfRunsThatMayBeRepeated);
    let dir = TempDir::new().unwrap();
    let catalogue = Catalogue::builtin();
    let names: Vec<&str> = programs().into_iter().skip(part).step_by(PARTS).collect();
    let repeats = |name: &str| catalogue.program(name).unwrap().property.repeats();
    let words: Vec<&str> =
        names.iter().flat_map(|&name| [name].into_iter().chain(repeats(name).then_some("r=3"))).collect();
    let output = ats_in(dir.path(), &[&["validate"], &*words, &["--format", "json"]].concat());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let result: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{said}"));
    let (programs, totals) = (result["programs"].as_array().unwrap(), &result["totals"]);
    assert_eq!(output.status.code(), Some(0), "{totals:#}\n{said}");
    assert!(dir.path().join("target/ats-validation/ats-build/recorder/stderr.txt").exists());
    for name in ["wrong", "missed", "failed", "false_alarms"] {
        assert_eq!(totals[name], 0, "{name}: {totals:#}");
    }
    for name in &names {
        assert!(programs.iter().any(|program| program["program"] == *name), "{name}");
    }
    let shows = |name: &&&str| !catalogue.program(name).unwrap().property.finds.is_silent();
    assert!(totals["found"].as_u64().unwrap() >= names.iter().filter(shows).count() as u64, "{totals:#}");
    programs.iter().for_each(|program| assert_amounts(program, &totals["threshold"]));
}

/// Parts that may run side by side.
const PARTS: usize = 4;

#[test]
fn programs_show_what_they_promise_and_the_analyzer_finds_it_in_part_1() {
    judge_part(0);
}

#[test]
fn programs_show_what_they_promise_and_the_analyzer_finds_it_in_part_2() {
    judge_part(1);
}

#[test]
fn programs_show_what_they_promise_and_the_analyzer_finds_it_in_part_3() {
    judge_part(2);
}

#[test]
fn programs_show_what_they_promise_and_the_analyzer_finds_it_in_part_4() {
    judge_part(3);
}
