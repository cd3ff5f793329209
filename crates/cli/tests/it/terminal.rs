//! The output on a terminal, and the output for a script.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::{answer, ats_in};
use tempfile::TempDir;

const GREEN: &str = "\u{1b}[32m";

/// The output of a shell's command on a wide terminal of its own.
fn on_terminal(dir: &Path, command: &str) -> String {
    let command = command.replace("ats ", &format!("{} ", env!("CARGO_BIN_EXE_ats")));
    let output = Command::new("script")
        .args(["-qec", &format!("stty cols 180 rows 40; {command}"), "/dev/null"])
        .current_dir(dir)
        .envs([("TERM", "xterm"), ("SHELL", "/bin/sh")])
        .env_remove("NO_COLOR")
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap().replace('\r', "\n")
}

const WORDS: [&str; 5] = ["validate", "--engine", "virtual", "late_sender", "early_gather"];

#[test]
fn results_come_one_by_one_to_a_terminal_and_not_again_at_the_end() {
    if !ats_testing::required("script") {
        return;
    }
    let dir = TempDir::new().unwrap();
    let shown = on_terminal(dir.path(), "ats validate --engine virtual late_sender early_gather");
    for (verdict, program) in [("    found", "late_sender"), ("   silent", "early_gather_balanced")] {
        assert!(shown.contains(&format!("{GREEN}{verdict}\u{1b}[0m  {program} ")), "{shown}");
    }
    assert_eq!(shown.matches("late_sender/mpi_commpattern_sendrecv/MPI_Recv").count(), 1, "{shown}");
    assert!(shown.contains("call path") && shown.contains("programs 4: found 2"), "{shown}");

    let kept = on_terminal(dir.path(), "ats validate --engine virtual late_sender early_gather > table.txt");
    assert!(kept.contains("late_sender_balanced") && !kept.contains("programs 4"), "{kept}");
    assert_eq!(fs::read_to_string(dir.path().join("table.txt")).unwrap(), answer(dir.path(), &WORDS));
}

#[test]
fn quiet_shows_failures_and_totals() {
    let dir = TempDir::new().unwrap();
    let quiet = answer(dir.path(), &[&WORDS[..], &["-q"]].concat());
    assert!(quiet.starts_with("programs 4: found 2, wrong 0"), "{quiet}");
    if ats_testing::required("script") {
        let shown = on_terminal(dir.path(), "ats validate -q --engine virtual late_sender early_gather");
        assert_eq!(shown.lines().filter(|line| !line.is_empty()).count(), 2, "{shown}");
    }
}

#[test]
fn a_pipe_has_colours_only_where_they_are_asked_for() {
    let dir = TempDir::new().unwrap();
    let with = |words: &[&str]| answer(dir.path(), &[&WORDS[..], words].concat());
    let plain = with(&[]);
    assert!(!plain.contains('\u{1b}'));
    assert_eq!(with(&["--color", "never"]), plain);
    let coloured = with(&["--color", "always"]);
    assert_eq!(coloured.matches(&format!("{GREEN}found\u{1b}[0m\n")).count(), 2, "{coloured}");
    assert_eq!(coloured.replace(GREEN, "").replace("\u{1b}[0m", ""), plain);
    assert_eq!(String::from_utf8(ats_in(dir.path(), &WORDS).stderr).unwrap(), "", "nobody waits");
}

const FORMS: [&str; 5] = ["html", "junit", "sarif", "csv", "markdown"];

#[test]
fn files_besides_the_answer_are_those_of_a_report() {
    let dir = TempDir::new().unwrap();
    let options: Vec<String> = FORMS.iter().map(|form| format!("--{form}={form}.out")).collect();
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let is_report = |result: &str| {
        for form in FORMS {
            let report = answer(dir.path(), &["report", result, "--as", form]);
            let file = dir.path().join(format!("{form}.out"));
            assert!(fs::read_to_string(&file).unwrap() == report, "{form} of {result}");
            fs::remove_file(file).unwrap();
        }
    };
    let validation = answer(dir.path(), &[&WORDS[..], &["--format", "json"], &options].concat());
    fs::write(dir.path().join("validation.json"), validation).unwrap();
    is_report("validation.json");

    let truth = answer(dir.path(), &["truth", "late_sender", "--format", "json"]);
    fs::write(dir.path().join("truth.json"), truth).unwrap();
    answer(dir.path(), &["trace", "late_sender", "-o", "ideal"]);
    let words = ["score", "--truth", "truth.json", "ideal", "--format", "json"];
    fs::write(dir.path().join("score.json"), answer(dir.path(), &[&words[..], &options].concat())).unwrap();
    is_report("score.json");
}

#[test]
fn files_that_cannot_be_written_are_refused_before_anything_is_done() {
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("mine.toml"), "").unwrap();
    for (words, why) in [
        (&["--junit", "no/such/folder.xml"][..], "give a file in a folder that is there"),
        (&["--csv", "."], "give a file in a folder that is there"),
        (&["./mine.toml", "--html", "mine.toml"], "mine.toml"),
    ] {
        let output = ats_in(dir.path(), &[&WORDS[..3], words].concat());
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && error.contains(why), "{words:?}: {error}");
        assert_eq!(output.stdout, b"");
    }
    let output = ats_in(dir.path(), &["score", "--truth", "mine.toml", "x", "--junit", "mine.toml"]);
    assert!(String::from_utf8(output.stderr).unwrap().contains("would be lost"));
}
