//! Changes of plain C programs, whose code no region marks: what `ats what-if` and `ats explain --gains` say of them.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::common::{answer, ats_in};
use crate::documents::document;

/// The folder with the traces of the corpus.
fn corpus() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../peers/corpus"))
}

/// The trace of a program of the corpus.
fn trace(program: &str) -> String {
    format!("{program}/trace")
}

/// The options of the change that gains most, and the share of the run that it gains.
fn best(document: &Value) -> (String, f64) {
    let best = &document["answers"][0];
    let words = best["changes"].as_array().unwrap().iter().map(|word| word.as_str().unwrap());
    let share = best["gain"].as_f64().unwrap() / document["before"]["seconds"].as_f64().unwrap();
    (words.collect::<Vec<_>>().join(" "), share)
}

#[test]
fn the_planted_problem_gains_most() {
    let check = |program: &str, change: &str, least: f64| {
        let (words, share) = best(&document(corpus(), &["what-if", &trace(program), "--each"]));
        assert!(words == change && share >= least, "{program}: {words} gains {share}");
    };
    check("slow_rank_at_allreduce", "--balance between:..slow_rank_at_allreduce.c:5", 0.3);
    check("serial_part_before_bcast", "--balance between:..serial_part_before_bcast.c:6", 0.25);
    check("blocked_chain", "--overlap MPI_Recv", 0.3);
    check("wrong_order_of_receives", "--reorder MPI_Recv", 0.15);
    check("triangular_loop", "--balance !$omp for @triangular_loop.c:5", 0.3);
}

#[test]
fn a_problem_without_a_change_is_noted() {
    let document = document(corpus(), &["what-if", &trace("lock_convoy"), "--each"]);
    let notes = document["notes"].as_array().unwrap();
    assert!(notes.contains(&"no change stands for 1 of the 4 problems of the run".into()), "{notes:?}");
    let small = "the changes for 2 of the 4 problems of the run gain less than 1 % of it each";
    assert!(notes.contains(&small.into()), "{notes:?}");
}

#[test]
fn explanations_have_the_gains_of_the_run() {
    let words = ["explain", &trace("slow_rank_at_allreduce"), "--gains"];
    let document = document(corpus(), &words);
    let gain = &document["problems"][0]["gain"];
    assert_eq!(gain["changes"][1], "between:..slow_rank_at_allreduce.c:5");
    assert_eq!(gain["is_certain"], true);
    assert!(document["replay_error"].as_f64().unwrap().abs() < 1e-3);
    let text = answer(corpus(), &words);
    let sentence = "With `--balance between:..slow_rank_at_allreduce.c:5` the run is ";
    assert!(text.contains(sentence), "{text}");
}

#[test]
fn changes_are_taken_together_one_after_the_other() {
    let document = document(corpus(), &["what-if", &trace("triangular_loop"), "--each"]);
    let after = |at: usize| document["answers"][at]["after"]["seconds"].as_f64().unwrap();
    let together: Vec<f64> =
        document["together"].as_array().unwrap().iter().map(|step| step.as_f64().unwrap()).collect();
    // Two changes are worth it, and the last answer is both.
    assert_eq!(
        (document["answers"].as_array().unwrap().len(), &together[..]),
        (3, &[after(0), after(2)][..])
    );
    assert_eq!(document["answers"][2]["changes"].as_array().unwrap().len(), 4);
    let floor = document["floor"].as_f64().unwrap();
    assert!(after(2) < after(0) && after(2) > floor, "{together:?}, {floor}");
}

#[test]
fn a_run_has_the_factors_waits_and_critical_path_that_other_commands_tell() {
    let folder = tempfile::tempdir().unwrap();
    let repository = folder.path().join("repository").display().to_string();
    let of_trace = trace("blocked_chain");
    answer(corpus(), &["experiment", "add", &repository, &of_trace, "--application", "chain"]);
    let efficiencies = document(corpus(), &["efficiency", &repository]);
    let what_if = document(corpus(), &["what-if", &of_trace, "--speed", "rank:0=1"]);
    let run = &what_if["before"];
    let value = |factors: &Value, name: &str| {
        let factor = factors.as_array().unwrap().iter().find(|factor| factor["name"] == name);
        factor.and_then(|factor| factor["value"].as_f64()).unwrap()
    };
    let factors = ["parallel", "communication", "serialisation", "transfer"];
    for name in factors.map(|name| format!("{name} efficiency")) {
        let of_experiment = value(&efficiencies["experiments"][0]["multiplicative"], &name);
        assert!((value(&run["factors"], &name) - of_experiment).abs() < 1e-9, "{name}");
        assert_eq!(value(&run["factors"], &name), value(&what_if["answers"][0]["after"]["factors"], &name));
    }
    let analysis = document(corpus(), &["analyze", &of_trace, "--causes=all"]);
    let findings = analysis["findings"].as_array().unwrap().iter();
    let late = findings.filter(|finding| finding["property"] == "late_sender" && finding["view"] == "wait");
    let late: f64 = late.map(|finding| finding["waiting_time"].as_f64().unwrap()).sum();
    let waits = run["waits"].as_array().unwrap();
    let of_kind = waits.iter().find(|kind| kind["property"] == "late_sender").unwrap();
    assert!((of_kind["seconds"].as_f64().unwrap() - late).abs() < 1e-9);
    let first = run["critical_path"][0]["call_path"].as_array().unwrap().last().unwrap();
    assert_eq!(first, "main between blocked_chain.c:4 and blocked_chain.c:6");
    let path = analysis["causes"]["critical_path"]["seconds"].as_f64().unwrap();
    let listed = run["critical_path"].as_array().unwrap().iter();
    let listed: f64 = listed.map(|of| of["seconds"].as_f64().unwrap()).sum();
    assert!(listed > 0.9 * path && listed <= path * (1.0 + 1e-9), "{listed} of {path}");
}

