//! Profiles of runs, beside Scalasca's report of the same trace.

use std::collections::BTreeMap;

use ats_documents::profile::Profile;
use ats_testing::peer;
use ats_trace::Archive;

/// Traces of Score-P and of the suite's recorder that Scalasca has analyzed.
const RUNS: [&str; 5] = [
    "scorep-7props-4ranks",
    "scorep-patterns-4ranks",
    "scorep-7props-4ranks-spin",
    "scorep-hybrid-2x2",
    "recorder-patterns-4ranks",
];

/// By call path, rank and thread: visits, and seconds with all that is inside.
type Spent = BTreeMap<(Vec<String>, u32, u32), (u64, f64)>;

fn ours(profile: &Profile) -> Spent {
    let mut spent = Spent::new();
    for unit in &profile.units {
        let visits = profile.exclusive(Profile::VISITS, |one| one == *unit);
        let seconds = profile.inclusive(Profile::TIME, |one| one == *unit);
        for (path, (&visits, &seconds)) in (0..).zip(visits.iter().zip(&seconds)) {
            if visits > 0.0 {
                let path = profile.path(path).into_iter().map(str::to_owned).collect();
                spent.insert((path, unit.rank, unit.thread), (visits as u64, seconds));
            }
        }
    }
    spent
}

#[test]
fn visits_and_times_are_scalascas() {
    for run in RUNS {
        let archive = Archive::open(&peer(run).join("traces.otf2")).unwrap();
        let options = ats_analyzer::Options::default();
        let (analysis, profile) = ats_analyzer::analyze_and_profile(&archive, run, &options).unwrap();
        assert_eq!(analysis, ats_analyzer::analyze(&archive, run, &options).unwrap());
        let early = ats_analyzer::Options { records_in_memory: 0, ..options };
        assert_eq!(ats_analyzer::analyze_and_profile(&archive, run, &early).unwrap().1, profile, "{run}");

        let ours = ours(&profile);
        let report = ats_reports::source::report(&peer(run).join("scout.cubex")).unwrap();
        let mut compared = 0;
        for call in &report.calls {
            for share in call.locations.iter().filter(|share| share.visits.is_some_and(|visits| visits > 0)) {
                let key = (call.call_path.clone(), share.rank, share.thread);
                let Some(&(visits, seconds)) = ours.get(&key) else { panic!("{run}: {key:?} is missing") };
                assert_eq!(Some(visits), share.visits, "{run}: {key:?}");
                let theirs = share.inclusive_time;
                assert!((seconds - theirs).abs() <= 1e-9, "{run}: {key:?}: {seconds}, Scalasca {theirs}");
                compared += 1;
            }
        }
        assert_eq!(compared, ours.len(), "{run}: nothing besides");
        assert!(compared > 50, "{run}: {compared}");
    }
}

/// By metric, call path, rank and thread: a number.
fn numbers(profile: &Profile) -> BTreeMap<(String, String, u32, u32), f64> {
    let is_counted = |name: &str| {
        let is_traffic = ["comms_", "syncs_", "bytes_"].iter().any(|begin| name.starts_with(begin));
        is_traffic || ats_model::instances::row(name).is_some()
    };
    let names = profile.values.keys().filter(|name| is_counted(name));
    let all = names.flat_map(|name| profile.values_of(name).map(move |value| (name, value)));
    let key = |name: &str, path: u32, unit: u32| {
        let unit = profile.units[unit as usize];
        (name.to_owned(), profile.path(path).join("/"), unit.rank, unit.thread)
    };
    let numbers = all.filter(|(_, (.., number))| *number != 0.0);
    numbers.map(|(name, (path, unit, number))| (key(name, path, unit), number)).collect()
}

#[test]
fn numbers_of_messages_and_of_waits_for_them_are_scalascas() {
    let mut seen = std::collections::BTreeSet::new();
    for run in RUNS {
        let of_trace = numbers(&ats_reports::source::profile(&peer(run)).unwrap());
        let of_report = numbers(&ats_reports::source::profile(&peer(run).join("scout.cubex")).unwrap());
        // Scalasca leaves their sum to Cube.
        let is_theirs = |key: &(String, String, u32, u32)| key.0 != "comms_coll";
        let ours: BTreeMap<_, _> = of_trace.into_iter().filter(|(key, _)| is_theirs(key)).collect();
        let differ = ours.keys().chain(of_report.keys()).filter(|key| ours.get(*key) != of_report.get(*key));
        let differ: Vec<_> = differ.map(|key| (key, ours.get(key), of_report.get(key))).take(8).collect();
        assert!(differ.is_empty(), "{run}: {differ:?}");
        seen.extend(ours.into_keys().map(|key| key.0));
    }
    for name in
        ["mpi_cls_count", "mpi_clr_count", "mpi_clswo_count", "comms_cxch", "comms_csrc", "comms_cdst"]
    {
        assert!(seen.contains(name), "{name}: {seen:?}");
    }
}

#[test]
fn metrics_are_columns_below_the_program() {
    let archive = Archive::open(&peer("otf2-metrics/traces.otf2")).unwrap();
    let (_, profile) = ats_analyzer::analyze_and_profile(&archive, "test", &Default::default()).unwrap();
    let paths: Vec<_> =
        (0..profile.call_tree.len() as u32).map(|path| profile.path(path).join("/")).collect();
    assert_eq!(paths, ["heat", "heat/main", "heat/main/MEASUREMENT OFF"]);
    let of = |metric: &str| {
        profile.values[metric].iter().map(|(path, _, value)| (path, value)).collect::<Vec<_>>()
    };
    assert_eq!(of("time"), [(0, 2.0), (1, 4.0), (2, 2.0)]);
    // 24 times 10^3; -5 before main and 9 inside it, times a quarter; of the temperature what it was.
    assert_eq!(of("PAPI_TOT_INS"), [(1, 24_000.0)]);
    assert_eq!(of("steps"), [(0, -1.25), (1, 2.25)]);
    assert_eq!(
        (of("min_temperature"), of("max_temperature")),
        (vec![(0, 300.5), (1, 250.0)], vec![(0, 300.5), (1, 310.25)])
    );
    let [unit] = &profile.units[..] else { panic!("{:?}", profile.units) };
    assert_eq!(unit.node.map(|node| &*profile.nodes[node as usize].name), Some("n1"));
    assert_eq!(profile.regions[1].lines, Some([10, 20]));
}

#[test]
fn the_profile_of_scalascas_report_is_that_of_the_trace() {
    for run in RUNS {
        let of_trace = ats_reports::source::profile(&peer(run)).unwrap();
        let of_report = ats_reports::source::profile(&peer(run).join("scout.cubex")).unwrap();
        let (of_trace, of_report) = (ours(&of_trace), ours(&of_report));
        assert!(of_trace.keys().eq(of_report.keys()), "{run}");
        for (key, (visits, seconds)) in of_trace {
            let (theirs, of_theirs) = of_report[&key];
            assert_eq!(visits, theirs, "{run}: {key:?}");
            assert!((seconds - of_theirs).abs() <= 1e-9, "{run}: {key:?}: {seconds}, Scalasca {of_theirs}");
        }
    }
}
