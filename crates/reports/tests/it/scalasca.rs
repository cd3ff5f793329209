//! Reports of Score-P and Scalasca, against the values that Cube's own tools print of them.

use std::collections::BTreeMap;

use crate::common::{cubex, same, times};
use ats_documents::Report;
use ats_model::delay;
use ats_model::{View, WaitState};
use ats_reports::Format;
use ats_testing::peer;
use serde::Deserialize;

const RUNS: [&str; 4] =
    ["scorep-7props-4ranks", "scorep-7props-4ranks-spin", "scorep-patterns-4ranks", "scorep-hybrid-2x2"];

#[derive(Deserialize)]
struct Known {
    rows: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    metric: String,
    call_path: Vec<String>,
    location: u32,
    value: f64,
}

type Key = (String, Vec<String>, (u32, u32));

/// Cube's values of a run: by metric, call path, and rank and thread.
fn known(folder: &std::path::Path, threads: u32) -> BTreeMap<Key, f64> {
    let text = std::fs::read(folder.join("scalasca.json")).unwrap();
    let known: Known = serde_json::from_slice(&text).unwrap();
    let mut values = BTreeMap::new();
    for row in known.rows {
        let location = (row.location / threads, row.location % threads);
        // It is a part of the other, and ours has no parts.
        let metric = if row.metric == "omp_fork" { "omp_management".to_owned() } else { row.metric };
        *values.entry((metric, row.call_path, location)).or_default() += row.value;
    }
    values
}

fn found(report: &Report) -> BTreeMap<Key, f64> {
    let shares = report.findings.iter().flat_map(|finding| {
        let metric = finding.metric.clone().unwrap();
        finding.locations.iter().map(move |share| {
            ((metric.clone(), finding.call_path.clone(), (share.rank, share.thread)), share.waiting_time)
        })
    });
    shares.collect()
}

fn is_cost(metric: &str) -> bool {
    delay::metrics().any(|cost| cost == metric)
}

fn costs(report: &Report) -> BTreeMap<Key, f64> {
    let causes = report.causes.as_ref().unwrap();
    let mut costs = BTreeMap::new();
    for (metric, cells) in &causes.metrics {
        for &(path, unit, seconds) in cells {
            let (path, unit) = (causes.call_paths[path as usize].clone(), causes.units[unit as usize]);
            costs.insert((metric.clone(), path, (unit.rank, unit.thread)), seconds);
        }
    }
    costs
}

#[test]
fn every_value_of_a_trace_report_is_found_once() {
    for run in RUNS {
        let folder = peer(run);
        let report = ats_reports::read(&folder.join("scout.cubex"), None).unwrap();
        assert_eq!((report.tool.as_str(), report.version.as_deref()), ("scalasca", Some("2.6")));
        let known = known(&folder, report.threads.unwrap());
        let mut found = found(&report);
        found.extend(costs(&report));
        let mut unmapped = BTreeMap::<&str, f64>::new();
        for ((metric, path, location), &value) in &known {
            if WaitState::from_metric(metric).is_none() && !is_cost(metric) {
                *unmapped.entry(metric).or_default() += value;
                continue;
            }
            // The root is the program: root causes there are outside all regions.
            let path = if is_cost(metric) && path.len() == 1 { &Vec::new() } else { path };
            let ours = found.remove(&(metric.clone(), path.clone(), *location));
            // Cube printed six digits.
            let agrees = ours.is_some_and(|ours| (ours - value).abs() <= 1e-9 + 1e-5 * value);
            assert!(agrees, "{run}: {metric} at {path:?} of {location:?} is {value}, found {ours:?}");
        }
        found.retain(|_, seconds| *seconds > 1e-9);
        assert!(found.is_empty(), "{run}: found besides: {found:#?}");
        for (metric, value) in unmapped {
            let ours = report
                .unmapped
                .iter()
                .find(|unmapped| unmapped.metric == metric)
                .map(|unmapped| unmapped.seconds);
            assert!(
                ours.is_some_and(|ours| (ours - value).abs() <= 1e-8 + 1e-5 * value),
                "{run}: {metric} {value} {ours:?}"
            );
        }
    }
}

#[test]
fn a_trace_report_names_the_wait_states_of_what_it_traced_and_a_profile_none() {
    for run in RUNS {
        let trace = ats_reports::read(&peer(run).join("scout.cubex"), Some(Format::Cube)).unwrap();
        let is_openmp = |state: &WaitState| state.metric().is_some_and(|metric| metric.starts_with("omp_"));
        let is_traced =
            |state: &WaitState| state.metric().is_some() && (trace.threads > Some(1) || !is_openmp(state));
        let traced: Vec<WaitState> = WaitState::ALL.into_iter().filter(is_traced).collect();
        assert_eq!(trace.names, traced);
        let profile = ats_reports::read(&peer(run).join("profile.cubex"), Some(Format::Cube)).unwrap();
        assert_eq!((profile.tool.as_str(), profile.version.as_deref()), ("scorep", Some("8.4")));
        assert!(
            profile.names.is_empty() && profile.findings.iter().all(|finding| finding.view == View::Count)
        );
        assert_eq!((profile.ranks, profile.threads), (trace.ranks, trace.threads));
        assert!(profile.calls.len() > 10);
    }
}

