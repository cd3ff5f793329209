//! Every answer in JSON is a document of a published schema.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::{answer, ats_in, verbs};
use serde_json::Value;
use tempfile::TempDir;

/// The answer as a document, checked against the schema that it names.
pub(crate) fn document(dir: &Path, arguments: &[&str]) -> Value {
    let text = answer(dir, &[arguments, &["--format", "json"]].concat());
    let document: Value = serde_json::from_str(&text).unwrap();
    check(dir, &document);
    document
}

fn check(dir: &Path, document: &Value) {
    let name = document["schema"].as_str().unwrap();
    let schema: Value = serde_json::from_str(&answer(dir, &["schema", name])).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> = validator.iter_errors(document).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{name}: {errors:?}");
}

/// The data of a page, checked against its schema.
pub(crate) fn page_data(dir: &Path, file: &str) -> Value {
    let html = fs::read_to_string(dir.join(file)).unwrap();
    let data = html.split_once("id=\"data\">").unwrap().1.split("</script>").next().unwrap();
    let data: Value = serde_json::from_str(data).unwrap();
    assert_eq!(data["schema"], "ats-page/1");
    check(dir, &data);
    data
}

#[test]
fn of_the_catalogue() {
    let dir = TempDir::new().unwrap();
    let list = document(dir.path(), &["list"]);
    let programs = list["programs"].as_array().unwrap();
    assert!(programs.len() >= 24);
    for program in programs.iter().filter(|program| program["balanced"] == false) {
        let name = program["program"].as_str().unwrap();
        let shown = document(dir.path(), &["show", name])["properties"][0].clone();
        assert_eq!(shown["property"], name);
        let (ranks, threads) = (&["--np", "5"][..], &["--threads", "5"][..]);
        let size = match program["paradigm"].as_str() {
            Some("mpi") => ranks.to_vec(),
            Some("openmp") => threads.to_vec(),
            Some("sequential") => Vec::new(),
            _ => [ranks, threads].concat(),
        };
        let repeats = shown["parameters"].as_array().unwrap().iter().any(|one| one["name"] == "r");
        let twice = if repeats { &["r=2"][..] } else { &[] };
        document(dir.path(), &[&["truth", name], twice, &size[..]].concat());
    }
}

#[test]
fn of_the_rows() {
    let dir = TempDir::new().unwrap();
    let rows = |words: &[&str]| document(dir.path(), words)["rows"].as_array().unwrap().clone();
    let all = rows(&["list", "--rows"]);
    let late_sender = serde_json::json!({ "row": "late_sender", "table": 1, "property": "late_sender" });
    assert_eq!(all[0], late_sender);
    let excluded: Vec<_> = all.into_iter().filter(|row| row["excluded"].is_string()).collect();
    assert_eq!(rows(&["list", "--excluded"]), excluded);
    assert!(
        rows(&["list", "--rows", "SCAN"]).iter().all(|row| row["row"].as_str().unwrap().contains("scan"))
    );
}

#[test]
fn of_the_wait_states() {
    let dir = TempDir::new().unwrap();
    let waits = document(dir.path(), &["list", "--waits"]);
    let waits = waits["wait_states"].as_array().unwrap();
    assert_eq!(waits.len(), ats_model::WaitState::ALL.len());
    let (name, title) = ("MPI Late Sender", "Late sender");
    let late_sender = serde_json::json!({
        "name": "late_sender", "title": title, "definition": "A receive waits for a message that is sent later.",
        "awaited": "the sender", "class": "point_to_point", "view": "wait", "metric": "mpi_latesender", "metric_title": name,
        "accept": ["mpi_point2point"],
    });
    assert_eq!(waits[0], late_sender);
}

#[test]
fn of_the_truth_in_its_fixed_shape() {
    let dir = TempDir::new().unwrap();
    let words = ["truth", "late_sender", "--np", "8", "basework=0.01", "extrawork=0.05", "r=10"];
    let truth = document(dir.path(), &words);
    assert_eq!(truth["schema"], "ats-truth/1");
    assert_eq!((&truth["ranks"], &truth["threads"]), (&8.into(), &1.into()));
    assert_eq!(truth["basis"]["region"], "ats_measured");
    let finding = &truth["findings"][0];
    assert_eq!(finding["property"], "late_sender");
    assert_eq!((&finding["view"], &finding["metric"]), (&"wait".into(), &"mpi_latesender".into()));
    assert_eq!(
        finding["call_path"],
        serde_json::json!(["late_sender", "mpi_commpattern_sendrecv", "MPI_Recv"])
    );
    assert!((finding["waiting_time"].as_f64().unwrap() - 2.0).abs() < 1e-9);
    assert_eq!(finding["locations"].as_array().unwrap().len(), 4);
    assert!(truth["counts"]["MPI_Recv"]["calls"] == 40);
}

