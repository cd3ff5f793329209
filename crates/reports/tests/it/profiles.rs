//! The results from profiles: the time at each call, by rank and thread.

use crate::common::{cubex, error, fixture, of_late_sender, parse, read, spoiled, times};
use ats_documents::{Finding, Report};
use ats_model::WaitState;
use ats_reports::Format;
use ats_testing::peer;

#[test]
fn mpip_has_call_sites() {
    let report = read("late_sender.mpiP");
    assert_eq!((report.version.as_deref(), report.ranks, report.threads), (Some("3.5.0"), Some(2), None));
    assert!(report.names.is_empty() && report.findings.is_empty());
    assert_eq!((report.basis.wall_time, report.basis.location_seconds), (0.814, 1.628));
    assert_eq!(times(&report, "main/mycrate::mpi::late_sender/MPI_Recv"), [((1, 0), 0.5)]);
    assert_eq!(times(&report, "MPI_Barrier"), [((0, 0), 0.0015)]);
    assert_eq!(times(&report, "main/send(int, double*)/MPI_Ssend"), [((0, 0), 0.0005)]);
    assert_eq!(report.calls[0].locations[0].visits, Some(10));
    assert_eq!(report.warnings, ["3 calls of call site 2 are in no row (mpiP's option -t)"]);
}

#[test]
fn mpip_of_ranks_with_call_sites_of_their_own_adds_up() {
    let report = read("own_addresses.mpiP");
    let seconds = |call: fn(&str) -> bool| {
        let calls = report.calls.iter().filter(|of| of.call_path.last().is_some_and(|name| call(name)));
        let shares = calls.flat_map(|of| &of.locations);
        shares.map(|share| (share.rank, share.inclusive_time)).collect::<Vec<_>>()
    };
    let mut receives = seconds(|name| name == "MPI_Recv");
    receives.sort_by_key(|(rank, _)| *rank);
    assert_eq!(receives, [(1, 0.5), (3, 0.5)]);
    let sum: f64 = seconds(|_| true).iter().map(|(_, time)| time).sum();
    assert!((sum - 1.0002).abs() < 1e-9, "{sum}");
}

#[test]
fn mpip_itself_wrote_this() {
    let report = ats_reports::read(&peer("mpip-7props-4ranks.txt"), None).unwrap();
    assert_eq!((report.tool.as_str(), report.ranks, report.calls.len()), ("mpip", Some(4), 12));
    assert!(report.warnings.is_empty(), "{:?}", report.warnings);
    // 10 repetitions of 50 ms: the receivers wait.
    let recv = times(&report, "main/late_sender/MPI_Recv");
    assert_eq!(recv.iter().map(|(at, _)| *at).collect::<Vec<_>>(), [(1, 0), (3, 0)]);
    assert!(recv.iter().all(|(_, seconds)| (seconds - 0.5).abs() < 0.001));
    assert_eq!(times(&report, "__libc_start_call_main/report/MPI_Gather").len(), 4);
    // The table of totals, which is not read: milliseconds over all ranks.
    for (path, total) in [
        ("main/late_broadcast/MPI_Bcast", 1499.995),
        ("main/imbalance_at_mpi_nxn/MPI_Allreduce", 1002.346),
        ("main/late_receiver/MPI_Ssend", 999.943),
        ("main/late_sender/MPI_Send", 0.649),
    ] {
        let sum: f64 = times(&report, path).iter().map(|(_, seconds)| seconds * 1e3).sum();
        // Means are printed to the microsecond, of ten calls on at most four ranks.
        assert!((sum - total).abs() <= 0.02, "{path}: {sum} of {total}");
    }
}