#[test]
fn a_profile_and_a_trace_report_agree_on_times_and_visits() {
    let folder = peer("scorep-7props-4ranks");
    let [trace, profile] =
        ["scout.cubex", "profile.cubex"].map(|name| ats_reports::read(&folder.join(name), None).unwrap());
    for path in ["atsmini.scorep/main/late_sender/MPI_Recv", "atsmini.scorep/main/early_reduce/MPI_Reduce"] {
        let trace = times(&trace, path);
        let profile = times(&profile, path);
        assert_eq!(trace.len(), profile.len());
        for ((location, trace), (same_location, profile)) in trace.into_iter().zip(profile) {
            assert_eq!(location, same_location);
            assert!((trace - profile).abs() < 1e-4, "{path} of {location:?}: {trace} {profile}");
        }
    }
    let visits = |report: &Report| {
        let call = report
            .calls
            .iter()
            .find(|call| call.call_path.ends_with(&["late_sender".into(), "MPI_Recv".into()]));
        call.unwrap().locations.iter().map(|share| share.visits.unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(visits(&trace), [10, 10]);
    assert_eq!(visits(&profile), [10, 10]);
}

#[test]
fn waiting_is_no_longer_than_the_call() {
    for run in RUNS {
        let report = ats_reports::read(&peer(run).join("scout.cubex"), None).unwrap();
        let mut waiting = BTreeMap::<(Vec<String>, (u32, u32)), f64>::new();
        for finding in &report.findings {
            // A thread has nothing to do, and so no time.
            if matches!(finding.property, Some(WaitState::IdleThreads | WaitState::LimitedParallelism)) {
                continue;
            }
            for share in &finding.locations {
                *waiting.entry((finding.call_path.clone(), (share.rank, share.thread))).or_default() +=
                    share.waiting_time;
            }
        }
        for ((path, location), seconds) in waiting {
            let (_, time) =
                times(&report, &path.join("/")).into_iter().find(|(at, _)| *at == location).unwrap();
            assert!(
                seconds < time || same(seconds, time),
                "{run}: {path:?} of {location:?}: {seconds} of {time}"
            );
        }
    }
}

#[test]
fn a_call_that_took_no_time_was_made() {
    let time = cubex::metric(0, "INCLUSIVE", "time", "DOUBLE", "");
    let visits = cubex::metric(1, "EXCLUSIVE", "visits", "UINT64", "").replace("sec", "occ");
    let count = |visits: [u64; 2]| visits.map(f64::from_bits);
    let bytes = cubex::tar(&[
        ("anchor.xml", cubex::anchor(&(time + &visits)).as_bytes()),
        // main, late_sender
        ("0.index", &cubex::index(&[0, 1], false)),
        ("0.data", &cubex::data(&[&[5.0, 5.0], &[5.0, 0.0]], false)),
        // main, late_sender, MPI_Recv
        ("1.index", &cubex::index(&[0, 1, 2], false)),
        ("1.data", &cubex::data(&[&count([1, 1]), &count([1, 1]), &count([0, 800])], false)),
    ]);
    let report = ats_reports::parse("ideal.cubex".as_ref(), bytes, Some(Format::Cube)).unwrap();
    let made = |call: &ats_documents::report::Call| {
        let of = |share: &ats_documents::report::CallShare| (share.rank, share.inclusive_time, share.visits);
        (call.call_path.join("/"), call.locations.iter().map(of).collect::<Vec<_>>())
    };
    let calls: Vec<_> = report.calls.iter().map(made).collect();
    assert_eq!(
        calls,
        [
            ("main".to_owned(), vec![(0, 5.0, Some(1)), (1, 5.0, Some(1))]),
            ("main/late_sender".to_owned(), vec![(0, 5.0, Some(1)), (1, 0.0, Some(1))]),
            ("main/late_sender/MPI_Recv".to_owned(), vec![(1, 0.0, Some(800))]),
        ]
    );
}

#[test]
fn wait_states_have_the_titles_of_scalascas_reports() {
    let report = std::fs::read(peer("scorep-hybrid-2x2").join("scout.cubex")).unwrap();
    let report = String::from_utf8_lossy(&report);
    let titles = |metric: &str| -> Vec<String> {
        let name = format!("<uniq_name>{metric}</uniq_name>");
        let before = report.match_indices(&name).map(|(at, _)| at);
        let title = |at: usize| {
            let (_, title) = report[..at].rsplit_once("<disp_name>")?;
            Some(title.split_once("</disp_name>")?.0.to_owned())
        };
        before.filter_map(title).collect()
    };
    for state in WaitState::ALL {
        assert_eq!(state.title().is_some(), state.metric().is_some(), "{}", state.name());
        if let (Some(metric), Some(title)) = (state.metric(), state.title()) {
            assert!(titles(metric).iter().any(|of| of == title), "{metric}: {:?}", titles(metric));
        }
    }
}
