//! Profiles of ours as reports of Cube, through the writer and the reader.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Cursor, Read};
use std::path::Path;

use ats_documents::profile::{CallNode, Combine, Metric, Origin, ProcessingUnit, Profile, ProfiledRegion};
use ats_documents::{Causes, Report};
use ats_model::definitions::{Paradigm, RegionRole, SystemNode};
use ats_model::{CallSite, View, WaitState, delay};
use ats_reports::{Format, Stored};
use ats_testing::peer;
use proptest::prelude::*;

/// Metrics that are counted at calls.
const COUNTS: [&str; 3] = ["comms_send", "bytes_cin", "syncs_coll"];

/// Characters that names may contain.
const NAMES: [&str; 8] =
    ["main", "f(int) const", "a<b> & \"c\"", "naïve::κ", "!$omp for @a.c:3", "x'y", "]]>", "MPI_Recv"];

pub(crate) fn written(profile: &Profile, stored: Stored) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    ats_reports::cubex(profile, stored, &mut file).unwrap();
    file.into_inner()
}

fn read(bytes: Vec<u8>) -> Report {
    ats_reports::parse(Path::new("scout.cubex"), bytes, Some(Format::Cube)).unwrap()
}

/// Seconds that binary numbers have, so that sums are exact.
fn seconds(number: u32) -> f64 {
    f64::from(number) / 1024.0
}

/// A profile of these regions' numbers below these paths, on these ranks and threads, with amounts of these metrics.
fn profile(
    nodes: &[(u32, u32)],
    units: BTreeSet<(u32, u32)>,
    is_turned: bool,
    values: &[(usize, u32, u32, u32)],
) -> Profile {
    let mut profile = Profile::new("traces.otf2");
    let region = |(id, name): (u32, &&str)| ProfiledRegion {
        id,
        name: (*name).to_owned(),
        role: RegionRole::ALL[id as usize],
        paradigm: Paradigm::Mpi,
        file: (id % 2 == 0).then(|| format!("{name}.c")),
        lines: (id % 3 == 0).then_some([id, id + 7]),
        call_site: None,
    };
    profile.regions = (0..).zip(&NAMES).map(region).collect();
    profile.units =
        units.into_iter().map(|(rank, thread)| ProcessingUnit { rank, thread, node: None }).collect();
    if is_turned {
        profile.units.reverse();
    }
    let mut seen = BTreeSet::new();
    for &(parent, region) in nodes {
        let id = profile.call_tree.len() as u32;
        let parent = parent.checked_rem(id + 1).filter(|&parent| parent < id);
        if seen.insert((parent, region)) {
            profile.call_tree.push(CallNode { id, parent, region });
        }
    }
    let times = [Profile::TIME, Profile::MIN_TIME, Profile::MAX_TIME].map(|name| (name, "s"));
    let counts = COUNTS.map(|name| (name, if name.starts_with("bytes") { "bytes" } else { "occ" }));
    let waits = WaitState::ALL.map(|state| (state.name(), "s"));
    let all: Vec<(&str, &str)> =
        times.into_iter().chain([(Profile::VISITS, "occ")]).chain(counts).chain(waits).collect();
    // All are looked for.
    let declared = |state: WaitState| Metric::new(state.name(), "s", Origin::Derived, Combine::Sum);
    profile.metrics = WaitState::ALL.map(declared).to_vec();
    let mut known = BTreeSet::new();
    for &(metric, path, unit, number) in values {
        let (name, of) = all[metric % all.len()];
        let (path, unit) = (path % profile.call_tree.len() as u32, unit % profile.units.len() as u32);
        if !known.insert((name, path, unit)) {
            continue;
        }
        if !profile.metrics.iter().any(|metric| metric.name == name) {
            let combine = match name {
                Profile::MIN_TIME => Combine::Minimum,
                Profile::MAX_TIME => Combine::Maximum,
                _ => Combine::Sum,
            };
            profile.metrics.push(Metric::new(name, of, Origin::Measured, combine));
        }
        let value = if of == "s" { seconds(number) } else { f64::from(number) };
        profile.values.entry(name.to_owned()).or_default().memory().push((path, unit, value));
    }
    profile
}

fn profiles() -> impl Strategy<Value = Profile> {
    let nodes = prop::collection::vec((0..20u32, 0..NAMES.len() as u32), 1..20);
    let units = prop::collection::btree_set((0..5u32, 0..4u32), 1..8);
    let values = prop::collection::vec((0..100usize, any::<u32>(), any::<u32>(), 0..100_000u32), 0..120);
    (nodes, units, any::<bool>(), values)
        .prop_map(|(nodes, units, is_turned, values)| profile(&nodes, units, is_turned, &values))
}

