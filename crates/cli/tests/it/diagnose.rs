//! `ats diagnose`.

use std::fs;
use std::path::Path;

use crate::common::{answer, ats_in};
use tempfile::TempDir;

const TABLE: &str = "\
experiment,region,unit,metric,value
heat-sequential,main,s,time,20
heat.ranks2,main,0,time,10
heat.ranks2,main,1,time,10
heat.ranks4,main,0,time,10
heat.ranks4,main,1,time,10
heat.ranks4,main,2,time,10
heat.ranks4,main,3,time,5
heat.ranks4,main,0,communication,1
heat.ranks4,main,1,communication,2
heat.ranks4,main,2,communication,0
heat.ranks4,main,3,communication,0
";

/// A folder with the repository `repo`, which has the experiments of the table.
fn repository() -> TempDir {
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("heat.csv"), TABLE).unwrap();
    answer(dir.path(), &["experiment", "add", "repo", "heat.csv", "--application", "heat", "--version", "1"]);
    dir
}

/// The message of a command that fails because of its input.
fn refused(dir: &Path, words: &[&str]) -> String {
    let output = ats_in(dir, words);
    assert_eq!(output.status.code(), Some(2), "{words:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn diagnose_shows_each_property_below_what_it_explains() {
    let dir = repository();
    insta::assert_snapshot!(answer(dir.path(), &["diagnose", "repo"]));
    insta::assert_snapshot!(answer(dir.path(), &["diagnose", "repo", "--property", "Inefficiency"]));
    insta::assert_snapshot!(answer(dir.path(), &["diagnose", "repo", "ranks>2", "--undefined"]));
    let one = answer(dir.path(), &["diagnose", "repo/heat/1/heat.Ranks4.threads1.r1", "--above", "0.15"]);
    assert!(one.contains("CommunicationOverhead") && !one.contains("Inefficiency"), "{one}");
    // Nothing is lost that stands below what is not shown.
    let one = answer(dir.path(), &["diagnose", "repo", "--above", "0.6"]);
    assert!(one.contains(" CommunicationLoadImbalance ") && !one.contains("Inefficiency"), "{one}");
    let two = answer(dir.path(), &["diagnose", "repo", "--top", "2"]);
    assert!(two.contains("  Inefficiency ") && !two.contains("Imbalance"), "{two}");
    assert!(two.contains("\n4 more are less severe; `--top 6` shows all\n"), "{two}");
    assert!(answer(dir.path(), &["diagnose", "repo", "--region", "x"]).starts_with("No property holds.\n"));
}

#[test]
fn diagnose_names_the_applications_if_there_are_several() {
    let dir = repository();
    assert!(!answer(dir.path(), &["diagnose", "repo"]).contains("application"));
    fs::write(dir.path().join("wave.csv"), TABLE.replace("heat", "wave")).unwrap();
    answer(dir.path(), &["experiment", "add", "repo", "wave.csv", "--application", "wave", "--version", "1"]);
    let text = answer(dir.path(), &["diagnose", "repo"]);
    assert!(text.lines().next().unwrap().ends_with(" application"), "{text}");
    let of = |name: &str| text.lines().filter(|line| line.ends_with(&format!("  {name}"))).count();
    assert!(of("heat") > 0 && of("heat") == of("wave"), "{text}");
}

#[test]
fn diagnose_shows_regions_that_meet_a_condition() {
    let dir = repository();
    let condition = "max(parallel.communication) > basis.time / 10";
    let text = answer(dir.path(), &["diagnose", "repo", "--where", condition]);
    assert!(text.contains("CommunicationOverhead ") && !text.contains("2-4"), "{text}");
    let none = answer(dir.path(), &["diagnose", "repo", "--where", "false", "--format", "json"]);
    assert!(none.contains("\"instances\":[]") || none.contains("\"instances\": []"), "{none}");
    let error = refused(dir.path(), &["diagnose", "repo", "--where", "max(parallel.time) > 1"]);
    assert!(error.contains("--where:1:20: it compares numbers in s and 1; convert one of them"), "{error}");
}

#[test]
fn diagnose_takes_properties_of_files() {
    let dir = repository();
    let own = "schema = \"ats-properties/1\"\noff = [\"Inefficiency\", \"AlternativeNonScalability\"]\n\
               [[property]]\nname = \"Slow\"\nof = [\"region\", \"parallel\"]\nlet.slow = \"max(parallel.time)\"\n\
               severity = \"share(slow - 9 * s, slow)\"\ntext = \"{slow}\"\n";
    fs::write(dir.path().join("own.toml"), own).unwrap();
    let words = ["diagnose", "repo", "--properties", "own.toml"];
    let text = answer(dir.path(), &words);
    assert!(text.contains("  Slow ") && !text.contains("Inefficiency"), "{text}");
    fs::write(dir.path().join("own.toml"), own.replace("9 * s", "9")).unwrap();
    let said = refused(dir.path(), &words);
    assert!(said.starts_with("error: own.toml:7:24: it subtracts numbers in s and 1; convert one"), "{said}");
    let said = refused(dir.path(), &["diagnose", "repo", "--properties", "nothing.toml"]);
    assert!(said.starts_with("error: nothing.toml cannot be read: "), "{said}");
}

#[test]
fn diagnose_says_what_is_wrong() {
    let dir = repository();
    for (words, said) in [
        (&["repo", "ranks>64"][..], "error: there is no such experiment; `ats experiment list` shows all\n"),
        (&["repo", "rank=4"], "error: no experiment has `rank`; did you mean ranks?"),
        (&["nothing"], "error: nothing is not a repository of experiments: there is no such folder"),
        (
            &["repo", "--property", "Ineficiency"],
            "error: there is no property `Ineficiency`; did you mean Inefficiency?",
        ),
        (
            &["repo", "--above", "2"],
            "error: invalid value '2' for '--above <SHARE>': give a share from 0 to 1",
        ),
        (
            &["repo/heat/1/heat.Ranks4.threads1.r1", "ranks=4"],
            "error: ranks=4 is not a repository of experiments: there is no such folder",
        ),
    ] {
        let error = refused(dir.path(), &[&["diagnose"], words].concat());
        assert!(error.starts_with(said), "{words:?}: {error}");
    }
    let damaged = dir.path().join("repo/heat/1/heat.Ranks2.threads1.r1/experiment.json");
    let text = fs::read_to_string(&damaged).unwrap();
    fs::write(&damaged, text.replace("[[0,2]]", "[[0,9999]]")).unwrap();
    let output = ats_in(dir.path(), &["diagnose", "repo"]);
    let warning = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && warning.contains("experiment.json is damaged: "), "{warning}");
    assert!(warning.contains("; it is skipped"), "{warning}");
}
