//! Profiles by call path and location: each test is a trace and its values as text, `METRIC CALL/PATH RANK:VALUE …`.

use ats_analyzer::{Options, analyze_and_profile, notation::parse};
use ats_documents::{Profile, profile::Combine, region_graph::Per};
use ats_model::{definitions::Region, source::InMemory};

use crate::trimmed;

fn profile(trace: &str) -> Profile {
    let trace = parse(trace).unwrap();
    let (analysis, profile) = analyze_and_profile(&trace, "test", &Options::default()).unwrap();
    assert_eq!(analysis, ats_analyzer::analyze(&trace, "test", &Options::default()).unwrap());
    assert_eq!(profile.warnings, analysis.warnings);
    let metrics: Vec<&String> = profile.metrics.iter().map(|metric| &metric.name).collect();
    assert!(profile.values.keys().all(|name| metrics.contains(&name)), "{metrics:?}");
    profile
}

/// The trace gives these values of these metrics.
#[track_caller]
fn check(metrics: &[&str], trace: &str, expected: &str) {
    let profile = profile(trace);
    let mut lines = Vec::new();
    for &metric in metrics {
        for node in &profile.call_tree {
            let values = profile.values_of(metric);
            let of_path = values.filter(|(path, ..)| *path == node.id).map(|(_, unit, value)| {
                let unit = profile.units[unit as usize];
                match unit.thread {
                    0 => format!(" {}:{value}", unit.rank),
                    thread => format!(" {}.{thread}:{value}", unit.rank),
                }
            });
            let of_path: String = of_path.collect();
            if !of_path.is_empty() {
                lines.push(format!("{metric} {}{of_path}", profile.path(node.id).join("/")));
            }
        }
    }
    assert_eq!(lines.join("\n"), trimmed(expected));
}

#[test]
fn time_is_of_a_path_without_what_is_inside_and_visits_are_with_it() {
    check(
        &["time", "visits", "min_time", "max_time"],
        "0: 0 enter main; 1..3 work; 4..9 work; 10 leave
         1: 0 enter main; 2..3 work; 4 leave",
        "time main 0:3 1:3
         time main/work 0:7 1:1
         visits main 0:1 1:1
         visits main/work 0:2 1:1
         min_time main 0:10 1:4
         min_time main/work 0:2 1:1
         max_time main 0:10 1:4
         max_time main/work 0:5 1:1",
    );
}

#[test]
fn a_region_inside_itself_is_another_path() {
    check(
        &["time", "visits"],
        "0: 0 enter f; 1 enter f; 2..4 g; 5 leave; 9 leave",
        "time f 0:5
         time f/f 0:2
         time f/f/g 0:2
         visits f 0:1
         visits f/f 0:1
         visits f/f/g 0:1",
    );
}

#[test]
fn messages_bytes_and_waits_are_where_they_happen() {
    check(
        &["comms_send", "comms_recv", "bytes_sent", "bytes_rcvd", "syncs_send", "syncs_recv", "late_sender"],
        "0: 0..5 work; 5..9 MPI_Send send 1 bytes 8; 9..10 MPI_Send send 1 bytes 0
         1: 2..9 MPI_Recv recv 0 bytes 8; 9..10 MPI_Recv recv 0 bytes 0",
        "comms_send MPI_Send 0:1
         comms_recv MPI_Recv 1:1
         bytes_sent MPI_Send 0:8
         bytes_rcvd MPI_Recv 1:8
         syncs_send MPI_Send 0:1
         syncs_recv MPI_Recv 1:1
         late_sender MPI_Recv 1:3",
    );
}

