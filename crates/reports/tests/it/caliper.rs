//! The results from Caliper's profiles: units, ranks, and times.

use ats_reports::Format;
use ats_testing::peer;

use crate::common::{error, fixture, of_late_sender, parse, read, same, spoiled, times};

#[test]
fn caliper_itself_wrote_this() {
    // Of two runs.
    let (json, cali) = ([0.497886, 0.500694], [0.50064, 0.50268]);
    for (name, format, seconds) in
        [("late_sender.json", Format::CaliperJson, json), ("late_sender.cali", Format::Cali, cali)]
    {
        let file = peer("caliper-late-sender").join(name);
        let report = ats_reports::read(&file, None).unwrap();
        assert_eq!((report.tool.as_str(), report.ranks, report.names.len()), ("caliper", Some(4), 0));
        assert!(report.warnings.is_empty(), "{:?}", report.warnings);
        let same = ats_reports::read(&file, Some(format)).unwrap();
        assert_eq!(same, report, "{name} is known by what is in it");
        let receivers = of_late_sender(&report, "MPI_Recv");
        assert_eq!(receivers, [((1, 0), seconds[0]), ((3, 0), seconds[1])], "{name}");
        let senders = of_late_sender(&report, "MPI_Ssend").into_iter().map(|(location, _)| location);
        assert!(senders.eq([(0, 0), (2, 0)]), "{name}");
    }
}

#[test]
fn both_forms_of_caliper_say_the_same() {
    let [json, cali] = ["late_sender.json", "late_sender.cali"].map(read);
    for report in [&json, &cali] {
        assert_eq!((report.tool.as_str(), report.version.as_deref()), ("caliper", Some("2.12.1")));
        assert_eq!((report.ranks, report.threads), (Some(2), Some(1)));
        // Exclusive times add up.
        let sums = [("main", [0.937, 0.81425]), ("main/late_sender", [0.927, 0.80225])];
        for (path, seconds) in sums {
            let found = times(report, path);
            assert_eq!(found.iter().map(|(at, _)| *at).collect::<Vec<_>>(), [(0, 0), (1, 0)]);
            assert!(
                found.iter().zip(seconds).all(|((_, found), known)| (found - known).abs() < 1e-12),
                "{found:?}"
            );
        }
        assert_eq!(times(report, "main/late_sender/MPI_Recv"), [((1, 0), 0.50025)]);
        assert_eq!(times(report, "main/late_sender/MPI_Ssend"), [((0, 0), 0.5)]);
        assert_eq!(times(report, "main/late_sender/!$omp implicit barrier"), [((0, 0), 0.125)]);
        assert!((report.basis.wall_time - 0.937).abs() < 1e-12);
    }
    assert_eq!(json.calls, cali.calls);
}

#[test]
fn caliper_may_measure_inclusive_times_and_nanoseconds() {
    let text = std::fs::read_to_string(fixture("late_sender.cali")).unwrap();
    let inclusive = parse("a.cali", &text.replace("sum#sum#time", "sum#inclusive#sum#time"));
    assert_eq!(times(&inclusive, "main"), [((0, 0), 0.01), ((1, 0), 0.012)]);
    let nanoseconds = parse("a.cali", &text.replace("sum#sum#time.duration", "sum#time.duration.ns"));
    assert_eq!(times(&nanoseconds, "main/late_sender/MPI_Ssend"), [((0, 0), 0.5e-9)]);
    let scaled = parse("a.cali", &text.replace("sum#sum#time.duration", "scale#sum#time.duration.ns"));
    assert_eq!(times(&scaled, "main/late_sender/MPI_Ssend"), [((0, 0), 0.5)], "scaled to seconds");
    // A record that has another time than most does not get mixed up with them.
    let more = "__rec=node,id=40,attr=8,data=inclusive#sum#time.duration,parent=12\n__rec=ctx,ref=21,attr=15=40,data=0=7.5\n";
    let best = parse("a.cali", &text.replacen("__rec=node,id=26", &format!("{more}__rec=node,id=26"), 1));
    assert_eq!((times(&best, "main"), best.calls.len()), (vec![((0, 0), 7.5)], 1));
    let text = std::fs::read_to_string(fixture("late_sender.json")).unwrap();
    let inclusive = parse("a.json", &text.replace("\"time\"", "\"time (inc)\""));
    assert_eq!(times(&inclusive, "main/late_sender"), [((0, 0), 0.302), ((1, 0), 0.302)]);
}