/// The amounts by metric or name, call path, rank and thread.
type Amounts = BTreeMap<(String, Vec<String>, u32, u32), f64>;

/// The expected report of a profile: times with all call paths inside, and counts over all locations.
fn expected(profile: &Profile) -> Amounts {
    let mut amounts = Amounts::new();
    let mut note = |metric: &str, path: usize, unit: Option<&ProcessingUnit>, value: f64| {
        let mut names = vec!["PROGRAM".to_owned()];
        names.extend(profile.path(path as u32).into_iter().map(str::to_owned));
        let (rank, thread) = unit.map_or((0, 0), |unit| (unit.rank, unit.thread));
        if value > 0.0 {
            *amounts.entry((metric.to_owned(), names, rank, thread)).or_default() += value;
        }
    };
    for unit in &profile.units {
        let own = |metric: &str| profile.exclusive(metric, |one| one == *unit).into_iter().enumerate();
        let all = profile.inclusive(Profile::TIME, |one| one == *unit).into_iter().enumerate();
        all.for_each(|(path, value)| note(Profile::TIME, path, Some(unit), value));
        own(Profile::VISITS).for_each(|(path, value)| note(Profile::VISITS, path, Some(unit), value));
        for state in WaitState::ALL {
            own(state.name()).for_each(|(path, value)| note(state.label(), path, Some(unit), value));
        }
    }
    for metric in COUNTS {
        profile.exclusive(metric, |_| true).into_iter().enumerate().for_each(|(path, value)| {
            // Of bytes, a report says what they are by the call that moves them.
            let metric = if metric == "bytes_cin" { "bytes_rcvd" } else { metric };
            note(metric, path, None, value);
        });
    }
    amounts
}

fn found(report: &Report) -> Amounts {
    let mut amounts = Amounts::new();
    for call in report.calls.iter().filter(|call| call.call_path.len() > 1) {
        for share in &call.locations {
            let mut note = |metric: &str, value: f64| {
                if value > 0.0 {
                    let key = (metric.to_owned(), call.call_path.clone(), share.rank, share.thread);
                    assert_eq!(amounts.insert(key, value), None);
                }
            };
            note(Profile::TIME, share.inclusive_time);
            note(Profile::VISITS, share.visits.unwrap() as f64);
        }
    }
    for finding in &report.findings {
        let metric = finding.metric.clone().unwrap_or_else(|| finding.property.unwrap().name().to_owned());
        if finding.view == View::Count {
            amounts.insert((metric, finding.call_path.clone(), 0, 0), finding.instances as f64);
            continue;
        }
        for share in &finding.locations {
            let key = (metric.clone(), finding.call_path.clone(), share.rank, share.thread);
            assert_eq!(amounts.insert(key, share.waiting_time), None);
        }
    }
    amounts
}

#[test]
fn program_and_machine_are_those_of_the_profile() {
    // Ranks go round the nodes, of which the second comes first in the profile's order.
    let values = [(0, 0, 0, 1024), (0, 0, 1, 2048), (0, 0, 2, 3072), (0, 1, 1, 512)];
    let mut profile = profile(&[(0, 0), (0, 1)], [(0, 0), (1, 0), (2, 0)].into(), true, &values);
    profile.regions[0].role = RegionRole::Artificial;
    let node = |name: &str, parent| SystemNode { name: name.into(), class: "node".into(), parent };
    profile.nodes =
        vec![node("cluster", None), node("n2", Some(0)), node("n1", Some(0)), node("board", Some(1))];
    for unit in &mut profile.units {
        unit.node = Some([3, 2, 3][unit.rank as usize]);
    }
    let bytes = written(&profile, Stored::Plain);
    let report = read(bytes.clone());
    let shares = |names: &[&str]| -> Vec<(u32, f64)> {
        let call = report.calls.iter().find(|call| call.call_path == names).unwrap();
        let mut shares: Vec<_> = call.locations.iter().map(|of| (of.rank, of.inclusive_time)).collect();
        shares.sort_by_key(|share| share.0);
        shares
    };
    let by_rank = |path: &[&str]| {
        let number = (0..2).find(|&number| profile.path(number) == path).unwrap() as usize;
        let of = |rank| profile.inclusive(Profile::TIME, |unit| unit.rank == rank)[number];
        (0..3).map(|rank| (rank, of(rank))).filter(|(_, time)| *time > 0.0).collect::<Vec<_>>()
    };
    for path in [&[NAMES[0]][..], &[NAMES[0], NAMES[1]]] {
        assert_eq!(
            shares(path).into_iter().filter(|(_, time)| *time > 0.0).collect::<Vec<_>>(),
            by_rank(path)
        );
    }
    let text = String::from_utf8_lossy(&bytes);
    assert!(!text.contains("PROGRAM"));
    let names: Vec<&str> = text.split("<system>").nth(1).unwrap().split("<name>").skip(1).collect();
    let names: Vec<&str> = names.iter().map(|rest| rest.split('<').next().unwrap()).collect();
    assert_eq!(
        names,
        [
            "cluster",
            "n2",
            "board",
            "MPI Rank 0",
            "Master thread",
            "MPI Rank 2",
            "Master thread",
            "n1",
            "MPI Rank 1",
            "Master thread"
        ]
    );
}