#[test]
fn places_that_are_not_there_are_refused() {
    let words = ["what-if", &trace("slow_rank_at_allreduce"), "--speed", "between:..solve.c:7=2"];
    let output = ats_in(corpus(), &words);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("no call of the trace stands at `solve.c:7`"), "{error}");
}

#[test]
fn a_simulator_is_judged_under_smpi() {
    if !ats_testing::required("smpirun") {
        return;
    }
    let dir = tempfile::TempDir::new().unwrap();
    let words = ["validate", "--what-if", "late_broadcast", "late_receiver_eager", "--simulator", "smpi"];
    let score = document(dir.path(), &words);
    assert_eq!((&score["predictor"], &score["totals"]["exact"]), (&"SMPI".into(), &3.into()), "{score}");
    answer(dir.path(), &["trace", "late_broadcast", "-o", "t"]);
    let network = ["--network", "latency=10us,bandwidth=1GB/s", "--simulator", "smpi"];
    let simulated = &document(dir.path(), &[&["what-if", "t"], &network[..]].concat())["simulated"];
    let [predicted, replayed] = ["seconds", "replayed"].map(|key| simulated[key].as_f64().unwrap());
    assert!((predicted - replayed).abs() < 1e-3 * replayed, "{simulated}");
}

#[test]
fn other_tools_are_no_simulators() {
    let dir = tempfile::TempDir::new().unwrap();
    let error = |words: &[&str]| {
        let output = ats_in(dir.path(), words);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let words = ["validate", "--what-if", "late_sender", "--simulator", "callgrind"];
    assert!(error(&words).contains("Callgrind is no simulator of networks"));
    let words = ["validate", "late_sender", "--tool", "smpi"];
    assert!(error(&words).contains("SMPI is a simulator; use --what-if --simulator smpi"));
}

#[test]
fn a_trace_that_ends_early_is_replayed_as_far_as_it_goes() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("trace");
    fs::create_dir_all(copy.join("traces")).unwrap();
    let of_trace = corpus().join(trace("slow_rank_at_allreduce"));
    for part in ["", "traces"] {
        let files = fs::read_dir(of_trace.join(part)).unwrap().map(|entry| entry.unwrap().path());
        for file in files.filter(|file| file.is_file()) {
            fs::copy(&file, copy.join(part).join(file.file_name().unwrap())).unwrap();
        }
    }
    let events = copy.join("traces/1.evt");
    let whole = fs::read(&events).unwrap();
    // In the middle of an operation of all ranks, which the others have more of.
    fs::write(&events, &whole[..whole.len() * 6 / 10]).unwrap();
    let document = document(folder.path(), &["what-if", "trace", "--network", "ideal"]);
    let notes: Vec<&str> =
        document["notes"].as_array().unwrap().iter().map(|note| note.as_str().unwrap()).collect();
    let is_told =
        |begin: &str, end: &str| notes.iter().any(|note| note.starts_with(begin) && note.contains(end));
    assert!(is_told("location 1 ends early: ", "1.evt is cut short at byte"), "{notes:?}");
    assert!(is_told("", "parts of collective operations lack those of other ranks"), "{notes:?}");
    assert_eq!(document["answers"].as_array().unwrap().len(), 1);
}

#[test]
fn changes_that_cannot_be_made_say_why() {
    let check = |options: &[&str], why: &str| {
        let of_trace = trace("blocked_chain");
        let words = [&["what-if", &of_trace], options].concat();
        let output = ats_in(corpus(), &words);
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && error.contains(why), "{options:?}: {error}");
    };
    check(&["--balance", "strat"], "no region of the trace matches `strat`; nearest are `start`");
    check(&["--speed", "start=0"], "`0` is no factor; give a number above 0, such as 2 or 0.5");
    check(&["--remove", "start", "--speed", "start=2"], "`start` is left out, and its time is changed, too");
    check(&["--balance", "rank:9"], "`rank:9` selects no location of the trace");
    check(&["--place", "0"], "give their number, as 4, or that of each rank, as 0,1,1,2");
    check(&["--sweep", "start=0..4"], "`start=0..4` is no range of factors");
}