#[test]
fn of_a_truth_with_causes_and_what_is_scored_with_it() {
    let dir = TempDir::new().unwrap();
    let program = ["late_sender_propagation", "--np", "4"];
    let with_causes = document(dir.path(), &[&["truth", "--causes"], &program[..]].concat());
    let causes = &with_causes["causes"];
    let seconds = |metric: &str| {
        let cells = causes["metrics"][metric].as_array().unwrap().iter();
        cells.map(|cell| (cell[1].as_u64().unwrap(), cell[2].as_f64().unwrap())).collect::<Vec<_>>()
    };
    assert_eq!(seconds("delay_latesender"), [(0, 0.5)]);
    assert_eq!(seconds("delay_latesender_longterm"), [(0, 1.0)]);
    assert_eq!(causes["findings"], serde_json::json!([]));
    let without = document(dir.path(), &[&["truth"], &program[..]].concat());
    assert!(without.get("causes").is_none());

    fs::write(dir.path().join("truth.json"), with_causes.to_string()).unwrap();
    document(dir.path(), &[&["trace", "-o", "ideal"], &program[..]].concat());
    ats_in(dir.path(), &["analyze", "ideal", "--causes", "-o", "scout.cubex"]);
    for report in ["ideal", "scout.cubex"] {
        let score = document(dir.path(), &["score", "--truth", "truth.json", report]);
        let expectations = score["programs"][0]["expectations"].as_array().unwrap();
        let outcomes: Vec<_> = expectations.iter().map(|one| (&one["id"], &one["outcome"])).collect();
        assert!(
            outcomes.len() == 6 && outcomes.iter().all(|(_, outcome)| **outcome == "found"),
            "{outcomes:?}"
        );
    }
}

#[test]
fn of_a_trace_and_its_analysis() {
    let dir = TempDir::new().unwrap();
    let trace = document(dir.path(), &["trace", "late_broadcast", "--np", "6", "r=2", "-o", "ideal"]);
    assert_eq!(trace["trace"], "ideal/traces.otf2");
    let analysis = document(dir.path(), &["analyze", "ideal/traces.otf2"]);
    assert_eq!(analysis["schema"], "ats-analysis/1");
    assert_eq!((&analysis["locations"], &analysis["basis"]["region"]), (&6.into(), &"ats_measured".into()));
    assert_eq!(analysis["findings"][0]["property"], "late_broadcast");
    assert_eq!(document(dir.path(), &["analyze", "ideal"]), analysis);
    let elsewhere = document(dir.path(), &["analyze", "ideal", "--basis", "late_broadcast"]);
    assert_eq!(elsewhere["basis"]["region"], "late_broadcast");
}

#[test]
fn root_causes_of_one_finding() {
    let dir = TempDir::new().unwrap();
    document(dir.path(), &["trace", "wrong_order", "--np", "4", "-o", "t"]);
    let all = document(dir.path(), &["analyze", "t", "--causes"]);
    let [_, one, ..] = &all["causes"]["findings"].as_array().unwrap()[..] else { panic!("{all:#}") };
    let id = one["finding"].as_str().unwrap();
    let kept = document(dir.path(), &["analyze", "t", "--causes", "--of", id]);
    assert_eq!(kept["causes"]["findings"], serde_json::json!([one]));
    assert_eq!(kept["findings"], all["findings"]);
}

#[test]
fn root_causes_of_an_analysis_are_ignored_by_those_who_judge_waits() {
    let dir = TempDir::new().unwrap();
    document(dir.path(), &["trace", "late_sender", "--np", "2", "r=2", "-o", "ideal"]);
    let keep = |name: &str, document: &Value| fs::write(dir.path().join(name), document.to_string()).unwrap();
    keep("truth.json", &document(dir.path(), &["truth", "late_sender", "--np", "2", "r=2"]));
    let without = document(dir.path(), &["analyze", "ideal"]);
    assert!(without.get("causes").is_none());
    let mut with = without.clone();
    with["causes"] = serde_json::json!({
        "extent": "all",
        "units": [{ "rank": 0, "thread": 0 }, { "rank": 1, "thread": 0 }],
        "call_paths": [["ats_measured", "late_sender", "do_work"], []],
        "metrics": { "delay_latesender": [[0, 0, 0.1]], "critical_path": [[0, 0, 0.2], [1, 0, 0.1]] },
        "findings": [{
            "finding": with["findings"][0]["id"], "direct": 0.1, "indirect": 0.0, "propagating": 0.0, "terminal": 0.1,
            "causes": [{ "call_path": 0, "unit": 0, "direct": 0.1, "indirect": 0.0 }],
        }],
        "critical_path": { "seconds": 0.3, "stretches": [{ "unit": 0, "begin": 0.0, "end": 0.3 }] },
    });
    check(dir.path(), &with);
    let read: ats_documents::Analysis = serde_json::from_value(with.clone()).unwrap();
    assert_eq!(read.causes.as_ref().map(|causes| causes.findings[0].causes[0].seconds()), Some(0.1));
    assert_eq!(serde_json::to_value(&read).unwrap(), with, "nothing is lost and nothing added");
    let read: ats_documents::Analysis = serde_json::from_value(without.clone()).unwrap();
    assert_eq!((read.causes.is_none(), serde_json::to_value(&read).unwrap()), (true, without.clone()));

    let answers = [without, with].map(|analysis| {
        keep("analysis.json", &analysis);
        let mut score = document(dir.path(), &["score", "--truth", "truth.json", "analysis.json"]);
        score["environment"] = Value::Null;
        let mut report = document(dir.path(), &["convert", "analysis.json"]);
        assert_eq!(report.as_object_mut().unwrap().remove("causes").as_ref(), analysis.get("causes"));
        (score, report)
    });
    assert_eq!(answers[0].0["totals"]["found"], 1);
    assert_eq!(answers[0], answers[1]);
}

#[test]
fn of_a_validation_on_the_virtual_engine() {
    let dir = TempDir::new().unwrap();
    let validation = document(dir.path(), &["validate", "--engine", "virtual", "--np", "4", "--all"]);
    assert_eq!((&validation["schema"], &validation["tool"]), (&"ats-score/1".into(), &"ats-analyzer".into()));
    let programs = validation["programs"].as_array().unwrap();
    assert_eq!(names_of(programs), names_of(listed(dir.path(), &[]).as_array().unwrap()));
    assert!(programs.iter().all(|program| program["run_status"] == "ok"));
    let totals = &validation["totals"];
    assert_eq!((totals["precision"].as_f64(), totals["recall"].as_f64()), (Some(1.0), Some(1.0)));
    assert_eq!(totals["false_alarms"], 0);
    assert!(validation["environment"]["command_line"].is_array());
}

