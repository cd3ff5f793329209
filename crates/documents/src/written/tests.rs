use serde_json::{Value, json};

use super::{report, truth};
use crate::Report;
use ats_model::WaitState;
use ats_model::mistakes::{near, nearest};

fn read(findings: &Value) -> Result<Report, String> {
    let document = json!({ "schema": "ats-report/1", "findings": findings });
    report(document.to_string().as_bytes()).map_err(|mistakes| mistakes.to_string())
}

#[test]
fn a_name_a_call_and_seconds_are_enough() {
    let text = br#"{"schema":"ats-report/1","findings":[{"property":"late_sender","call":"MPI_Recv","seconds":1.0}]}"#;
    let report = report(text).unwrap();
    let [finding] = &report.findings[..] else { panic!("{report:#?}") };
    assert_eq!((finding.property, finding.waiting_time), (Some(WaitState::LateSender), 1.0));
    assert_eq!((finding.title().as_str(), report.tool.as_str()), ("late_sender at …/MPI_Recv", "unnamed"));
    assert!(report.shows_calls_alone() && report.warnings.is_empty());
    assert_eq!(report.names.len(), WaitState::ALL.len());
}

#[test]
fn any_name_under_which_a_wait_may_be_reported_is_one() {
    let of = |name: &str| {
        let finding = json!([{ "property": name, "call": "MPI_Recv", "share": 0.5 }]);
        let finding = read(&finding).unwrap().findings.remove(0);
        (finding.property, finding.metric, finding.severity)
    };
    let late_sender = (Some(WaitState::LateSender), Some("mpi_latesender".to_owned()), 0.5);
    assert_eq!([of("late_sender"), of("mpi_latesender")], [late_sender.clone(), late_sender]);
    assert_eq!(of("mpi_point2point"), (None, Some("mpi_point2point".to_owned()), 0.5));
}

#[test]
fn locations_are_as_short() {
    let finding = json!([{ "property": "late_sender", "call_path": ["main", "MPI_Recv"],
        "locations": [{ "rank": 1, "seconds": 0.5 }, { "rank": 3, "thread": 1, "waiting_time": 0.25 }] }]);
    let report = read(&finding).unwrap();
    assert_eq!((report.findings[0].waiting_time, report.findings[0].locations[1].thread), (0.75, 1));
    assert!(!report.shows_calls_alone());
}