#[test]
fn a_call_that_completes_requests_moves_bytes_of_messages_and_of_operations() {
    let operation = "iallreduce request 2 sent 4 received 16";
    check(
        &["bytes_sent", "bytes_rcvd", "bytes_cout", "bytes_cin", "comms_cxch"],
        &format!(
            "0: 0..1 MPI_Isend isend 1 request 1 bytes 8; 1..2 MPI_Iallreduce start 2; 2..5 MPI_Waitall sent 1, {operation}
             1: 0..1 MPI_Irecv post 1; 1..2 MPI_Iallreduce start 2; \
                2..5 MPI_Waitall irecv 0 request 1 bytes 8, {operation}"
        ),
        "bytes_sent MPI_Isend 0:8
         bytes_rcvd MPI_Waitall 1:8
         bytes_cout MPI_Waitall 0:4 1:4
         bytes_cin MPI_Waitall 0:16 1:16
         comms_cxch MPI_Waitall 0:1 1:1",
    );
}

#[test]
fn waits_for_messages_are_counted_by_their_kind() {
    let all = ats_model::instances::METRICS.map(|row| row.0);
    for (bytes, letter) in [(8, "c"), (0, "s")] {
        let expected = |lines: &str| lines.replace('#', letter);
        check(
            &all,
            &format!(
                "0: 0..5 work; 5..9 MPI_Send send 1 bytes {bytes}; 9..12 MPI_Send send 1 bytes {bytes}
                 1: 2..9 MPI_Recv recv 0 bytes {bytes}; 9..12 MPI_Recv recv 0 bytes {bytes}"
            ),
            &expected("mpi_#ls_count MPI_Recv 1:1"),
        );
        check(
            &all,
            &format!(
                "0: 2..9 MPI_Ssend send 1 bytes {bytes}
                 1: 0..5 work; 5..9 MPI_Recv recv 0 bytes {bytes}"
            ),
            &expected("mpi_#lr_count MPI_Ssend 0:1"),
        );
        // The message of 1 was sent before that of 0, which was waited for.
        check(
            &all,
            &format!(
                "0: 0..5 work; 5..8 MPI_Send send 2 bytes {bytes}
                 1: 1..2 MPI_Send send 2 bytes {bytes}
                 2: 0..8 MPI_Recv recv 0 bytes {bytes}; 8..9 MPI_Recv recv 1 bytes {bytes}"
            ),
            &expected("mpi_#ls_count MPI_Recv 2:1\n         mpi_#lswo_count MPI_Recv 2:1"),
        );
    }
}

#[test]
fn collective_operations_have_names_of_their_own() {
    check(
        &[
            "bytes_cout",
            "bytes_cin",
            "comms_coll",
            "comms_csrc",
            "comms_cdst",
            "syncs_coll",
            "wait_at_barrier",
        ],
        "0: 0..5 MPI_Bcast bcast root 0 sent 8 received 0; 5..9 MPI_Barrier barrier sent 0 received 0
         1: 0..5 MPI_Bcast bcast root 0 sent 0 received 8; 7..9 MPI_Barrier barrier sent 0 received 0",
        "bytes_cout PROGRAM/MPI_Bcast 0:8
         bytes_cin PROGRAM/MPI_Bcast 1:8
         comms_coll PROGRAM/MPI_Bcast 0:1 1:1
         comms_csrc PROGRAM/MPI_Bcast 0:1
         comms_cdst PROGRAM/MPI_Bcast 1:1
         syncs_coll PROGRAM/MPI_Barrier 0:1 1:1
         wait_at_barrier PROGRAM/MPI_Barrier 0:2",
    );
}

#[test]
fn a_parallel_region_lasts_from_the_fork_to_the_join() {
    check(
        &["time", "visits", "max_time"],
        "team t 0 0.1
         0: 0 enter f; 1 fork; 2 begin t; 3 enter $parallel; 3..6 work; 8 leave; 9 end t; 11 join; 12 leave
         0.1: 2 begin t; 4 enter $parallel; 4..5 work; 6 leave; 7 end t",
        "time f 0:2
         time f/!$omp parallel 0:7 0.1:9
         time f/!$omp parallel/work 0:3 0.1:1
         visits f 0:1
         visits f/!$omp parallel 0:1 0.1:1
         visits f/!$omp parallel/work 0:1 0.1:1
         max_time f 0:12
         max_time f/!$omp parallel 0:5 0.1:2
         max_time f/!$omp parallel/work 0:3 0.1:1",
    );
}

