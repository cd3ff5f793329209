//! Each format as a whole, and valid by its standard.

use ats_documents::explanation::{CauseKind, Effect, FittingCause, Problem, SourceLine};
use ats_documents::score::{Outcome, ProgramResult};
use ats_documents::{Explanation, Score};
use ats_model::{CallSite, WaitState};
use ats_presentation::{csv, junit, markdown, sarif, sarif_of_explanation};
use quick_xml::{Reader, events::Event};

use crate::common::{EVIL, finding, program, score};

#[test]
fn junit_is_well_formed_and_counts_what_differs() {
    let report = junit(&score());
    let (mut reader, mut depth, mut names) = (Reader::from_str(&report), 0, Vec::new());
    reader.config_mut().check_end_names = true;
    loop {
        match reader.read_event().unwrap() {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth -= 1,
            Event::Eof => break,
            _ => {}
        }
        assert!(depth >= 0);
    }
    assert_eq!(depth, 0);
    let parsed = quick_junit::Report::deserialize_from_str(&report).unwrap();
    names.extend(parsed.test_suites.iter().map(|suite| suite.name.as_str().to_owned()));
    assert!(names.contains(&format!("{} 2×1", EVIL.replace('\u{1}', "\u{fffd}"))), "{names:?}");
    assert_eq!((parsed.tests, parsed.failures, parsed.errors), (14, 3, 2));
    let mut kept = score();
    kept.environment.insert("time".to_owned(), "2026-11-21T10:00:00Z".into());
    let parsed = quick_junit::Report::deserialize_from_str(&junit(&kept)).unwrap();
    let times = parsed.test_suites.iter().map(|suite| suite.timestamp).chain([parsed.timestamp]);
    for time in times {
        assert_eq!(time.unwrap().to_rfc3339(), "2026-11-21T10:00:00+00:00");
    }
    insta::assert_snapshot!(report);
}

/// A log for code scanners that agrees with the schema of the standard.
fn log(text: &str) -> serde_json::Value {
    let log: serde_json::Value = serde_json::from_str(text).unwrap();
    let mut schema: serde_json::Value =
        serde_json::from_str(include_str!("../data/sarif-2.1.0.schema.json")).unwrap();
    // Its patterns of languages have a bracket too many, which not every engine forgives.
    for of in ["run", "toolComponent"] {
        let language = schema["definitions"][of]["properties"]["language"].as_object_mut().unwrap();
        assert!(language.remove("pattern").is_some());
    }
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> = validator.iter_errors(&log).map(|error| error.to_string()).collect();
    assert_eq!(errors, [] as [String; 0]);
    log
}

#[test]
fn sarif_agrees_with_the_schema_of_the_standard() {
    let log = log(&sarif(&score(), ".".as_ref()));
    let run = &log["runs"][0];
    for result in run["results"].as_array().unwrap() {
        let rule = &run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!(rule["id"], result["ruleId"]);
    }
    insta::assert_json_snapshot!(run["results"]);
}

#[test]
fn sarif_names_the_lines_of_calls_and_constructs() {
    let root = tempfile::tempdir().unwrap();
    std::fs::create_dir(root.path().join("a src")).unwrap();
    std::fs::write(root.path().join("a src/grün.c"), "").unwrap();
    let called = |file: &str, line| {
        let site = CallSite { function: "halo".to_owned(), file: file.to_owned(), line };
        finding(&["main", "!$omp parallel @heat.c:3", "MPI_Send"], 0.25).called_at(Some(site))
    };
    let inside = root.path().join("a src/grün.c").display().to_string();
    let barrier = ["main", "!$omp for @heat.c:17", "!$omp implicit barrier"];
    let unexpected = vec![
        called(&inside, 12),
        called("/build/heat/a src/grün.c", 13),
        called("/opt/a b/c#1.c", 14),
        called("heat:1.c", 15),
        called("", 0),
        finding(&barrier, 0.25),
        finding(&["main", "MPI_Send"], 0.25),
    ];
    let program = ProgramResult { unexpected, ..program("heat", Vec::new()) };
    let log = log(&sarif(&Score { programs: vec![program], ..score() }, root.path()));
    let place = |result: &serde_json::Value| {
        let [location] = &result["locations"].as_array().unwrap()[..] else { panic!("{result}") };
        assert!(location["logicalLocations"][0]["fullyQualifiedName"].as_str().unwrap().starts_with("main/"));
        let physical = &location["physicalLocation"];
        let uri = physical["artifactLocation"]["uri"].as_str();
        (uri.unwrap_or_default().to_owned(), physical["region"]["startLine"].as_u64().unwrap_or_default())
    };
    let places: Vec<_> = log["runs"][0]["results"].as_array().unwrap().iter().map(place).collect();
    let right = [
        ("a%20src/gr%C3%BCn.c", 12),
        ("a%20src/gr%C3%BCn.c", 13),
        ("file:///opt/a%20b/c%231.c", 14),
        ("heat%3A1.c", 15),
        ("heat.c", 3),
        ("heat.c", 17),
        ("", 0),
    ];
    assert_eq!(places, right.map(|(uri, line)| (uri.to_owned(), line)));
}

