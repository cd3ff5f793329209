use std::fs;

use std::collections::BTreeMap;

use ats_documents::machine::Machine;
use ats_documents::{Analysis, Basis, Report};
use ats_model::WaitState;
use serde_json::json;
use tempfile::TempDir;

use super::*;
use ats_documents::score::Outcome;
use ats_props::Arguments;

use ats_truth::TruthOptions;

fn arguments(program: &ats_props::Program) -> Arguments {
    program.property.arguments([("r", "2")]).unwrap()
}

fn nominal(name: &str) -> Truth {
    let program = Catalogue::builtin().program(name).unwrap();
    let subject = Subject::Property { program, arguments: arguments(&program) };
    truth::nominal(&subject, Size::ranks(4), &TruthOptions::default()).unwrap()
}

/// A report that says just what the truth does.
fn analysis(truth: &Truth) -> Analysis {
    Analysis {
        schema: Analysis::SCHEMA.to_owned(),
        trace: "traces.otf2".to_owned(),
        locations: 4,
        events: 0,
        basis: Basis::clone(&truth.basis),
        findings: truth.findings.clone(),
        counts: BTreeMap::new(),
        traffic: BTreeMap::new(),
        calls: Vec::new(),
        causes: None,
        messages: None,
        not_analyzed: Vec::new(),
        clock_correction: None,
        machine: Machine::default(),
        warnings: Vec::new(),
    }
}

fn write(path: PathBuf, document: impl serde::Serialize) -> PathBuf {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, json!(document).to_string()).unwrap();
    path
}

/// Two programs, a folder each.
fn two(dir: &Path) -> Vec<Known> {
    for name in ["late_sender", "early_reduce"] {
        write(RunFolder(&dir.join("truth").join(name)).nominal(), nominal(name));
    }
    truths(&[dir.join("truth")], None, &Subjects::default()).unwrap()
}

fn reports(known: &[Known]) -> Vec<(&str, usize)> {
    known.iter().map(|known| (known.name.as_str(), known.reports.len())).collect()
}

#[test]
fn with_one_truth_all_reports_are_repeats() {
    let dir = TempDir::new().unwrap();
    let file = write(dir.path().join("ls.json"), nominal("late_sender"));
    let report = |name| write(dir.path().join(name), analysis(&nominal("late_sender")));
    let mut known = truths(&[file], None, &Subjects::default()).unwrap();
    assign(&mut known, &[report("a.json"), report("b.json")], None).unwrap();
    let scored = judge_all(&known, None, &Rules::MEASURED, &Catalogue::builtin()).unwrap();
    assert_eq!((scored.tool.as_str(), scored.diagnoses, scored.results.len()), ("ats", true, 2));
    let outcomes = scored.results.iter().flat_map(|result| &result.expectations).map(|e| e.outcome);
    assert!(outcomes.clone().count() == 2 && outcomes.clone().all(|outcome| outcome == Outcome::Found));
    assert_eq!(scored.truths.len(), 1);
}

#[test]
fn with_several_a_report_belongs_to_its_name() {
    let dir = TempDir::new().unwrap();
    let known = two(dir.path());
    let named = |given: &[&str]| {
        let mut known = known.clone();
        let given = given.iter().map(|path| write(dir.path().join("given").join(path), "a report"));
        let given: Vec<PathBuf> = given.collect();
        assign(&mut known, &given, None).map(|()| known)
    };
    let counted =
        |given: &[&str]| named(given).unwrap().iter().map(|known| known.reports.len()).collect::<Vec<_>>();
    assert_eq!(reports(&known), [("early_reduce", 0), ("late_sender", 0)]);
    assert_eq!(counted(&["late_sender/scout.cubex", "x/late_sender.4.mpiP", "early_reduce/profile"]), [1, 2]);
    assert_eq!(counted(&["first.cubex", "second.cubex"]), [1, 1], "as many as truths: in their order");
    let error = named(&["first.cubex"]).unwrap_err().to_string();
    assert!(error.contains("first.cubex") && error.contains("early_reduce, late_sender"), "{error}");
    assert!(named(&["late_sender.cubex", "second.cubex"]).is_err(), "named and in order do not mix");
}

