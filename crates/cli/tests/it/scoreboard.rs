//! `ats scoreboard`: the tools side by side, as the repository keeps them.

use std::fs;
use std::path::Path;

use crate::common::{answer, ats_in};
use serde_json::Value;
use tempfile::TempDir;

#[test]
fn the_page_of_the_repository_is_that_of_its_scores() {
    let root = ats_testing::suite();
    let dir = TempDir::new().unwrap();
    std::os::unix::fs::symlink(
        root.join("docs/scores").canonicalize().unwrap(),
        dir.path().join("docs-scores"),
    )
    .unwrap();
    let page = dir.path().join("page.html");
    let words = ["scoreboard", "docs-scores", "-o", "board.md", "--html", page.to_str().unwrap()];
    assert_eq!(answer(dir.path(), &words), format!("board.md\n{}\n", page.display()));
    let made = fs::read_to_string(dir.path().join("board.md")).unwrap();
    let kept = fs::read_to_string(root.join("docs/scoreboard.md")).unwrap();
    let after_its_command = |text: &str| text.split_once("## The tools").unwrap().1.to_owned();
    assert_eq!(
        after_its_command(&made),
        after_its_command(&kept),
        "make it again: ats scoreboard docs/scores -o docs/scoreboard.md"
    );
    assert!(kept.contains("`ats scoreboard docs/scores -o docs/scoreboard.md`"));
    let page = fs::read_to_string(page).unwrap();
    for part in ["Recall against false alarms", "mpip 3.5.0", "<b>cause</b> of tau", "Left out"] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn it_is_a_document() {
    let root = ats_testing::suite();
    let board: Value =
        serde_json::from_str(&answer(root, &["scoreboard", "docs/scores", "--format", "json"])).unwrap();
    let schema: Value = serde_json::from_str(&answer(root, &["schema", "ats-scoreboard/1"])).unwrap();
    assert!(jsonschema::is_valid(&schema, &board));
    let names: Vec<&str> =
        board["scores"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert!(names.is_sorted() && names.contains(&"scalasca"), "{names:?}");
}

#[test]
fn root_causes_have_a_column_and_a_row_for_each_program() {
    let dir = TempDir::new().unwrap();
    let program = ["late_sender_propagation", "--np", "4"];
    answer(dir.path(), &[&["truth", "--causes", "-o", "truth.json"], &program[..]].concat());
    answer(dir.path(), &[&["trace", "-o", "ideal"], &program[..]].concat());
    fs::create_dir(dir.path().join("scores")).unwrap();
    for (tool, options) in [("with", &["--causes"][..]), ("without", &[])] {
        let report = format!("{tool}.cubex");
        answer(dir.path(), &[&["analyze", "ideal", "-o", &report], options].concat());
        let score = ats_in(dir.path(), &["score", "--truth", "truth.json", &report, "--format", "json"]);
        fs::write(dir.path().join(format!("scores/{tool}.json")), score.stdout).unwrap();
    }
    let board = answer(dir.path(), &["scoreboard", "scores"]);
    let cells = |begin: &str| {
        let line = board.lines().find(|line| line.starts_with(begin)).unwrap_or_else(|| panic!("{board}"));
        line.trim_matches('|').split('|').map(str::trim).collect::<Vec<_>>()
    };
    let head = cells("|  | tool");
    let at = |column: &str| head.iter().position(|name| *name == column).unwrap();
    let of =
        |tool: &str| (cells(tool)[at("found")], cells(tool)[at("support")], cells(tool)[at("root causes")]);
    assert_eq!(of("| `with`"), ("1", "1.000", "5 of 5"));
    assert_eq!(of("| `without`"), ("1", "1.000", "–"));
    let mut rows = board.lines().filter(|line| line.starts_with("| `late_sender_propagation`"));
    assert!(rows.next().unwrap().contains("| `late_sender` |"), "{board}");
    assert!(rows.next().unwrap().ends_with("| root causes |  | 5 of 5 | – |"), "{board}");
    assert!(rows.next().is_none(), "{board}");
}

#[test]
fn mistakes_are_reported() {
    let dir = TempDir::new().unwrap();
    let error = |words: &[&str]| {
        let output = ats_in(dir.path(), words);
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(error(&["scoreboard", "nowhere"]).contains("cannot read nowhere"));
    fs::create_dir(dir.path().join("scores")).unwrap();
    assert!(error(&["scoreboard", "scores"]).contains("scores contains no scores; save the output of"));
    fs::write(dir.path().join("scores/tau.json"), "{").unwrap();
    assert!(error(&["scoreboard", "scores"]).contains("scores/tau.json cannot be read as ats-score/1"));
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/scores/tau.json");
    fs::copy(kept, dir.path().join("scores/tau.json")).unwrap();
    let told = error(&["scoreboard", "scores"]);
    assert!(told.contains("scores/causes.toml: 40 mistakes:\n  tau.json: "), "{told}");
    fs::write(dir.path().join("scores/causes.toml"), "schema = \"ats-causes/1\"\n[[caus]]\n").unwrap();
    let told = error(&["scoreboard", "scores"]);
    assert!(
        told.contains("scores/causes.toml cannot be read as ats-causes/1") && told.contains("caus"),
        "{told}"
    );
    assert!(error(&["scoreboard", "scores", "-o", "scores/tau.json"]).contains("is what is read"));
}