/// In a report, calls at two places are two call paths of one name. By names they are one when the report is read.
#[test]
fn calls_at_two_places_are_two_call_paths_of_a_report() {
    let values =
        [(0, 0, 0, 1024), (0, 1, 0, 2048), (0, 2, 0, 512), (0, 1, 1, 256), (3, 1, 0, 3), (3, 2, 0, 4)];
    let mut profile = profile(&[(0, 0), (0, 7), (0, 6)], [(0, 0), (1, 0)].into(), false, &values);
    for (region, function, line) in [(7, "setup", 10), (6, "halo", 22)] {
        let site = CallSite { function: function.to_owned(), file: "/src/two.c".to_owned(), line };
        let called = ProfiledRegion { id: region, call_site: Some(site), ..profile.regions[7].clone() };
        profile.regions[region as usize] = called;
    }
    let bytes = written(&profile, Stored::Plain);
    let anchor = String::from_utf8(entry(&bytes, "anchor.xml")).unwrap();
    for node in [r#"calleeId="7" line="10" mod="/src/two.c""#, r#"calleeId="6" line="22" mod="/src/two.c""#] {
        assert_eq!(anchor.matches(node).count(), 1, "{node}: {anchor}");
    }
    assert_eq!(anchor.matches("<descr>called in halo at /src/two.c:22</descr>").count(), 1, "{anchor}");
    assert_eq!(total(&bytes, "time"), seconds(1024 + 2048 + 512 + 256));

    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("profile.cubex");
    std::fs::write(&file, &bytes).unwrap();
    let read = ats_reports::profile(&file).unwrap();
    let path = (0..).find(|&path| read.path(path) == ["PROGRAM", "main", "MPI_Recv"]).unwrap() as usize;
    let sums = [Profile::TIME, Profile::VISITS].map(|metric| read.exclusive(metric, |_| true)[path]);
    assert_eq!(sums, [seconds(2048 + 512 + 256), 7.0]);
}

