//! The guides in `docs/`: what they tell a reader to type works, in one folder and in the order of the page, and
//! answers what stands below it.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::blocks;
use tempfile::TempDir;

const GUIDES: [&str; 10] = [
    "tutorial.md",
    "record-and-analyze.md",
    "compositions.md",
    "ci.md",
    "profile.md",
    "summaries.md",
    "experiments.md",
    "diagnosis.md",
    "overheads.md",
    "efficiency.md",
];

/// Does what a page says, but for what is really run if that is not wanted; how many commands that were.
fn follow(page: &str, really: bool) -> usize {
    let folder = TempDir::new().unwrap();
    let (mut answer, mut measured, mut followed) = (None, None, 0);
    for block in blocks(page) {
        match &block.words[..] {
            ["toml" | "yaml" | "csv" | "json", name] => {
                fs::write(folder.path().join(name), &block.text).unwrap()
            }
            ["sh"] => {
                answer = Some(run(folder.path(), &block.text));
                followed += 1;
            }
            ["sh", "mpi"] => {
                if really {
                    measured = Some(run(folder.path(), &block.text));
                    followed += 1;
                }
                answer = None;
            }
            ["text", "measured"] => {
                if let Some(measured) = measured.take() {
                    let (found, said) = (words(&measured), words(&block.text));
                    assert!(found.starts_with(&said), "it answers\n{measured}\nand not as\n{}", block.text);
                }
            }
            ["text"] => {
                if let Some(answer) = answer.take() {
                    assert!(answer.starts_with(&block.text), "it answers\n{answer}\nand not\n{}", block.text);
                }
            }
            _ => (answer, measured) = (None, None),
        }
    }
    followed
}

/// The words of each line without numbers, which each measurement has others of.
fn words(text: &str) -> Vec<Vec<&str>> {
    let is_number = |word: &&str| word.contains(|c: char| c.is_ascii_digit()) && !word.contains(['/', '×']);
    text.lines().map(|line| line.split_whitespace().filter(|word| !is_number(word)).collect()).collect()
}

/// The answer of the last of these commands; all must end well.
fn run(folder: &Path, commands: &str) -> String {
    let ats = Path::new(env!("CARGO_BIN_EXE_ats")).parent().expect("it lies in a folder");
    let path = format!("{}:{}", ats.display(), std::env::var("PATH").unwrap_or_default());
    let (last, before) = commands
        .lines()
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .split_last()
        .map(|(last, before)| ((*last).to_owned(), before.join("\n")))
        .expect("a block has a command");
    let shell = |commands: &str| {
        let mut shell = Command::new("sh");
        let _session = ats_testing::ready_for_open_mpi(&mut shell);
        let output = shell
            .args(["-eu", "-c", commands])
            .current_dir(folder)
            .env("PATH", &path)
            .env("ATS_CALIBRATION", folder.join("calibration.json"))
            .output()
            .unwrap();
        assert!(output.status.success(), "{commands}\n{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    shell(&before);
    shell(&last)
}

fn page(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name)).unwrap()
}

#[test]
fn what_a_guide_says_works_in_virtual_time() {
    for name in GUIDES {
        assert!(follow(&page(name), false) > 0, "{name} has commands");
    }
}

#[test]
fn what_a_guide_says_works_on_a_real_machine() {
    for name in GUIDES {
        follow(&page(name), true);
    }
}

#[test]
#[should_panic(expected = "and not")]
fn an_answer_that_is_not_what_the_page_says_is_told() {
    follow("```sh\nats list --format json\n```\n```text\nnothing\n```\n", false);
}

#[test]
#[should_panic(expected = "and not as")]
fn an_answer_with_other_words_than_the_page_says_is_told() {
    follow("```sh mpi\necho 2.5 seconds\n```\n```text measured\n3.5 hours\n```\n", true);
}

#[test]
fn numbers_of_measurements_may_differ() {
    assert_eq!(follow("```sh mpi\necho 2.5 seconds\n```\n```text measured\n3.5 seconds\n```\n", true), 1);
}