/// Each name once, though hybrid programs run at two sizes.
fn names_of(programs: &[Value]) -> BTreeSet<&str> {
    programs.iter().map(|program| program["program"].as_str().unwrap()).collect()
}

/// The programs that `ats list` prints.
fn listed(dir: &Path, arguments: &[&str]) -> Value {
    document(dir, &[&["list"], arguments].concat())["programs"].clone()
}

#[test]
fn validates_the_default_programs_unless_some_are_named() {
    let dir = TempDir::new().unwrap();
    for (asked, shown) in [
        (&[][..], &["--representative"][..]),
        (&["--paradigm", "hybrid"], &["--representative", "--paradigm", "hybrid"]),
        (&["--table", "5"], &["--paradigm", "hybrid"]),
    ] {
        let validation = document(dir.path(), &[&["validate", "--engine", "virtual"], asked].concat());
        let (programs, listed) = (&validation["programs"], listed(dir.path(), shown));
        assert_eq!(names_of(programs.as_array().unwrap()), names_of(listed.as_array().unwrap()), "{asked:?}");
    }
}

/// The programs that these words run in virtual time, each with its parameter `r`.
fn validated(words: &[&str]) -> Vec<(String, String)> {
    let dir = TempDir::new().unwrap();
    let validation = document(dir.path(), &[&["validate", "--engine", "virtual"], words].concat());
    let programs = validation["programs"].as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    programs.map(|program| (text(&program["program"]), text(&program["parameters"]["r"]))).collect()
}

fn with_r(programs: &[(&str, &str)]) -> Vec<(String, String)> {
    programs.iter().map(|(program, r)| ((*program).to_owned(), (*r).to_owned())).collect()
}

#[test]
fn a_property_brings_its_twin_and_its_parameters() {
    assert_eq!(
        validated(&["late_sender", "r=3", "late_receiver_balanced"]),
        with_r(&[("late_sender", "3"), ("late_sender_balanced", "3"), ("late_receiver_balanced", "10")])
    );
}

#[test]
fn a_twin_that_is_named_beside_its_property_runs_once() {
    let both = with_r(&[("late_sender", "10"), ("late_sender_balanced", "10")]);
    assert_eq!(validated(&["late_sender", "late_sender_balanced"]), both);
    let another = with_r(&[("late_sender_balanced", "3")]);
    assert_eq!(validated(&["late_sender", "late_sender_balanced", "r=3"]), [both, another].concat());
}

#[test]
fn of_a_generated_program() {
    let dir = TempDir::new().unwrap();
    let generated = document(dir.path(), &["generate", "late_sender", "-o", "program"]);
    assert_eq!(generated["programs"], serde_json::json!(["late_sender"]));
    assert!(dir.path().join("program/Cargo.toml").exists());
    let file = document(dir.path(), &["generate", "late_sender", "--standalone", "-o", "file.c"]);
    assert_eq!(file["files"], serde_json::json!(["file.c"]));
    let set = document(dir.path(), &["generate", "--all", "-o", "set"]);
    assert!(set["programs"].as_array().unwrap().len() >= 12);
}

#[test]
fn of_the_machine() {
    let dir = TempDir::new().unwrap();
    let precision = document(dir.path(), &["calibrate", "--work", "sleep", "--repeats", "1"]);
    assert_eq!(precision["calibration"]["precision"].as_array().unwrap().len(), 4);
    let output = ats_in(dir.path(), &["doctor", "--format", "json"]);
    let doctor: Value = serde_json::from_slice(&output.stdout).unwrap();
    check(dir.path(), &doctor);
    assert_eq!(output.status.code(), Some(if doctor["ready"] == true { 0 } else { 3 }));
    for check in doctor["checks"].as_array().unwrap() {
        assert_eq!(check["ok"] == true, check["fix"].is_null(), "what is not well has a fix: {check}");
        let is_limit = check["what"].as_str().unwrap().starts_with("eager limit of ");
        assert_eq!(check["bytes"].is_u64(), is_limit, "{check}");
    }
}

