use std::collections::BTreeMap;

use proptest::prelude::*;

use super::{Spent, Summaries, Summary};
use crate::classes::Classes;
use crate::profile::{CallNode, Combine, Metric, Origin, ProcessingUnit, Profile, ProfiledRegion};
use ats_model::CallSite;
use ats_model::definitions::RegionRole;

/// A metric, its unit, and its values.
type Values<'a> = (&'a str, &'a str, &'a [(u32, u32, f64)]);

/// A profile of regions of these names, of call paths that are a parent and a region, and of values by metric and unit.
fn profile(units: u32, regions: &[&str], paths: &[(Option<u32>, u32)], values: &[Values]) -> Profile {
    let mut profile = Profile::new("test");
    profile.units = (0..units).map(|rank| ProcessingUnit { rank, thread: 0, node: None }).collect();
    let region =
        |(id, name): (u32, &&str)| ProfiledRegion { id, name: (*name).to_owned(), ..Default::default() };
    profile.regions = (0..).zip(regions).map(region).collect();
    profile.call_tree =
        (0..).zip(paths).map(|(id, &(parent, region))| CallNode { id, parent, region }).collect();
    for &(name, unit, of) in values {
        let combine = if name.starts_with("min_") { Combine::Minimum } else { Combine::Sum };
        profile.metrics.push(Metric::new(name, unit, Origin::Measured, combine));
        profile.values.insert(name.to_owned(), of.to_vec().into());
    }
    profile
}

/// One rank: `main` (1 s) calls `f` (2 s), which calls itself (3 s) and there `MPI_Recv` (4 s, 3.5 s of them waiting),
/// then `MPI_Barrier` (0.5 s) and `!$omp parallel` (8 s), which takes 0.25 s to fork.
fn recursive() -> Profile {
    let paths = [(None, 0), (Some(0), 1), (Some(1), 1), (Some(2), 2), (Some(0), 3), (Some(0), 4)];
    let time = [(0, 0, 1.0), (1, 0, 2.0), (2, 0, 3.0), (3, 0, 4.0), (4, 0, 0.5), (5, 0, 8.0)];
    let visits = [(0, 0, 1.0), (1, 0, 1.0), (2, 0, 5.0), (3, 0, 10.0), (4, 0, 1.0), (5, 0, 1.0)];
    profile(
        1,
        &["main", "f", "MPI_Recv", "MPI_Barrier", "!$omp parallel @a.c:3"],
        &paths,
        &[
            ("time", "s", &time),
            ("visits", "occ", &visits),
            ("min_time", "s", &[(3, 0, 0.1)]),
            ("late_sender", "s", &[(3, 0, 3.5)]),
            ("idle_threads", "s", &[(0, 0, 7.0)]),
            ("omp_management", "s", &[(5, 0, 0.25)]),
            ("bytes_rcvd", "bytes", &[(3, 0, 800.0)]),
        ],
    )
}

fn all_summaries(profile: &Profile) -> Summaries {
    profile.summaries(&Classes::default(), |_| true)
}

fn totals(summaries: &Summaries) -> BTreeMap<&str, Spent> {
    Summaries::over_units(&summaries.summaries).into_iter().collect()
}

#[test]
fn a_region_has_all_that_is_inside_it_and_recursion_counts_once() {
    let summaries = all_summaries(&recursive());
    assert_eq!(summaries.schema, "ats-summaries/1");
    let spent = totals(&summaries);
    let of = |region: &str| {
        let of = &spent[region];
        [of.visits, of.time, of.communication, of.receive, of.synchronisation, of.waiting, of.control]
            .map(Option::unwrap)
    };
    assert_eq!(of("main"), [1.0, 18.5, 4.0, 4.0, 0.5, 3.5, 0.25]);
    assert_eq!(of("f"), [6.0, 9.0, 4.0, 4.0, 0.0, 3.5, 0.0]);
    assert_eq!(of("MPI_Recv"), [10.0, 4.0, 4.0, 4.0, 0.0, 3.5, 0.0]);
    assert_eq!(of("MPI_Barrier"), [1.0, 0.5, 0.0, 0.0, 0.5, 0.0, 0.0]);
    assert_eq!(of("!$omp parallel @a.c:3"), [1.0, 8.0, 0.0, 0.0, 0.0, 0.0, 0.25]);
    assert_eq!(
        spent["f"].metrics,
        BTreeMap::from([("bytes_rcvd".into(), 800.0), ("late_sender".into(), 3.5)])
    );
    assert_eq!(
        spent["main"].subs,
        BTreeMap::from([
            ("communication/receive".into(), 4.0),
            ("control/fork_join".into(), 0.25),
            ("synchronisation/mpi_barrier".into(), 0.5),
        ])
    );
}