#[test]
fn a_folder_of_such_folders_stands_for_what_lies_in_them() {
    let dir = TempDir::new().unwrap();
    let mut known = two(dir.path());
    let runs = dir.path().join("runs");
    write(runs.join("late_sender/analysis.json"), analysis(&nominal("late_sender")));
    fs::create_dir_all(runs.join("early_reduce")).unwrap();
    assign(&mut known, &[runs], None).unwrap();
    assert_eq!(reports(&known), [("early_reduce", 0), ("late_sender", 1)]);
    let results = judge_all(&known, None, &Rules::MEASURED, &Catalogue::builtin()).unwrap().results;
    assert_eq!(results[0].run_status, RunStatus::NoReport);
    assert_eq!(results[0].expectations[0].outcome, Outcome::ToolError, "what is missing is no silence");
    assert_eq!(results[1].expectations[0].outcome, Outcome::Found);
}

#[test]
fn a_run_that_left_half_a_witness_keeps_none_of_the_others_from_its_score() {
    let dir = TempDir::new().unwrap();
    two(dir.path());
    let folder = dir.path().join("truth");
    fs::create_dir_all(RunFolder(&folder.join("early_reduce")).witness()).unwrap();
    write(folder.join("early_reduce/analysis.json"), analysis(&nominal("early_reduce")));
    write(folder.join("late_sender/analysis.json"), analysis(&nominal("late_sender")));
    let mut known = truths(std::slice::from_ref(&folder), None, &Subjects::default()).unwrap();
    assign(&mut known, &[folder], None).unwrap();
    let results = judge_all(&known, None, &Rules::MEASURED, &Catalogue::builtin()).unwrap().results;
    assert_eq!(results[0].run_status, RunStatus::ParseError);
    assert!(results[0].message.as_ref().unwrap().contains("left no witness"), "{:?}", results[0].message);
    assert_eq!(results[1].expectations[0].outcome, Outcome::Found);
}

#[test]
fn an_unreadable_report_is_a_result_of_its_program() {
    let dir = TempDir::new().unwrap();
    let file = write(dir.path().join("ls.json"), nominal("late_sender"));
    fs::write(dir.path().join("x.cubex"), "nothing").unwrap();
    let other = Report { ranks: Some(8), ..Report::from(analysis(&nominal("late_sender"))) };
    let of_others = write(dir.path().join("r.json"), other);
    let mut known = truths(&[file], None, &Subjects::default()).unwrap();
    assign(&mut known, &[dir.path().join("x.cubex"), of_others], None).unwrap();
    let scored = judge_all(&known, None, &Rules::MEASURED, &Catalogue::builtin()).unwrap();
    let statuses: Vec<_> = scored.results.iter().map(|result| result.run_status).collect();
    assert_eq!(statuses, [RunStatus::ParseError, RunStatus::OtherRun]);
    let messages: Vec<_> = scored.results.iter().filter_map(|result| result.message.as_deref()).collect();
    assert!(messages[0].contains("x.cubex") && messages[1].contains("is of 8 ranks"), "{messages:?}");
}

#[test]
fn reports_of_two_tools_are_not_one_score() {
    let dir = TempDir::new().unwrap();
    let file = write(dir.path().join("ls.json"), nominal("late_sender"));
    let report = |tool: &str| {
        let report = Report::from(analysis(&nominal("late_sender")));
        write(dir.path().join(format!("{tool}.json")), Report { tool: tool.to_owned(), ..report })
    };
    let mut known = truths(&[file], None, &Subjects::default()).unwrap();
    assign(&mut known, &[report("one"), report("other")], None).unwrap();
    let error = judge_all(&known, None, &Rules::MEASURED, &Catalogue::builtin()).unwrap_err().to_string();
    assert!(
        error.contains(
            "other.json is a report of other, those before it are of one; score each tool separately"
        ),
        "{error}"
    );
}

#[test]
fn a_truth_needs_only_what_cannot_be_worked_out() {
    let dir = TempDir::new().unwrap();
    let document = json!({
        "schema": "ats-truth/1", "program": "heat", "ranks": 4, "basis": { "wall_time": 2.5 },
        "findings": [
            { "metric": "mpi_latesender", "call_path": ["exchange", "MPI_Recv"], "waiting_time": 1.0 },
            { "property": "idle_threads", "call_path": ["main"], "severity": 0.5 },
            { "property": "wait_at_barrier", "call_path": ["MPI_Barrier"],
              "locations": [{ "rank": 2, "waiting_time": 0.25 }, { "rank": 0, "waiting_time": 0.25 }] },
            { "view": "count", "call_path": ["MPI_Barrier"], "instances": 12 },
        ],
    });
    let known = truths(&[write(dir.path().join("heat.json"), document)], None, &Subjects::default()).unwrap();
    let truth = &known[0].nominal;
    assert_eq!((truth.threads, truth.basis.location_seconds), (1, 10.0));
    let [late, idle, barrier, count] = &truth.findings[..] else { panic!("{truth:#?}") };
    assert_eq!((late.kind(), late.severity), ("late_sender", 0.1));
    assert_eq!(late.id, "late_sender@exchange/MPI_Recv");
    assert!(late.accept.contains(&"mpi_point2point".to_owned()) && late.in_basis);
    assert_eq!((idle.view, idle.waiting_time), (ats_model::View::Idle, 5.0));
    assert_eq!((barrier.waiting_time, barrier.locations[0].rank), (0.5, 0));
    assert_eq!((count.id.as_str(), truth.counts["MPI_Barrier"].calls), ("visits@MPI_Barrier", 12));
    assert_eq!(truth.absent.len(), WaitState::ALL.len() - 3);
}