/// Every verb with an example; those that only run under MPI are in [`of_what_runs_under_mpi`], and what has a form of
/// its own says so.
const VERBS: &[(&str, &[&str])] = &[
    ("list", &[]),
    ("show", &["late_sender"]),
    ("reference", &["late_sender", "-o", "reference"]),
    ("truth", &["late_sender"]),
    ("trace", &["late_sender", "r=1", "-o", "ideal"]),
    ("compose", &["--random", "1"]),
    ("generate", &["late_sender", "-o", "generated"]),
    ("run", MPI),
    ("record", MPI),
    ("analyze", &["t"]),
    ("explain", &["t"]),
    ("compare", &["t", "t"]),
    ("profile", &["t"]),
    ("draw", &["t", "-o", "trace.svg"]),
    ("export", &["t", "-o", "trace.html"]),
    ("experiment", &["add", "repo", "t", "--application", "heat"]),
    ("diagnose", &["repo"]),
    ("overheads", &["repo/heat.Ranks4.threads1.r1", "--sequential", "repo/alone.Ranks4.threads1.r1"]),
    ("efficiency", &["repo/heat.Ranks4.threads1.r1"]),
    ("memory", &["references"]),
    ("model", &["curve"]),
    ("predict", &["costs.toml", "ranks=64"]),
    ("what-if", &["t", "--each"]),
    ("validate", &["--engine", "virtual", "late_sender"]),
    ("score", &["--truth", "truth.json", "analysis.json"]),
    ("scoreboard", &[concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/scores")]),
    ("report", &["result.json", "-o", "page.html"]),
    ("template", &["report", "late_sender"]),
    ("convert", &["analysis.json"]),
    ("doctor", &[]),
    ("install", &["prefix", "--without-libraries"]),
    ("calibrate", &["--work", "sleep", "--repeats", "1"]),
    ("schema", &[]),
    ("man", &["-o", "man"]),
    ("completions", OWN_FORM),
];

const MPI: &[&str] = &["needs an MPI library"];
const OWN_FORM: &[&str] = &["bash"];

/// The verbs that write each document, as `ats schema` says.
fn writers(dir: &Path) -> BTreeMap<String, Vec<String>> {
    let registry = document(dir, &["schema"]);
    let documents = registry["documents"].as_array().unwrap().iter();
    let verb = |command: &Value| command.as_str().unwrap().split(' ').nth(1).unwrap().to_owned();
    let writers =
        |document: &Value| document["written_by"].as_array().unwrap().iter().map(verb).collect::<Vec<_>>();
    documents.map(|document| (document["name"].as_str().unwrap().to_owned(), writers(document))).collect()
}

#[test]
fn of_every_verb() {
    let dir = TempDir::new().unwrap();
    assert_eq!(verbs(), VERBS.iter().map(|(verb, _)| *verb).collect::<Vec<_>>());

    let writers = writers(dir.path());
    let known = |verb: &String| VERBS.iter().any(|(known, _)| known == verb);
    assert!(writers.values().flatten().all(known), "{writers:?}");
    let keep = |name: &str, arguments: &[&str]| {
        let text = answer(dir.path(), &[arguments, &["--format", "json"]].concat());
        fs::write(dir.path().join(name), text).unwrap();
    };
    answer(dir.path(), &["trace", "late_sender", "-o", "t"]);
    answer(
        dir.path(),
        &["experiment", "add", "repo", "t", "--application", "late_sender", "--name", "alone"],
    );
    fs::write(dir.path().join("references"), " L 00001000,8\n").unwrap();
    for ranks in ["2", "4", "6", "8"] {
        answer(dir.path(), &["experiment", "add", "curve", "amdahl", "--engine", "virtual", "--np", ranks]);
    }
    let costs = "schema = \"ats-costs/1\"\n[region.f]\ncomputation = \"(1 .. 2) / ranks\"";
    fs::write(dir.path().join("costs.toml"), costs).unwrap();
    keep("truth.json", &["truth", "late_sender"]);
    keep("analysis.json", &["analyze", "t"]);
    keep("result.json", &["validate", "--engine", "virtual", "late_sender"]);
    for (verb, arguments) in VERBS.iter().filter(|(_, arguments)| *arguments != MPI) {
        let words = [&[*verb][..], arguments, &["--format", "json"]].concat();
        let output = ats_in(dir.path(), &words);
        if *arguments == OWN_FORM {
            assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{verb}");
            continue;
        }
        // What this machine lacks is a document, too.
        assert!(output.status.success() || *verb == "doctor", "{verb}: {output:?}");
        let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
        check(dir.path(), &printed);
        let schema = printed["schema"].as_str().unwrap();
        assert!(writers[schema].iter().any(|writer| writer == verb), "{schema} by {verb}: {writers:?}");
    }
    let written = document(dir.path(), &["man", "-o", "man"]);
    for file in written["files"].as_array().unwrap() {
        assert!(dir.path().join(file.as_str().unwrap()).is_file(), "{file}");
    }
    for words in [
        &["report", "result.json"][..],
        &["convert", "analysis.json", "--as", "csv"],
        &["template", "report", "late_sender", "--as", "csv"],
        &["template", "tool"],
    ] {
        let refused = ats_in(dir.path(), &[words, &["--format", "json"]].concat());
        let errors = String::from_utf8(refused.stderr).unwrap();
        assert_eq!((refused.status.code(), refused.stdout.len()), (Some(2), 0), "{words:?}");
        assert!(errors.starts_with("error: `--format json` is not available for "), "{errors}");
    }
    let composition = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/hybrid.toml");
    assert_eq!(document(dir.path(), &["show", composition])["schema"], "ats-composition/1");
    let changes = document(dir.path(), &["validate", "--what-if", "late_sender"]);
    assert_eq!((&changes["schema"], &changes["totals"]["exact"]), (&"ats-what-if-score/1".into(), &7.into()));
}

#[test]
fn of_what_each_location_spent_in_each_region() {
    let dir = TempDir::new().unwrap();
    answer(dir.path(), &["trace", "late_sender", "--np", "4", "r=2", "-o", "t"]);
    let document = document(dir.path(), &["profile", "t", "--summaries"]);
    assert_eq!(document["schema"], "ats-summaries/1");
    let summaries = document["summaries"].as_array().unwrap();
    let of = |region: &str, rank: u32| {
        let is_it = |of: &&Value| of["region"] == region && of["unit"]["rank"] == rank;
        summaries.iter().find(is_it).unwrap_or(&Value::Null)
    };
    for rank in [1, 3] {
        let receive = of("MPI_Recv", rank);
        for amount in ["time", "communication", "receive", "waiting"] {
            assert_eq!(receive[amount], receive["time"], "{receive:#}");
            assert!(of("late_sender", rank)[amount].as_f64() > Some(0.0), "{amount}");
        }
        assert_eq!((&receive["control"], &receive["visits"]), (&0.0.into(), &2.0.into()));
        assert!(receive["instructions"].is_null() && receive["page_faults"].is_null(), "{receive:#}");
    }
    assert_eq!((of("MPI_Recv", 0), &of("MPI_Ssend", 0)["receive"]), (&Value::Null, &0.0.into()));
}

#[test]
fn of_experiments() {
    let dir = TempDir::new().unwrap();
    let program = ["late_sender_hybrid", "--np", "2", "--threads", "2", "r=1"];
    let words = [&["experiment", "add", "repo"], &program[..], &["--engine", "virtual"]].concat();
    let added = document(dir.path(), &words);
    assert_eq!(added["schema"], "ats-experiments/1");
    assert_eq!(document(dir.path(), &["experiment", "list", "repo"]), added);
    let experiment = &added["experiments"][0];
    assert_eq!(
        (&experiment["application"], &experiment["version"]),
        (&"late_sender_hybrid".into(), &"unversioned".into())
    );
    assert_eq!(
        (&experiment["ranks"], &experiment["threads"], &experiment["parameters"]["r"]),
        (&2.into(), &2.into(), &"1".into())
    );
    let id = experiment["id"].as_str().unwrap();
    let shown = document(dir.path(), &["experiment", "show", "repo", id]);
    assert_eq!(shown["schema"], "ats-experiment/1");
    let file = fs::read(dir.path().join("repo").join(id).join("experiment.json")).unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&file).unwrap(), shown);
    assert_eq!(document(dir.path(), &["experiment", "remove", "repo", id]), added);
}