#[test]
fn a_fork_is_the_part_of_the_management_before_the_parallel_region() {
    check(
        &["omp_fork", "omp_management"],
        "team t 0 0.1
         0: 0 enter f; 1 fork; 2 begin t; 3 enter $parallel; 8 leave; 9 end t; 11 join
         0: 20 fork; 20 begin t; 20 enter $parallel; 24 leave; 24 end t; 29 join; 29 leave
         0.1: 2 begin t; 4 enter $parallel; 6 leave; 7 end t; 22 begin t; 22 enter $parallel; 23 leave; 23 end t",
        "omp_fork f/!$omp parallel 0:2 0.1:5
         omp_management f/!$omp parallel 0:10 0.1:16",
    );
}

#[test]
fn open_regions_end_with_the_trace() {
    let of = |trace: &str| {
        let profile = profile(trace);
        (profile.values_of("time").collect::<Vec<_>>(), profile.warnings.len())
    };
    assert_eq!(
        of("0: 0 enter main; 1 enter work; 7 enter f; 8 leave"),
        (vec![(0, 0, 1.0), (1, 0, 6.0), (2, 0, 1.0)], 1)
    );
}

#[test]
fn the_program_is_around_all_that_its_process_does_and_findings_do_not_show_it() {
    let trace = "team t 0 0.1
         0: 1 program /home/ats/heat; 2 enter main; 2 fork; 2 begin t; 2 enter $parallel; 8 leave; 8 end t; 8 join; 9 leave; 12 exit
         0.1: 2 begin t; 2 enter $parallel; 4 leave; 4 end t
         1: 3 enter main; 5 leave";
    check(
        &["time", "visits", "max_time"],
        trace,
        "time heat 0:4
         time heat/main 0:1
         time heat/main/!$omp parallel 0:6 0.1:6
         time main 1:2
         visits heat 0:1
         visits heat/main 0:1
         visits heat/main/!$omp parallel 0:1 0.1:1
         visits main 1:1
         max_time heat 0:11
         max_time heat/main 0:7
         max_time heat/main/!$omp parallel 0:6 0.1:2
         max_time main 1:2",
    );
    check(
        &["time", "late_sender"],
        "0: 0 program heat; 0..5 work; 5..9 MPI_Send send 1; 9 exit
         1: 0 program heat; 2..9 MPI_Recv recv 0",
        "time heat 0:0 1:2
         time heat/work 0:5
         time heat/MPI_Send 0:4
         time heat/MPI_Recv 1:7
         late_sender heat/MPI_Recv 1:3",
    );
}

#[test]
fn a_program_has_all_the_time_of_its_threads() {
    // The second thread has nothing to do before and after the team, nor in one that it is not in.
    let serial = "team t 0 0.1
         team alone 0
         0: 0 program os; 20 fork; 20 begin t; 20 enter $parallel; 25 leave; 25 end t; 25 join; 30 fork; 30 begin alone
         0: 30 enter $parallel; 32 leave; 32 end alone; 32 join; 45 exit
         0.1: 20 begin t; 20 enter $parallel; 24 leave; 24 end t";
    check(
        &["time", "idle_threads", "limited_parallelism"],
        serial,
        "time os 0:38
         time os/!$omp parallel 0:7 0.1:5
         idle_threads os 0.1:38
         limited_parallelism os/!$omp parallel 0.1:2",
    );
    let profile = |trace| analyze_and_profile(&parse(trace).unwrap(), "test", &Options::default()).unwrap().1;
    let profile = profile(serial);
    assert_eq!((profile.total(|_| true), profile.total(|unit| unit.thread == 1)), (90.0, 45.0));
    // What a thread that the program starts itself does between its regions is the program's, too.
    check(
        &["time", "visits"],
        "0: 0 program p; 9 exit
         0.1: 2..3 work; 6..8 work",
        "time p 0:9 0.1:3
         time p/work 0.1:3
         visits p 0:1 0.1:0
         visits p/work 0.1:2",
    );
}

