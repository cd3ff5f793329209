//! Models and predictions, from the command line.

use std::fs;
use std::path::Path;

use ats_documents::{Efficiencies, Models, Overheads, Prediction};
use serde::de::DeserializeOwned;
use tempfile::TempDir;

use crate::common::{answer, ats_in};

fn document<D: DeserializeOwned>(dir: &Path, words: &[&str]) -> D {
    serde_json::from_str(&answer(dir, &[words, &["--format", "json"]].concat())).unwrap()
}

/// The message of a command that is refused.
fn refused(dir: &Path, words: &[&str]) -> String {
    let output = ats_in(dir, words);
    assert_eq!(output.status.code(), Some(2), "{words:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// A folder with runs of `amdahl` on these numbers of ranks, and models of them.
fn modelled() -> TempDir {
    let dir = TempDir::new().unwrap();
    for ranks in ["4", "6", "8", "12", "16"] {
        answer(dir.path(), &["experiment", "add", "REPO", "amdahl", "--engine", "virtual", "--np", ranks]);
    }
    answer(dir.path(), &["model", "REPO", "-o", "models.json"]);
    dir
}

#[test]
fn a_prediction_is_compared_and_kept() {
    let dir = modelled();
    let dir = dir.path();
    let words = ["predict", "models.json", "ranks=64", "--engine", "virtual", "--keep", "REPO"];
    let found: Prediction = document(dir, &words);
    let [size] = &found.sizes[..] else { panic!("{found:?}") };
    assert!((size.whole.time.value - 5.0 * (0.02 + 0.08 / 64.0)).abs() < 1e-9, "{:?}", size.whole);
    for of in size.whole.terms.values().chain([&size.whole.time]) {
        assert!(of.holds(of.measured.unwrap()), "{of:?}");
    }
    let kept = "REPO/amdahl/unversioned/amdahl-predicted.Ranks64.threads1.r1";
    let efficiencies: Efficiencies = document(dir, &["efficiency", kept]);
    assert_eq!(efficiencies.experiments[0].ranks, 64);
    let overheads: Overheads =
        document(dir, &["overheads", kept, "--sequential", "REPO/amdahl-virtual.Ranks4.threads1.r1"]);
    assert_eq!(overheads.experiments[0].program.time, size.sum.map(|sum| sum.value));
    let listed = answer(dir, &["experiment", "list", "REPO"]);
    assert!(listed.contains("amdahl-predicted"), "{listed}");
    let against: Prediction = document(
        dir,
        &["predict", "models.json", "ranks=8", "--against", "REPO/amdahl-virtual.Ranks8.threads1.r1"],
    );
    assert!(against.sizes[0].whole.time.measured.is_some());
}

#[test]
fn models_are_shown_and_sizes_varied() {
    let dir = modelled();
    let dir = dir.path();
    let models: Models = document(dir, &["model", "REPO"]);
    assert_eq!(models.parameters[0].values, [4.0, 6.0, 8.0, 12.0, 16.0]);
    assert!(answer(dir, &["model", "REPO"]).contains("the program"));
    let varied: Prediction = document(dir, &["predict", "models.json", "--sweep", "ranks=1..1024"]);
    assert_eq!(varied.sizes.len(), 11);
    answer(dir, &["predict", "models.json", "--sweep", "ranks=4..1024", "-o", "drawn.svg"]);
    let drawn = fs::read_to_string(dir.join("drawn.svg")).unwrap();
    assert!(drawn.contains("predicted, by 0.4 * ranks^-1 + 0.1<") && drawn.contains(">measured<"), "{drawn}");
    let text = answer(dir, &["predict", "models.json", "--until", "efficiency=0.5"]);
    assert!(text.starts_with("the efficiency is at least 50.0 % up to ranks=12"), "{text}");
    let costs = "schema = \"ats-costs/1\"\n[region.amdahl]\ncomputation = \"work / ranks\"\nwaiting = \"alone * (ranks - 1) / ranks\"\n";
    fs::write(dir.join("costs.toml"), costs).unwrap();
    answer(dir, &["model", "REPO", "--costs", "costs.toml", "-o", "calibrated.json"]);
    let given: Prediction = document(dir, &["predict", "calibrated.json", "ranks=1024"]);
    let slow = ["--engine", "virtual", "--network", "latency=1ms"];
    let compared: Prediction = document(dir, &[&["predict", "models.json", "ranks=8"], &slow[..]].concat());
    let time = compared.sizes[0].whole.time;
    assert!(time.measured.unwrap() > time.high, "messages take their time: {time:?}");
    let costs = "schema = \"ats-costs/1\"\n[region.halo]\nmessages = \"2\"\nbytes = \"1e6\"\n";
    fs::write(dir.join("halo.toml"), costs).unwrap();
    let network = ["--network", "latency=1ms,bandwidth=1GB/s,overhead=1us"];
    let halo: Prediction = document(dir, &[&["predict", "halo.toml"], &network[..]].concat());
    assert!((halo.sizes[0].whole.time.value - 3.004e-3).abs() < 1e-12, "{halo:?}");
    assert!((given.sizes[0].whole.time.value - 5.0 * (0.02 + 0.08 / 1024.0)).abs() < 1e-9, "{given:?}");
}

#[test]
fn wrong_questions_are_refused() {
    let dir = modelled();
    let dir = dir.path();
    for (words, said) in [
        (&["predict", "models.json", "rank=8"][..], "there is no parameter `rank`; did you mean ranks?"),
        (&["predict", "models.json"], "`ranks` has no value; give it, as ranks=16"),
        (
            &["predict", "models.json", "ranks=8", "--scale", "computaton=2"],
            "there is no term `computaton`; did you mean computation?",
        ),
        (&["predict", "models.json", "ranks=4..8"], "to vary it write --sweep ranks=4..8"),
        (&["predict", "models.json", "ranks=8..4"], "write ranks=4..8"),
        (&["predict", "models.json", "--sweep", "ranks=4..5", "-o", "x.svg"], "a drawing needs two sizes"),
        (
            &["predict", "models.json", "ranks=8", "--network", "latency=1us"],
            "fitted models have a time of their own; scale it",
        ),
        (&["predict", "none.json", "ranks=8"], "cannot read none.json"),
        (&["predict", "REPO/repository.json", "ranks=8"], "make one with `ats model`"),
        (&["predict", "models.json", "ranks=8", "--until", "speed=2"], "--until knows no `speed`"),
        (&["predict", "models.json", "ranks=8", "--measured", "solve"], "write REGION=REPO/EXPERIMENT"),
        (&["model", "REPO", "ranks=4", "-o", "x.json"], "the runs differ in no parameter"),
        (&["model", "REPO", "ranks<8", "-o", "x.json"], "a model needs at least three"),
    ] {
        let error = refused(dir, words);
        assert!(error.contains(said), "{words:?}: {error}");
    }
}