#[test]
fn of_plans_and_their_runs() {
    let dir = TempDir::new().unwrap();
    let command = "schema = \"ats-plan/1\"\napplication = \"heat\"\ncommand = [\"sh\", \"-c\", \"exit {code}\"]\n\
                   report = \"{dir}/x\"\nenvironment = { A = \"{code}\" }\ntimeout = 10.5\nexclude = [\"code=3\"]\n\
                   [values]\ncode = { from = 1, to = 3 }\n";
    let program = "schema = \"ats-plan/1\"\nprogram = \"late_sender\"\nengine = \"virtual\"\nrepeats = 2\n\
                   [values]\nranks = [2, 4]\nr = 1\nextrawork = [\"50ms\", 0.5]\n";
    let schema: Value = serde_json::from_str(&answer(dir.path(), &["schema", "ats-plan"])).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for (text, code, runs) in [(command, 1, 2), (program, 0, 8)] {
        let written: Value = toml::from_str(text).unwrap();
        let errors: Vec<String> = validator.iter_errors(&written).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}");
        fs::write(dir.path().join("plan.toml"), text).unwrap();
        let words = ["experiment", "run", "repo", "plan.toml"];
        let planned = document(dir.path(), &[&words[..], &["--dry-run"]].concat());
        assert_eq!(planned["runs"].as_array().unwrap().len(), runs);
        let output = ats_in(dir.path(), &[&words[..], &["--format", "json"]].concat());
        assert_eq!(output.status.code(), Some(code));
        check(dir.path(), &serde_json::from_slice(&output.stdout).unwrap());
    }
    let list = document(dir.path(), &["experiment", "list", "repo"]);
    assert_eq!(
        (list["experiments"].as_array().unwrap().len(), list["failed"].as_array().unwrap().len()),
        (8, 2)
    );
    for failed in list["failed"].as_array().unwrap() {
        let file = format!("repo/.failed/{}.json", failed["id"].as_str().unwrap());
        let kept: Value = serde_json::from_slice(&fs::read(dir.path().join(file)).unwrap()).unwrap();
        check(dir.path(), &kept);
        assert_eq!(kept["failed"], serde_json::json!([failed]));
    }
}

#[test]
fn of_what_was_called_inside_what() {
    let dir = TempDir::new().unwrap();
    answer(dir.path(), &["trace", "late_sender_hybrid", "--np", "2", "--threads", "3", "r=2", "-o", "t"]);
    for (per, graphs) in [("program", 1), ("process", 2), ("thread", 6)] {
        let document = document(dir.path(), &["profile", "t", "--graph", "json", "--per", per]);
        assert_eq!((&document["schema"], &document["per"]), (&"ats-region-graph/1".into(), &per.into()));
        assert_eq!(document["graphs"].as_array().unwrap().len(), graphs);
        for node in
            document["graphs"].as_array().unwrap().iter().flat_map(|of| of["nodes"].as_array().unwrap())
        {
            let parts = ["start", "children", "end", "rest"].map(|part| node[part].as_f64().unwrap());
            assert!((parts.iter().sum::<f64>() - node["time"].as_f64().unwrap()).abs() < 1e-9, "{node}");
        }
    }
    let asked_for_both = document(dir.path(), &["profile", "t", "--graph", "text"]);
    assert_eq!(asked_for_both["schema"], "ats-region-graph/1");
    for form in [&["--graph", "dot"][..], &["--stacks"]] {
        let words = [&["profile", "t", "--format", "json"], form].concat();
        let output = ats_in(dir.path(), &words);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{form:?}");
    }
}

