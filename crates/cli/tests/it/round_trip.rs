//! A trace becomes an experiment, its report one of Cube, and that another experiment: what was spent stays the same.
//!
//! A report of Cube cannot carry two things: whether its tool would have seen that files were read or written, if none
//! were, so that `io` is undefined then; and the rules that derive a metric from others. All call paths lie in a region
//! of the program there.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use ats_documents::Profile;
use ats_documents::region_graph::{GraphEdge, GraphNode, RegionGraphs};
use ats_model::definitions::Definitions;
use ats_model::event::{Event, MetricRef};
use ats_model::metric::{Base, MetricDefinition, MetricValue, ValueProperty, ValueType};
use ats_model::source::EventSource;
use ats_trace::{ArchiveProperties, ArchiveWriter, Trace};
use serde_json::Value;
use tempfile::TempDir;

use crate::common::answer;
use crate::experiments::rows;

/// Waits between processes, between threads and of both, on three ranks of two threads.
const PROGRAM: &str = r#"
schema = "ats-composition/1"
name = "small"
description = "Waits of MPI, of OpenMP, and of both."
ranks = 3
threads = 2

[[phase]]
property = [
    { name = "late_sender_hybrid", regions = ["exchange"], parameters = { basework = "10ms", extrawork = "40ms", r = 3 } },
    { name = "critical_section_contention", parameters = { basework = "10ms", criticalwork = "20ms", r = 2 } },
]

[[phase]]
property = [
    { name = "early_reduce", regions = ["exchange"], parameters = { rootwork = "10ms", baseextrawork = "20ms", r = 2 } },
    { name = "imbalance_at_omp_barrier", parameters = { distribution = "linear:10ms:70ms", r = 3 } },
]
"#;

/// Writes a trace again, in which every location has counted instructions, more from event to event.
fn count(ideal: &Path, counted: &Path) {
    let ideal = Trace::open(ideal).unwrap();
    let instructions = MetricDefinition {
        name: "PAPI_TOT_INS".to_owned(),
        unit: "#".to_owned(),
        property: ValueProperty::Accumulated,
        value_type: ValueType::Uint64,
        base: Base::Decimal,
        exponent: 0,
    };
    let definitions = Definitions { metrics: vec![instructions], ..ideal.definitions().clone() };
    let mut writer = ArchiveWriter::create(counted).unwrap();
    for (index, location) in definitions.locations.iter().enumerate() {
        let id = writer.add_location(location.id);
        let mut events = Vec::new();
        ideal.read_location(index, |time, event| events.push((time, event))).unwrap();
        let mut count = 0;
        for (time, event) in events {
            if matches!(event, Event::Enter { .. } | Event::Leave { .. }) {
                count += 3 * count % 1009 + 7;
                let value = MetricValue { of: ValueType::Uint64, bits: count };
                writer.event(id, time, &Event::Metric { metric: MetricRef(0), value }).unwrap();
            }
            writer.event(id, time, &event).unwrap();
        }
    }
    writer.finish(&definitions, &ArchiveProperties::default()).unwrap();
}

fn json(dir: &Path, words: &[&str]) -> Value {
    serde_json::from_str(&answer(dir, &[words, &["--format", "json"]].concat())).unwrap()
}

/// Numbers by what they are of.
type Numbers = BTreeMap<Vec<String>, f64>;

/// The same up to rounding; what is nothing may be missing.
#[track_caller]
fn same(one: &Numbers, other: &Numbers) {
    assert!(one.len() > 20);
    for of in one.keys().chain(other.keys()) {
        let [a, b] = [one, other].map(|all| all.get(of).copied().unwrap_or_default());
        assert!((a - b).abs() <= 1e-9, "{of:?}: {a} and {b}");
    }
}

/// The values of a profile, but for what is directly in the region of the program.
fn values(profile: &Profile) -> Numbers {
    let mut numbers = Numbers::new();
    for (metric, values) in &profile.values {
        for (path, unit, value) in values.iter() {
            let unit = profile.units[unit as usize];
            let names = profile.path(path).into_iter().skip_while(|name| *name == "PROGRAM");
            let names = names.collect::<Vec<_>>().join("/");
            let key = vec![metric.clone(), names, unit.rank.to_string(), unit.thread.to_string()];
            assert_eq!(numbers.insert(key, value), None);
        }
    }
    numbers
}

/// All numbers of what each location spent in each region, by their names.
fn summaries(experiment: &Value) -> Numbers {
    let mut numbers = Numbers::new();
    for summary in rows(experiment).iter().filter(|summary| summary["region"] != "PROGRAM") {
        let text = |value: &Value| value.to_string();
        let of = [&summary["region"], &summary["unit"]["rank"], &summary["unit"]["thread"]].map(text);
        for (name, value) in summary.as_object().unwrap().iter().filter(|(name, _)| *name != "unit") {
            note(&mut numbers, [&of[..], std::slice::from_ref(name)].concat(), value);
        }
    }
    numbers
}

fn note(numbers: &mut Numbers, of: Vec<String>, value: &Value) {
    match value {
        Value::Number(number) => {
            numbers.insert(of, number.as_f64().unwrap());
        }
        Value::Object(inside) => {
            inside.iter().for_each(|(name, value)| {
                note(numbers, [&of[..], std::slice::from_ref(name)].concat(), value)
            });
        }
        _ => {}
    }
}