#[test]
fn all_mistakes_are_said_at_once() {
    let error = read(&json!([
        { "property": "LateSender", "call_pth": ["MPI_Recv"], "seconds": "1.0 s" },
        { "property": "late_sender", "call": "MPI_Recv", "share": 41 },
        { "call": "MPI_Recv", "seconds": -1 },
        { "property": 7, "call": "MPI_Recv", "seconds": 1, "waiting_time": 1, "locations": { "rank": 1 } },
    ]));
    let expected = "6 mistakes:
  findings[0]: there is no field `call_pth`; did you mean call_path?
  findings[0].property: there is no `LateSender`; did you mean late_sender?
  findings[0].seconds: it is \"1.0 s\", and should be a number, without unit or quotes
  findings[0]: missing field `call_path` or `call`
  findings[3].locations: it is {\"rank\":1}, and should be a list, `[ … ]`
  findings[3].property: it is 7, and should be one of ";
    let error = error.unwrap_err();
    assert!(error.starts_with(expected), "{error}");

    let error = read(&json!([
        { "property": "late_sender", "call": "MPI_Recv", "share": 41 },
        { "call": "MPI_Recv", "seconds": -1 },
        { "property": "late_sender", "call_path": [], "locations":
            [{ "rank": 1, "seconds": -0.5 }, { "rank": 1, "seconds": 1 }] },
    ]));
    let expected = "5 mistakes:
  findings[0] (late_sender at …/MPI_Recv): its share is 41, and 1 is all; 41 % is 0.41
  findings[1]: it has no name; give `property` (as late_sender) or `metric` (as mpi_latesender); omit it if there is none
  findings[1]: its amount is negative; no wait is
  findings[2].locations[0]: its seconds are negative; no wait is
  findings[2].locations[1]: rank 1 thread 0 is there twice";
    assert_eq!(error.unwrap_err(), expected);

    let error =
        read(&json!([{ "property": "late_sender", "call": "MPI_Recv", "seconds": 1, "waiting_time": 1 }]));
    assert_eq!(
        error.unwrap_err(),
        "findings[0]: it has `seconds` and `waiting_time`, which are the same; omit one"
    );
}

#[test]
fn other_files_are_refused() {
    let error = |text: &str| report(text.as_bytes()).unwrap_err().to_string();
    assert_eq!(
        error("{\n\"schema\": \"ats-report/1\", \"findings\": [{\"proper"),
        "it ends in the middle, at line 2 column 47, before it was completely written"
    );
    assert_eq!(error("{\"schema\": 1}"), "its schema is 1, not \"ats-report/1\"");
    assert!(error("{schema}").starts_with("it is not valid JSON: key must be a string"));
    assert_eq!(error("[]"), "it is [], and should be an object, `{ … }`");
    assert_eq!(error("{}"), "2 mistakes:\n  missing field `schema`\n  missing field `findings`");
}

#[test]
fn locations_beyond_the_run_are_mistakes() {
    let document = json!({ "schema": "ats-report/1", "ranks": 4, "findings": [
        { "property": "late_sender", "call": "MPI_Recv", "locations": [{ "rank": 4, "seconds": 1 }] } ] });
    let error = report(document.to_string().as_bytes()).unwrap_err().to_string();
    assert_eq!(error, "findings[0].locations[0]: there is no rank 4, of 4 that are counted from 0");
}

#[test]
fn a_metric_that_nobody_knows_is_told() {
    let report = read(&json!([{ "metric": "mpi_latesendr", "call": "MPI_Recv", "seconds": 1.0 }])).unwrap();
    assert_eq!(report.warnings, ["there is no wait state `mpi_latesendr`; did you mean mpi_latesender?"]);
}

#[test]
fn in_a_truth_a_call_is_meant_wherever_it_is() {
    let document = json!({ "schema": "ats-truth/1", "program": "heat", "ranks": 2, "basis": { "wall_time": 1.0 },
        "findings": [{ "property": "late_sender", "call": "MPI_Recv", "seconds": 1.0 }] });
    let truth = truth(document.to_string().as_bytes()).unwrap();
    assert_eq!(
        (&truth.findings[0].call_path[..], truth.findings[0].severity),
        (&["MPI_Recv".to_owned()][..], 0.5)
    );
}

#[test]
fn a_written_document_is_read_again() {
    let first = read(&json!([{ "property": "idle_threads", "call": "main", "seconds": 1.0 }])).unwrap();
    let again = report(serde_json::to_string(&first).unwrap().as_bytes()).unwrap();
    assert_eq!(again, first);
}

#[test]
fn many_mistakes_are_counted() {
    let error = read(&json!(vec![json!({ "property": "late_sender" }); 30])).unwrap_err();
    assert!(error.starts_with("30 mistakes:\n") && error.ends_with("\n  and 10 more"), "{error}");
}

#[test]
fn the_nearest_word_is_like_it_or_there_is_none() {
    assert_eq!(nearest("Late-Sender", ["late_receiver", "late_sender"]), Some("late_sender"));
    assert_eq!(nearest("xyz", ["late_receiver", "late_sender"]), None);
    assert_eq!(nearest("nope", ["none", "nxn_completion"]), Some("none"));
    assert_eq!(nearest("nope", ["node", "name", "nxn_completion"]), Some("node"));
    assert_eq!(nearest("foo", ["tool", "ats-tool/1"]), None);
    assert_eq!(near("wrok", ["worker", "work", "walk"]), ["work"]);
    assert_eq!(near("area", ["c", "areas", "Area", "are", "arena"]), ["Area", "areas", "are"]);
}
