use std::path::Path;

use ats_documents::finding::View;
use ats_documents::scoreboard::{Cause, Standing};
use ats_model::WaitState;

use super::*;

/// The scores that the repository keeps.
fn committed_scores() -> Scores {
    Scores::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/scores")).unwrap()
}

fn cause(score: &str, program: &str, property: Option<WaitState>) -> Cause {
    let programs = vec![program.to_owned()];
    Cause { score: score.to_owned(), programs, property, why: "So it is.".to_owned() }
}

#[test]
fn whatever_is_not_right_has_its_cause() {
    let board = committed_scores().board(&Catalogue::builtin()).unwrap();
    let cells: Vec<&Cell> = board.rows.iter().flat_map(|row| row.cells.iter().flatten()).collect();
    assert!(cells.iter().all(|cell| (cell.standing == Standing::Otherwise) == cell.cause.is_some()));
    assert!(cells.iter().any(|cell| cell.cause.is_some()), "tools are not perfect");
    assert!(board.rows.iter().all(|row| row.cells.len() == board.scores.len()));
    let right = cells.iter().filter(|cell| ["found", "consistent"].contains(&cell.verdict.as_str())).count();
    let totals = board.scores.iter().map(|score| score.totals.found + score.totals.consistent).sum::<u64>();
    assert_eq!(right as u64, totals, "all that was found is in a row");
}

#[test]
fn every_program_has_a_row_for_each_thing_whatever_the_age_of_a_score() {
    let board = committed_scores().board(&Catalogue::builtin()).unwrap();
    let of = |program: &str| board.rows.iter().filter(|row| row.program == program).collect::<Vec<_>>();
    let [wait, _] = &of("blocked_sender")[..] else { panic!("a wait and its causes") };
    assert_eq!(wait.call_path, ["blocked_sender", "mpi_commpattern_chain", "MPI_Recv"]);
    let verdict = |name: &str| {
        let at = board.scores.iter().position(|score| score.name == name).unwrap();
        wait.cells[at].as_ref().map(|cell| cell.verdict.as_str())
    };
    assert_eq!([verdict("mpip"), verdict("scalasca")], [Some("consistent"), Some("found")]);
    let scalasca = board.scores.iter().find(|score| score.name == "scalasca").unwrap();
    assert_eq!((scalasca.programs, scalasca.totals.programs), (213, 239), "some ran in several sizes");
}

#[test]
fn a_verdict_without_a_cause_is_told() {
    let mut scores = committed_scores();
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
        let mut scores = committed_scores();
        scores.causes.cause.push(cause(score, program, property));
        let mistakes = scores.board(&Catalogue::builtin()).unwrap_err().to_string();
        let at = format!("cause {}: nothing is wrong with ", scores.causes.cause.len());
        assert!(mistakes.starts_with(&at) && mistakes.contains(program), "{mistakes}");
    }
}

