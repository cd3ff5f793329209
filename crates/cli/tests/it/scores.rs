//! `ats score`: what a user has in hand, and what comes of it.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::thread;

use crate::common::{answer, ats_in};
use serde_json::{Value, json};
use tempfile::TempDir;

/// The truth of a property, and a trace of it from virtual time.
fn prepare(dir: &Path) {
    fs::write(dir.join("late_sender.json"), answer(dir, &["truth", "late_sender", "--format", "json"]))
        .unwrap();
    answer(dir, &["trace", "late_sender", "-o", "trace"]);
}

const SCORE: [&str; 6] = ["score", "--truth", "late_sender.json", "trace/traces.otf2", "--tool", "ats"];

fn score(dir: &Path, more: &[&str]) -> (Option<i32>, Value, String) {
    let output = ats_in(dir, &[&SCORE[..], more, &["--format", "json"]].concat());
    let errors = String::from_utf8(output.stderr).unwrap();
    (output.status.code(), serde_json::from_slice(&output.stdout).unwrap_or_default(), errors)
}

#[test]
fn a_report_is_scored_into_a_document_of_a_fixed_shape() {
    let dir = TempDir::new().unwrap();
    prepare(dir.path());
    let (code, score, errors) = score(dir.path(), &["--option", "verbose"]);
    assert_eq!(code, Some(0), "{errors}");
    assert_eq!((&score["schema"], &score["tool"]), (&json!("ats-score/1"), &json!("ats")));
    assert_eq!(score["options"], json!(["verbose"]));
    assert!(score["truth_hash"].as_str().unwrap().starts_with("sha256:"));
    let expectation = &score["programs"][0]["expectations"][0];
    assert_eq!((&expectation["outcome"], &expectation["grade"]), (&json!("found"), &json!("amount")));
    let seconds = |name: &str| expectation[name].as_f64().unwrap();
    assert!((seconds("observed") - 1.0).abs() < 1e-9 && (seconds("found") - 1.0).abs() < 1e-6);
    assert_eq!(score["programs"][0]["unexpected"], json!([]));
    assert_eq!(score["programs"][0]["false_seconds"], json!(0.0));
    assert_eq!(score["totals"]["by_grade"]["amount"]["recall"], json!(1.0));
    assert!(score["environment"]["time"].is_string());

    let name = score["schema"].as_str().unwrap();
    let schema: Value = serde_json::from_str(&answer(dir.path(), &["schema", name])).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> = validator.iter_errors(&score).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
}