#[test]
fn time_without_recording_is_a_region_of_its_own() {
    check(
        &["time", "visits"],
        "0: 0 off; 1 on; 1 enter main; 2 off; 5 on; 6..7 work; 8 off; 9 on; 10 leave",
        "time main 0:4
         time main/work 0:1
         time MEASUREMENT OFF 0:1
         time main/MEASUREMENT OFF 0:4
         visits main 0:1
         visits main/work 0:1
         visits MEASUREMENT OFF 0:1
         visits main/MEASUREMENT OFF 0:2",
    );
    // What is entered and left meanwhile has its part of it, and nothing ends it but the end.
    check(
        &["time"],
        "0: 0 enter main; 1 off; 3 enter work; 5 leave; 6 leave",
        "time main 0:1
         time main/work 0:0
         time main/MEASUREMENT OFF 0:3
         time main/work/MEASUREMENT OFF 0:2",
    );
}

#[test]
fn metrics_are_of_where_they_grow() {
    check(
        &["ins", "heap", "min_temperature", "max_temperature"],
        "metric ins accumulated #
         metric heap relative bytes
         metric temperature absolute
         0: 0 count ins 100; 0 enter main; 1 count ins 130; 1 enter work; 1 count heap 8; 2 count heap -3; 2 count temperature 40; 3 count temperature 35; 4 count ins 170; 4 leave; 5 count ins 171; 5 leave
         1: 0 count ins 7; 0 enter main; 1 count ins 9; 1 leave",
        "ins main 0:31 1:2
         ins main/work 0:40
         heap main/work 0:5
         min_temperature main/work 0:35
         max_temperature main/work 0:40",
    );
}

#[test]
fn a_metric_that_runs_backwards_is_told_and_what_comes_then_counts() {
    let trace = parse(
        "metric ins accumulated
         0: 0 enter main; 1 count ins 100; 2 count ins 90; 3 count ins 95; 4 leave",
    )
    .unwrap();
    let (_, profile) = analyze_and_profile(&trace, "test", &Options::default()).unwrap();
    assert_eq!(profile.values["ins"], [(0, 0, 5.0)]);
    let [warning] = &profile.warnings[..] else { panic!("{:?}", profile.warnings) };
    assert!(warning.contains("values of a metric") && warning.ends_with("at 2 s"), "{warning}");
}

#[test]
fn a_metric_beyond_all_numbers_is_told_and_sums_stay_numbers() {
    let text = "metric heap relative\n 0: 0 enter main; 1 count heap 1.7e308; 2 count heap 1.7e308; 3 leave";
    let mut trace = parse(text).unwrap();
    let profile = |trace: &InMemory| analyze_and_profile(trace, "test", &Options::default()).unwrap().1;
    assert_eq!(profile(&trace).values["heap"], [(0, 0, f64::MAX)]);
    trace.definitions.metrics[0].exponent = i64::MAX;
    let told = profile(&trace);
    assert!(!told.values.contains_key("heap"), "{:?}", told.values);
    assert!(told.warnings[0].contains("values that are not numbers (ignored): 2"), "{:?}", told.warnings);
}