#[test]
fn a_wait_state_that_nobody_looked_for_is_not_among_those_that_a_report_names() {
    let mut profile = profile(&[(0, 0)], [(0, 0)].into(), false, &[(0, 0, 0, 5)]);
    profile.metrics.retain(|metric| metric.name != WaitState::EarlyScan.name());
    let mut file = Cursor::new(Vec::new());
    ats_reports::cubex(&profile, Stored::Compressed, &mut file).unwrap();
    let names = ats_reports::parse("p.cubex".as_ref(), file.into_inner(), None).unwrap().names;
    assert!(!names.contains(&WaitState::EarlyScan) && names.contains(&WaitState::LateReceiver), "{names:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ats_testing::seeds(64).end as u32, ..ProptestConfig::default() })]

    #[test]
    fn a_written_report_is_read(profile in profiles(), is_compressed: bool) {
        let stored = if is_compressed { Stored::Compressed } else { Stored::Plain };
        let report = read(written(&profile, stored));
        prop_assert_eq!(&report.tool, "ats");
        prop_assert_eq!(report.version.as_deref(), Some(env!("CARGO_PKG_VERSION")));
        prop_assert_eq!(&report.names[..], WaitState::ALL);
        prop_assert!(report.warnings.is_empty() && report.unmapped.is_empty(), "{:?}", report);
        prop_assert_eq!(found(&report), expected(&profile));
    }
}

/// A sample with a bit of everything: two ranks, the second with two threads.
fn sample() -> Profile {
    let nodes = [(0, 0), (0, 7), (0, 2), (2, 4), (1, 1)];
    let units = BTreeSet::from([(0, 0), (1, 0), (1, 1)]);
    let of_all = (0..35).map(|at| (at as usize, at, at / 2, 1024 * (at + 1)));
    let time = (0, 4, 0, 1024);
    let values: Vec<(usize, u32, u32, u32)> = of_all.chain([time]).collect();
    profile(&nodes, units, true, &values)
}

pub(crate) fn entry(archive: &[u8], name: &str) -> Vec<u8> {
    let mut archive = tar::Archive::new(archive);
    let mut entries = archive.entries().unwrap().map(Result::unwrap);
    let mut entry = entries.find(|entry| entry.path().unwrap().to_str() == Some(name)).unwrap();
    let mut bytes = Vec::new();
    entry.read_to_end(&mut bytes).unwrap();
    bytes
}

#[test]
fn an_anchor_is_as_those_of_scorep() {
    let mut sample = sample();
    sample.regions[1].name = "bell\u{7}".to_owned();
    let anchor = String::from_utf8(entry(&written(&sample, Stored::Plain), "anchor.xml")).unwrap();
    insta::assert_snapshot!(anchor.replace(env!("CARGO_PKG_VERSION"), "VERSION"));
    let report = read(written(&sample, Stored::Plain));
    assert!(report.calls.iter().any(|call| call.call_path.contains(&"bell\u{fffd}".to_owned())));
}

/// The sum of a metric's values over all call paths and locations, as they are stored.
fn total(archive: &[u8], metric: &str) -> f64 {
    stored(archive, metric).into_iter().map(|(_, value)| value).sum()
}

/// The values of a metric in the order in which they are stored, each with the number of its row.
pub(crate) fn stored(archive: &[u8], metric: &str) -> Vec<(u32, f64)> {
    let anchor = String::from_utf8(entry(archive, "anchor.xml")).unwrap();
    let before = anchor.split_once(&format!("<uniq_name>{metric}</uniq_name>")).unwrap().0;
    let id = before.rsplit_once("<metric id=\"").unwrap().1.split_once('"').unwrap().0;
    let [index, data] = ["index", "data"].map(|kind| entry(archive, &format!("{id}.{kind}")));
    let rows = index.strip_prefix(b"CUBEX.INDEX").unwrap()[11..].chunks_exact(4);
    let rows: Vec<u32> = rows.map(|row| u32::from_le_bytes(row.try_into().unwrap())).collect();
    let values = data.strip_prefix(b"CUBEX.DATA").unwrap().chunks_exact(8);
    let values = values.map(|value| f64::from_le_bytes(value.try_into().unwrap()));
    let locations = values.len() / rows.len().max(1);
    values.enumerate().map(|(at, value)| (rows[at / locations], value)).collect()
}

/// The metrics in seconds, each with the one that it is below.
pub(crate) fn metrics(archive: &[u8]) -> Vec<(String, Option<String>)> {
    let anchor = String::from_utf8(entry(archive, "anchor.xml")).unwrap();
    let mut open: Vec<String> = Vec::new();
    let mut metrics = Vec::new();
    for line in anchor.lines() {
        if let Some(name) = line.trim().strip_prefix("<uniq_name>") {
            let name = name.trim_end_matches("</uniq_name>").to_owned();
            metrics.push((name.clone(), open.last().cloned(), String::new()));
            open.push(name);
        } else if let Some(unit) = line.trim().strip_prefix("<uom>") {
            metrics.last_mut().unwrap().2 = unit.trim_end_matches("</uom>").to_owned();
        } else if line.trim() == "</metric>" {
            open.pop();
        }
    }
    metrics.into_iter().filter(|of| of.2 == "sec").map(|(name, above, _)| (name, above)).collect()
}

fn parent(archive: &[u8], metric: &str) -> Option<String> {
    metrics(archive).into_iter().find(|(name, _)| name == metric).unwrap().1
}

#[test]
fn a_class_of_calls_has_their_time_and_the_waits_in_it() {
    let mut profile = profile(&[(0, 0)], BTreeSet::from([(0, 0)]), false, &[]);
    let names = [
        "main",
        "MPI_Recv",
        "MPI_Barrier",
        "MPI_Comm_dup",
        "MPI_Type_commit",
        "!$omp critical @a.c:3",
        "!$omp parallel @a.c:1",
    ];
    let region = |(id, name): (u32, &str)| ProfiledRegion {
        id,
        name: name.to_owned(),
        role: match name {
            _ if name.contains("critical") => RegionRole::Critical,
            _ if name.contains("parallel") => RegionRole::Parallel,
            _ => RegionRole::Unknown,
        },
        paradigm: if name.starts_with('!') { Paradigm::OpenMp } else { Paradigm::Unknown },
        ..ProfiledRegion::default()
    };
    profile.regions = (0..).zip(names).map(region).collect();
    let node = |id: u32| CallNode { id, parent: (id > 0).then_some(0), region: id };
    profile.call_tree = (0..7).map(node).collect();
    let times = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 256.0];
    let mut note = |metric: &str, values: &[(u32, f64)]| {
        let values: Vec<_> = values.iter().map(|&(path, value)| (path, 0, value)).collect();
        profile.values.insert(metric.to_owned(), values.into());
    };
    note(Profile::TIME, &(0..).zip(times).collect::<Vec<_>>());
    note("late_sender", &[(1, 0.5)]);
    note("late_sender_wrong_order_same_source", &[(1, 0.25)]);
    note("late_sender_wrong_order_different_sources", &[(1, 0.125)]);
    note("omp_management", &[(6, 48.0)]);
    note("omp_fork", &[(6, 16.0)]);
    note("idle_threads", &[(0, 64.0)]);
    note("limited_parallelism", &[(0, 128.0)]);
    profile.metrics.push(Metric::new(Profile::FORK, "s", Origin::Derived, Combine::Sum));
    let archive = written(&profile, Stored::Plain);
    for (metric, seconds) in [
        ("time", 511.0),
        ("execution", 319.0),
        ("comp", 1.0 + 256.0 - 48.0),
        ("mpi", 30.0),
        ("mpi_management", 8.0),
        ("mpi_mgmt_comm", 8.0),
        ("mpi_init_exit", 0.0),
        ("mpi_synchronization", 4.0),
        ("mpi_sync_collective", 4.0),
        ("mpi_communication", 2.0),
        ("mpi_point2point", 2.0),
        ("mpi_collective", 0.0),
        ("mpi_latesender", 0.875),
        ("mpi_latesender_wo", 0.375),
        ("mpi_lswo_same", 0.25),
        ("omp_time", 32.0 + 48.0),
        ("omp_management", 48.0),
        ("omp_fork", 16.0),
        ("omp_synchronization", 32.0),
        ("omp_critical", 32.0),
        ("omp_barrier", 0.0),
        ("omp_idle_threads", 192.0),
        ("omp_limited_parallelism", 128.0),
    ] {
        assert_eq!(total(&archive, metric), seconds, "{metric}");
    }
    assert_eq!(parent(&archive, "omp_management").as_deref(), Some("omp_time"));
    assert_eq!(parent(&archive, "omp_idle_threads").as_deref(), Some("time"));
    // A part is no longer than the whole, and nothing is left that is negative.
    let metrics = metrics(&archive);
    for (whole, _) in &metrics {
        let parts = metrics.iter().filter(|(_, above)| above.as_ref() == Some(whole));
        let parts: f64 = parts.map(|(part, _)| total(&archive, part)).sum();
        assert!(parts <= total(&archive, whole), "{whole}: {parts}");
    }
    let report = read(archive);
    let times = |names: &[&str]| {
        report.calls.iter().find(|call| call.call_path == names).unwrap().locations[0].inclusive_time
    };
    assert_eq!((times(&["PROGRAM"]), times(&["PROGRAM", "main", names[6]])), (319.0, 256.0));
}

