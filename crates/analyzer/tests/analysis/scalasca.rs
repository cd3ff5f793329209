//! Scalasca as judge: on traces of Score-P our findings are its own, per metric, call path and location, both ways.

use std::{collections::BTreeMap, fs};

use ats_analyzer::{Options, analyze};
use ats_documents::finding::Tolerance;
use ats_model::{Definitions, EventSource, clock_correction::ClockMethod};
use ats_testing::peer;
use ats_trace::Archive;

/// Scalasca prints six digits.
const AGREEMENT: Tolerance = Tolerance { absolute: 1e-9, relative: 1e-5 };

/// Seconds by metric, call path and (rank, thread).
type Values = BTreeMap<(String, Vec<String>, (u32, u32)), f64>;

/// A trace of Score-P.
fn trace(name: &str) -> Archive {
    Archive::open(&peer(name).join("traces.otf2")).unwrap()
}

/// Scalasca's findings of the wait states that we know, without the program's own name at the root of its call paths.
fn theirs(name: &str, definitions: &Definitions) -> Values {
    let text = fs::read_to_string(peer(name).join("scalasca.tsv")).unwrap();
    let value = |line: &str| {
        let [metric, path, location, seconds] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let location = &definitions.locations[location.parse::<usize>().unwrap()];
        let path = path.split('/').skip(1).map(str::to_owned).collect();
        ((metric.to_owned(), path, (location.rank, location.thread)), seconds.parse().unwrap())
    };
    text.lines().skip(1).map(value).collect()
}

fn ours(archive: &Archive) -> Values {
    let analysis = analyze(archive, "traces.otf2", &Options::default()).unwrap();
    let early = Options { records_in_memory: 0, ..Options::default() };
    assert_eq!(analyze(archive, "traces.otf2", &early).unwrap(), analysis);
    assert_eq!(analysis.warnings, Vec::<String>::new());
    // Score-P has measured the clocks.
    assert!(analysis.clock_correction.is_none_or(|clocks| clocks.method == ClockMethod::Recorded));
    let mut values = Values::new();
    for finding in analysis.findings {
        // Nor are there wait states of our own in its report.
        let Some(metric) = finding.metric else { continue };
        for share in finding.locations {
            let key = (metric.clone(), finding.call_path.clone(), (share.rank, share.thread));
            // What lies outside the basis is a finding of its own here.
            *values.entry(key).or_default() += share.waiting_time;
        }
    }
    values
}

fn agree(name: &str) {
    agree_but_for(name, "");
}

/// Checks agreement except for metrics that Scalasca's report does not have.
fn agree_but_for(name: &str, metric: &str) {
    let archive = trace(name);
    let (theirs, mut ours) = (theirs(name, archive.definitions()), ours(&archive));
    ours.retain(|key, _| key.0 != metric);
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

#[test]
fn threads_that_wait_for_tasks_in_what_has_the_role_of_a_barrier() {
    // Cube works out idle threads from the profile, where tasks are taken for serial code.
    agree_but_for("scorep-ompt-tasks-1x4", "omp_idle_threads");
}