#[test]
fn attributes_are_of_where_their_events_are() {
    // That of an enter is of what is entered, that of a leave of what is left, others of the innermost region.
    check(
        &["ALLOCATION_SIZE", "min_gangs", "max_gangs", "visits"],
        "attribute ALLOCATION_SIZE
         attribute gangs
         attribute RESULT_ADDRESS
         0: 0 enter main; 1 with ALLOCATION_SIZE 64; 1 with gangs 7; 1 enter malloc; 2 with RESULT_ADDRESS 9; 2 leave
         0: 3 with ALLOCATION_SIZE 16; 3 enter malloc; 4 with gangs 3; 4 leave; 5 with gangs 5; 5 other; 6 with ALLOCATION_SIZE 8; 6 enter malloc; 7 leave
         0: 8 with gangs 2; 8 leave
         1: 0 with ALLOCATION_SIZE 1; 0 enter main; 1 with ALLOCATION_SIZE 2; 1 other",
        "ALLOCATION_SIZE main 1:3
         ALLOCATION_SIZE main/malloc 0:88
         min_gangs main 0:2
         min_gangs main/malloc 0:3
         max_gangs main 0:5
         max_gangs main/malloc 0:7
         visits main 0:1 1:1
         visits main/malloc 0:3",
    );
}

#[test]
fn an_attribute_is_no_event_and_what_only_names_something_is_no_metric() {
    let with = "attribute RESULT_ADDRESS\n 0: 0 enter main; 1 with RESULT_ADDRESS 9; 1 leave";
    let of = |trace: &str| analyze_and_profile(&parse(trace).unwrap(), "test", &Options::default()).unwrap();
    assert_eq!(of(with), of("0: 0 enter main; 1 leave"));
    // A metric of the same name tells the same; two columns of one name would be one.
    let profile = of("attribute ins\n attribute time\n metric ins relative\n 0: 0 enter f; 1 count ins 3; 1 with ins 4; 1 with time 5; 2 leave").1;
    assert_eq!(profile.values["ins"], [(0, 0, 3.0)]);
    assert!(!profile.values.contains_key("min_ins") && profile.values["min_time"] == [(0, 0, 2.0)]);
}

#[test]
fn an_attribute_that_is_no_number_is_told() {
    let trace = parse("attribute size\n 0: 0 enter main; 1 with size nan; 1 leave").unwrap();
    let (_, profile) = analyze_and_profile(&trace, "test", &Options::default()).unwrap();
    let [warning] = &profile.warnings[..] else { panic!("{:?}", profile.warnings) };
    assert!(warning.contains("values that are not numbers (ignored): 1; the first on rank 0"), "{warning}");
    assert!(!profile.values.contains_key("min_size"));
}

#[test]
fn regions_of_one_name_in_two_files_are_told() {
    let mut trace = parse("0: 0 enter main; 1..3 work; 4 leave").unwrap();
    let at = trace.definitions.regions.iter().position(|region| region.name == "work").unwrap();
    trace.definitions.regions[at].file = "a.c".to_owned();
    let warnings =
        |trace: &InMemory| analyze_and_profile(trace, "test", &Options::default()).unwrap().1.warnings;
    assert!(warnings(&trace).is_empty());
    let other = trace.definitions.regions[at].clone();
    // A file that is named twice is one, and where nobody is, nobody minds.
    trace.definitions.regions.extend([other.clone(), Region { name: "idle".to_owned(), ..other.clone() }]);
    trace.definitions.regions.push(Region {
        name: "idle".to_owned(),
        file: "b.c".to_owned(),
        ..other.clone()
    });
    assert!(warnings(&trace).is_empty());
    trace.definitions.regions.push(Region { file: "b.c".to_owned(), ..other });
    let said = "work is in a.c and in b.c, and taken for one region: give one of them another name";
    assert_eq!(warnings(&trace), [said]);
}

#[test]
fn a_metric_says_how_its_values_become_one() {
    let profile = profile("metric t absolute K\n 0: 0 enter main; 1 count t 3; 2 leave");
    let combined: Vec<_> =
        profile.metrics.iter().map(|one| (one.name.as_str(), one.unit.as_str(), one.combine)).collect();
    assert!(combined.contains(&("min_t", "K", Combine::Minimum)), "{combined:?}");
    assert!(combined.contains(&("max_t", "K", Combine::Maximum)), "{combined:?}");
    assert!(combined.contains(&("time", "s", Combine::Sum)), "{combined:?}");
}