#[test]
fn costs_of_causes_are_where_scalasca_has_them() {
    let mut profile = profile(&[(0, 0), (0, 7)], [(0, 0), (1, 0)].into(), false, &[(0, 0, 0, 1024)]);
    profile.values.insert(WaitState::LateSender.name().to_owned(), vec![(1, 1, 2.0)].into());
    let wrong_order = WaitState::LateSenderWrongOrderSameSource.name();
    profile.values.insert(wrong_order.to_owned(), vec![(1, 1, 0.5)].into());
    let values: &[(&str, f64)] = &[
        ("delay_latesender", 1.0),
        ("delay_latesender_longterm", 0.5),
        ("delay_barrier", 4.0),
        ("delay_ompcritical", 8.0),
        ("mpi_wait_indirect_latesender", 0.75),
        ("critical_path", 16.0),
        ("critical_path_imbalance", 2.0),
        ("critical_path_activities", 3.0),
        ("critical_imbalance_impact", 2.5),
        ("inter_partition_imbalance", 0.5),
        ("some_other_cost", 1.0),
    ];
    let causes = Causes {
        units: profile.units.clone(),
        call_paths: vec![vec!["main".to_owned(), "MPI_Recv".to_owned()]],
        metrics: values.iter().map(|&(name, value)| (name.to_owned(), vec![(0, 1, value)])).collect(),
        ..Causes::default()
    };
    profile.add_causes(&causes);
    let archive = written(&profile, Stored::Plain);
    for (metric, seconds, above) in [
        ("delay", 13.5, None),
        ("delay_mpi", 5.5, Some("delay")),
        ("delay_p2p", 1.5, Some("delay_mpi")),
        ("delay_latesender_aggregate", 1.5, Some("delay_p2p")),
        ("delay_latesender", 1.0, Some("delay_latesender_aggregate")),
        ("delay_collective", 4.0, Some("delay_mpi")),
        ("delay_omp", 8.0, Some("delay")),
        ("delay_ompcritical_aggregate", 8.0, Some("delay_omp")),
        ("mpi_wait_indirect", 0.75, Some("waitstates_direct_vs_indirect")),
        ("mpi_wait_direct_latesender", 1.75, Some("mpi_wait_direct")),
        ("waitstates_direct_vs_indirect", 2.5, None),
        ("critical_path", 16.0, None),
        ("critical_path_imbalance", 2.0, Some("critical_path")),
        ("performance_impact", 6.0, None),
        ("critical_imbalance_impact", 3.0, Some("performance_impact_criticalpath")),
        ("inter_partition_imbalance", 0.5, Some("critical_imbalance_impact")),
        ("some_other_cost", 1.0, None),
    ] {
        assert_eq!(
            (total(&archive, metric), parent(&archive, metric).as_deref()),
            (seconds, above),
            "{metric}"
        );
    }
    let anchor = String::from_utf8(entry(&archive, "anchor.xml")).unwrap();
    for absent in
        ["delay_latereceiver_aggregate", "waitstates_propagating_vs_terminal", "mpi_wait_direct_latereceiver"]
    {
        assert!(!anchor.contains(absent), "{absent}");
    }
    assert!(anchor.contains("<disp_name>Short-term MPI Late Sender Delay Costs</disp_name>"));
    // What was found does not depend on them.
    let report = read(archive);
    let found = report.findings.iter().filter(|finding| finding.property == Some(WaitState::LateSender));
    assert_eq!(found.map(|finding| finding.waiting_time).collect::<Vec<_>>(), [2.0]);
}