#[test]
fn tau_itself_wrote_this() {
    let report = ats_reports::read(&peer("tau-late-sender"), None).unwrap();
    assert_eq!((report.tool.as_str(), report.ranks, report.names.len()), ("tau", Some(4), 0));
    assert!(report.warnings.is_empty(), "{:?}", report.warnings);
    // As the profiles say it in microseconds, one file a thread.
    assert_eq!(of_late_sender(&report, "MPI_Recv"), [((1, 0), 0.512203), ((3, 0), 0.512933)]);
    assert_eq!(of_late_sender(&report, "MPI_Ssend"), [((0, 0), 0.020755), ((2, 0), 0.020986)]);
}

#[test]
fn tau_counts_what_is_sent() {
    let report = ats_reports::read(&peer("tau-uneven-message-distribution"), None).unwrap();
    assert!(report.warnings.is_empty(), "{:?}", report.warnings);
    // As the events of the four ranks have them: twelve messages each, two of them in the warm-up.
    let sent = [64, 724, 1388, 2048].iter().map(|each| 10 * each).sum::<u64>();
    assert_eq!(counted(&report, "MPI_Send", "bytes_sent"), [8 * 1056, sent]);
    assert_eq!(counted(&report, "MPI_Send", "comms_send"), [8, 40]);
    assert!(counted(&report, "MPI_Wait", "bytes_rcvd").is_empty(), "TAU does not tell all that is received");
}

/// The counts of the call paths that end in a call, the smallest first.
fn counted(report: &Report, call: &str, metric: &str) -> Vec<u64> {
    let is_it = |finding: &&Finding| {
        finding.metric.as_deref() == Some(metric)
            && finding.call_path.last().is_some_and(|frame| frame == call)
    };
    let mut counted: Vec<u64> =
        report.findings.iter().filter(is_it).map(|finding| finding.quantity().value as u64).collect();
    counted.sort_unstable();
    counted
}

/// Profile of one rank with the events given.
fn tau_with(events: &[&str]) -> String {
    let head = "1 templated_functions_MULTI_TIME\n# Name\n\"main\" 1 0 5 5 0\n0 aggregates\n";
    let lines: String = events.iter().map(|event| format!("{event}\n")).collect();
    format!("{head}{} userevents\n# eventname\n{lines}", events.len())
}

#[test]
fn tau_has_messages_of_partners_or_of_all() {
    let one = "\"Message size sent to node 1 : main => MPI_Send()  \" 3 8 8 8 192";
    let other = "\"Message size sent to node 2 : main => MPI_Send()  \" 2 0 0 0 0";
    let report = parse("profile.0.0.0", &tau_with(&[one, other]));
    let count = |report: &Report, metric| counted(report, "MPI_Send", metric);
    assert_eq!(count(&report, "comms_send"), [3]);
    assert_eq!(count(&report, "syncs_send"), [2]);
    assert_eq!(count(&report, "bytes_sent"), [24]);
    // The same once more, of all partners, and what the whole run sent.
    let all = "\"Message size sent to all nodes : main => MPI_Send()  \" 3 8 8 8 192";
    let run = "\"Message size sent to all nodes\" 3 8 8 8 192";
    let report = parse("profile.0.0.0", &tau_with(&[run, one, all]));
    assert_eq!(count(&report, "bytes_sent"), [24]);
    let mixed = "\"Message size sent to node 1 : main => MPI_Send()  \" 4 8 0 4 128";
    let report = parse("profile.0.0.0", &tau_with(&[mixed]));
    assert_eq!((count(&report, "comms_send"), count(&report, "bytes_sent")), (vec![], vec![16]));
    let warning = "some messages at main/MPI_Send may be without contents: only bytes are counted";
    assert_eq!(report.warnings, [warning]);
}

#[test]
fn events_of_tau_that_are_wrong_are_named_by_line() {
    let cut = tau_with(&["\"Message size sent to node 1 : main\" 3 8"]);
    assert!(error("profile.0.0.0", &cut).contains("at line 7: an event is cut short"));
    let ended = tau_with(&[]).replace("0 userevents", "2 userevents");
    let message = error("profile.0.0.0", &ended);
    assert!(message.contains("at line 7: it ends after 0 of 2 events"), "{message}");
    let negative = tau_with(&["\"Message size sent to node 1 : main\" 3 8 8 -8 1"]);
    assert!(error("profile.0.0.0", &negative).contains("at line 7: -24 is not a valid count"));
}

