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
    assert!(one.contains("CommunicationOverhead") && one.contains("0.5000  Inefficiency"), "{one}");
    // Nothing is lost that stands below what is not shown.
    let one = answer(dir.path(), &["diagnose", "repo", "--above", "0.3"]);
    assert!(one.contains("0.5000  Inefficiency ") && !one.contains("NonScalability"), "{one}");
    let two = answer(dir.path(), &["diagnose", "repo", "--top", "2"]);
    assert!(two.contains("  Inefficiency ") && !two.contains("Imbalance"), "{two}");
    assert!(two.contains("\n3 more are less severe; `--top 5` shows all\n"), "{two}");
    assert!(answer(dir.path(), &["diagnose", "repo", "--region", "x"]).starts_with("No property holds.\n"));
}

#[test]
fn diagnose_names_the_applications_if_there_are_several() {
    let dir = repository();
    assert!(answer(dir.path(), &["diagnose", "repo"]).starts_with("application=heat version=1 threads=1\n"));
    fs::write(dir.path().join("wave.csv"), TABLE.replace("heat", "wave")).unwrap();
    answer(dir.path(), &["experiment", "add", "repo", "wave.csv", "--application", "wave", "--version", "1"]);
    let text = answer(dir.path(), &["diagnose", "repo"]);
    assert!(text.starts_with("version=1 threads=1\n") && text.contains("  application  "), "{text}");
    let of = |name: &str| text.lines().filter(|line| line.contains(&format!("  {name} "))).count();
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

/// Sizes, versions and parameters of a program: 2 ranks take `two` seconds, and 4 ranks 10 s.
fn add(dir: &Path, version: &str, size: u32, two: u32) {
    let rows =
        [(2, two), (4, 10)].map(|(ranks, time)| format!("heat.ranks{ranks}.size{size},main,s,time,{time}\n"));
    fs::write(dir.join("t.csv"), format!("experiment,region,unit,metric,value\n{}", rows.concat())).unwrap();
    let words = ["experiment", "add", "repo", "t.csv", "--application", "heat", "--version", version];
    answer(dir, &words);
}

#[test]
fn each_row_says_which_run_it_means() {
    let dir = TempDir::new().unwrap();
    add(dir.path(), "1", 100, 16);
    add(dir.path(), "1", 200, 18);
    add(dir.path(), "2", 100, 10);
    let rows = |text: &str| -> Vec<Vec<String>> {
        text.lines().map(|line| line.split_whitespace().map(str::to_owned).collect()).collect()
    };
    let all = rows(&answer(dir.path(), &["diagnose", "repo"]));
    assert_eq!(all[0], ["application=heat", "threads=1"]);
    let head = ["part", "severity", "property", "region", "version", "size", "ranks", "locations", "also"];
    assert_eq!(all[2], head);
    // The smallest run of the same version and size is the reference.
    let severest = [
        ["0.2500", "0.2500", "NonScalability", "main", "2", "100", "2-4"],
        ["0.5000", "0.5000", "Inefficiency", "main", "2", "100", "4"],
        ["0.1000", "0.1000", "NonScalability", "main", "1", "100", "2-4"],
        ["0.2000", "0.2000", "Inefficiency", "main", "1", "100", "4"],
        ["0.0500", "0.0500", "NonScalability", "main", "1", "200", "2-4"],
        ["0.1000", "0.1000", "Inefficiency", "main", "1", "200", "4"],
    ];
    assert_eq!(all[3..9], severest);
    // The reference is the same where it is not shown.
    let some = rows(&answer(dir.path(), &["diagnose", "repo", "version=2", "ranks>2"]));
    assert_eq!(some[0], ["application=heat", "version=2", "size=100", "ranks=4", "threads=1"]);
    assert_eq!(some[2], ["part", "severity", "property", "region", "locations", "also"]);
    assert_eq!(some[3], ["0.5000", "0.5000", "Inefficiency", "main"]);
}

#[test]
fn a_fact_is_told_once_and_none_is_lost() {
    let dir = TempDir::new().unwrap();
    let rows = "experiment,region,unit,metric,value\nheat.ranks2,main,0,time,10\nheat.ranks2,main,1,time,10\n\
                heat.ranks2,main,0,communication,4\nheat.ranks2,main,1,communication,0\n\
                heat.ranks2,halo,0,time,4\nheat.ranks2,halo,0,communication,4\nheat.ranks2,halo,0,receive,4\n";
    fs::write(dir.path().join("t.csv"), rows).unwrap();
    answer(dir.path(), &["experiment", "add", "repo", "t.csv", "--application", "heat"]);
    let text = answer(dir.path(), &["diagnose", "repo"]);
    let line = |property: &str| {
        let mut found = text.lines().filter(|line| line.contains(property));
        let first = found.next().unwrap_or_else(|| panic!("{property}: {text}"));
        assert_eq!(found.next(), None, "{text}");
        first.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let once = "0.4000 0.4000 LateSender halo rank 0 \
                CommunicationOverhead, CommunicationOverheadForAnyExecution, LateSenderForAnyExecution; in main";
    assert!(text.contains("LateSenderForAnyExecution"), "{text}");
    assert_eq!(line("LateSender "), once, "{text}");
    // Two that explain each other.
    let own = "schema = \"ats-properties/1\"\n[[property]]\nname = \"One\"\nof = [\"region\", \"parallel\"]\n\
               severity = \"0.5\"\nexplains = [\"Two\"]\n[[property]]\nname = \"Two\"\nof = [\"region\", \"parallel\"]\n\
               severity = \"0.25\"\nexplains = [\"One\"]\n";
    fs::write(dir.path().join("own.toml"), own).unwrap();
    let words = ["diagnose", "repo", "--properties", "own.toml", "--region", "halo"];
    let text = answer(dir.path(), &words);
    assert!(text.contains("0.5000  One ") && text.contains("0.2500    Two "), "{text}");
}
