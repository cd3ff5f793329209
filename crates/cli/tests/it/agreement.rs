//! All commands say the same seconds of one trace.

use std::collections::BTreeMap;
use std::path::Path;

use ats_documents::efficiencies::Efficiencies;
use ats_documents::{Analysis, Explanation, Overheads, Profile};
use ats_model::mpi::Function;
use serde::de::DeserializeOwned;

use crate::common::answer;

fn json<T: DeserializeOwned>(dir: &Path, words: &[&str]) -> T {
    serde_json::from_str(&answer(dir, &[words, &["--format", "json"]].concat())).unwrap()
}

/// Seconds that two commands say; times in Cube reports have all digits.
#[track_caller]
fn assert_close(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() <= 1e-6 * expected.abs().max(1e-3), "{what}: {found}, not {expected}");
}

/// Useful seconds by the call paths and events of a profile of processes without threads and tests, where all that is
/// neither in MPI nor the recorder's computes, or has no processor.
fn by_hand(profile: &Profile) -> Option<f64> {
    let is_plain =
        profile.units.iter().all(|unit| unit.thread == 0) && !profile.values.contains_key(Profile::POLLING);
    let names: Vec<Vec<&str>> = (0..profile.call_tree.len() as u32).map(|path| profile.path(path)).collect();
    let tests =
        |name: &&str| Function::of_spelling(name).is_some_and(|function| function.name().contains("_Test"));
    if !is_plain || names.iter().flatten().any(|name| tests(name) || name.starts_with("!$omp")) {
        return None;
    }
    let computes = |path: u32| {
        let names = &names[path as usize];
        let of_recorder = [Profile::RECORDING_OFF, Profile::BUFFER_FLUSH];
        names.iter().all(|name| Function::of_spelling(name).is_none() && !of_recorder.contains(name))
    };
    let mut of_units: BTreeMap<u32, f64> = BTreeMap::new();
    for (metric, sign) in [(Profile::TIME, 1.0), (Profile::OUTSIDE, -1.0)] {
        for (_, unit, seconds) in profile.values_of(metric).filter(|of| computes(of.0)) {
            *of_units.entry(unit).or_default() += sign * seconds;
        }
    }
    for (_, unit, seconds) in profile.values_of(Profile::NOT_RUNNING) {
        of_units.entry(unit).and_modify(|of| *of -= seconds.min(*of));
    }
    Some(of_units.into_values().sum())
}

/// Checks a trace, from `dir`, with a repository there that has two experiments of it alone.
pub(crate) fn check(dir: &Path, trace: &str, [first, second]: [&str; 2]) {
    let analysis: Analysis = json(dir, &["analyze", trace]);
    let explanation: Explanation = json(dir, &["explain", trace]);
    let profile: Profile = json(dir, &["profile", trace]);
    let efficiencies: Efficiencies = json(dir, &["efficiency", first]);
    let overheads: Overheads = json(dir, &["overheads", second, "--sequential", first]);
    let (division, efficiency, overheads) =
        (explanation.division, &efficiencies.experiments[0], &overheads.experiments[0]);
    assert_eq!(explanation.basis, analysis.basis, "{trace}");
    assert_close(efficiency.useful, division.computing, &format!("{trace}: useful by efficiency"));
    assert_close(overheads.useful.unwrap(), division.computing, &format!("{trace}: useful by overheads"));
    assert_close(
        efficiency.not_running.unwrap_or_default(),
        division.not_running,
        &format!("{trace}: without a processor by efficiency"),
    );
    let of_metric = |metric| profile.exclusive(metric, |_| true).into_iter().sum::<f64>();
    assert_close(efficiency.outside, of_metric(Profile::OUTSIDE), &format!("{trace}: outside"));
    assert_close(overheads.outside.unwrap(), efficiency.outside, &format!("{trace}: outside by overheads"));
    if let Some(useful) = by_hand(&profile) {
        assert_close(useful, division.computing, &format!("{trace}: useful by hand"));
    }
    let is_recorded_wholly = division.not_recorded == 0.0;
    if analysis.basis.region.is_none() && is_recorded_wholly && division.absent == 0.0 {
        assert_close(efficiency.time, analysis.basis.wall_time, &format!("{trace}: time"));
        let inside = of_metric(Profile::TIME) - of_metric(Profile::OUTSIDE);
        let all = analysis.basis.location_seconds;
        assert_close(inside + division.idle, all, &format!("{trace}: seconds of the profile"));
    }
}

/// Checks a kept trace.
fn check_peer(trace: &str) {
    let dir = tempfile::tempdir().unwrap();
    let path = ats_testing::peer(trace);
    let path = path.to_str().unwrap();
    let add = |repeat| {
        let words = ["experiment", "add", "repo", path, "--application", "kept", "--repeat", repeat];
        format!("repo/{}", answer(dir.path(), &words).trim())
    };
    let [first, second] = ["1", "2"].map(add);
    check(dir.path(), path, [&first, &second]);
}

#[test]
fn of_mini_apps() {
    for name in ["cloverleaf", "comd", "hpcg", "lulesh-mpi", "lulesh-omp", "miniamr", "minife"] {
        check_peer(&format!("mini-apps/{name}/traces.otf2"));
    }
}

#[test]
fn of_traces_of_other_recorders() {
    for name in [
        "extrae-7props-4ranks/trace.prv",
        "extrae-gnu-critical-section-contention-1x3/trace.prv",
        "extrae-gnu-imbalance-in-omp-sections-1x3/trace.prv",
        "extrae-late-sender/trace.prv",
        "extrae-llvm-unparallelized-in-single-region-1x3/trace.prv",
        "extrae-patterns-4ranks/trace.prv",
        "eztrace-7props-4ranks/eztrace_log.otf2",
        "otf2-metrics/traces.otf2",
        "recorder-patterns-4ranks/traces.otf2",
        "scorep-7props-4ranks-spin/traces.otf2",
        "scorep-7props-4ranks/traces.otf2",
        "scorep-clocks-4ranks/traces.otf2",
        "scorep-hybrid-2x2/traces.otf2",
        "scorep-ompt-tasks-1x4/traces.otf2",
        "scorep-patterns-4ranks/traces.otf2",
    ] {
        check_peer(name);
    }
}