#[test]
fn mpip_that_is_wrong_is_named_by_line() {
    let name = "late_sender.mpiP";
    assert!(spoiled(name, "0.812", "x").contains("at line 12: \"x\" is not a valid time"));
    let nan = spoiled(name, "50.115   50.000", "50.115   NaN");
    assert!(nan.contains("at line 36: a time is not a number (NaN)"), "{nan}");
    let negative = spoiled(name, "50.115   50.000", "50.115   -50.000");
    assert!(negative.contains("a time of -0.5 s is negative"), "{negative}");
    let huge = spoiled(name, "1     10   50.115   50.000", "1     10   50.115   1e308");
    assert!(huge.contains("is beyond all measure"), "{huge}");
    let count = spoiled(name, "Recv                 1    1     10", "Recv  1  1 -10");
    assert!(count.contains("\"-10\" is not a valid count"), "{count}");
    let twice = spoiled(name, "Ssend                3    0     10", "Recv 1 1 10");
    assert!(twice.contains("rank 1 is there twice, or out of order"), "{twice}");
    let cut = spoiled(name, "@--- Callsite Time", "@--- Concise Callsite Time");
    assert!(
        cut.contains("has no section \"Callsite Time statistics\"; have mpiP write its full report"),
        "{cut}"
    );
}

#[test]
fn tau_has_call_paths_and_flat_functions() {
    let report = read("tau");
    assert_eq!((report.tool.as_str(), report.version.as_deref()), ("tau", Some("2.30.1")));
    assert_eq!((report.ranks, report.threads), (Some(2), Some(2)));
    assert!(report.names.is_empty() && report.findings.is_empty());
    assert_eq!(times(&report, "main/ats_measured/MPI_Recv"), [((1, 0), 0.50025)]);
    assert_eq!(times(&report, "main/ats_measured/MPI_Ssend"), [((0, 0), 0.0005)]);
    assert_eq!(times(&report, "!$omp implicit barrier @late_sender.c:41"), [((1, 1), 0.25)]);
    assert_eq!(times(&report, "say \"hello\"/MPI_Wait"), [((1, 1), 2e-6)]);
    let basis = &report.basis;
    assert_eq!((basis.region.as_deref(), basis.wall_time), (Some("ats_measured"), 0.802));
    assert!((basis.location_seconds - 3.0 * 0.802).abs() < 1e-12);
    // No second is there twice: flat rows give way to call paths, samples to the timers they were taken in.
    let paths: Vec<String> = report.calls.iter().map(|call| call.call_path.join("/")).collect();
    assert_eq!(times(&report, ".TAU application"), [0, 1, 2].map(|at| ((at.min(1), at / 2), 0.001)));
    let expected = [
        "main/ats_measured",
        "main",
        "main/ats_measured/MPI_Recv",
        "!$omp implicit barrier @late_sender.c:41",
        ".TAU application",
        "main/ats_measured/MPI_Ssend",
        "say \"hello\"/MPI_Wait",
    ];
    assert_eq!(paths, expected);
}