#[test]
fn amounts_without_data_are_undefined() {
    let mut profile = recursive();
    profile.metrics.retain(|metric| metric.name == "time");
    let summaries = all_summaries(&profile);
    let main = &summaries.summaries[0].spent;
    assert_eq!((main.time, main.synchronisation, main.io), (Some(18.5), Some(0.5), Some(0.0)));
    let undefined =
        [main.visits, main.waiting, main.instructions, main.cycles, main.user, main.system, main.page_faults];
    assert_eq!(undefined, [None; 7]);
    assert!(main.cache_misses.is_empty() && main.cache_accesses.is_empty());
    let json = serde_json::to_value(&summaries.summaries[0]).unwrap();
    assert!(json["waiting"].is_null() && json["instructions"].is_null(), "{json}");
    assert_eq!((&json["region"], &json["time"]), (&"main".into(), &18.5.into()));
    assert!(!serde_json::to_string(&summaries).unwrap().contains("-0"), "nothing is less than nothing");
    profile.metrics[0].name = "visits".into();
    let counted = &all_summaries(&profile).summaries[0].spent;
    assert_eq!((counted.visits, counted.time, counted.control), (Some(1.0), None, None));
}

#[test]
fn counters_are_known_by_their_names() {
    let counts = [
        ("PAPI_TOT_INS", "#", 100.0),
        ("PAPI_L1_DCM", "#", 3.0),
        ("PAPI_L1_ICM", "#", 4.0),
        ("PAPI_L2_TCA", "#", 20.0),
        ("PAPI_L2_DCA", "#", 15.0),
        ("ru_utime", "us", 2_000_000.0),
        ("ru_stime", "#", 1.0),
        ("ru_minflt", "#", 5.0),
        ("ru_majflt", "#", 1.0),
    ];
    let rows = counts.map(|(name, unit, value)| (name, unit, [(1, 0, value)]));
    let values: Vec<_> = rows.iter().map(|(name, unit, row)| (*name, *unit, &row[..])).collect();
    let summaries = all_summaries(&profile(1, &["main", "f"], &[(None, 0), (Some(0), 1)], &values));
    for of in &summaries.summaries {
        let of = &of.spent;
        assert_eq!((of.instructions, of.cycles, of.page_faults), (Some(100.0), None, Some(6.0)));
        assert_eq!((&of.cache_misses, &of.cache_accesses), (&[(1, 7.0)].into(), &[(2, 20.0)].into()));
        assert_eq!((of.user, of.system), (Some(2.0), None), "what is no time has no seconds");
        assert_eq!(of.metrics["PAPI_L2_DCA"], 15.0);
    }
    assert_eq!(summaries.summaries.len(), 2);
}

/// In 2 s, 400 instructions in 200 cycles, of 40 branches 1 was predicted wrongly, 4096 bytes were written, and a quarter of the
/// processor's time was the kernel's; nothing was loaded.
#[test]
fn quotients_follow_from_counters_by_any_name() {
    let [ours, papi] = [["instructions", "cycles"], ["PAPI_TOT_INS", "PAPI_TOT_CYC"]];
    for [instructions, cycles] in [ours, papi] {
        let counts = [
            ("time", "s", 2.0),
            (instructions, "occ", 400.0),
            (cycles, "occ", 200.0),
            ("branches", "occ", 40.0),
            ("branch-misses", "occ", 1.0),
            ("wchar", "bytes", 4096.0),
            ("ru_utime", "us", 1_500_000.0),
            ("ru_stime", "us", 500_000.0),
            ("L1-dcache-loads", "occ", 0.0),
            ("L1-dcache-load-misses", "occ", 0.0),
            ("dTLB-load-misses", "occ", 3.0),
        ];
        let rows = counts.map(|(name, unit, value)| (name, unit, [(0, 0, value)]));
        let values: Vec<_> = rows.iter().map(|(name, unit, row)| (*name, *unit, &row[..])).collect();
        let profile = profile(1, &["main"], &[(None, 0)], &values);
        let derived: Vec<_> = all_summaries(&profile).summaries[0].derived.clone().into_iter().collect();
        let known = [
            ("branch_miss_ratio", 0.025),
            ("bytes_written_per_second", 2048.0),
            ("instructions_per_cycle", 2.0),
            ("system_time_share", 0.25),
        ];
        assert_eq!(derived, known.map(|(name, value)| (name.to_owned(), value)));
        // A counter that has the name of an amount has one column.
        let kept = profile.by_code_region(&Classes::default()).next().unwrap();
        assert_eq!((kept.damaged(), kept.total().instructions), (None, Some(400.0)));
    }
}