#[test]
fn every_cost_is_once_in_the_report_and_a_part_of_all_delays() {
    let mut profile = profile(&[(0, 0)], [(0, 0)].into(), false, &[(0, 0, 0, 1024)]);
    let causes = Causes {
        units: profile.units.clone(),
        call_paths: vec![vec!["main".to_owned()]],
        metrics: delay::metrics().map(|name| (name.to_owned(), vec![(0, 0, 1.0)])).collect(),
        ..Causes::default()
    };
    profile.add_causes(&causes);
    let archive = written(&profile, Stored::Plain);
    let anchor = String::from_utf8(entry(&archive, "anchor.xml")).unwrap();
    assert!(!anchor.contains("<disp_name></disp_name>"));
    for cost in delay::metrics() {
        assert_eq!(anchor.matches(&format!("<uniq_name>{cost}</uniq_name>")).count(), 1, "{cost}");
        assert_eq!(total(&archive, cost), 1.0, "{cost}");
        let outermost =
            std::iter::successors(Some(cost.to_owned()), |metric| parent(&archive, metric)).last();
        assert!(
            !cost.starts_with("delay_") || outermost.as_deref() == Some("delay"),
            "{cost} in {outermost:?}"
        );
    }
}

#[test]
fn rows_are_the_same_compressed() {
    let of_ranks = |ranks: u32| {
        let spent: Vec<_> = (0..ranks).map(|rank| (0, rank, rank, 1)).collect();
        profile(&[(0, 0), (0, 1)], (0..ranks).map(|rank| (rank, 0)).collect(), false, &spent)
    };
    // Rows of less than eight locations are longer when they are compressed.
    for (ranks, mark) in [(7, "CUBEX.DATA"), (8, "ZCUBEX.DATA")] {
        let [plain, compressed] =
            [Stored::Plain, Stored::Compressed].map(|stored| written(&of_ranks(ranks), stored));
        assert!(entry(&plain, "0.data").starts_with(b"CUBEX.DATA"));
        assert!(entry(&compressed, "0.data").starts_with(mark.as_bytes()));
        assert_eq!(read(plain), read(compressed));
    }
}