#[test]
fn flat_functions_of_tau_have_their_own_time() {
    let rows =
        "\".TAU application\" 1 1 1000 9000 0\n\"main()\" 1 1 3000 8000 0\n\"MPI_Recv()\" 4 0 5000 5000 0\n";
    let flat = format!("3 templated_functions_MULTI_TIME\n# Name\n{rows}0 aggregates\n");
    let report = parse("profile.0.0.0", &flat);
    let seconds = [".TAU application", "main", "MPI_Recv"].map(|path| times(&report, path)[0].1);
    assert_eq!((seconds, report.basis.wall_time, &report.warnings), ([0.001, 0.003, 0.005], 0.009, &vec![]));
    // Samples are in the time of the function that they were taken in.
    let sampled = flat.replace("\n0 aggregates", "\n\"[SAMPLE] spin\" 9 0 5000 5000 0\n0 aggregates");
    assert_eq!(parse("profile.0.0.0", &sampled.replacen('3', "4", 1)), report);
    // As APEX writes it: the program's own time is what the threads leave of it.
    let threads = flat.replace("1000 9000", "-4000 9000").replace("5000 5000", "10000 10000");
    let report = parse("profile.0.0.0", &threads);
    assert_eq!(times(&report, "MPI_Recv"), [((0, 0), 0.01)]);
    assert_eq!(report.warnings, ["profiles that add up several threads, as those of APEX do: 1"]);
}

#[test]
fn functions_of_tau_have_plain_names() {
    for (tau, plain) in [
        ("MPI_Recv()", "MPI_Recv"),
        ("int main(int, char **) C [{heat.c} {17,1}-{40,1}]", "main"),
        ("late_sender [{/home/user/heat.c} {17,0}]", "late_sender"),
        ("std::vector<int, std::allocator<int> > make<a, b>(int) C", "make<a, b>"),
        ("_RNvNtCs1234_7mycrate3mpi11late_sender", "mycrate::mpi::late_sender"),
        ("OpenMP_Sync_Region_Barrier_Implicit ADDR <401f30>", "!$omp implicit barrier"),
        ("OpenMP_Work_Loop [{/home/user/heat.c} {21, 0}]", "!$omp for @heat.c:21"),
        ("OpenMP_Thread_Type_ompt_thread_worker", "OpenMP_Thread_Type_ompt_thread_worker"),
    ] {
        let text = format!("1 templated_functions_MULTI_TIME\n# Name\n\"{tau}\" 1 0 5 5 0\n0 aggregates\n");
        let report = parse("profile.0.0.0", &text);
        assert_eq!(report.calls[0].call_path, [plain]);
    }
}

#[test]
fn names_of_taus_files_tell_their_location() {
    let text = "1 templated_functions_MULTI_TIME\n# Name\n\"main\" 1 0 5 5 0\n0 aggregates\n";
    assert_eq!(times(&parse("a/profile.3.0.12", text), "main"), [((3, 12), 5e-6)]);
    for name in
        ["profile.cubex", "profile.3.0", "profile.3.0.1.2", "profile.-1.0.0", "profile.3.0.99999999999"]
    {
        assert!(error(name, text).contains("name it profile.N.C.T"), "{name}");
    }
}

#[test]
fn tau_is_read_from_the_folder_of_its_time_metric_and_from_one_file() {
    let dir = tempfile::tempdir().unwrap();
    for (folder, metric) in [("MULTI__PAPI_TOT_CYC", "PAPI_TOT_CYC"), ("MULTI__TIME", "TIME")] {
        std::fs::create_dir(dir.path().join(folder)).unwrap();
        let text = std::fs::read_to_string(fixture("tau/profile.0.0.0")).unwrap();
        let text = text.replacen("MULTI_TIME", &format!("MULTI_{metric}"), 1);
        std::fs::write(dir.path().join(folder).join("profile.0.0.0"), text).unwrap();
    }
    let report = ats_reports::read(dir.path(), None).unwrap();
    assert_eq!((report.ranks, report.calls.len()), (Some(1), 4));
    std::fs::remove_dir_all(dir.path().join("MULTI__TIME")).unwrap();
    let message = ats_reports::read(dir.path(), None).unwrap_err().to_string();
    assert!(
        message.contains("has no metric of wall-clock time; have TAU measure TAU_METRICS=TIME"),
        "{message}"
    );
    assert_eq!(times(&read("tau/profile.1.0.0"), "main/ats_measured/MPI_Recv"), [((1, 0), 0.50025)]);
}