/// Misses of loads of data and of instructions are no share of loads of data.
#[test]
fn accesses_are_of_what_misses() {
    let counts = [("PAPI_L1_DCA", 10.0), ("PAPI_L1_DCM", 3.0), ("PAPI_L1_ICM", 4.0)];
    let rows = counts.map(|(name, value)| (name, "occ", [(0, 0, value)]));
    let of = |count: usize| {
        let values: Vec<_> = rows[..count].iter().map(|(name, unit, row)| (*name, *unit, &row[..])).collect();
        let spent = &all_summaries(&profile(1, &["main"], &[(None, 0)], &values)).summaries[0].spent;
        (spent.cache_accesses.get(&1).copied(), spent.cache_misses.get(&1).copied())
    };
    assert_eq!([of(1), of(2), of(3)], [(Some(10.0), None), (Some(10.0), Some(3.0)), (None, Some(7.0))]);
}

#[test]
fn a_rule_takes_all_that_is_inside_but_for_what_another_rule_says() {
    let text = "
        [[region]]
        match = \"update_halo*\"
        class = \"control\"
        sub = \"halo\"
        [[region]]
        match = \"MPI_Sendrecv\"
        class = \"communication\"";
    let classes = Classes::parse(text, "classes.toml").unwrap();
    let paths =
        [(None, 0), (Some(0), 1), (Some(1), 2), (Some(1), 3), (Some(0), 2), (Some(2), 4), (Some(0), 4)];
    let time = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0];
    let time: Vec<_> = (0..).zip(time).map(|(path, time)| (path, 0, time)).collect();
    let regions = ["main", "update_halo_x", "pack", "MPI_Sendrecv", "MPI_Bcast"];
    let profile = profile(1, &regions, &paths, &[("time", "s", &time)]);
    let summaries = profile.summaries(&classes, |_| true);
    let of = totals(&summaries);
    let of =
        |region: &str| [of[region].time, of[region].control, of[region].communication].map(Option::unwrap);
    assert_eq!(of("update_halo_x"), [46.0, 38.0, 8.0]);
    assert_eq!(of("pack"), [52.0, 36.0, 0.0]);
    assert_eq!(of("MPI_Bcast"), [96.0, 32.0, 64.0]);
    assert_eq!(of("main"), [127.0, 38.0, 72.0]);
    assert_eq!(totals(&summaries)["main"].subs["control/halo"], 38.0);
    assert_eq!(totals(&all_summaries(&profile))["main"].subs.get("control/halo"), None);
    assert_eq!(totals(&all_summaries(&profile))["main"].communication, Some(104.0));
}

#[test]
fn there_is_a_summary_of_each_unit_that_is_meant_and_was_there() {
    let time = [(0, 0, 1.0), (0, 1, 2.0), (1, 1, 4.0)];
    let profile = profile(2, &["main", "f"], &[(None, 0), (Some(0), 1)], &[("time", "s", &time)]);
    let of = |summaries: Summaries| -> Vec<(String, u32, f64)> {
        let of = summaries.summaries.into_iter();
        of.map(|summary| (summary.region, summary.unit.rank, summary.spent.time.unwrap())).collect()
    };
    let main = |rank, time| ("main".to_owned(), rank, time);
    let f = ("f".to_owned(), 1, 4.0);
    assert_eq!(of(all_summaries(&profile)), [main(0, 1.0), main(1, 6.0), f]);
    assert_eq!(of(profile.summaries(&Classes::default(), |unit| unit.rank == 0)), [main(0, 1.0)]);
    assert_eq!(Summaries::over_units(&all_summaries(&profile).summaries)[0].1.time, Some(7.0));
}