#[test]
fn of_what_the_script_of_a_page_draws() {
    let dir = TempDir::new().unwrap();
    let program = ["late_sender_hybrid", "--np", "2", "--threads", "2", "r=2"];
    run_into(dir.path(), "runs/late_sender_hybrid", &program);
    let page = |words: &[&str]| {
        answer(dir.path(), words);
        page_data(dir.path(), "page.html")
    };
    let shown = page(&["export", "runs/late_sender_hybrid/trace", "-o", "page.html"]);
    let of_trace = &shown["programs"][0];
    let rows = |table: &Value, column: &str| table[column].as_array().unwrap().len();
    assert!(rows(of_trace, "rows") > 0 && of_trace["known"] == false, "{of_trace:#}");
    assert_eq!(
        (rows(&of_trace["timeline"]["messages"], "sent"), rows(&of_trace["profile"], "files")),
        (2, 0)
    );

    let words = ["--engine", "virtual", "--html", "page.html", "--format", "json"];
    let words = [&["validate"], &program[..1], &["r=2"], &words[..]].concat();
    fs::write(dir.path().join("result.json"), answer(dir.path(), &words)).unwrap();
    // In virtual time there are no runs to look into.
    assert_eq!(page_data(dir.path(), "page.html")["programs"], serde_json::json!([]));
    let reported = page(&["report", "result.json", "--runs", "runs", "-o", "page.html"]);
    let of_run = &reported["programs"][0];
    assert!(of_run["known"] == true && of_run["rows"][0]["truth"].is_object(), "{of_run:#}");
    for np in ["2", "4"] {
        let words = ["experiment", "add", "repo", "late_sender", "--np", np, "r=2", "--engine", "virtual"];
        answer(dir.path(), &words);
    }
    let compared = page(&["experiment", "export", "repo", "--as", "html", "-o", "page.html"]);
    assert_eq!(rows(&compared["experiments"]["curves"][0], "points"), 2);
    let trace = "runs/late_sender_hybrid/trace";
    let what_if = page(&["what-if", trace, "--network", "ideal", "--html", "page.html"]);
    let replayed = &what_if["programs"][0]["comparison"];
    let picture = |at: usize| rows(&replayed["timelines"][at], "rows");
    assert_eq!((rows(replayed, "gains"), picture(0), picture(1)), (2, 4, 4));
    let scores = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/scores");
    let board = page(&["scoreboard", scores, "-o", "scores.md", "--html", "page.html"]);
    assert_eq!(board["programs"], serde_json::json!([]));
}

#[test]
fn every_schema_is_one() {
    let dir = TempDir::new().unwrap();
    let list = answer(dir.path(), &["schema"]);
    let names = list.lines().skip(1).map(|line| line.split(' ').next().unwrap());
    assert!(names.clone().count() >= 20, "{list}");
    let is_truth = |line: &str| line.split_whitespace().eq(["ats-truth/1", "ats", "truth"]);
    assert!(list.lines().any(is_truth), "{list}");
    for name in names {
        let schema: Value = serde_json::from_str(&answer(dir.path(), &["schema", name])).unwrap();
        assert!(jsonschema::meta::is_valid(&schema), "{name}");
    }
    assert_eq!(answer(dir.path(), &["schema", "ats-truth"]), answer(dir.path(), &["schema", "ats-truth/1"]));
}

#[test]
fn of_what_runs_under_mpi() {
    let dir = TempDir::new().unwrap();
    let run = document(dir.path(), &["run", "late_sender", "--np", "2", "r=1"]);
    assert_eq!(run["schema"], "ats-done/1");
    let validation = document(dir.path(), &["validate", "late_sender", "--np", "2", "r=3"]);
    assert_eq!((&validation["schema"], &validation["totals"]["found"]), (&"ats-score/1".into(), &1.into()));
    // Our recorder measures the clocks: none is derived.
    let recorded = document(dir.path(), &["analyze", "target/ats-validation/late_sender/trace"]);
    assert_ne!(recorded["clock_correction"]["method"], "derived", "{recorded:#}");

    let figure = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/report-figure-3.5.toml");
    let words = ["validate", figure, "--threshold", "0.02", "--format", "json"];
    let validation: Value = serde_json::from_slice(&ats_in(dir.path(), &words).stdout).unwrap();
    check(dir.path(), &validation);
    let [program] = &validation["programs"].as_array().unwrap()[..] else { panic!("{validation:#}") };
    assert_eq!((&program["run_status"], &program["ranks"]), (&"ok".into(), &16.into()), "{program:#}");
    // Sixteen ranks beside other tests: if each run was disturbed, a wait may be missed.
    if validation["totals"]["disturbed"] != validation["totals"]["runs"] {
        let broadcast = program["expectations"].as_array().unwrap().iter();
        let broadcast = broadcast.filter(|e| e["wait_state"] == "late_broadcast").collect::<Vec<_>>();
        let ranks = broadcast[0]["waiting"].as_array().unwrap().iter().map(|location| &location["rank"]);
        assert!(ranks.eq([8, 10, 11, 12, 13, 14, 15].iter()), "{program:#}");
        assert_eq!(broadcast[0]["outcome"], "found", "{program:#}");
    }

    let source = "#include <mpi.h>\nint main(void) { MPI_Init(0, 0); return MPI_Finalize(); }\n";
    std::fs::write(dir.path().join("empty.c"), source).unwrap();
    let compiled =
        Command::new("mpicc.openmpi").args(["empty.c", "-o", "empty"]).current_dir(dir.path()).status();
    assert!(compiled.unwrap().success());
    let words =
        ["record", "-o", "recorded", "--format", "json", "--", "mpirun.openmpi", "-n", "2", "./empty"];
    let recording: Value = serde_json::from_str(&answer(dir.path(), &words)).unwrap();
    check(dir.path(), &recording);
    assert_eq!((&recording["exit_code"], &recording["problem"]), (&0.into(), &Value::Null));
    assert_eq!(document(dir.path(), &["analyze", "recorded/traces.otf2"])["locations"], 2);
}

/// Writes the folder that a run on the virtual engine would leave.
fn run_into(dir: &Path, folder: &str, program: &[&str]) {
    answer(dir, &[&["trace"], program, &["-o", &format!("{folder}/trace")]].concat());
    let truth = answer(dir, &[&["truth"], program, &["--format", "json"]].concat());
    fs::write(dir.join(folder).join("nominal.json"), truth).unwrap();
}