/// `main` has 1000 instructions of its own, and 300 in `solve`, whose row is there once more; samples are in both.
#[test]
fn tau_has_counters_beside_the_time() {
    let dir = tempfile::tempdir().unwrap();
    let rows = "\"main\" 1 1 1000 1300 0\n\"main => solve\" 2 0 3e+02 300 0\n\"solve\" 2 0 3e+02 300 0\n\
                \"main => [SAMPLE] f\" 2 0 5 5 0\n0 aggregates\n";
    for metric in ["PAPI_TOT_INS", "TIME", "ENERGY"] {
        let folder = dir.path().join(format!("MULTI__{metric}"));
        std::fs::create_dir(&folder).unwrap();
        for thread in 0..2 {
            let text = format!("4 templated_functions_MULTI_{metric}\n# Name\n{rows}");
            std::fs::write(folder.join(format!("profile.0.0.{thread}")), text).unwrap();
        }
    }
    let report = ats_reports::read(dir.path(), None).unwrap();
    let known = [("main", 2000), ("solve", 600)];
    for (call, number) in known {
        assert_eq!(counted(&report, call, "PAPI_TOT_INS"), [number], "of both threads");
    }
    assert_eq!(report.findings.len(), known.len());
}

#[test]
fn names_in_a_profile_of_tau_may_have_bytes_that_are_not_utf_8() {
    let dir = tempfile::tempdir().unwrap();
    let text = b"1 templated_functions_MULTI_TIME\n# Name\n\"gr\xf6\xdfe(double) [{l\xf6sung.f90} {3,1}-{9,5}]\" 1 0 5 5 0\n";
    std::fs::write(dir.path().join("profile.0.0.0"), text).unwrap();
    let report = ats_reports::read(dir.path(), None).unwrap();
    assert_eq!(times(&report, "gr\u{fffd}\u{fffd}e"), [((0, 0), 5e-6)]);
}

#[test]
fn ranks_without_a_profile_of_tau_are_named() {
    let text = "1 templated_functions_MULTI_TIME\n# Name\n\"main\" 1 0 5 5 0\n";
    let warnings = |ranks: &[u32]| {
        let dir = tempfile::tempdir().unwrap();
        for rank in ranks {
            std::fs::write(dir.path().join(format!("profile.{rank}.0.0")), text).unwrap();
        }
        ats_reports::read(dir.path(), None).unwrap().warnings
    };
    let missing = |ranks, highest, first, count| {
        [format!(
            "profiles of {ranks} below {highest} are missing, the first is profile.{first}.0.0 (copy the whole folder): \
             {count}"
        )]
    };
    assert!(warnings(&[0, 1, 2]).is_empty());
    assert_eq!(warnings(&[0, 2]), missing("a rank", 2, 1, 1));
    assert_eq!(warnings(&[1, 3, 7]), missing("ranks", 7, 0, 5));
}

#[test]
fn tau_that_is_wrong_is_named_by_file_and_line() {
    let name = "tau/profile.0.0.0";
    let cut = spoiled(name, "7 templated", "9 templated");
    assert!(cut.contains("at line 10: a row does not begin with a name in quotes"), "{cut}");
    let many = spoiled(name, "7 templated", "99999999999999 templated");
    assert!(many.contains("a row does not begin with a name in quotes"), "{many}");
    let short = error("profile.0.0.0", "3 templated_functions_MULTI_TIME\n# Name\n\"main\" 1 0 5 5 0\n");
    assert!(short.contains("profile.0.0.0 is damaged at line 3: it ends after 1 of 3 rows"), "{short}");
    let negative = spoiled(name, "500 500", "500 -500");
    assert!(negative.contains("at line 8: a time of -0.0005 s is negative"), "{negative}");
    let count = spoiled(name, "10 0 500", "1e300 0 500");
    assert!(count.contains("is not a valid count"), "{count}");
    let text = "1 templated_functions\n#\n\"main\" 1 0 5 5 0\n";
    let nameless = error("profile", text);
    assert!(
        nameless.contains(
            "has a name that does not show the rank and thread of the profile; name it profile.N.C.T"
        ),
        "{nameless}"
    );
    assert!(error("profile.0.3.0", text).contains("is of context 3"));
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("profile.0.0.0"), text).unwrap();
    std::fs::write(dir.path().join("profile.1.0.0"), "").unwrap();
    let empty = ats_reports::read(dir.path(), None).unwrap_err().to_string();
    assert!(empty.contains("profile.1.0.0 is damaged at line 1: it does not begin with"), "{empty}");
}

