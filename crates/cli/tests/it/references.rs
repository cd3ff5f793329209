//! Commands that compare runs compare each with the same other one.

use std::path::Path;

use ats_documents::efficiencies::Efficiencies;
use ats_documents::{Diagnosis, Overheads};
use tempfile::TempDir;

use crate::common::answer;

fn add(dir: &Path, words: &[&str]) {
    answer(dir, &[&["experiment", "add", "R", "amdahl", "--engine", "virtual"], words].concat());
}

fn document<T: serde::de::DeserializeOwned>(dir: &Path, words: &[&str]) -> T {
    serde_json::from_str(&answer(dir, &[words, &["--format", "json"]].concat())).unwrap()
}

/// The last part of an id, without the repetition.
fn last(id: &str) -> &str {
    id.rsplit('/').next().unwrap().trim_end_matches(".r1")
}

#[test]
fn commands_that_compare_runs_have_one_reference() {
    let dir = TempDir::new().unwrap();
    let dir = dir.path();
    for np in ["1", "2", "4"] {
        add(dir, &["--np", np, "--version", "one"]);
    }
    for np in ["2", "4", "8"] {
        add(dir, &["--np", np, "--version", "smallest"]);
        add(dir, &["--np", np, "--version", "marked"]);
        add(dir, &["--np", np, "--version", "marked", "--sequential"]);
    }
    let marked = "amdahl-virtual-sequential.Ranks1.threads1.of_ranks4.of_threads1";
    for (version, reference, units) in [
        ("one", "amdahl-virtual.Ranks1.threads1", 1.0),
        ("smallest", "amdahl-virtual.Ranks2.threads1", 2.0),
        ("marked", marked, 1.0),
    ] {
        let conditions = [&format!("version={version}"), "ranks=4"];
        let words = |verb| [&[verb, "R"], &conditions[..]].concat();
        let efficiencies: Efficiencies = document(dir, &words("efficiency"));
        let [efficiency] = &efficiencies.experiments[..] else { panic!("{efficiencies:?}") };
        let overheads: Overheads = document(dir, &words("overheads"));
        let [overhead] = &overheads.experiments[..] else { panic!("{overheads:?}") };
        assert_eq!(last(&efficiency.reference), reference);
        assert_eq!(last(&overhead.sequential), reference);
        assert_eq!(overhead.program.speed_up, efficiency.speed_up, "{version}");
        // Work of 0.1 s + 0.4 s, of which the second part is divided.
        let alone = 0.1 + 0.4 / units;
        assert!((efficiency.speed_up.unwrap() - alone / 0.2).abs() < 1e-12, "{efficiency:?}");
        assert!((overhead.program.overhead.unwrap() - (0.2 - alone * units / 4.0)).abs() < 1e-12);
        let diagnosis: Diagnosis = document(dir, &words("diagnose"));
        let is_meant = |one: &&ats_documents::diagnosis::Instance| {
            one.property == "Inefficiency" && one.region == "ats_measured"
        };
        let inefficiency = diagnosis.instances.iter().find(is_meant).and_then(|one| one.severity).unwrap();
        assert!((inefficiency - (1.0 - alone * units / (4.0 * 0.2))).abs() < 1e-12, "{inefficiency}");
        // A run has the same one if it is named.
        let run = format!("R/amdahl/{version}/amdahl-virtual.Ranks4.threads1.r1");
        let named: Efficiencies = document(dir, &["efficiency", &run]);
        assert_eq!(named.experiments, efficiencies.experiments);
        let named: Overheads = document(dir, &["overheads", &run]);
        assert_eq!(named.experiments, overheads.experiments);
        let named: Diagnosis = document(dir, &["diagnose", &run]);
        assert_eq!(named.instances, diagnosis.instances);
    }
    let of_all: Overheads = document(dir, &["overheads", "R"]);
    let groups: Vec<&str> = of_all.experiments.iter().map(|run| run.group.as_str()).collect();
    assert_eq!(groups.iter().filter(|group| group.contains("marked")).count(), 3);
    assert_eq!(groups.len(), 3 + 2 + 2, "the references are compared with nothing: {groups:?}");
    let text = answer(dir, &["overheads", "R", "version=smallest"]);
    assert!(text.contains("as there is no sequential run: T_s is 2 times its time"), "{text}");
    let text = answer(dir, &["efficiency", "R", "version=marked"]);
    assert!(text.starts_with("compared with the sequential run of each size, "), "{text}");
}