#[test]
fn the_unit_is_the_one_that_the_file_names() {
    let file = "caliper_microseconds.cali";
    let report = read(file);
    assert_eq!(
        (times(&report, "main"), times(&report, "main/solve")),
        (vec![((0, 0), 2.0)], vec![((0, 0), 1.5)])
    );
    assert_eq!((report.basis.wall_time, &report.warnings), (2.0, &vec![]));
    let text = std::fs::read_to_string(fixture(file)).unwrap();
    // The clock's unit, where it is the only one; Caliper 2.2 writes a zero byte behind it.
    let of_clock = text.replace("attribute.unit", "time.unit").replace("data=usec", "data=nsec\0");
    assert_eq!(times(&parse("a.cali", &of_clock), "main"), [((0, 0), 0.002)]);
    // What has a unit is not guessed, even if all numbers are whole.
    let seconds = parse("a.cali", &text.replace("data=usec", "data=sec"));
    assert_eq!((times(&seconds, "main/solve"), &seconds.warnings), (vec![((0, 0), 1.5e6)], &vec![]));
    let unknown = spoiled(file, "data=usec", "data=cycles");
    assert!(unknown.contains("has sum#time.duration in the unknown unit \"cycles\""), "{unknown}");
    let text = std::fs::read_to_string(fixture("late_sender.json")).unwrap();
    let microseconds = parse("a.json", &text.replace("\"sec\"", "\"usec\""));
    assert!(same(times(&microseconds, "main/late_sender/MPI_Ssend")[0].1, 0.5e-6));
}

#[test]
fn whole_numbers_without_a_unit_are_microseconds() {
    let report = read("caliper_microseconds.json");
    assert_eq!(times(&report, "main"), [((0, 0), 2.0), ((1, 0), 2.1)]);
    assert_eq!(times(&report, "main/solve"), [((0, 0), 1.5), ((1, 0), 1.7)]);
    let [warning] = &report.warnings[..] else { panic!("{:?}", report.warnings) };
    assert!(warning.contains("are taken for microseconds"), "{warning}");
    let file = "caliper_microseconds.cali";
    let text = std::fs::read_to_string(fixture(file)).unwrap().replace("attribute.unit", "attribute.alias");
    assert_eq!(times(&parse(file, &text), "main"), [((0, 0), 2.0)]);
    // One that is not whole tells that none is of microseconds.
    let seconds = parse(file, &text.replace("500000.000000", "500000.25"));
    assert_eq!((times(&seconds, "main/solve"), &seconds.warnings), (vec![((0, 0), 1_500_000.25)], &vec![]));
}

#[test]
fn times_of_all_ranks_together_are_refused() {
    let said = "does not tell ranks apart; measure with CALI_CONFIG=hatchet-region-profile";
    let refused = |message: String| assert!(message.contains(said), "{message}");
    for (name, rank) in [("late_sender.json", "\"mpi.rank\""), ("late_sender.cali", "data=mpi.rank")] {
        refused(spoiled(name, rank, &rank.replace("rank", "ranks")));
        let text = std::fs::read_to_string(fixture(name)).unwrap();
        refused(error(name, &text.replace("mpi.rank", "ranks").replace("mpi.world.size", "jobsize")));
        let serial = text.replace("mpi.rank", "ranks").replace("mpi.world.size", "size");
        assert_eq!(parse(name, &serial).ranks, Some(1));
    }
    refused(ats_reports::read(&fixture("caliper_summed.cali"), None).unwrap_err().to_string());
    let text = std::fs::read_to_string(fixture("caliper_summed.cali")).unwrap();
    // Each of what stands beside the sums is enough, and without any of it they are those of a process.
    let parts = ["avg.count", "min", "max", "avg"];
    let without = |text: String, part: &&str| text.replace(&format!("data={part}#"), "data=other#");
    for kept in parts {
        let others = parts.iter().filter(|part| **part != kept);
        refused(error("a.cali", &others.fold(text.clone(), without)));
    }
    let alone = parse("a.cali", &parts.iter().fold(text.clone(), without));
    assert_eq!(times(&alone, "main/solve"), [((0, 0), 6.0)]);
    // Minima and maxima of these are those of a rank's visits.
    let of_visits = parse("a.cali", &text.replace("inclusive#sum#time.duration", "time.duration"));
    assert_eq!(times(&of_visits, "main/solve"), [((0, 0), 6.0)]);
    // As Caliper writes it of a program of one rank.
    let of_one = text.replace("1.000000=3.000000=2.000000=4=8.000000", "8.0=8.0=8.0=1=8.0");
    let of_one = of_one.replace("0.500000=2.500000=1.500000=4=6.000000", "6.0=6.0=6.0=1=6.0");
    assert_eq!(times(&parse("a.cali", &of_one), "main"), [((0, 0), 8.0)]);
}