#[test]
fn a_member_of_a_thread_s_team_is_not_in_the_regions_around_it() {
    let profile = profile(
        "team t 0.1 0.2
         0: 0 program p; 9 exit
         0.1: 1 enter solve; 2 fork; 2 begin t; 2 enter $parallel; 8 leave; 8 end t; 8 join; 9 leave
         0.2: 2 begin t; 2 enter $parallel; 8 leave; 8 end t",
    );
    let total = |thread| profile.total(|unit| unit.thread == thread);
    assert_eq!([0, 1, 2].map(total), [9.0, 8.0, 6.0]);
}

/// The program of SCALEA's figure 7 (Truong and Fahringer 2002): its five code regions, on a team of two.
#[test]
fn the_graph_of_an_openmp_program_is_that_of_its_code_regions() {
    let profile = profile(
        "team t 0 0.1
         0: 0 enter OMPEXAMPLE; 0..2 read; 2 fork; 2 begin t; 3 enter $parallel; 4..7 $for
         0: 7 enter $critical; 9 enter $critical-sblock; 10 leave; 10 leave; 11..12 $implicit-barrier; 12 leave; 12 end t; 13 join; 13 leave
         0.1: 2 begin t; 4 enter $parallel; 4..6 $for; 6 enter $critical; 6 enter $critical-sblock; 9 leave; 9 leave
         0.1: 9..12 $implicit-barrier; 12 leave; 12 end t",
    );
    let shown = |per| -> String {
        let graphs = profile.region_graphs(per, |_| true);
        let mut lines = Vec::new();
        for graph in &graphs.graphs {
            let name = |region| graphs.label(region).trim_start_matches("!$omp ").to_owned();
            lines.extend(graph.thread.map(|thread| format!("thread {thread}")));
            for node in &graph.nodes {
                let parts =
                    [node.start, node.children, node.end, node.rest].map(|part| part.to_string()).join(" + ");
                let calls = node.calls.unwrap();
                lines.push(format!("{} called {calls}: {} = {parts}", name(node.region), node.time));
            }
            for edge in &graph.edges {
                let calls = edge.calls.unwrap();
                lines.push(format!("{} -> {} called {calls}: {}", name(edge.from), name(edge.to), edge.time));
            }
        }
        lines.join("\n")
    };
    let program = "OMPEXAMPLE called 1: 24 = 0 + 24 + 0 + 0
                   read called 1: 2 = 0 + 0 + 0 + 2
                   parallel called 2: 22 = 3 + 11 + 6 + 2
                   for called 2: 5 = 0 + 0 + 0 + 5
                   critical called 2: 6 = 2 + 0 + 0 + 4
                   OMPEXAMPLE -> read called 1: 2
                   OMPEXAMPLE -> parallel called 2: 22
                   parallel -> for called 2: 5
                   parallel -> critical called 2: 6";
    assert_eq!(shown(Per::Program), trimmed(program));
    assert_eq!(shown(Per::Process), trimmed(program));
    let threads = "thread 0
                   OMPEXAMPLE called 1: 13 = 0 + 13 + 0 + 0
                   read called 1: 2 = 0 + 0 + 0 + 2
                   parallel called 1: 11 = 1 + 6 + 2 + 2
                   for called 1: 3 = 0 + 0 + 0 + 3
                   critical called 1: 3 = 2 + 0 + 0 + 1
                   OMPEXAMPLE -> read called 1: 2
                   OMPEXAMPLE -> parallel called 1: 11
                   parallel -> for called 1: 3
                   parallel -> critical called 1: 3
                   thread 1
                   parallel called 1: 11 = 2 + 5 + 4 + 0
                   for called 1: 2 = 0 + 0 + 0 + 2
                   critical called 1: 3 = 0 + 0 + 0 + 3
                   parallel -> for called 1: 2
                   parallel -> critical called 1: 3";
    assert_eq!(shown(Per::Thread), trimmed(threads));
}
