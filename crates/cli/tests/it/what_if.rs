//! Changes of plain C programs, whose code no region marks: what `ats what-if` and `ats explain --gains` say of them.

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
    check("wrong_order_of_receives", "--overlap MPI_Recv", 0.15);
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
fn places_that_are_not_there_are_refused() {
    let words = ["what-if", &trace("slow_rank_at_allreduce"), "--speed", "between:..solve.c:7=2"];
    let output = ats_in(corpus(), &words);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("no call of the trace stands at `solve.c:7`"), "{error}");
}
