//! Scalasca as judge: on traces of Score-P our findings are its own, per metric, call path and location, both ways.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use ats_analyzer::{Options, analyze};
use ats_model::{Definitions, EventSource, WaitState, finding::Tolerance};
use ats_trace::Archive;

/// Scalasca prints six digits.
const AGREEMENT: Tolerance = Tolerance { absolute: 1e-9, relative: 1e-5 };

/// Seconds by metric, call path and (rank, thread).
type Values = BTreeMap<(String, Vec<String>, (u32, u32)), f64>;

/// The folder of a trace; none where the traces are not there.
fn folder(name: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data").join(name);
    if !folder.exists() {
        println!("skipped: {} is not there", folder.display());
        return None;
    }
    Some(folder)
}

/// What Scalasca found of the wait states that we know, without the program's own name at the root of its call paths.
fn theirs(folder: &Path, definitions: &Definitions) -> Values {
    let text = fs::read_to_string(folder.join("scalasca.json")).unwrap();
    let document: serde_json::Value = serde_json::from_str(&text).unwrap();
    let is_known = |metric: &str| WaitState::ALL.iter().any(|state| state.metric() == metric);
    let value = |row: &serde_json::Value| {
        let location = &definitions.locations[row["location"].as_u64().unwrap() as usize];
        let path =
            row["call_path"].as_array().unwrap()[1..].iter().map(|name| name.as_str().unwrap().to_owned());
        let metric = row["metric"].as_str().unwrap().to_owned();
        ((metric, path.collect(), (location.rank, location.thread)), row["value"].as_f64().unwrap())
    };
    let rows = document["rows"].as_array().unwrap();
    rows.iter().filter(|row| is_known(row["metric"].as_str().unwrap())).map(value).collect()
}

fn ours(archive: &Archive) -> Values {
    let analysis = analyze(archive, "traces.otf2", &Options::default()).unwrap();
    assert_eq!(analysis.warnings, Vec::<String>::new());
    let mut values = Values::new();
    for finding in analysis.findings {
        let metric = finding.metric.unwrap();
        for share in finding.locations {
            let key = (metric.clone(), finding.call_path.clone(), (share.rank, share.thread));
            values.insert(key, share.waiting_time);
        }
    }
    values
}

fn agree(name: &str) {
    let Some(folder) = folder(name) else { return };
    let archive = Archive::open(&folder.join("traces.otf2")).unwrap();
    let (theirs, ours) = (theirs(&folder, archive.definitions()), ours(&archive));
    assert!(!theirs.is_empty());
    let of = |values: &Values, key: &_| values.get(key).copied().unwrap_or_default();
    let deviations: Vec<String> = theirs
        .keys()
        .chain(ours.keys().filter(|key| !theirs.contains_key(key)))
        .filter(|key| !AGREEMENT.agrees(of(&theirs, key), of(&ours, key)))
        .map(|key| format!("{key:?}: Scalasca {}, we {}", of(&theirs, key), of(&ours, key)))
        .collect();
    assert!(deviations.is_empty(), "{} of {}:\n{}", deviations.len(), theirs.len(), deviations.join("\n"));
}

#[test]
fn seven_properties_with_sleeping_work() {
    agree("scorep-7props-4ranks");
}

#[test]
fn seven_properties_with_spinning_work() {
    agree("scorep-7props-4ranks-spin");
}

#[test]
fn further_patterns() {
    agree("scorep-patterns-4ranks");
}

#[test]
fn ranks_with_threads() {
    agree("scorep-hybrid-2x2");
}