#[test]
fn runs_are_shown_beside_their_own_result_alone() {
    let dir = TempDir::new().unwrap();
    let result = |name: &str, change: &dyn Fn(&mut Value)| {
        let words = ["validate", "--engine", "virtual", "late_sender", "--format", "json"];
        let mut result = serde_json::from_str(&answer(dir.path(), &words)).unwrap();
        change(&mut result);
        fs::write(dir.path().join(name), result.to_string()).unwrap();
    };
    result("virtual.json", &|_| {});
    let refused = |result: &str, runs: &str, why: &str| {
        let output = ats_in(dir.path(), &["report", result, "--runs", runs, "-o", "page.html"]);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(
            errors.contains(&format!("{runs}/late_sender is not the run of late_sender on 4 ranks")),
            "{errors}"
        );
        assert!(errors.contains(result) && errors.contains(why), "{errors}");
        assert!(!dir.path().join("page.html").exists());
    };
    run_into(dir.path(), "other/late_sender", &["late_sender", "r=2"]);
    refused("virtual.json", "other", "its r is 2, that of the result 10");
    run_into(dir.path(), "real/late_sender", &["late_sender"]);
    fs::create_dir(dir.path().join("real/late_sender/witness")).unwrap();
    refused("virtual.json", "real", "it ran on real processes, the result is of the virtual engine");
    result("mpi.json", &|result| {
        result["environment"]["engine"] = "mpi".into();
        result["programs"][0]["expectations"][0]["observed"] = 1.001.into();
    });
    fs::rename(
        dir.path().join("real/late_sender/nominal.json"),
        dir.path().join("real/late_sender/observed.json"),
    )
    .unwrap();
    refused("mpi.json", "real", "it showed 1.000000000 s of late_sender@");
    fs::create_dir(dir.path().join("real/late_sender/without")).unwrap();
    refused("mpi.json", "real", "it ran under another tool, the result is of ats-analyzer");

    // What belongs to no result is left out, and said.
    run_into(dir.path(), "mine/late_sender", &["late_sender"]);
    run_into(dir.path(), "mine/late_receiver", &["late_receiver"]);
    let output = ats_in(dir.path(), &["report", "virtual.json", "--runs", "mine", "-o", "page.html"]);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(
        output.status.success() && errors.contains("left out, as no result has them: late_receiver"),
        "{errors}"
    );
    let page = fs::read_to_string(dir.path().join("page.html")).unwrap();
    assert!(page.contains("mpi_commpattern_sendrecv") && !page.contains("\"name\":\"late_receiver\""));
}

#[test]
fn a_result_is_shown_in_every_form() {
    let dir = TempDir::new().unwrap();
    let result = answer(dir.path(), &["validate", "--engine", "virtual", "late_sender", "--format", "json"]);
    fs::write(dir.path().join("result.json"), result).unwrap();
    for (form, part) in [
        ("html", "<!doctype html>"),
        ("junit", "<testsuite"),
        ("sarif", "\"version\": \"2.1.0\""),
        ("csv", "late_sender"),
        ("markdown", "| "),
    ] {
        let text = answer(dir.path(), &["report", "result.json", "--as", form]);
        assert!(text.contains(part) && text.contains("late_sender"), "{form}: {text}");
    }
    run_into(dir.path(), "runs/late_sender", &["late_sender"]);
    let file = answer(dir.path(), &["report", "result.json", "--runs", "runs", "-o", "page.html"]);
    let page = fs::read_to_string(dir.path().join(file.trim())).unwrap();
    assert!(page.contains("mpi_commpattern_sendrecv"), "the run's call tree");
    let nothing = ats_in(dir.path(), &["report", "runs/late_sender/nominal.json"]);
    assert_eq!(nothing.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&nothing.stderr).contains("its schema is `ats-truth/1`"));
}

#[test]
fn a_trace_is_exported_for_every_viewer() {
    let dir = TempDir::new().unwrap();
    answer(dir.path(), &["trace", "late_sender", "r=2", "-o", "t"]);
    for (viewer, part) in
        [("html", "<!doctype html>"), ("chrome", "\"traceEvents\""), ("speedscope", "speedscope.app")]
    {
        answer(dir.path(), &["export", "t", "--as", viewer, "-o", viewer]);
        let text = fs::read_to_string(dir.path().join(viewer)).unwrap();
        assert!(text.contains(part) && text.contains("MPI_Recv"), "{viewer}");
    }
}

/// The begins and ends of the waits of a timeline, in ticks.
fn bounds_of_waits(timeline: &Value) -> BTreeSet<u64> {
    let column = |name: &str| -> Vec<u64> {
        timeline["waits"][name].as_array().unwrap().iter().map(|value| value.as_u64().unwrap()).collect()
    };
    let (rows, since, durations) = (column("row"), column("since"), column("duration"));
    let mut last = (u64::MAX, 0);
    let mut bounds = BTreeSet::new();
    for ((&row, &since), &duration) in rows.iter().zip(&since).zip(&durations) {
        let begin = if row == last.0 { last.1 + since } else { since };
        last = (row, begin);
        bounds.extend([begin, begin + duration]);
    }
    bounds
}