#[test]
fn a_report_on_the_disk_is_read_as_one_in_memory() {
    let dir = tempfile::TempDir::new().unwrap();
    let large: Vec<_> = (0..3000).map(|at| (0, at, at / 20, 1 + at)).collect();
    let large =
        profile(&[(0, 0), (0, 1), (1, 2), (0, 3)], (0..700).map(|rank| (rank, 0)).collect(), false, &large);
    let written = [sample(), large]
        .into_iter()
        .flat_map(|profile| [Stored::Plain, Stored::Compressed].map(|stored| written(&profile, stored)));
    let known = ["scorep-hybrid-2x2/scout.cubex", "scorep-7props-4ranks/profile.cubex"];
    let known = known.map(|name| std::fs::read(peer(name)).unwrap());
    for bytes in written.chain(known) {
        let file = dir.path().join("scout.cubex");
        std::fs::write(&file, &bytes).unwrap();
        let report = ats_reports::read(&file, None).unwrap();
        assert!(!report.calls.is_empty());
        assert_eq!(report, ats_reports::parse(&file, bytes, None).unwrap());
    }
}

#[test]
fn thousands_of_calls_in_one_another_need_no_stack() {
    let count = 1_900;
    let mut profile = profile(&[(0, 0)], BTreeSet::from([(0, 0)]), false, &[]);
    profile.call_tree = (0..count).map(|id| CallNode { id, parent: id.checked_sub(1), region: 0 }).collect();
    profile.values.insert(Profile::TIME.to_owned(), vec![(count - 1, 0, 1.0)].into());
    let report = read(written(&profile, Stored::Compressed));
    assert_eq!(report.calls.len(), count as usize + 1);
}

/// Counts are read by call path and location, and minima and maxima of visited units, also if they are 0.
#[test]
fn a_profile_has_what_is_counted_and_where_regions_are() {
    let dir = tempfile::TempDir::new().unwrap();
    let mut sample = sample();
    let visited = [(0, 0, 2.0), (1, 0, 1.0)].to_vec();
    sample.values.insert(Profile::VISITS.to_owned(), visited.into());
    sample.values.insert(Profile::TIME.to_owned(), vec![(0, 0, 3.0), (1, 0, 0.0)].into());
    for (name, values) in [
        (Profile::MIN_TIME, vec![(0, 0, 0.5), (1, 0, 0.0)]),
        (Profile::MAX_TIME, vec![(0, 0, 2.5), (1, 0, 0.0)]),
        ("bytes_cin", vec![(1, 0, 4096.0)]),
        ("PAPI_TOT_INS", vec![(0, 0, 1e9), (1, 0, 7.0)]),
    ] {
        sample.metrics.retain(|metric| metric.name != name);
        let combine = match name {
            Profile::MIN_TIME => Combine::Minimum,
            Profile::MAX_TIME => Combine::Maximum,
            _ => Combine::Sum,
        };
        let unit = if combine == Combine::Sum { "#" } else { "s" };
        sample.metrics.push(Metric::new(name, unit, Origin::Measured, combine));
        sample.values.insert(name.to_owned(), values.into());
    }
    let file = dir.path().join("profile.cubex");
    std::fs::write(&file, written(&sample, Stored::Compressed)).unwrap();
    let profile = ats_reports::profile(&file).unwrap();
    let number = |names: &[&str]| {
        let is_it = |path: &u32| profile.path(*path) == names;
        (0..profile.call_tree.len() as u32).find(is_it).unwrap()
    };
    let (main, inner) = (sample.path(0), sample.path(1));
    let [main, inner] = [main, inner].map(|path| number(&[&["PROGRAM"], &path[..]].concat()));
    let unit = profile.units.iter().position(|unit| {
        let of_sample = sample.units[0];
        (unit.rank, unit.thread) == (of_sample.rank, of_sample.thread)
    });
    let unit = unit.unwrap() as u32;
    for name in [Profile::MIN_TIME, Profile::MAX_TIME, "bytes_cin", "PAPI_TOT_INS"] {
        let declared = profile.metrics.iter().find(|metric| metric.name == name).unwrap();
        let expected = sample.metrics.iter().find(|metric| metric.name == name).unwrap();
        assert_eq!((&declared.unit, declared.combine), (&expected.unit, expected.combine), "{name}");
        assert_eq!(declared.origin, Origin::Imported);
        let there = |(path, _, value): (u32, u32, f64)| ([main, inner][path as usize], unit, value);
        let expected: Vec<_> = sample.values[name].iter().map(there).collect();
        assert_eq!(profile.values[name], expected, "{name}");
    }
    for region in &profile.regions[1..] {
        let of = sample.regions.iter().find(|of| of.name == region.name).unwrap();
        assert_eq!((&region.file, region.lines), (&of.file, of.lines));
    }
    assert_eq!(profile.regions[0].role, RegionRole::Artificial);
    let report = ats_reports::read(&file, None).unwrap();
    let counted = report.findings.iter().filter(|finding| finding.counter() == Some("PAPI_TOT_INS"));
    let mut counted: Vec<u64> = counted.map(|finding| finding.instances).collect();
    counted.sort_unstable();
    assert_eq!(counted, [7, 1_000_000_000]);
}