#[test]
fn calls_for_one_thing_and_constructs_of_one_kind_are_one_group() {
    let regions =
        ["main", "MPI_Send", "MPI_Recv", "MPI_Barrier", "!$omp parallel @a.c:3", "!$omp parallel @a.c:9"];
    let paths =
        [(None, 0), (Some(0), 1), (Some(0), 2), (Some(0), 3), (Some(0), 4), (Some(4), 5), (Some(5), 0)];
    let time = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0];
    let time: Vec<_> = (0..).zip(time).map(|(path, time)| (path, 0, time)).collect();
    let visits: Vec<_> = (0..7).map(|path| (path, 0, 1.0)).collect();
    let summaries =
        all_summaries(&profile(1, &regions, &paths, &[("time", "s", &time), ("visits", "occ", &visits)]));
    let of = |of: &Summary| (of.region.clone(), of.spent.time.unwrap(), of.spent.visits.unwrap());
    assert_eq!(
        summaries.groups.iter().map(of).collect::<Vec<_>>(),
        [
            ("MPI point-to-point".to_owned(), 6.0, 2.0),
            ("MPI collective".to_owned(), 8.0, 1.0),
            ("!$omp parallel".to_owned(), 112.0, 2.0),
        ]
    );
    assert_eq!(summaries.groups[0].spent.receive, Some(4.0));
}

#[test]
fn a_call_that_completes_accesses_to_files_is_input_and_output() {
    let time = [(0, 0, 1.0), (1, 0, 2.0), (2, 0, 4.0)];
    let paths = [(None, 0), (Some(0), 1), (Some(0), 2)];
    let mut profile = profile(1, &["main", "MPI_Wait", "MPI_Wait"], &paths, &[("time", "s", &time)]);
    profile.regions[2].role = RegionRole::FileIo;
    let summaries = all_summaries(&profile);
    let of = |region: &str| {
        let of = &totals(&summaries)[region];
        [of.time, of.communication, of.io].map(Option::unwrap)
    };
    assert_eq!((of("main"), of("MPI_Wait")), ([7.0, 2.0, 4.0], [6.0, 2.0, 4.0]));
    let groups = summaries.groups.iter().map(|of| (of.region.as_str(), of.spent.time.unwrap()));
    assert_eq!(groups.collect::<Vec<_>>(), [("MPI point-to-point", 2.0), ("MPI I/O", 4.0)]);
}

#[test]
fn statistics_are_over_the_units_that_were_there() {
    let main = [
        (0, 0, 2.0),
        (0, 1, 4.0),
        (0, 2, 4.0),
        (0, 3, 4.0),
        (0, 4, 5.0),
        (0, 5, 5.0),
        (0, 6, 7.0),
        (0, 7, 9.0),
    ];
    let time = [&main[..], &[(1, 2, 1.0), (1, 4, 2.0)]].concat();
    let profile = profile(9, &["main", "f"], &[(None, 0), (None, 1)], &[("time", "s", &time)]);
    let statistics = all_summaries(&profile).statistics;
    let of = |region: &str, amount: &str| {
        let of = statistics.iter().find(|of| of.region == region && of.amount == amount)?;
        Some(([of.minimum, of.maximum, of.mean, of.deviation, of.median], of.units))
    };
    assert_eq!(of("main", "time"), Some(([2.0, 9.0, 5.0, 2.0, 4.5], 8)));
    assert_eq!(of("f", "time"), Some(([1.0, 2.0, 1.5, 0.5, 1.5], 2)));
    assert_eq!(of("main", "control"), Some(([0.0; 5], 8)));
    assert_eq!(of("main", "waiting"), None);
}