#[test]
fn a_page_lists_the_problems_that_explain_lists_where_its_timeline_has_the_waits() {
    let dir = TempDir::new().unwrap();
    answer(dir.path(), &["trace", "blocked_sender", "--np", "4", "r=3", "-o", "t"]);
    let recorded = ats_testing::peer("scorep-hybrid-2x2/traces.otf2").display().to_string();
    for trace in ["t", &recorded] {
        let explained = document(dir.path(), &["explain", trace]);
        answer(dir.path(), &["export", trace, "--explain", "-o", "page.html"]);
        let page = &page_data(dir.path(), "page.html")["programs"][0];
        let (explained, shown) = (&explained["problems"], &page["explanation"]["problems"]);
        let (explained, shown) = (explained.as_array().unwrap(), shown.as_array().unwrap());
        assert!(!shown.is_empty() && page["causes"].is_object(), "{trace}");
        assert_eq!(shown.len(), explained.len());
        let bounds = bounds_of_waits(&page["timeline"]);
        for (shown, explained) in shown.iter().zip(explained) {
            for same in ["text", "seconds", "share"] {
                assert_eq!(shown[same], explained[same]);
            }
            for bound in ["begin", "end"] {
                let at = shown["worst"][bound].as_u64().unwrap();
                assert!(bounds.contains(&at), "{bound} of {}", shown["text"]);
            }
        }
    }
    answer(dir.path(), &["export", "t", "-o", "page.html"]);
    assert!(page_data(dir.path(), "page.html")["programs"][0]["explanation"].is_null());
}

#[test]
fn a_page_has_the_profile_and_the_sources_of_the_folder_alone() {
    let dir = TempDir::new().unwrap();
    let trace = ats_testing::peer("scorep-hybrid-2x2/traces.otf2").display().to_string();
    fs::create_dir(dir.path().join("src")).unwrap();
    fs::write(dir.path().join("src/hyb.c"), "int main() {}\n").unwrap();
    let page = |more: &[&str]| -> Value {
        answer(dir.path(), &[&["export", &trace, "-o", "page.html"], more].concat());
        page_data(dir.path(), "page.html")["programs"][0]["profile"].take()
    };
    let from_src = page(&["--sources", "src"]);
    let file = &from_src["files"][0];
    assert_eq!((&file["path"], &file["text"]), (&"src/hyb.c".into(), &"int main() {}\n".into()));
    let here = page(&[]);
    assert_eq!(here["files"][0]["why"], "there is no such file in .");
    // What stands beside a line is what `ats profile` says of the region.
    let table = answer(dir.path(), &["profile", &trace, "--above", "0"]);
    let lines = &here["files"][0]["lines"];
    assert_eq!(lines["region"].as_array().unwrap().len(), 32);
    for at in 0..32 {
        let line = |column: &str| &lines[column][at];
        let region = here["regions"][line("region").as_u64().unwrap() as usize]["label"].as_str().unwrap();
        let said = table.lines().find(|said| said.ends_with(&format!("  {region}"))).unwrap();
        let said: Vec<&str> = said.split_whitespace().collect();
        let seconds = |value: &Value| format!("{:.6}", value.as_f64().unwrap());
        assert_eq!(
            (said[2], said[3]),
            (&*seconds(line("exclusive")), &*seconds(line("inclusive"))),
            "{region}"
        );
        assert_eq!(said[6], line("visits").to_string(), "{region}");
    }
}

/// `path: begin..end` of every slice, from a track's events: phase, name where it begins, time.
fn slices(events: &[(bool, String, f64)]) -> Vec<String> {
    let (mut open, mut slices) = (Vec::new(), Vec::new());
    for (begins, name, time) in events {
        if *begins {
            open.push((name.clone(), *time));
            continue;
        }
        let path: Vec<&str> = open.iter().map(|(name, _)| name.as_str()).collect();
        let path = path.join("/");
        let (_, begin) = open.pop().expect("something is open");
        slices.push(format!("{path}: {begin:.6}..{time:.6}"));
    }
    assert_eq!(open, []);
    slices
}

#[test]
fn viewers_nest_calls_as_they_were_called() {
    let dir = TempDir::new().unwrap();
    answer(dir.path(), &["trace", "late_sender", "--np", "4", "r=3", "-o", "t"]);
    let export = |viewer: &str| -> Value {
        answer(dir.path(), &["export", "t", "--as", viewer, "-o", viewer]);
        serde_json::from_str(&fs::read_to_string(dir.path().join(viewer)).unwrap()).unwrap()
    };
    let (chrome, speedscope) = (export("chrome"), export("speedscope"));
    let time = |event: &Value| event["ts"].as_f64().unwrap() / 1e6;
    for rank in 0..4 {
        let is_slice = |event: &&Value| event["pid"] == rank && (event["ph"] == "B" || event["ph"] == "E");
        let mut track: Vec<_> = chrome["traceEvents"].as_array().unwrap().iter().filter(is_slice).collect();
        // As Perfetto does: by time, what has the same time as it stands in the file.
        track.sort_by(|a, b| time(a).total_cmp(&time(b)));
        let event = |event: &&Value| {
            (event["ph"] == "B", event["name"].as_str().unwrap_or_default().to_owned(), time(event))
        };
        let in_chrome = slices(&track.iter().map(event).collect::<Vec<_>>());
        let events = speedscope["profiles"][rank]["events"].as_array().unwrap().iter().map(|event| {
            let frame = event["frame"].as_u64().unwrap() as usize;
            let name = speedscope["shared"]["frames"][frame]["name"].as_str().unwrap();
            (event["type"] == "O", name.to_owned(), event["at"].as_f64().unwrap())
        });
        assert_eq!(in_chrome, slices(&events.collect::<Vec<_>>()));
        let call = if rank % 2 == 0 { "MPI_Ssend" } else { "MPI_Recv" };
        let path = format!("ats_measured/late_sender/mpi_commpattern_sendrecv/{call}: ");
        assert_eq!(in_chrome.iter().filter(|slice| slice.contains(&path)).count(), 3, "{in_chrome:#?}");
    }
}