#[test]
fn the_folder_of_a_trace_is_the_trace() {
    let dir = TempDir::new().unwrap();
    prepare(dir.path());
    let output = ats_in(dir.path(), &["score", "--truth", "late_sender.json", "trace"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && text.contains(": found;"), "{text}");
    let output = ats_in(dir.path(), &["score", "--truth", "late_sender.json", "trase"]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        (output.status.code(), error.contains("trase does not exist; give")),
        (Some(2), true),
        "{error}"
    );
}

#[test]
fn a_cube_report_is_scored_as_the_trace() {
    let dir = TempDir::new().unwrap();
    prepare(dir.path());
    let programs = |report: &str| {
        let words = ["score", "--truth", "late_sender.json", report, "--format", "json"];
        let score: Value = serde_json::from_str(&answer(dir.path(), &words)).unwrap();
        (score["tool"].clone(), score["programs"].clone(), score["totals"].clone())
    };
    for verb in ["analyze", "profile"] {
        let file = format!("{verb}.cubex");
        fs::write(dir.path().join(&file), "a former one").unwrap();
        let said = answer(dir.path(), &[verb, "trace", "-o", &file]);
        assert_eq!(said, format!("{file}\n"));
        assert_eq!(programs(&file), programs("trace"), "{verb}");
        let said = answer(dir.path(), &[verb, "trace", "-o", &file, "--format", "json"]);
        let said: Value = serde_json::from_str(&said).unwrap();
        assert_eq!((&said["schema"], &said["files"]), (&json!("ats-done/1"), &json!([file])));
    }
    let read = |file: &str| fs::read(dir.path().join(file)).unwrap();
    assert_eq!(read("analyze.cubex"), read("profile.cubex"));
    let count = fs::read_dir(dir.path()).unwrap().count();
    assert_eq!(count, 4, "nothing is left besides truth, trace and reports");
}

/// The examples of the documentation, in their order.
fn documented() -> Vec<Value> {
    let text = include_str!("../../../../docs/scoring.md");
    let blocks = text.split("```json\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    blocks.map(|block| serde_json::from_str(block).unwrap()).collect()
}

#[test]
fn a_truth_and_a_report_with_only_what_is_needed_are_scored() {
    let dir = TempDir::new().unwrap();
    let [truth, report] = &documented()[..] else { panic!("one truth and one report") };
    for (name, document) in [("heat.json", truth), ("mine.json", report)] {
        fs::write(dir.path().join(name), document.to_string()).unwrap();
        let schema = answer(dir.path(), &["schema", document["schema"].as_str().unwrap()]);
        let validator = jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap();
        let errors: Vec<String> = validator.iter_errors(document).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{name}: {errors:?}");
    }
    let score = |report: &Value| -> (Option<i32>, Value, String) {
        fs::write(dir.path().join("mine.json"), report.to_string()).unwrap();
        let words = ["score", "--truth", "heat.json", "mine.json"];
        let text = String::from_utf8(ats_in(dir.path(), &words).stdout).unwrap();
        let json = ats_in(dir.path(), &[&words[..], &["--format", "json"]].concat());
        (json.status.code(), serde_json::from_slice(&json.stdout).unwrap(), text)
    };
    let (code, right, text) = score(report);
    let expectation = &right["programs"][0]["expectations"][0];
    assert_eq!((code, &expectation["outcome"]), (Some(0), &json!("found")), "{text}");
    assert_eq!((&expectation["locations"], &expectation["amount"]), (&json!("n/a"), &json!("yes")), "{text}");

    let mut misnamed = report.clone();
    misnamed["findings"][0]["property"] = json!("late_receiver");
    let (code, wrong, text) = score(&misnamed);
    assert_eq!(
        (code, &wrong["programs"][0]["expectations"][0]["reported_as"]),
        (Some(1), &json!("late_receiver"))
    );
    assert!(text.contains("missed, reported as late_receiver"), "{text}");
    assert!(
        text.contains("late_sender is reported as late_receiver at MPI_Recv, 1.0000 s")
            && text.contains("false alarm: 8.33 % (1.0000 s), late_receiver at …/MPI_Recv"),
        "{text}"
    );
}

#[test]
fn reports_are_read_as_their_schema_says() {
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("heat.json"), documented()[0].to_string()).unwrap();
    let schema = answer(dir.path(), &["schema", "ats-report/1"]);
    let validator = jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap();
    let is_read = |finding: &Value| {
        let report = json!({ "schema": "ats-report/1", "findings": [finding] });
        fs::write(dir.path().join("mine.json"), report.to_string()).unwrap();
        let words = ["score", "--truth", "heat.json", "mine.json", "--format", "json"];
        let score: Value = serde_json::from_slice(&ats_in(dir.path(), &words).stdout).unwrap();
        let is_read = score["programs"][0]["run_status"] == "ok";
        assert_eq!(validator.is_valid(&report), is_read, "{finding} {score:#}");
        is_read
    };
    for finding in [
        json!({ "property": "late_sender", "call": "MPI_Recv", "seconds": 1.0 }),
        json!({ "property": "mpi_latesender", "call_path": ["MPI_Recv"], "share": 0.1 }),
        json!({ "property": "mpi_point2point", "call": "MPI_Recv", "locations": [{ "rank": 1, "seconds": 1 }] }),
        json!({ "metric": "anything", "call_path": [], "locations": [{ "rank": 1, "thread": 2, "waiting_time": 1 }] }),
    ] {
        assert!(is_read(&finding), "{finding}");
    }
    for finding in [
        json!({ "property": "LateSender", "call": "MPI_Recv", "seconds": 1.0 }),
        json!({ "property": "late_sender", "call": "MPI_Recv", "seconds": "1.0" }),
        json!({ "property": "late_sender", "seconds": 1.0 }),
        json!({ "property": "late_sender", "call": "MPI_Recv", "locations": [{ "seconds": 1 }] }),
        json!({ "property": "late_sender", "call": "MPI_Recv", "locations": [{ "rank": -1, "seconds": 1 }] }),
        json!({ "property": "late_sender", "call": "MPI_Recv", "secs": 1.0 }),
    ] {
        assert!(!is_read(&finding), "{finding}");
    }
}

#[test]
fn a_score_of_one_report_is_a_line_unless_more_is_asked_for() {
    let dir = TempDir::new().unwrap();
    prepare(dir.path());
    let shown = |more: &[&str]| {
        let words = ["score", "--truth", "late_sender.json", "mine.csv"];
        String::from_utf8(ats_in(dir.path(), &[&words[..], more].concat()).stdout).unwrap()
    };
    fs::write(dir.path().join("mine.csv"), "property,call,seconds\nlate_sender,MPI_Recv,1.0\n").unwrap();
    assert_eq!(shown(&[]), "late_sender: found; no false alarms; amounts off by at most 0.000 %\n");
    let all = shown(&["-v"]);
    assert!(all.starts_with("program ") && all.contains("\nprecision 1.000, recall 1.000"), "{all}");

    fs::write(dir.path().join("mine.csv"), "property,call,seconds\nlate_receiver,MPI_Recv,1.0\n").unwrap();
    let wrong = shown(&[]);
    let last = "late_sender: missed, reported as late_receiver; 1 false alarm\n";
    assert!(wrong.starts_with("program ") && wrong.ends_with(last), "{wrong}");
}

#[test]
fn a_template_is_a_report_that_is_right_in_every_form() {
    let dir = TempDir::new().unwrap();
    prepare(dir.path());
    for (form, name) in [("json", "mine.json"), ("csv", "mine.csv")] {
        let text = answer(dir.path(), &["template", "report", "late_sender", "--as", form]);
        fs::write(dir.path().join(name), text).unwrap();
        answer(dir.path(), &["score", "--truth", "late_sender.json", name]);
        answer(dir.path(), &["convert", name, "-o", "again.json"]);
        answer(dir.path(), &["score", "--truth", "late_sender.json", "again.json"]);
    }
    let table = "property,call path,rank,thread,seconds\n\
                 late_sender,late_sender/mpi_commpattern_sendrecv/MPI_Recv,1,0,0.5\n\
                 late_sender,late_sender/mpi_commpattern_sendrecv/MPI_Recv,3,0,0.5\n";
    assert_eq!(fs::read_to_string(dir.path().join("mine.csv")).unwrap(), table);
    assert_eq!(answer(dir.path(), &["convert", "mine.json", "--as", "csv"]), table);
}

#[test]
fn amounts_that_a_report_does_not_have_are_not_converted_to_zeros() {
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("mine.csv"), "property,call,seconds\nlate_sender,MPI_Recv,1.0\n").unwrap();
    let converted = answer(dir.path(), &["convert", "mine.csv", "-o", "mine.json"]);
    assert_eq!(converted, "mine.json\n");
    let report: Value =
        serde_json::from_str(&fs::read_to_string(dir.path().join("mine.json")).unwrap()).unwrap();
    let finding = &report["findings"][0];
    assert_eq!(finding["waiting_time"], json!(1.0));
    assert_eq!([&report["basis"], &finding["severity"], &finding["instances"]], [&Value::Null; 3]);
    let again = answer(dir.path(), &["convert", "mine.json"]);
    assert_eq!(again, fs::read_to_string(dir.path().join("mine.json")).unwrap());
}

