use std::path::Path;

use ats_documents::scoreboard::{Cause, Standing};
use ats_model::WaitState;

use super::*;

/// The scores that the repository keeps.
fn kept() -> Scores {
    Scores::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/scores")).unwrap()
}

fn cause(score: &str, program: &str, property: Option<WaitState>) -> Cause {
    let programs = vec![program.to_owned()];
    Cause { score: score.to_owned(), programs, property, why: "So it is.".to_owned() }
}

#[test]
fn whatever_is_not_right_has_its_cause() {
    let board = kept().board(&Catalogue::builtin()).unwrap();
    let cells: Vec<&Cell> = board.rows.iter().flat_map(|row| row.cells.iter().flatten()).collect();
    assert!(cells.iter().all(|cell| (cell.standing == Standing::Otherwise) == cell.cause.is_some()));
    assert!(cells.iter().any(|cell| cell.cause.is_some()), "tools are not perfect");
    assert!(board.rows.iter().all(|row| row.cells.len() == board.scores.len()));
    let right = cells.iter().filter(|cell| ["found", "consistent"].contains(&cell.verdict.as_str())).count();
    let totals = board.scores.iter().map(|score| score.totals.found + score.totals.consistent).sum::<u64>();
    assert_eq!(right as u64, totals, "all that was found is in a row");
}

#[test]
fn a_verdict_without_a_cause_is_told() {
    let mut scores = kept();
    scores.causes.cause.retain(|cause| cause.property != Some(WaitState::OmpCriticalContention));
    let mistakes = scores.board(&Catalogue::builtin()).unwrap_err().to_string();
    assert_eq!(
        mistakes,
        "tau.json: critical_section_contention: omp_critical_contention is inconsistent, without a cause; add one to causes.toml"
    );
}

#[test]
fn a_cause_of_what_is_right_or_not_there_is_told() {
    for (score, program, property) in [
        ("scalasca", "critical_section_contention", None),
        ("tau", "critical_section_contention", Some(WaitState::LateSender)),
        ("tau", "early_scan", None),
        ("vampir", "late_sender", None),
    ] {
        let mut scores = kept();
        scores.causes.cause.push(cause(score, program, property));
        let mistakes = scores.board(&Catalogue::builtin()).unwrap_err().to_string();
        let at = format!("cause {}: nothing is wrong with ", scores.causes.cause.len());
        assert!(mistakes.starts_with(&at) && mistakes.contains(program), "{mistakes}");
    }
}

#[test]
fn a_false_alarm_needs_a_cause() {
    let mut scores = kept();
    let score = scores.scores.get_mut("ats").unwrap();
    let program = score.programs.iter_mut().find(|one| one.program == "late_sender_balanced").unwrap();
    let finding = serde_json::json!({ "id": "late_broadcast@MPI_Bcast", "property": "late_broadcast", "view": "wait",
        "metric": null, "call_path": ["MPI_Bcast"], "waiting_time": 0.5, "physical_time": 0.5, "severity": 0.1, "instances": 1,
        "locations": [] });
    program.unexpected.push(serde_json::from_value(finding).unwrap());
    let mistakes = scores.board(&Catalogue::builtin()).unwrap_err().to_string();
    assert_eq!(
        mistakes,
        "ats.json: late_sender_balanced: false alarm, without a cause; add one to causes.toml"
    );
    scores.causes.cause.push(cause("ats", "late_sender_balanced", Some(WaitState::LateBroadcast)));
    let board = scores.board(&Catalogue::builtin()).unwrap();
    let row = board.rows.iter().find(|row| row.program == "late_sender_balanced").unwrap();
    let cell = row.cells.iter().flatten().next().unwrap();
    assert_eq!((cell.verdict.as_str(), cell.cause.as_deref()), ("false alarm", Some("So it is.")));
}
