//! All commands that take a trace or a run.

use std::fmt;
use std::fs;
use std::path::Path;

use ats_documents::{Analysis, Explanation};
use ats_testing::assert_ids_are_unique;

use super::ats_in;
use crate::documents::{document, page_data};

/// Answers of the commands about a trace.
pub(super) struct Said {
    pub(super) analysis: Analysis,
    /// All problems, however small.
    pub(super) explanation: Explanation,
    /// The explanation in words.
    pub(super) text: String,
}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for finding in &self.analysis.findings {
            writeln!(f, "{:.6} s {}", finding.waiting_time, finding.id)?;
        }
        f.write_str(&self.text)
    }
}

/// Standard output of a command that must end well, and without a panic in any thread.
fn run(dir: &Path, words: &[&str]) -> String {
    let output = ats_in(dir, words);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && !errors.contains("panicked at"), "{words:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// Gives the recorded `trace` in a folder to all commands. Their documents are checked against their schemas, and the pages for
/// elements of one id.
pub(super) fn run_all(dir: &Path) -> Said {
    let documents: [&[&str]; 5] = [
        &["compare", "trace", "trace"],
        &["analyze", "trace", "--causes=all"],
        &["explain", "trace"],
        &["profile", "trace"],
        &["profile", "trace", "--summaries"],
    ];
    documents.iter().for_each(|words| drop(document(dir, words)));
    let texts: [&[&str]; 12] = [
        &["analyze", "trace", "--causes=all"],
        &["explain", "trace", "--details", "--sarif", "trace.sarif"],
        &["profile", "trace", "--tree"],
        &["profile", "trace", "--graph", "text"],
        &["profile", "trace", "--stacks"],
        &["draw", "trace"],
        &["draw", "trace", "-o", "trace.svg"],
        &["export", "trace", "--as", "chrome", "-o", "trace.json"],
        &["export", "trace", "--as", "speedscope", "-o", "trace.speedscope.json"],
        &["export", "trace", "--explain", "-o", "trace.html"],
        &["analyze", "trace", "--causes", "-o", "trace.cubex"],
        &["convert", "trace.cubex", "-o", "report.json"],
    ];
    texts.iter().for_each(|words| drop(run(dir, words)));
    page_data(dir, "trace.html");
    run_experiments(dir);
    for page in ["trace.html", "experiments.html"] {
        assert_ids_are_unique(&fs::read_to_string(dir.join(page)).unwrap());
    }
    answers(dir)
}

/// Gives the recorded `trace` in a folder to the commands whose answers are compared with what is right.
pub(super) fn answers(dir: &Path) -> Said {
    let analysis = document(dir, &["analyze", "trace"]);
    let explanation = document(dir, &["explain", "trace", "--top", "1000", "--above", "0"]);
    Said {
        analysis: serde_json::from_value(analysis).unwrap(),
        explanation: serde_json::from_value(explanation).unwrap(),
        text: run(dir, &["explain", "trace"]),
    }
}

/// Adds the trace to a repository twice, and compares both.
fn run_experiments(dir: &Path) {
    let add = |repeat| {
        let words = ["experiment", "add", "repo", "trace", "--application", "corpus", "--repeat", repeat];
        format!("repo/{}", run(dir, &words).trim())
    };
    let [first, second] = ["1", "2"].map(add);
    let documents: [&[&str]; 6] = [
        &["compare", &first, &second],
        &["experiment", "list", "repo"],
        &["experiment", "show", "repo", first.strip_prefix("repo/").unwrap()],
        &["diagnose", "repo"],
        &["efficiency", "repo"],
        &["overheads", &second, "--sequential", &first],
    ];
    documents.iter().for_each(|words| drop(document(dir, words)));
    crate::agreement::check(dir, "trace", [&first, &second]);
    for (form, file) in
        [("html", "experiments.html"), ("csv", "experiments.csv"), ("jsonl", "experiments.jsonl")]
    {
        run(dir, &["experiment", "export", "repo", "--as", form, "-o", file]);
    }
}