#[test]
fn our_own_analysis_is_a_report() {
    let report = read("analysis.json");
    assert_eq!((report.tool.as_str(), report.ranks), ("ats", None));
    assert_eq!(report.names, WaitState::ALL);
    assert_eq!(report.findings[0].property, Some(WaitState::LateSender));
    assert_eq!((report.findings[0].instances, report.basis.wall_time), (10, 0.802));
    assert_eq!(report.warnings, ["the clocks were not aligned"]);
    let negative = spoiled("analysis.json", "\"waiting_time\": 0.5 }", "\"waiting_time\": -1 }");
    assert!(negative.contains("MPI_Recv: a time of -1 s is negative"), "{negative}");
    assert!(
        spoiled("analysis.json", "\"instances\": 10", "\"instances\": -1")
            .contains("at line 17: invalid value")
    );
}

/// The report of a cube with a second of a metric.
fn with_metric(name: &str) -> Report {
    let metrics = cubex::metric(0, "INCLUSIVE", "time", "DOUBLE", "")
        + &cubex::metric(1, "EXCLUSIVE", name, "DOUBLE", "");
    let bytes = cubex::tar(&[
        ("anchor.xml", cubex::anchor(&metrics).as_bytes()),
        ("0.index", &cubex::index(&[0], false)),
        ("0.data", &cubex::data(&[&[5.0, 5.0]], false)),
        ("1.index", &cubex::index(&[0], false)),
        ("1.data", &cubex::data(&[&[1.0, 0.0]], false)),
    ]);
    ats_reports::parse("a.cubex".as_ref(), bytes, Some(Format::Cube)).unwrap()
}

#[test]
fn every_wait_state_and_every_accepted_metric_of_a_cube_has_a_meaning() {
    for state in WaitState::ALL {
        let report = with_metric(state.label());
        let [finding] = &report.findings[..] else { panic!("{state:?}: {:?}", report.findings) };
        assert_eq!((finding.property, finding.waiting_time), (Some(state), 1.0));
        for metric in state.accept() {
            assert_eq!(with_metric(metric).unmapped, [], "{metric}");
        }
    }
    let several = "mpi_latesender_wo";
    assert!(WaitState::ALL.iter().any(|state| state.accept().contains(&several)));
    assert_eq!(with_metric(several).findings[0].property, None);
    assert!(with_metric("mpi_point2point").findings.is_empty());
    let cost = with_metric("delay_latesender_longterm");
    assert!(
        cost.unmapped.is_empty() && cost.causes.unwrap().metrics.contains_key("delay_latesender_longterm")
    );
    let [unmapped] = &with_metric("delay_latesender_aggregate").unmapped[..] else {
        panic!("it has no meaning")
    };
    assert_eq!(unmapped.seconds, 1.0);
}