#[test]
fn records_without_a_rank_have_no_location() {
    let json = read("late_sender.json");
    assert_eq!(json.warnings, ["9 s in regions belong to no rank, and are omitted"]);
    let text = std::fs::read_to_string(fixture("late_sender.cali")).unwrap();
    let more = "__rec=ctx,ref=21,attr=13,data=9.0\n__rec=node,id=26";
    let cali = parse("a.cali", &text.replacen("__rec=node,id=26", more, 1));
    assert_eq!((&cali.warnings, &cali.calls), (&json.warnings, &json.calls));
}

#[test]
fn old_files_have_the_built_in_nodes_and_attributes_behind_their_values() {
    let report = read("caliper_2016.cali");
    assert!(same(times(&report, "main")[0].1, 0.001964));
    assert!(same(times(&report, "main/loop")[0].1, 0.000114));
    assert!(report.warnings.is_empty(), "{:?}", report.warnings);
    for (from, to) in [
        ("id=5,attr=9,data=double", "id=5,attr=9,data=int"),
        ("data=loop", "data=loop\n__rec=node,id=19,attr=12,data=pool"),
    ] {
        let message = spoiled("caliper_2016.cali", from, to);
        assert!(message.contains("is there already, and is another"), "{message}");
    }
}

#[test]
fn lines_of_cali_have_escapes() {
    let text = std::fs::read_to_string(fixture("caliper_microseconds.cali")).unwrap();
    let escaped = parse("a.cali", &text.replace("data=solve", r"data=a\,b\=c\\\nd"));
    assert_eq!(escaped.calls.iter().filter(|call| call.call_path == ["main", "a,b=c\\\nd"]).count(), 1);
    let said = |from: &str, to: &str| spoiled("caliper_microseconds.cali", from, to);
    assert!(said("data=solve,parent=30", r"data=solve\").contains("a line ends with an escape"));
    assert!(said("id=31", "id=-1").contains("\"-1\" is not a valid id"));
}

#[test]
fn times_of_no_region_are_not_taken_for_a_profile() {
    let samples = ats_reports::read(&fixture("caliper_samples.json"), None).unwrap_err().to_string();
    assert!(
        samples.contains("has no column \"path\"; measure with CALI_CONFIG=hatchet-region-profile"),
        "{samples}"
    );
    let flat = spoiled("caliper_2016.cali", "data=276", "data=20");
    assert!(flat.contains("has no times of nested regions; measure with"), "{flat}");
}

#[test]
fn caliper_that_is_wrong_is_named() {
    let json = "late_sender.json";
    let parent = spoiled(json, "\"parent\": 0", "\"parent\": 7");
    assert!(parent.contains("node 1 has the parent 7, which does not come before it"), "{parent}");
    assert!(spoiled(json, "0.302, 1", "0.302, 77").contains("row 1: there is no node 77"));
    assert!(spoiled(json, "0.302, 1", "-0.302, 1").contains("a time of -0.302 s is negative"));
    assert!(spoiled(json, "[ 0, 0.010", "[ 1e99, 0.010").contains("row 0: "));
    assert!(spoiled(json, "\"time\"", "\"calls\"").contains("has no column of times"));
    let cut = spoiled(json, "\"2.12.1\"", "7");
    assert!(cut.contains("is damaged at line "), "{cut}");
    let cali = "late_sender.cali";
    let node = spoiled(cali, "parent=21", "parent=99");
    assert!(node.contains("at line 13: node 22 lies below node 99, which is not there"), "{node}");
    assert!(spoiled(cali, "id=22", "id=21").contains("node 21 is there already"));
    assert!(spoiled(cali, "0=0.302", "0=0.302=7").contains("it has not as many values as attributes"));
    assert!(spoiled(cali, "0=0.302", "0=NaN").contains("at line 14: a time is not a number (NaN)"));
    assert!(spoiled(cali, "0=0.302", "-4=0.302").contains("at line 14: \"-4\" is not a valid rank"));
    assert!(
        spoiled(cali, "__rec=ctx", "__rec=snapshot").contains("a record of the unknown kind \"snapshot\"")
    );
}