#[test]
fn missing_parts_of_a_document_are_reported() {
    let dir = TempDir::new().unwrap();
    let error = |finding: serde_json::Value| {
        let report = json!({ "schema": "ats-report/1", "tool": "mine", "findings": [finding] });
        ats_reports::source::report(&write(dir.path().join("r.json"), report)).unwrap_err().to_string()
    };
    for (finding, wanted) in [
        (
            json!({ "property": "late_sender", "call_path": ["a", "MPI_Recv"] }),
            "says how much nowhere; give `seconds`",
        ),
        (json!({ "call_path": ["MPI_Recv"], "waiting_time": 1.0 }), "has no name; give `property`"),
        (json!({ "property": "late_sender", "waiting_time": 1.0 }), "missing field `call_path` or `call`"),
        (
            json!({ "property": "LateSender", "call_path": [], "waiting_time": 1.0 }),
            "findings[0].property: there is no `LateSender`; did you mean late_sender?",
        ),
    ] {
        let error = error(finding);
        assert!(error.contains("r.json: ") && error.contains(wanted), "{error}");
    }
    fs::write(dir.path().join("own.json"), "{\"findings\": []}").unwrap();
    let error = ats_reports::source::report(&dir.path().join("own.json")).unwrap_err().to_string();
    assert!(error.ends_with("ats-analysis, ats-report, csv; or a trace in OTF2 or of Paraver"), "{error}");
    let truth = json!({
        "schema": "ats-truth/1", "program": "heat", "ranks": 4, "basis": { "wall_time": 2.5 },
        "findings": [{ "property": "late_sender", "call_path": ["MPI_Recv"] }],
    });
    let error = truths(&[write(dir.path().join("t.json"), truth)], None, &Subjects::default())
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("t.json cannot be read as a truth: ") && error.contains("says how much nowhere"),
        "{error}"
    );
}

#[test]
fn a_report_is_no_repeat_of_itself() {
    let dir = TempDir::new().unwrap();
    let file = write(dir.path().join("ls.json"), nominal("late_sender"));
    let mut known = truths(std::slice::from_ref(&file), None, &Subjects::default()).unwrap();
    let report = write(dir.path().join("r.json"), analysis(&nominal("late_sender")));
    let error = assign(&mut known, &[report.clone(), dir.path().join("./r.json")], None).unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("r.json is given twice; give each report once, repeats are reports of other runs"),
        "{error}"
    );
}

#[test]
fn a_report_that_is_not_there_is_no_result() {
    let dir = TempDir::new().unwrap();
    let mut known = two(dir.path());
    let error = assign(&mut known, &[dir.path().join("late_sender.cubex")], None).unwrap_err().to_string();
    assert!(error.contains("late_sender.cubex does not exist; give"), "{error}");
}

#[test]
fn other_documents_are_named() {
    let dir = TempDir::new().unwrap();
    let error = |path: PathBuf| truths(&[path], None, &Subjects::default()).unwrap_err().to_string();
    assert!(error(dir.path().to_owned()).contains("it has no folder with a nominal.json"));
    let other = write(dir.path().join("a.json"), analysis(&nominal("late_sender")));
    assert!(error(other).contains("a.json cannot be read as a truth"));
    assert!(error(dir.path().join("nowhere")).contains("nowhere cannot be read as a truth"));
    let file = write(dir.path().join("ls.json"), nominal("late_sender"));
    let error = truths(&[file], Some(&dir.path().join("w")), &Subjects::default()).unwrap_err().to_string();
    assert!(error.contains("does not fit the truth: rank 0 left no witness"), "{error}");
}