#[test]
fn a_cube_has_findings_that_are_leaves() {
    let report = read("late_sender.cubex");
    assert_eq!((report.tool.as_str(), report.ranks, report.threads), ("scalasca", Some(2), Some(1)));
    assert_eq!(report.names, [WaitState::LateSender, WaitState::LateSenderWrongOrderSameSource]);
    let found: Vec<_> =
        report.findings.iter().map(|finding| (finding.property, finding.waiting_time)).collect();
    let expected =
        [(Some(WaitState::LateSender), 1.5), (Some(WaitState::LateSenderWrongOrderSameSource), 0.5)];
    assert_eq!(found, expected);
    for finding in &report.findings {
        assert_eq!(finding.call_path, ["main", "late_sender", "MPI_Recv"]);
        assert_eq!((finding.locations.len(), finding.locations[0].rank), (1, 1));
        assert!((finding.severity - finding.waiting_time / 10.0).abs() < 1e-12 && finding.in_basis);
    }
    let causes = report.causes.as_ref().unwrap();
    let costs = &causes.metrics["delay_latesender"];
    let &[(path, unit, 1.5)] = &costs[..] else { panic!("{costs:?}") };
    assert_eq!(causes.call_paths[path as usize], ["main", "late_sender"]);
    assert_eq!((causes.units[unit as usize].rank, &report.unmapped[..]), (0, &[][..]));
    assert_eq!(times(&report, "main/MPI_Barrier"), [((0, 0), 0.25), ((1, 0), 1.25)]);
    assert_eq!(times(&report, "main/late_sender/MPI_Recv"), [((1, 0), 2.5)]);
}

/// A cube of one metric `time` of two ranks, with the given rows.
fn time_cube(kind: &str, anchor: fn(&str) -> Vec<u8>, index: &[u8], data: &[u8]) -> Vec<u8> {
    let anchor = anchor(&cubex::anchor(&cubex::metric(0, kind, "time", "DOUBLE", "")));
    cubex::tar(&[("anchor.xml", &anchor), ("0.index", index), ("0.data", data)])
}

#[test]
fn all_forms_of_a_cube_say_the_same() {
    let plain = |xml: &str| xml.as_bytes().to_vec();
    let zipped = |xml: &str| cubex::gzipped(xml.as_bytes());
    // Rows of an inclusive metric are main, late_sender, MPI_Barrier, MPI_Recv; of an exclusive one the last two change.
    let inclusive: [&[f64]; 4] = [&[5.0, 5.0], &[4.0, 3.0], &[0.25, 1.25], &[0.0, 2.5]];
    let exclusive: [&[f64]; 4] = [&[0.75, 0.75], &[4.0, 0.5], &[0.0, 2.5], &[0.25, 1.25]];
    let all = [0, 1, 2, 3];
    let order = |big_endian| cubex::index(&all, big_endian);
    let shuffled: Vec<&[f64]> = vec![inclusive[2], inclusive[0], inclusive[1], inclusive[3]];
    let cubes = [
        time_cube("INCLUSIVE", plain, &order(false), &cubex::data(&inclusive, false)),
        time_cube("INCLUSIVE", zipped, &order(true), &cubex::data(&inclusive, true)),
        time_cube("INCLUSIVE", plain, &order(false), &cubex::compressed(&inclusive)),
        time_cube("INCLUSIVE", plain, &cubex::index(&[2, 0, 1, 3], false), &cubex::data(&shuffled, false)),
        time_cube("EXCLUSIVE", plain, &order(false), &cubex::data(&exclusive, false)),
        time_cube("EXCLUSIVE", plain, &order(false), &cubex::compressed(&exclusive)),
    ];
    let [first, others @ ..] =
        cubes.map(|bytes| ats_reports::parse("a.cubex".as_ref(), bytes, Some(Format::Cube)).unwrap());
    assert_eq!(times(&first, "main"), [((0, 0), 5.0), ((1, 0), 5.0)]);
    assert_eq!(times(&first, "main/late_sender/MPI_Recv"), [((1, 0), 2.5)]);
    for other in others {
        assert_eq!(other, first);
    }
}