#[test]
fn sarif_of_an_explanation_has_a_result_for_each_problem() {
    let line = |line| Some(SourceLine { file: "/opt/heat.c".to_owned(), line });
    let path = |names: [&str; 2]| names.map(str::to_owned).to_vec();
    let effect = Effect {
        finding: "wait_at_barrier@main/MPI_Barrier".to_owned(),
        property: WaitState::WaitAtBarrier,
        call_path: path(["main", "MPI_Barrier"]),
        source: line(20),
        seconds: 1.5,
        waiting: Vec::new(),
        intervals: None,
    };
    let cause = |cause, confidence| FittingCause {
        cause,
        confidence,
        evidence: Vec::new(),
        advice: "Share the work evenly.".to_owned(),
    };
    let late = Problem {
        share: 0.25,
        call_path: path(["main", "solve"]),
        source: line(7),
        causes: vec![cause(CauseKind::LateArrival, 0.8), cause(CauseKind::UnevenWork, 0.5)],
        text: format!("{EVIL} is late. Share the work evenly."),
        effects: vec![effect.clone()],
        ..Problem::default()
    };
    let unknown = Problem { effects: vec![Effect { source: None, ..effect }], ..Problem::default() };
    let explanation = Explanation {
        trace: "t/traces.otf2".to_owned(),
        problems: vec![late, unknown],
        notes: vec!["Clocks were aligned.".to_owned()],
        ..Explanation::default()
    };
    let log = log(&sarif_of_explanation(&explanation, ".".as_ref()));
    let run = &log["runs"][0];
    let rules = &run["tool"]["driver"]["rules"];
    let [late, unknown] = &run["results"].as_array().unwrap()[..] else { panic!("{run:#}") };
    for (result, id, name) in
        [(late, "late_arrival", "Late arrival"), (unknown, "unknown", "Cause not known")]
    {
        let rule = &rules[result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!((&result["ruleId"], &rule["id"], &rule["name"]), (&id.into(), &id.into(), &name.into()));
        assert_eq!(result["level"], "warning");
    }
    assert_eq!(
        rules[unknown["ruleIndex"].as_u64().unwrap() as usize]["shortDescription"]["text"],
        "The trace does not show what is waited for."
    );
    assert_eq!(late["message"]["text"], format!("{EVIL} is late. Share the work evenly."));
    assert_eq!(late["rank"], 25.0);
    let physical = |line: u32| serde_json::json!({ "artifactLocation": { "uri": "file:///opt/heat.c" }, "region": { "startLine": line } });
    assert_eq!(late["locations"][0]["physicalLocation"], physical(7));
    assert_eq!(late["locations"][0]["logicalLocations"][0]["fullyQualifiedName"], "main/solve");
    let related = &late["relatedLocations"][0];
    assert_eq!(related["physicalLocation"], physical(20));
    assert_eq!(related["message"]["text"], "1.500000 s of wait_at_barrier@main/MPI_Barrier");
    assert!(unknown["locations"][0].get("physicalLocation").is_none());
    assert_eq!(unknown["locations"][0]["logicalLocations"][0]["name"], "t/traces.otf2");
    assert!(unknown["relatedLocations"][0].get("physicalLocation").is_none());
    let note = &run["invocations"][0]["toolExecutionNotifications"][0];
    assert_eq!((&note["level"], &note["message"]["text"]), (&"note".into(), &"Clocks were aligned.".into()));
}

#[test]
fn sarif_of_code_without_a_line_has_that_of_the_call_that_waits() {
    let path = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    let effect = |call: &str, line: Option<u32>| Effect {
        finding: call.to_owned(),
        property: WaitState::WaitAtBarrier,
        call_path: path(&["main", call]),
        source: line.map(|line| SourceLine { file: "heat.c".to_owned(), line }),
        seconds: 1.0,
        waiting: Vec::new(),
        intervals: None,
    };
    let result = |call_path: &[&str], others: &[&[&str]], effects: Vec<Effect>| {
        let problem = Problem {
            call_path: path(call_path),
            other_call_paths: others.iter().map(|names| path(names)).collect(),
            effects,
            ..Problem::default()
        };
        let explanation = Explanation { problems: vec![problem], ..Explanation::default() };
        log(&sarif_of_explanation(&explanation, ".".as_ref()))["runs"][0]["results"][0].clone()
    };
    let effects = || vec![effect("MPI_Wait", None), effect("MPI_Barrier", Some(20))];
    let [b, a] = [["b", "solve"], ["a", "solve"]];
    let one = result(&b, &[&a], effects());
    let place = &one["locations"][0];
    assert_eq!(place["physicalLocation"]["region"]["startLine"], 20);
    assert_eq!(place["logicalLocations"][0]["fullyQualifiedName"], "main/MPI_Barrier");
    // The other path has more seconds in another run.
    let print = |result: &serde_json::Value| result["partialFingerprints"]["atsProblem/v1"].clone();
    assert_eq!(print(&one), print(&result(&a, &[&b], effects())));
    assert_ne!(print(&one), print(&result(&b, &[], effects())));
    let unknown = result(&[], &[], effects());
    assert_eq!(print(&unknown), print(&result(&[], &[], effects().into_iter().rev().collect())));
}

#[test]
fn a_spreadsheet_finds_no_formula_in_a_name() {
    let names = ["=1+1", "@sum", "+1+1", "-1+1", "\t=1", "\r=1", "=cmd|\"/C calc\"!A0"];
    let result = |name: &str| program(name, Vec::new());
    let programs = names.iter().copied().chain(["late_sender"]).map(result).collect();
    let text = csv(&Score { programs, ..score() });
    let mut reader = ::csv::Reader::from_reader(text.as_bytes());
    let read: Vec<String> = reader.records().map(|row| row.unwrap()[0].to_owned()).collect();
    let expected: Vec<String> = names.iter().map(|name| format!("'{name}")).collect();
    assert_eq!(read, [&expected[..], &["late_sender".to_owned()]].concat());
    // Numbers stay numbers, negative ones, too.
    let mut negative = score();
    negative.programs[0].expectations[0].observed = -0.5;
    assert!(csv(&negative).contains(",-0.5,"));
}

#[test]
fn csv_has_as_many_fields_in_every_row() {
    let text = csv(&score());
    let mut reader = ::csv::Reader::from_reader(text.as_bytes());
    let rows: Vec<_> = reader.records().collect::<Result<_, _>>().unwrap();
    assert_eq!(rows.len(), 10);
    assert!(rows.iter().any(|row| &row[0] == EVIL));
    insta::assert_snapshot!(text);
}

#[test]
fn markdown_keeps_its_tables_whole() {
    let text = markdown(&score());
    for table in text.split("\n\n").filter(|part| part.starts_with('|')) {
        let cells = |line: &str| line.replace("\\|", "").matches('|').count();
        let of_header = table.lines().next().map(cells);
        assert!(table.lines().all(|line| Some(cells(line)) == of_header), "{table}");
    }
    insta::assert_snapshot!(text);
}

#[test]
fn a_score_of_nothing_is_still_valid() {
    let nothing = Score { programs: Vec::new(), ..score() };
    assert!(quick_junit::Report::deserialize_from_str(&junit(&nothing)).is_ok());
    assert_eq!(csv(&nothing).lines().count(), 1);
    assert!(sarif(&nothing, ".".as_ref()).contains(r#""results": []"#));
    assert!(!markdown(&nothing).contains("## Expected"));
}

#[test]
fn a_wait_that_does_not_fit_into_a_profile_is_told_in_each_form() {
    let mut score = Score { tool: "mpip".to_owned(), version: Some("3.5".to_owned()), ..score() };
    let expectation = &mut score.programs[0].expectations[0];
    (expectation.outcome, expectation.found) = (Outcome::Inconsistent, 0.75);
    let text = markdown(&score);
    assert!(text.starts_with("# Validation of mpip 3.5\n"), "{text}");
    assert!(text.contains("**inconsistent**"), "{text}");
    assert!(junit(&score).contains("inconsistent: found 0.7500 s, observed truth 1.0000 s"));
}