/// Regions of every class and of none, `main` alone at the root; each path's parent is one before it, so that there is much
/// recursion.
fn random() -> impl Strategy<Value = Profile> {
    const REGIONS: [&str; 8] =
        ["main", "f", "MPI_Recv", "MPI_Bcast", "MPI_Barrier", "MPI_File_write", "MPI_Init", "!$omp critical"];
    let paths = proptest::collection::vec((any::<prop::sample::Index>(), 1..REGIONS.len() as u32), 0..30);
    let values = proptest::collection::vec((any::<prop::sample::Index>(), 0..3_u32, 1..1000_u32), 1..60);
    (paths, values).prop_map(|(paths, values)| {
        let mut tree = vec![(None, 0)];
        for (parent, region) in paths {
            tree.push((Some(parent.index(tree.len()) as u32), region));
        }
        // Whole numbers, so that the order of sums makes no difference.
        let mut of: BTreeMap<(u32, u32), f64> = BTreeMap::new();
        for (path, unit, value) in values {
            of.insert((path.index(tree.len()) as u32, unit), f64::from(value));
        }
        let of: Vec<_> = of.into_iter().map(|((path, unit), value)| (path, unit, value)).collect();
        let metrics: [(&str, &str, &[_]); 3] =
            [("time", "s", &of), ("late_sender", "s", &of), ("comms_recv", "occ", &of)];
        profile(3, &REGIONS, &tree, &metrics)
    })
}

/// A profile without the time outside of the run.
fn within_run(profile: &Profile) -> Profile {
    let (mut run, outside) = (profile.clone(), profile.outside());
    let within = |(path, unit, seconds)| (path, unit, seconds - outside.seconds(path, unit, seconds));
    run.values.insert("time".to_owned(), profile.values_of("time").map(within).collect::<Vec<_>>().into());
    run
}

#[test]
fn time_outside_of_the_run_is_an_amount_of_its_own() {
    let time = ("time", "s", &[(0, 0, 3.0), (1, 0, 2.0)][..]);
    let outside = (Profile::OUTSIDE, "s", &[(0, 0, 1.0), (1, 0, 1.5)][..]);
    let profile = profile(1, &["main", "MPI_Init"], &[(None, 0), (Some(0), 1)], &[time, outside]);
    let summaries = all_summaries(&profile).summaries;
    let amounts = summaries.iter().map(|of| (of.spent.time, of.spent.control, of.spent.metrics["outside"]));
    let expected = [(Some(2.5), Some(0.5), 2.5), (Some(0.5), Some(0.5), 1.5)];
    assert_eq!(amounts.collect::<Vec<_>>(), expected);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes there, and all of it is safe code")]
    fn the_root_has_all_and_each_region_what_the_profile_says(profile in random()) {
        let summaries = all_summaries(&profile);
        let regions = Summaries::over_units(&summaries.summaries);
        // Calls of `MPI_Init` are outside of the run.
        let run = within_run(&profile);
        let [total, waited] = [&run, &profile].map(|of| of.exclusive("time", |_| true).iter().sum::<f64>());
        let root = &regions[0].1;
        prop_assert_eq!(regions[0].0, "main");
        let of_root = (root.time, root.waiting, root.metrics["comms_recv"]);
        prop_assert_eq!(of_root, (Some(total), Some(waited), waited));
        let of_class = |names: &[&str]| -> f64 {
            let exclusive = run.exclusive("time", |_| true);
            // What is unclassed inside a call of MPI belongs to it: here only `f`.
            let class = |node: &CallNode| {
                let names = profile.ancestors(node.id).map(|node| profile.regions[node.region as usize].name.as_str());
                let mut names = names.filter(|name| name.starts_with("MPI_"));
                let own = profile.regions[node.region as usize].name.as_str();
                if own == "f" { names.next() } else { Some(own) }
            };
            let of = profile.call_tree.iter().zip(exclusive);
            of.filter(|(node, _)| class(node).is_some_and(|name| names.contains(&name))).map(|(_, time)| time).sum()
        };
        prop_assert_eq!(root.communication, Some(of_class(&["MPI_Recv", "MPI_Bcast"])));
        prop_assert_eq!(root.receive, Some(of_class(&["MPI_Recv"])));
        prop_assert_eq!(root.synchronisation, Some(of_class(&["MPI_Barrier", "!$omp critical"])));
        prop_assert_eq!(root.control, Some(0.0));
        prop_assert_eq!(root.io, Some(of_class(&["MPI_File_write"])));
        let whole = run.by_region(|_| true);
        for (region, spent) in &regions {
            let id = profile.regions.iter().position(|known| known.name == *region).unwrap();
            prop_assert_eq!(spent.time, Some(whole[id].inclusive), "{}", region);
            let parts = [spent.communication, spent.synchronisation, spent.control, spent.io];
            prop_assert!(parts.into_iter().flatten().sum::<f64>() <= whole[id].inclusive);
            prop_assert_eq!(spent.subs.values().sum::<f64>(), parts.into_iter().flatten().sum::<f64>());
        }
    }
}