/// Calls and times of the nodes and edges of graphs, by the regions' names.
fn graph(graphs: &RegionGraphs) -> Numbers {
    let mut numbers = Numbers::new();
    for graph in &graphs.graphs {
        let unit = format!("{:?} {:?}", graph.rank, graph.thread);
        let mut add = |regions: &[u32], values: &[(&str, f64)]| {
            let names: Vec<String> = regions.iter().map(|&region| graphs.label(region)).collect();
            for &(what, value) in values.iter().filter(|_| !names.contains(&"PROGRAM".to_owned())) {
                let key = vec![unit.clone(), names.join(" > "), what.to_owned()];
                assert_eq!(numbers.insert(key, value), None);
            }
        };
        for node in &graph.nodes {
            let GraphNode { region, calls, time, start, children, end, rest } = *node;
            let calls = calls.unwrap() as f64;
            let parts = [("start", start), ("children", children), ("end", end), ("rest", rest)];
            add(&[region], &[&[("calls", calls), ("time", time)], &parts[..]].concat());
        }
        for &GraphEdge { from, to, calls, time } in &graph.edges {
            add(&[from, to], &[("calls", calls.unwrap() as f64), ("time", time)]);
        }
    }
    numbers
}

/// Carries out a plan whose command leaves a copy of `source`; the id of its run.
fn run_of_plan(dir: &Path, left: &str, source: &str) -> String {
    let plan = format!(
        "schema = \"ats-plan/1\"\napplication = \"small\"\nversion = \"planned from {source}\"\n\
         command = [\"cp\", \"-r\", \"{source}\", \"{{dir}}/t\"]\nreport = \"{{dir}}/{left}\"\n[values]\nsize = 10\nranks = 3\nthreads = 2\n"
    );
    fs::write(dir.join("plan.toml"), plan).unwrap();
    let run = json(dir, &["experiment", "run", "repo", "plan.toml"]);
    run["runs"][0]["id"].as_str().unwrap().to_owned()
}

#[test]
fn from_a_trace_to_a_report_of_cube_and_back() {
    let dir = TempDir::new().unwrap();
    let dir = dir.path();
    fs::write(dir.join("small.toml"), PROGRAM).unwrap();
    answer(dir, &["trace", "small.toml", "-o", "ideal"]);
    count(&dir.join("ideal/traces.otf2"), &dir.join("counted"));

    let add = |source: &str, version: &str| {
        let words = ["experiment", "add", "repo", source, "--application", "small", "--version", version];
        answer(dir, &[&words[..], &["size=10"]].concat()).trim().to_owned()
    };
    let first = add("counted", "traced");
    let exported = ["experiment", "export", "repo", "version=traced", "--as", "cube", "-o", "small.cubex"];
    answer(dir, &exported);
    assert_eq!(
        fs::read(dir.join("small.cubex")).unwrap(),
        fs::read(dir.join("repo").join(&first).join("profile.cubex")).unwrap()
    );
    let second = add("small.cubex", "reported");
    assert_eq!(first.replace("traced", ""), second.replace("reported", ""), "of the same size");

    let [one, other] = [&first, &second].map(|id| json(dir, &["experiment", "show", "repo", id]));
    let (summaries_of_trace, summaries_of_report) = (summaries(&one), summaries(&other));
    let without_io = summaries_of_trace.into_iter().filter(|(of, _)| of[3] != "io").collect();
    same(&without_io, &summaries_of_report);
    for amount in ["waiting", "communication", "synchronisation", "instructions", "late_sender"] {
        let of =
            summaries_of_report.iter().find(|(of, value)| of.contains(&amount.to_owned()) && **value > 0.0);
        assert!(of.is_some(), "{amount}");
    }
    for region in one["regions"].as_array().unwrap() {
        let of = |other: &&Value| other["name"] == region["name"];
        let same = other["regions"].as_array().unwrap().iter().find(of).unwrap();
        for what in ["type", "paradigm", "file", "lines"] {
            assert_eq!(region[what], same[what], "{what} of {region}");
        }
    }

    let again = format!("repo/{second}");
    let profiles = ["counted", "small.cubex", &again]
        .map(|source| -> Profile { serde_json::from_value(json(dir, &["profile", source])).unwrap() });
    let metrics = |profile: &Profile| -> BTreeSet<String> {
        profile.metrics.iter().map(|metric| metric.name.clone()).collect()
    };
    for other in &profiles[1..] {
        same(&values(&profiles[0]), &values(other));
        assert_eq!(metrics(&profiles[0]), metrics(other));
    }
    for metric in [
        "PAPI_TOT_INS",
        "bytes_sent",
        "max_time",
        "early_reduce",
        "omp_critical_contention",
        "wait_at_explicit_omp_barrier",
        "idle_threads",
    ] {
        assert!(profiles[2].values[metric].iter().any(|(.., value)| value > 0.0), "{metric}");
    }

    // And what a run of a plan leaves itself is as good as what is added.
    for (left, source) in [("t/traces.otf2", "counted"), ("t", "small.cubex")] {
        let id = run_of_plan(dir, left, source);
        let planned = json(dir, &["experiment", "show", "repo", &id]);
        let of_plan = summaries(&planned).into_iter().filter(|(of, _)| of[3] != "io").collect();
        same(&of_plan, &summaries_of_report);
    }
    let counted = json(dir, &["experiment", "list", "repo", "metric=PAPI_TOT_INS"]);
    assert_eq!(counted["experiments"].as_array().unwrap().len(), 4);

    for per in ["program", "process", "thread"] {
        let [one, other] = ["counted", &again].map(|source| {
            let words = ["profile", source, "--graph", "json", "--per", per];
            graph(&serde_json::from_str(&answer(dir, &words)).unwrap())
        });
        same(&one, &other);
    }
}