#[test]
fn a_false_alarm_needs_a_cause() {
    let mut scores = committed_scores();
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

/// The scores with two costs for `late_sender`, and no others: right ones in `ats`, one of them wrong in `scalasca`, and
/// not supported in `eztrace`.
fn with_costs() -> Scores {
    let mut scores = committed_scores();
    let kept = &mut scores.scores.get_mut("scalasca").unwrap().programs;
    kept.retain(|program| program.program != "late_sender");
    kept.iter_mut().for_each(|program| *program = costs::waits_of(program));
    let late_sender = |scores: &Scores| {
        let mut programs = scores.scores["ats"].programs.iter();
        programs.find(|one| one.program == "late_sender").unwrap().clone()
    };
    let program = late_sender(&scores);
    let cost = |metric: &str, outcome| Expectation {
        id: format!("{metric}@late_sender"),
        view: View::Delay,
        wait_state: None,
        metric: Some(metric.to_owned()),
        outcome,
        ..program.expectations[0].clone()
    };
    let costs = |short, long| [cost("delay_latesender", short), cost("delay_latesender_longterm", long)];
    use Outcome::{Found, Missed, Unsupported};
    for (name, costs) in [
        ("ats", costs(Found, Found)),
        ("eztrace", costs(Unsupported, Unsupported)),
        ("scalasca", costs(Found, Missed)),
    ] {
        let score = scores.scores.get_mut(name).unwrap();
        if name == "scalasca" {
            score.programs.push(ProgramResult { intrusiveness: None, ..program.clone() });
        }
        let mut programs = score.programs.iter_mut();
        programs.find(|one| one.program == "late_sender").unwrap().expectations.extend(costs);
    }
    scores
}

#[test]
fn root_causes_are_counted_apart_from_waits() {
    let mut scores = with_costs();
    let mistakes = scores.board(&Catalogue::builtin()).unwrap_err().to_string();
    assert_eq!(
        mistakes,
        "scalasca.json: late_sender: root_causes are 1 of 2, without a cause; add one to causes.toml"
    );
    scores.causes.cause.push(cause("scalasca", "late_sender", None));
    let board = scores.board(&Catalogue::builtin()).unwrap();
    let of = |name: &str| board.scores.iter().position(|score| score.name == name).unwrap();
    let counts = |name: &str| board.scores[of(name)].causes.map(|causes| (causes.right, causes.judged));
    assert_eq!(["ats", "scalasca", "eztrace"].map(counts), [Some((2, 2)), Some((1, 2)), None]);
    let plain = committed_scores().board(&Catalogue::builtin()).unwrap();
    for (with, without) in board.scores.iter().zip(&plain.scores).filter(|(one, _)| one.name != "scalasca") {
        assert_eq!(with.totals, without.totals, "{}", with.name);
    }
    let is_it = |row: &&Row| row.program == "late_sender" && row.property.as_deref() == Some(Row::CAUSES);
    let rows: Vec<&Row> = board.rows.iter().filter(is_it).collect();
    let [row] = rows[..] else { panic!("{rows:?}") };
    let cell = |name: &str| row.cells[of(name)].as_ref().map(|cell| (cell.verdict.as_str(), cell.standing));
    assert_eq!(
        ["ats", "scalasca", "eztrace"].map(cell),
        [Some(("2 of 2", Standing::Right)), Some(("1 of 2", Standing::Otherwise)), None]
    );
    assert_eq!(row.cells[of("scalasca")].as_ref().unwrap().cause.as_deref(), Some("So it is."));
    assert!(!board.rows.iter().any(|row| row.property.as_deref() == Some("delay_latesender")));
}

#[test]
fn a_false_cause_is_no_false_wait() {
    let mut scores = committed_scores();
    let score = scores.scores.get_mut("ats").unwrap();
    let program = score.programs.iter_mut().find(|one| one.program == "late_sender_balanced").unwrap();
    let finding = serde_json::json!({ "id": "delay_barrier@main", "property": null, "view": "delay",
        "metric": "delay_barrier", "call_path": ["main"], "waiting_time": 0.5, "physical_time": 0.5, "severity": 0.1,
        "instances": 1, "locations": [] });
    program.unexpected.push(serde_json::from_value(finding).unwrap());
    program.false_seconds += 0.5;
    scores.causes.cause.push(cause("ats", "late_sender_balanced", None));
    let board = scores.board(&Catalogue::builtin()).unwrap();
    let at = board.scores.iter().position(|score| score.name == "ats").unwrap();
    let rows = board.rows.iter().filter(|row| row.program == "late_sender_balanced");
    let verdicts: Vec<&str> =
        rows.filter_map(|row| row.cells[at].as_ref()).map(|cell| cell.verdict.as_str()).collect();
    assert_eq!(verdicts, ["0 of 0, 1 false", "silent"]);
    assert_eq!(board.scores[at].totals.false_alarms, 0);
}