/// A recorder of ours sees all that is done with files; whether another tool does is known only where its report has some of it.
#[test]
fn files_that_a_report_does_not_show_are_undefined() {
    let of = |origin, call: &str| {
        let mut profile =
            profile(1, &["main", call], &[(None, 0), (Some(0), 1)], &[("time", "s", &[(0, 0, 1.0)])]);
        profile.metrics[0].origin = origin;
        let defined = profile.amounts(&Classes::default()).contains(&"io");
        assert_eq!(all_summaries(&profile).summaries[0].spent.io.is_some(), defined);
        defined.then(|| all_summaries(&profile).summaries[0].spent.io)
    };
    assert_eq!(of(Origin::Imported, "MPI_Recv"), None);
    assert_eq!(of(Origin::Imported, "MPI_File_read"), Some(Some(0.0)));
    assert_eq!(of(Origin::Measured, "MPI_Recv"), Some(Some(0.0)));
}

/// Calls of one function at two places are two regions, and so are functions of one name in two files; what differs in
/// nothing is one.
#[test]
fn regions_of_one_name_are_told_apart_by_their_place() {
    let paths =
        [(None, 0), (Some(0), 1), (Some(0), 2), (Some(0), 3), (Some(0), 4), (Some(0), 5), (Some(0), 6)];
    let time = [0, 1, 2, 3, 4, 5, 6].map(|path| (path, 0, f64::from(1 << path)));
    let names = ["main", "MPI_Recv", "MPI_Recv", "init", "init", "free", "free"];
    let mut of = profile(1, &names, &paths, &[("time", "s", &time)]);
    for (region, line) in [(1, 3), (2, 7)] {
        let site = CallSite { function: "halo".to_owned(), file: "src/heat.c".to_owned(), line };
        of.regions[region].call_site = Some(site);
    }
    for (region, file) in [(3, "a.c"), (4, "b.c")] {
        (of.regions[region].file, of.regions[region].lines) = (Some(file.to_owned()), Some([5, 9]));
    }
    let names = [
        "main",
        "MPI_Recv in halo (heat.c:3)",
        "MPI_Recv in halo (heat.c:7)",
        "init at a.c:5",
        "init at b.c:5",
        "free",
    ];
    let classes = Classes::default();
    let kept: Vec<_> = of.by_code_region(&classes).collect();
    assert_eq!(kept.iter().map(|of| of.region.as_str()).collect::<Vec<_>>(), names);
    let seconds: Vec<_> = kept.iter().map(|of| of.total().time.unwrap()).collect();
    assert_eq!(seconds, [127.0, 2.0, 4.0, 8.0, 16.0, 96.0]);
    assert_eq!(of.summaries_of_regions(), [0, 1, 2, 3, 4, 5, 5]);
    let groups: Vec<_> = all_summaries(&of).groups.into_iter().map(|of| (of.region, of.spent.time)).collect();
    assert_eq!(groups, [("MPI point-to-point".to_owned(), Some(6.0))]);
}

/// Rows written region by region equal those of all summaries.
#[test]
fn regions_have_the_rows_of_all_summaries() {
    let profile = recursive();
    let classes = Classes::default();
    let rows: Vec<Summary> = profile
        .by_code_region(&classes)
        .flat_map(|of| {
            let unit = |unit: u32| profile.units[unit as usize];
            let row = |(at, spent): (u32, Spent)| Summary {
                region: of.region.clone(),
                unit: unit(at),
                derived: BTreeMap::new(),
                spent,
            };
            of.rows().map(row).collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(rows, all_summaries(&profile).summaries);
}