#[test]
fn output_of_a_tool_is_converted_by_a_command_of_its_description() {
    let dir = TempDir::new().unwrap();
    prepare(dir.path());
    let description = answer(dir.path(), &["template", "tool", "mine"]);
    let converts = |script: &str| {
        let convert = format!("convert = ['sh', '-c', '''{script}''', '{{here}}', '{{report}}']\n");
        fs::write(dir.path().join("mine.toml"), description.clone() + &convert).unwrap();
        let words = ["score", "--truth", "late_sender.json", "--tool", "./mine.toml", "profile.out"];
        let output = ats_in(dir.path(), &words);
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    fs::write(dir.path().join("profile.out"), "waited 1.0 in MPI_Recv\n").unwrap();
    let right =
        r#"read _ seconds _ call < "$1"; echo property,call,seconds; echo "late_sender,$call,$seconds""#;
    let (code, text) = converts(right);
    assert!(code == Some(0) && text.contains(": found;"), "{text}");
    let (code, text) = converts("echo nothing >&2; exit 3");
    assert!(
        code == Some(1) && text.contains("unreadable") && text.contains("it ended with exit code 3"),
        "{text}"
    );
    let (code, text) = converts("echo hello");
    assert!(code == Some(1) && text.contains("what it printed is not a report of a known tool"), "{text}");
}

#[test]
fn a_baseline_fails_on_a_regression_alone() {
    let dir = TempDir::new().unwrap();
    prepare(dir.path());
    let (_, right, _) = score(dir.path(), &[]);
    fs::write(dir.path().join("right.json"), right.to_string()).unwrap();
    let (code, _, errors) = score(dir.path(), &["--baseline", "right.json"]);
    assert_eq!((code, errors.as_str()), (Some(0), ""));

    let file = dir.path().join("late_sender.json");
    let mut truth: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    for share in truth["findings"][0]["locations"].as_array_mut().unwrap() {
        share["waiting_time"] = json!(share["waiting_time"].as_f64().unwrap() * 1.2);
    }
    fs::write(&file, truth.to_string()).unwrap();
    let (code, worse, errors) = score(dir.path(), &["--baseline", "right.json"]);
    assert_eq!(code, Some(1), "{errors}");
    assert!(errors.contains("worse: late_sender:"), "{errors}");
    fs::write(dir.path().join("wrong.json"), worse.to_string()).unwrap();
    let (code, _, errors) = score(dir.path(), &["--baseline", "wrong.json"]);
    assert_eq!(code, Some(0), "wrong, but no worse: {errors}");
    let (code, _, errors) = score(dir.path(), &["--baseline", "trace/traces.otf2"]);
    assert_eq!(code, Some(2));
    assert!(errors.contains("traces.otf2 cannot be read as a score"), "{errors}");
}

#[test]
fn scores_are_kept_in_a_folder() {
    let dir = TempDir::new().unwrap();
    prepare(dir.path());
    for _ in 0..2 {
        assert_eq!(score(dir.path(), &["--append", "scores"]).0, Some(0));
    }
    assert_eq!(fs::read_dir(dir.path().join("scores")).unwrap().count(), 2);
}

#[test]
fn a_sweep_says_from_where_on_a_property_is_found() {
    let dir = TempDir::new().unwrap();
    let sweep = ["validate", "--engine", "virtual", "late_sender", "--sweep", "extrawork=1ms,5ms,50ms"];
    let text = answer(dir.path(), &sweep);
    assert!(
        text.contains("late_sender@late_sender/mpi_commpattern_sendrecv/MPI_Recv is found from"),
        "{text}"
    );
    let output =
        ats_in(dir.path(), &["validate", "--engine", "virtual", "late_sender", "--sweep", "extrawork"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_tool_that_is_missing_or_unknown_is_an_error_with_the_fix() {
    let dir = TempDir::new().unwrap();
    let error = |arguments: &[&str]| {
        let output = ats_in(dir.path(), arguments);
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, text) = error(&["validate", "late_sender", "--tool", "scalaska"]);
    assert!(
        code == Some(2) && text.contains("there is no tool `scalaska`; use one of ats, cachegrind, caliper"),
        "{text}"
    );
    let (code, text) = error(&["validate", "late_sender", "--tool", "ats", "--engine", "virtual"]);
    assert!(code == Some(2) && text.contains("works with real processes only"), "{text}");
    prepare(dir.path());
    let (code, text) = error(&["score", "--truth", "trace/traces.otf2", "trace/traces.otf2"]);
    assert!(code == Some(2) && text.contains("cannot be read as a truth"), "{text}");
}

#[test]
fn our_analyzer_is_repeated_kept_and_compared_as_any_tool() {
    let dir = TempDir::new().unwrap();
    let validated = |more: &[&str]| {
        let words = ["validate", "late_sender", "--engine", "virtual", "--format", "json"];
        let output = ats_in(dir.path(), &[&words[..], more].concat());
        let score: Value = serde_json::from_slice(&output.stdout).unwrap();
        (output.status.code(), score, String::from_utf8(output.stderr).unwrap())
    };
    let (code, score, _) = validated(&["--repeat", "3", "--causes", "--append", "scores"]);
    assert_eq!((code, &score["tool"]), (Some(0), &json!("ats-analyzer")));
    let program = &score["programs"][0];
    assert_eq!((&program["repeats"], &program["runs"]), (&json!(3), &json!(3)));
    assert_eq!(program["expectations"][0]["spread"]["outcomes"], json!({ "found": 3 }));
    assert_eq!(score["repeats"]["recall"]["of"], 3);
    let kept = fs::read_dir(dir.path().join("scores")).unwrap().next().unwrap().unwrap().path();
    assert_eq!(serde_json::from_str::<Value>(&fs::read_to_string(&kept).unwrap()).unwrap(), score);
    let baseline = kept.to_str().unwrap();
    let (code, _, errors) = validated(&["--baseline", baseline, "--causes"]);
    assert_eq!((code, errors.as_str()), (Some(0), ""));
    let (code, _, errors) = validated(&["--baseline", baseline]);
    assert!(code == Some(0) && errors.contains("is in the baseline alone"), "{errors}");
}

/// A tool that is attached in this way, with this preloaded, and whose report is our recorder's trace.
fn tool(dir: &Path, name: &str, before: &str, preload: &str) -> String {
    let text = format!(
        "schema = 'ats-tool/1'\nname = '{name}'\ntitle = 'A {name}'\nurl = ''\n[tested]\nnot = 'a test'\n\
         [attach]\n{before}\n\
         [attach.environment]\nLD_PRELOAD = '{preload}{{recorder}}'\nATS_RECORDER_DIR = '{{dir}}/trace'\n\
         [report]\npath = 'trace/*.otf2'\nformat = 'otf2'\n[shows]\ncall_paths = 'user_regions'\n"
    );
    let file = dir.join(format!("{name}.toml"));
    fs::write(&file, text).unwrap();
    file.to_str().unwrap().to_owned()
}

fn validate(dir: &Path, more: &[&str]) -> (Option<i32>, Value) {
    let words = ["validate", "late_sender", "--timeout", "20", "--format", "json"];
    let output = ats_in(dir, &[&words[..], more].concat());
    let document = serde_json::from_slice(&output.stdout);
    (output.status.code(), document.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr))))
}

fn outcome(document: &Value) -> &str {
    document["programs"][0]["expectations"][0]["outcome"].as_str().unwrap()
}

/// On a busy machine a wait may not show.
fn is_answered(document: &Value) -> bool {
    ["found", "not_manifested", "below_threshold"].contains(&outcome(document))
}

#[test]
fn programs_run_under_tools_that_behave_and_that_do_not() {
    let dir = TempDir::new().unwrap();
    let score = |dir: &Path, name: &str, before: &str, more: &[&str]| {
        let tool = tool(dir, name, before, "");
        validate(dir, &[&["--tool", tool.as_str()], more].concat())
    };

    let (_, good) = score(dir.path(), "good", "before_program = ['env']", &["--repeat", "2"]);
    assert!(is_answered(&good), "{good:#}");
    assert_eq!((&good["programs"][0]["repeats"], &good["tool"]), (&json!(2), &json!("good")));
    assert!(good["programs"][0]["intrusiveness"]["wall_time"].as_f64().unwrap() > 0.0);
    let again = ats_in(dir.path(), &["score", "--truth", "target/ats-validation", "target/ats-validation"]);
    assert!(!again.stdout.is_empty(), "{}", String::from_utf8_lossy(&again.stderr));

    let fails = |dir: &Path, (name, before, wanted): (&str, &str, &str)| {
        let (code, score) = score(dir, name, before, &[]);
        assert_eq!((code, outcome(&score)), (Some(1), wanted), "{score:#}");
        assert_eq!(score["totals"]["support_rate"], json!(0.0), "{name}");
        assert_eq!(score["totals"]["correctly_silent"], json!(0), "{name} is no silence");
    };
    let leaves_nothing = &|dir: &Path, (name, before, wanted, said): (&str, &str, &str, &str)| {
        let (code, score) = score(dir, name, before, &[]);
        let program = &score["programs"][0];
        let message = program["message"].as_str().unwrap();
        assert_eq!((code, program["run_status"].as_str().unwrap()), (Some(1), wanted), "{score:#}");
        assert!(message.contains(said), "{message}");
    };
    let elsewhere = [TempDir::new().unwrap(), TempDir::new().unwrap()];
    let [first, second] = elsewhere.each_ref().map(TempDir::path);
    thread::scope(|scope| {
        // These do nothing until their time is over.
        scope.spawn(|| fails(first, ("hang", "before_program = ['sh', '-c', 'sleep 1000']", "timeout")));
        let clings = r#"before_program = ['sh', '-c', '"$0" "$@"; sleep 1000']"#;
        let said = "had done its work and said so";
        scope.spawn(move || leaves_nothing(second, ("clings", clings, "hung_at_exit", said)));
        for failing in [
            ("crash", "before_program = ['false']", "tool_error"),
            ("meddler", "before_program = ['sh', '-c', 'exec \"$0\" \"$@\" --seed 2']", "semantics_changed"),
            ("mute", "before_program = ['sh', '-c', 'exec \"$0\" \"$@\" >/dev/null']", "semantics_changed"),
        ] {
            fails(dir.path(), failing);
        }
        // When all ranks have ended: one that deletes what another is writing is a crash.
        let loses = r#"before_launcher = ['sh', '-c', '"$0" "$@"; rm -rf "{dir}/trace"']"#;
        for leaving in [
            ("asks", "before_program = ['sh', '-c', 'read x < /dev/tty || exit 3']", "wanted_terminal", ""),
            ("loses", loses, "no_report", "left no trace/*.otf2"),
        ] {
            leaves_nothing(dir.path(), leaving);
        }
    });
}

/// A library to be preloaded, which passes messages on as they are, or with `FLIP` one bit of each differently.
fn compile(dir: &Path, name: &str, flags: &[&str]) -> String {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/flip.c");
    let library = dir.join(name);
    let mut compiler = Command::new("mpicc.openmpi");
    compiler.args(["-shared", "-fPIC", "-o"]).arg(&library).arg(source).args(flags).arg("-ldl");
    assert!(compiler.status().unwrap().success());
    library.to_str().unwrap().to_owned()
}

#[test]
fn a_flipped_bit_of_a_message_is_noticed() {
    let dir = TempDir::new().unwrap();
    let straight = compile(dir.path(), "straight.so", &[]);
    let flipping = compile(dir.path(), "flipping.so", &["-DFLIP"]);

    for (library, changed) in [(&straight, false), (&flipping, true)] {
        let tool = tool(dir.path(), "courier", "before_program = ['env']", &format!("{library}:"));
        let (code, score) = validate(dir.path(), &["--tool", &tool]);
        assert_eq!(outcome(&score) == "semantics_changed", changed, "{score:#}");
        assert!(changed || is_answered(&score), "{score:#}");
        assert_eq!(score["totals"]["semantics_changed"], json!(if changed { 2 } else { 0 }), "{score:#}");
        assert!(!changed || code == Some(1));

        // The same between the recorder and the program, by a launcher that puts it there.
        let launcher = dir.path().join("mpirun");
        let script = format!(
            "#!/bin/sh\nleft=$#\nwhile [ $left -gt 0 ]; do\n  word=$1; shift; left=$((left - 1))\n  \
             case $word in LD_PRELOAD=*) word=LD_PRELOAD={library}:${{word#LD_PRELOAD=}};; esac\n  \
             set -- \"$@\" \"$word\"\ndone\nexec mpirun.openmpi \"$@\"\n"
        );
        fs::write(&launcher, script).unwrap();
        fs::set_permissions(&launcher, fs::Permissions::from_mode(0o755)).unwrap();
        let (code, validation) = validate(dir.path(), &["--launcher", launcher.to_str().unwrap()]);
        assert_eq!(outcome(&validation) == "semantics_changed", changed, "{validation:#}");
        assert!(changed || is_answered(&validation), "{validation:#}");
        let (totals, programs) = (&validation["totals"], validation["programs"].as_array().unwrap());
        assert_eq!(totals["semantics_changed"], json!(if changed { 2 } else { 0 }), "with the twin");
        if changed {
            assert_eq!((code, &totals["failed"]), (Some(1), &json!(2)), "with the twin");
            let said = programs[0]["message"].as_str().unwrap();
            assert!(said.starts_with("checksum is "), "{said}");
            assert!(programs.iter().all(|program| program["run_status"] == "semantics_changed"));
        }
    }
}

/// Seconds by rank of a wait in a call, in a document that a run has left; of all places where the call is.
fn waits(document: &Path, wait_state: &str, call: &str) -> BTreeMap<u64, f64> {
    let document: Value = serde_json::from_str(&fs::read_to_string(document).unwrap()).unwrap();
    let mut waits = BTreeMap::new();
    for finding in document["findings"].as_array().unwrap() {
        let last = finding["call_path"].as_array().unwrap().last();
        if finding["property"] == wait_state && last.is_some_and(|last| last == call) {
            for share in finding["locations"].as_array().unwrap() {
                *waits.entry(share["rank"].as_u64().unwrap()).or_insert(0.0) +=
                    share["waiting_time"].as_f64().unwrap();
            }
        }
    }
    waits
}

#[test]
fn a_program_under_eztrace_shows_its_waits_though_its_clocks_are_not_measured() {
    // What EZTrace and the machine do between a call's stamps and those of the witness.
    const TOLERANCE: f64 = 0.1;
    let dir = TempDir::new().unwrap();
    let known = include_str!("../../../launch/tools/eztrace.toml");
    for language in ["rust", "c"] {
        let tool = dir.path().join("eztrace.toml");
        fs::write(&tool, known.replacen("[needs]", &format!("[needs]\nlanguages = ['{language}']"), 1))
            .unwrap();
        let words =
            ["validate", "late_sender", "late_broadcast", "--format", "json", "-o", language, "--tool"];
        let output = ats_in(dir.path(), &[&words[..], &[tool.to_str().unwrap()]].concat());
        let score: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
        let programs = score["programs"].as_array().unwrap();
        assert!(programs.iter().all(|program| program["run_status"] == "ok"), "{language}: {score:#}");
        for (program, wait_state, call, ranks) in [
            ("late_sender", "late_sender", "MPI_Recv", &[1, 3][..]),
            ("late_broadcast", "late_broadcast", "MPI_Bcast", &[1, 2, 3]),
        ] {
            let run = dir.path().join(language).join(program);
            let [known, found] =
                ["observed.json", "report.json"].map(|document| waits(&run.join(document), wait_state, call));
            let total: f64 = known.values().sum();
            let share = total / ranks.len() as f64;
            assert!(share > 0.4, "{language}: {program} shows {known:?}");
            for rank in 0..4 {
                let [known, found] = [&known, &found].map(|waits| waits.get(&rank).copied().unwrap_or(0.0));
                assert!(
                    (found - known).abs() < TOLERANCE * share,
                    "{language}: {program} on rank {rank}: {found}, and was {known}"
                );
                assert_eq!(
                    found > share / 2.0,
                    ranks.contains(&rank),
                    "{language}: {program} on rank {rank}"
                );
            }
            let twin = dir.path().join(language).join(format!("{program}_balanced"));
            let found: f64 = waits(&twin.join("report.json"), wait_state, call).values().sum();
            let known: f64 = waits(&twin.join("observed.json"), wait_state, call).values().sum();
            assert!(
                found < known + TOLERANCE * total,
                "{language}: {program}_balanced: {found}, and was {known}"
            );
        }
    }
}