/// Inclusive rows have all children of a call path before what is below the first of them.
#[test]
fn rows_of_inclusive_metrics_have_an_order_of_their_own() {
    let names: Vec<String> = (0..9).map(|region| format!("r{region}")).collect();
    let region = |(id, name): (usize, &String)| format!("<region id=\"{id}\"><name>{name}</name></region>");
    let mut program: String = names.iter().enumerate().map(region).collect();
    let mut open: Vec<usize> = Vec::new();
    let mut paths = Vec::new();
    for (id, depth) in [0, 1, 2, 2, 1, 2, 1, 0, 1].into_iter().enumerate() {
        open.drain(depth..).for_each(|_| program += "</cnode>");
        open.push(id);
        program += &format!("<cnode id=\"{id}\" calleeId=\"{id}\">");
        paths.push(open.iter().map(|of| names[*of].clone()).collect::<Vec<_>>());
    }
    open.drain(..).for_each(|_| program += "</cnode>");
    let anchor = cubex::anchor(&cubex::metric(0, "INCLUSIVE", "time", "DOUBLE", ""));
    let (begin, end) = (anchor.find("<program>").unwrap() + 9, anchor.find("</program>").unwrap());
    let anchor = format!("{}{program}{}", &anchor[..begin], &anchor[end..]);
    let seconds = |path: usize| [100.0 - path as f64, 0.0];
    let rows = [0, 1, 4, 6, 2, 3, 5, 7, 8].map(seconds);
    let rows: Vec<&[f64]> = rows.iter().map(|row| &row[..]).collect();
    let index = cubex::index(&[0, 1, 2, 3, 4, 5, 6, 7, 8], false);
    let files =
        [("anchor.xml", anchor.as_bytes()), ("0.index", &index), ("0.data", &cubex::data(&rows, false))];
    let report = ats_reports::parse("a.cubex".as_ref(), cubex::tar(&files), Some(Format::Cube)).unwrap();
    for (path, names) in paths.iter().enumerate() {
        assert_eq!(times(&report, &names.join("/"))[0], ((0, 0), seconds(path)[0]), "{names:?}");
    }
}

#[test]
fn sizes_in_an_archive_are_octal_or_base_256() {
    let good = cubex::small();
    let report = |bytes: Vec<u8>| {
        ats_reports::parse("a.cubex".as_ref(), bytes, None).map_err(|error| error.to_string())
    };
    let size = u64::from_str_radix(std::str::from_utf8(&good[124..135]).unwrap(), 8).unwrap();
    assert!(size > 0o1000);
    let spaced = format!("{size:>9o} \0\0");
    let mut binary = [0; 12];
    binary[0] = 0x80;
    binary[4..].copy_from_slice(&size.to_be_bytes());
    for size in [spaced.as_bytes(), &binary] {
        let mut bytes = good.clone();
        bytes[124..136].copy_from_slice(size);
        // A blank checksum is of any header.
        assert_eq!(report(bytes).map(|report| report.calls), report(good.clone()).map(|report| report.calls));
    }
    for size in [b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", b"00000001758\0"] {
        let mut bytes = good.clone();
        bytes[124..136].copy_from_slice(size);
        let error = report(bytes).unwrap_err();
        assert!(error.contains("an entry's size is not a number"), "{error}");
    }
}

#[test]
fn a_row_of_zeros_has_no_stream() {
    let rows: [&[f64]; 4] = [&[5.0, 5.0], &[0.0, 0.0], &[0.0, 1.25], &[0.0, 0.0]];
    let bytes = time_cube(
        "INCLUSIVE",
        |xml| xml.as_bytes().to_vec(),
        &cubex::index(&[0, 1, 2, 3], false),
        &cubex::compressed(&rows),
    );
    let report = ats_reports::parse("a.cubex".as_ref(), bytes, None).unwrap();
    let paths: Vec<String> = report.calls.iter().map(|call| call.call_path.join("/")).collect();
    assert_eq!(paths, ["main", "main/MPI_Barrier"]);
}