/// A profile with two counters, of 1,048,577 values and of one.
fn large() -> Profile {
    let nodes: Vec<_> = (0..600).map(|at| (at, at % 8)).collect();
    let mut large = profile(&nodes, (0..2048).map(|rank| (rank, 0)).collect(), false, &[(0, 0, 0, 9)]);
    let paths = large.call_tree.len() as u32;
    assert!(paths * 2048 > 1 << 20);
    let values: Vec<_> = (0..paths).map(|path| (path, path % 2048, f64::from(path) + 1.0)).collect();
    let visits = values.iter().map(|&(path, unit, _)| (path, unit, 1.0));
    large.values.insert(Profile::VISITS.to_owned(), visits.collect());
    for (name, values) in [("many", values), ("few", vec![(0, 0, 5.0)])] {
        large.metrics.push(Metric::new(name, "#", Origin::Measured, Combine::Sum));
        large.values.insert(name.to_owned(), values.into());
    }
    large
}

#[test]
fn every_metric_is_kept_however_many_values_there_are() {
    let dir = tempfile::TempDir::new().unwrap();
    let large = large();
    let amounts = |profile: &Profile| {
        let counted = profile.metrics.iter().find(|metric| metric.name == "many").unwrap();
        let wholes = profile.whole_of_paths(counted, |_| true).into_iter();
        let named = wholes.zip(0..).map(|(whole, path)| (profile.path(path).join("/"), whole.unwrap()));
        named.filter(|(path, _)| path != "PROGRAM").collect::<BTreeMap<_, _>>()
    };
    let expected: BTreeMap<_, _> =
        amounts(&large).into_iter().map(|(path, whole)| (format!("PROGRAM/{path}"), whole)).collect();
    let [_, read] = [Stored::Plain, Stored::Compressed].map(|stored| {
        let file = dir.path().join(format!("{stored:?}.cubex"));
        std::fs::write(&file, written(&large, stored)).unwrap();
        let read = ats_reports::profile(&file).unwrap();
        assert_eq!(read.values["few"].iter().count(), 1);
        assert!(amounts(&read) == expected);
        read
    });
    // What is written of it, and read again, is the same.
    let again = dir.path().join("again.cubex");
    std::fs::write(&again, written(&read, Stored::Plain)).unwrap();
    assert!(ats_reports::profile(&again).unwrap().values == read.values);
    let classes = Default::default();
    let summed = read.summaries(&classes, |_| true);
    let spent =
        |of: &ats_documents::summaries::Summary| of.spent.metrics.get("many").copied().unwrap_or_default();
    let program: f64 = summed.summaries.iter().filter(|of| of.region == "PROGRAM").map(spent).sum();
    let paths = f64::from(large.call_tree.len() as u32);
    assert_eq!(program, paths * (paths + 1.0) / 2.0);
}

#[test]
fn damage_in_what_stays_in_the_file_is_found() {
    let dir = tempfile::TempDir::new().unwrap();
    let file = dir.path().join("profile.cubex");
    let mut large = large();
    // A value that is none, in the middle.
    large.values.get_mut("many").unwrap().memory()[300].2 = f64::NAN;
    std::fs::write(&file, written(&large, Stored::Plain)).unwrap();
    let error = ats_reports::profile(&file).unwrap_err().to_string();
    assert!(error.contains("profile.cubex") && error.contains("\"many\" has a value of NaN"), "{error}");
    // What changes while it is used is told where it is used.
    large.values.get_mut("many").unwrap().memory()[300].2 = 0.0;
    std::fs::write(&file, written(&large, Stored::Plain)).unwrap();
    let read = ats_reports::profile(&file).unwrap();
    std::fs::OpenOptions::new().write(true).open(&file).unwrap().set_len(600).unwrap();
    let mut out = std::io::Cursor::new(Vec::new());
    let error = ats_reports::cubex(&read, Stored::Plain, &mut out).unwrap_err().to_string();
    assert!(error.contains("profile.cubex"), "{error}");
    assert!(read.failure().is_some());
}

#[test]
fn a_report_that_is_cut_short_in_its_anchor_is_damaged_and_not_unknown() {
    let mut bytes = written(&sample(), Stored::Compressed);
    bytes.truncate(3000);
    let error = ats_reports::parse(Path::new("p.cubex"), bytes, None).unwrap_err().to_string();
    assert!(
        error.contains("entry \"anchor.xml\" has ") && error.contains("but the archive only 2488 more"),
        "{error}"
    );
}
