//! The guides in `docs/`: what they tell a reader to type works, in one folder and in the order of the page, and
//! answers what stands below it.

use std::fs;
use std::path::Path;
use std::process::Command;

use ats_documents::Explanation;
use ats_documents::explanation::CauseKind;
use tempfile::TempDir;

use crate::common::{answer, blocks};

const GUIDES: [&str; 12] = [
    "tutorial.md",
    "record-and-analyze.md",
    "compositions.md",
    "ci.md",
    "compare.md",
    "profile.md",
    "summaries.md",
    "experiments.md",
    "diagnosis.md",
    "overheads.md",
    "efficiency.md",
    "prediction.md",
];

/// Does what a page says, but for what is really run if that is not wanted; how many commands that were.
fn follow(page: &str, really: bool) -> usize {
    follow_in(TempDir::new().unwrap().path(), page, really)
}

/// The same in a folder.
fn follow_in(folder: &Path, page: &str, really: bool) -> usize {
    let (mut answer, mut measured, mut followed) = (None, None, 0);
    for block in blocks(page) {
        match &block.words[..] {
            ["toml" | "yaml" | "csv" | "json" | "c", name] => {
                fs::write(folder.join(name), &block.text).unwrap()
            }
            ["sh"] => {
                answer = run(folder, &block.text);
                followed += 1;
            }
            ["sh", "mpi"] => {
                if really {
                    measured = run(folder, &block.text);
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

/// The words of each line without numbers, which each measurement has others of, and without the mark of the worst.
fn words(text: &str) -> Vec<Vec<&str>> {
    let is_number = |word: &str| word.contains(|c: char| c.is_ascii_digit()) && !word.contains(['/', '×']);
    let is_measured = |word: &&str| is_number(word) || *word == "*";
    text.lines().map(|line| line.split_whitespace().filter(|word| !is_measured(word)).collect()).collect()
}

/// The answer of the last of these commands; all must end well. None if the machine disturbed a run, so that it may be judged
/// wrong.
fn run(folder: &Path, commands: &str) -> Option<String> {
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
        let [said, errors] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
        if output.status.code() == Some(1) && said.contains("\nthe machine disturbed ") {
            return None;
        }
        assert!(output.status.success(), "{commands}\n{said}\n{errors}");
        Some(said.into_owned())
    };
    shell(&before)?;
    shell(&last)
}

fn page(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name)).unwrap()
}

#[test]
fn guides_work_in_virtual_time() {
    for name in GUIDES {
        assert!(follow(&page(name), false) > 0, "{name} has commands");
    }
}

#[test]
fn guides_work_on_a_real_machine() {
    for name in GUIDES {
        follow(&page(name), true);
    }
}

/// The page ends with what an expert would say of its program: rank 0 works alone, and the last rank has more work.
#[test]
fn the_case_study_holds_on_a_real_machine() {
    let folder = TempDir::new().unwrap();
    assert!(follow_in(folder.path(), &page("case-study.md"), true) >= 5);
    let [v1, v2] = ["v1", "v2"].map(|version| -> Explanation {
        let trace = format!("R/heat/{version}/heat.Ranks4.threads1.size80.r1/trace");
        serde_json::from_str(&answer(folder.path(), &["explain", &trace, "--format", "json"])).unwrap()
    });
    let of_machine = |of: &Explanation| of.basis.severity(of.lacking_processors.seconds);
    if of_machine(&v1).max(of_machine(&v2)) > DISTURBED {
        return;
    }
    let lost_by = |of: &Explanation, causes: &[CauseKind], rank: u32| {
        let of_rank = of.problems.iter().filter(|problem| {
            causes.contains(&problem.cause()) && problem.culprits.iter().any(|of| of.location.rank == rank)
        });
        of_rank.fold(0.0, |sum, problem| sum + problem.share)
    };
    let alone = [&v1, &v2].map(|of| lost_by(of, &[CauseKind::LackOfParallelism], 0));
    let more = [&v1, &v2].map(|of| lost_by(of, &[CauseKind::LateArrival, CauseKind::UnevenWork], 3));
    // Planned are 0.23 and 0.15 of version 1.
    assert!(alone[0] > 0.1 && alone[0] > 2.0 * alone[1], "{alone:?}");
    assert!(more[0] > 0.03 && more[0] > 2.0 * more[1], "{more:?}");
}

/// The share of a run that the lack of processors may take. Where it takes more, a rank may wait for its processor longer than
/// the last one works more, so that explanations tell of the machine alone.
const DISTURBED: f64 = 0.15;

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
