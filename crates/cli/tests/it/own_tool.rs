//! `docs/your-tool.md`: from nothing to a scorecard.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::{answer, ats_in, blocks};
use serde_json::{Value, json};
use tempfile::TempDir;

const GUIDE: &str = include_str!("../../../../docs/your-tool.md");
const SOURCE: &str = include_str!("../../../../examples/own-tool/waits.c");
const DESCRIPTION: &str = include_str!("../../../../examples/own-tool/waits.toml");

#[test]
fn its_reports_are_right() {
    let dir = TempDir::new().unwrap();
    let blocks = blocks(GUIDE);
    let report = |format: &str| &blocks.iter().find(|block| block.words == [format]).unwrap().text;
    let truth = answer(dir.path(), &["truth", "late_sender", "--np", "4", "--format", "json"]);
    fs::write(dir.path().join("late_sender.json"), truth).unwrap();
    for (name, format) in [("mine.json", "json"), ("mine.csv", "csv")] {
        fs::write(dir.path().join(name), report(format)).unwrap();
        let said = answer(dir.path(), &["score", "--truth", "late_sender.json", name]);
        assert!(said.starts_with("late_sender: found;"), "{said}");
    }
}

#[test]
fn its_tool_is_the_example_and_has_30_lines() {
    assert!(SOURCE.lines().count() <= 30);
    let (_, description) = DESCRIPTION.split_once('\n').unwrap();
    assert!(GUIDE.contains(&format!("```toml\n{description}```\n")));
}

/// The tool, built in a folder, with its description.
fn build(dir: &Path, description: &str) {
    fs::write(dir.join("waits.c"), SOURCE).unwrap();
    fs::write(dir.join("waits.toml"), description).unwrap();
    let words = ["-shared", "-fPIC", "-o", "libwaits.so", "waits.c"];
    assert!(Command::new("mpicc.openmpi").args(words).current_dir(dir).status().unwrap().success());
}

#[test]
fn its_tool_has_a_scorecard() {
    let dir = TempDir::new().unwrap();
    let judged = |description: &str| -> Vec<Value> {
        build(dir.path(), description);
        let words =
            ["validate", "late_sender", "late_broadcast", "--tool", "./waits.toml", "--format", "json"];
        let output = ats_in(dir.path(), &words);
        let score: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
        let programs = score["programs"].as_array().unwrap().iter();
        programs.filter_map(|program| program["expectations"].get(0).cloned()).collect()
    };
    let expected = |description: &str, late_broadcast: &str| {
        let judged = judged(description);
        let [late_sender, other] = &judged[..] else { panic!("two waits: {judged:#?}") };
        // All of MPI_Recv is more than the wait where the machine is busy, and a wait may not show.
        if late_sender["outcome"] != "not_manifested" {
            let right = (&json!("yes"), &json!("yes"));
            assert_eq!((&late_sender["property"], &late_sender["place"]), right, "{late_sender:#}");
        }
        assert!(
            [late_broadcast, "not_manifested"].contains(&other["outcome"].as_str().unwrap()),
            "{other:#}"
        );
    };
    expected(DESCRIPTION, "missed");
    expected(&(DESCRIPTION.to_owned() + "wait_states = ['late_sender']\n"), "unsupported");
}
