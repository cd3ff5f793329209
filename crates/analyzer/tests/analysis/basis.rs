//! The basis that severities are relative to.

use std::collections::BTreeMap;

use ats_analyzer::{AnalysisError, Options, analyze, notation::parse};
use ats_documents::Analysis;
use ats_documents::finding::Bounds;
use ats_model::Traffic;

use crate::analysis;

fn of_region(trace: &str, region: &str) -> Result<Analysis, AnalysisError<std::convert::Infallible>> {
    analyze(
        &parse(trace).unwrap(),
        "test",
        &Options { region: Some(region.to_owned()), ..Options::default() },
    )
}

const MEASURED: &str = "
    0: 0..10 MPI_Init; 10..12 MPI_Barrier barrier; 14 enter ats_measured; 14 enter late; 14..24 MPI_Recv recv 1
    0: 24 leave; 24 leave; 30..40 MPI_Finalize
    1: 0..10 MPI_Init; 11..12 MPI_Barrier barrier; 16 enter ats_measured; 20..24 MPI_Send send 0
    1: 34 leave; 35..40 MPI_Finalize";

#[test]
fn the_measured_region_is_the_default() {
    let analysis = analysis(MEASURED);
    assert_eq!(analysis.basis.region.as_deref(), Some("ats_measured"));
    assert_eq!((analysis.basis.wall_time, analysis.basis.location_seconds), (20.0, 40.0));
    let rows: Vec<_> = analysis
        .findings
        .iter()
        .map(|finding| (finding.id.as_str(), finding.waiting_time, finding.severity, finding.in_basis))
        .collect();
    assert_eq!(
        rows,
        [
            ("late_sender@ats_measured/late/MPI_Recv", 6.0, 0.15, true),
            ("wait_at_finalize@MPI_Finalize", 5.0, 0.0, false),
            ("wait_at_barrier@MPI_Barrier", 1.0, 0.0, false),
        ]
    );
}

#[test]
fn a_document_tells_its_trace_and_size() {
    let analysis = analysis(MEASURED);
    assert_eq!((analysis.schema.as_str(), analysis.trace.as_str()), ("ats-analysis/1", "test"));
    assert_eq!((analysis.locations, analysis.events), (2, 28));
    let finding = &analysis.findings[0];
    assert_eq!(finding.metric.as_deref(), Some("mpi_latesender"));
    assert_eq!(finding.accept, ["mpi_point2point"]);
}

#[test]
fn without_it_the_time_between_init_and_finalize_counts() {
    let analysis = analysis(
        "0: 0..10 MPI_Init; 12..20 MPI_Barrier barrier; 22..40 MPI_Finalize
         1: 0..12 MPI_Init; 16..20 MPI_Barrier barrier; 30..40 MPI_Finalize",
    );
    assert_eq!((analysis.basis.region, analysis.basis.wall_time), (None, 20.0));
    let barrier = analysis.findings.iter().find(|finding| finding.id.starts_with("wait_at_barrier")).unwrap();
    assert_eq!((barrier.in_basis, barrier.severity), (true, 0.1));
}

#[test]
fn without_init_or_finalize_the_first_and_the_last_event_bound_it() {
    for (trace, wall_time, bounds) in [
        ("0: 5..10 work \n 1: 3..12 work", 9.0, Bounds::WholeRun),
        ("0: 5..10 MPI_Init; 11..20 work", 10.0, Bounds::InitToEnd),
        ("0: 5..10 work; 15..20 MPI_Finalize", 10.0, Bounds::BeginToFinalize),
        ("0: 5..10 MPI_Init; 15..20 MPI_Finalize", 5.0, Bounds::InitToFinalize),
    ] {
        let basis = analysis(trace).basis;
        assert_eq!((basis.wall_time, basis.bounds), (wall_time, bounds), "{trace}");
    }
}

#[test]
fn locations_without_events_do_not_count() {
    let plain = "0: 0..10 MPI_Init; 10..20 work; 20..21 MPI_Send send 1; 30..31 MPI_Finalize
                 1: 0..10 MPI_Init; 11..21 MPI_Recv recv 0; 30..31 MPI_Finalize";
    for (more, counted) in [
        ("", 2.0),
        ("\n 0.1:", 2.0),
        ("\n 0.1: \n 1.1: \n 1.2:", 2.0),
        // A rank of which nothing is recorded.
        ("\n 2: \n 2.1:", 2.0),
        // A thread that the program starts itself, and one that it may have started.
        ("\n 0.1: 12..17 work \n 0.2:", 2.25),
    ] {
        let analysis = analysis(&format!("{plain}{more}"));
        assert_eq!(analysis.basis.location_seconds, 20.0 * counted, "{more}");
        let late = &analysis.findings[0];
        assert_eq!((late.waiting_time, late.severity), (9.0, 9.0 / (20.0 * counted)), "{more}");
    }
}

#[test]
fn a_thread_without_events_counts_if_it_could_have_worked() {
    let analysis = analysis(
        "team t 0
         0: 0..2 work; 2 fork; 2 begin t; 2 enter $parallel; 2..8 work; 8 leave; 8 end t; 8 join; 8..10 work
         0.1:",
    );
    assert_eq!(analysis.basis.location_seconds, 20.0);
    let idle: f64 = analysis.findings.iter().map(|finding| finding.severity).sum();
    assert_eq!((analysis.findings.len(), idle), (2, 0.5));
}

#[test]
fn calls_of_mpi_may_have_brackets_behind_their_names() {
    let plain = "0: 0..10 MPI_Init_thread; 12..20 MPI_Recv recv 1; 30..31 MPI_Finalize
                 1: 0..10 MPI_Init_thread; 19..20 MPI_Send send 0; 28..31 MPI_Finalize";
    let expected = analysis(plain);
    assert_eq!((expected.findings.len(), expected.basis.bounds), (2, Bounds::InitToFinalize));
    for behind in ["", "  ", " [THROTTLED]", " [{halo.c} {12,0}]"] {
        let mut trace = parse(plain).unwrap();
        trace.definitions.regions.iter_mut().for_each(|region| region.name += &format!("(){behind}"));
        let analysis = analyze(&trace, "test", &Options::default()).unwrap();
        assert_eq!(analysis.basis, expected.basis, "{behind}");
        let found = |analysis: &Analysis| {
            let row = |it: &ats_documents::Finding| (it.property, it.waiting_time, it.severity, it.in_basis);
            analysis.findings.iter().map(row).collect::<Vec<_>>()
        };
        assert_eq!(found(&analysis), found(&expected), "{behind}");
        assert!(analysis.not_analyzed.is_empty(), "{:?}", analysis.not_analyzed);
    }
}

#[test]
fn a_named_region_spans_from_first_entry_to_last_exit() {
    let trace = "
        0: 0 enter main; 2..4 phase; 6 enter phase; 6..9 MPI_Barrier barrier; 9 leave; 20 leave
        1: 0 enter main; 3 enter phase; 8..9 MPI_Barrier barrier; 12 leave; 20 leave";
    let analysis = of_region(trace, "phase").unwrap();
    assert_eq!(analysis.basis.wall_time, 10.0);
    assert_eq!((analysis.findings[0].waiting_time, analysis.findings[0].severity), (2.0, 0.1));
    assert!(analysis.findings[0].in_basis);
    let of_main = of_region(trace, "main").unwrap();
    assert_eq!((of_main.basis.wall_time, of_main.findings[0].severity), (20.0, 0.05));
}

#[test]
fn a_region_that_is_never_left_lasts_to_the_end() {
    assert_eq!(of_region("0: 0..1 work; 2 enter phase; 3..9 work", "phase").unwrap().basis.wall_time, 7.0);
}

#[test]
fn an_unknown_region_is_an_error_that_names_its_neighbours() {
    let error = of_region("0: 0..1 phase_one; 1..2 phase_two; 2..3 MPI_Init", "phase_won").unwrap_err();
    assert_eq!(
        error.to_string(),
        "the trace has no region `phase_won`; did you mean `phase_one` or `phase_two`?"
    );
    let error = of_region("0: 0..1 work", "something else").unwrap_err();
    assert_eq!(error.to_string(), "the trace has no region `something else`");
}

#[test]
fn a_region_that_nobody_enters_is_an_error_only_if_asked_for() {
    let mut trace = parse("0: 0..4 ats_measured; 4..9 work").unwrap();
    trace.events[0].drain(..2);
    assert_eq!(analyze(&trace, "test", &Options::default()).unwrap().basis.wall_time, 5.0);
    let error =
        analyze(&trace, "test", &Options { region: Some("ats_measured".into()), ..Options::default() })
            .unwrap_err();
    assert!(matches!(error, AnalysisError::RegionNotEntered { .. }), "{error}");
}

#[test]
fn calls_and_constructs_are_counted_in_the_basis() {
    let trace = "team t 0 0.1
        0: 0..1 MPI_Init; 1..2 MPI_Barrier barrier; 2 fork; 2 begin t; 2 enter $parallel; 2..3 $barrier; 3 leave; 3 end t
        0: 3 join; 4 enter ats_measured; 4..5 work; 5..6 MPI_Send send 1; 6..7 MPI_Send send 1
        0: 7 fork; 7 begin t; 7 enter $parallel; 7..8 $barrier; 8..9 $barrier; 9 leave; 9 end t; 9 join; 9 leave
        0: 10..11 MPI_Finalize
        0.1: 2 begin t; 2 enter $parallel; 2..3 $barrier; 3 leave; 3 end t
        0.1: 7 begin t; 7 enter $parallel; 7..8 $barrier; 8..9 $barrier; 9 leave; 9 end t
        1: 0..1 MPI_Init; 1..2 MPI_Barrier barrier; 4 enter ats_measured; 5..6 MPI_Recv recv 0; 6..7 MPI_Recv recv 0
        1: 7 leave; 10..11 MPI_Finalize";
    let counts = |analysis: Analysis| {
        let counts = analysis.counts.iter().map(|(call, count)| format!("{call} {count}"));
        counts.collect::<Vec<_>>().join(", ")
    };
    assert_eq!(counts(analysis(trace)), "!$omp barrier 4, !$omp parallel 2, MPI_Recv 2, MPI_Send 2");
    let whole = trace.replace("ats_measured", "phase");
    assert_eq!(
        counts(analysis(&whole)),
        "!$omp barrier 6, !$omp parallel 4, MPI_Barrier 2, MPI_Recv 2, MPI_Send 2"
    );
    assert_eq!(counts(of_region(trace, "!$omp parallel").unwrap()), "!$omp barrier 6, !$omp parallel 4");
}

#[test]
fn traffic_is_counted_in_the_basis() {
    let trace = "0: 0..1 MPI_Send send 1 bytes 1000; 2 enter ats_measured
        0: 2..3 MPI_Send send 1 bytes 8; 3..4 MPI_Isend isend 1 request 1 bytes 16; 4..5 MPI_Wait sent 1
        0: 5..6 MPI_Gather gather root 0 sent 4 received 8; 6..7 MPI_Barrier barrier sent 0 received 0; 7 leave
        1: 0..1 MPI_Recv recv 0 bytes 1000; 2 enter ats_measured
        1: 2..3 MPI_Irecv post 1; 3..4 MPI_Wait irecv 0 request 1 bytes 8; 4..5 MPI_Recv recv 0 bytes 16
        1: 5..6 MPI_Gather gather root 0 sent 4 received 0; 6..7 MPI_Barrier barrier sent 0 received 0; 7 leave";
    let moved = |trace: &str| {
        let traffic = analysis(trace).traffic;
        traffic.into_iter().collect::<Vec<(String, Traffic)>>()
    };
    let inside = [
        ("MPI_Barrier", Traffic { syncs_coll: 2, ..Traffic::default() }),
        ("MPI_Gather", Traffic { comms_coll: 2, comms_csrc: 1, ..Traffic::collective(8, 8) }),
        ("MPI_Isend", Traffic::message_sent(16)),
        ("MPI_Recv", Traffic::message_received(16)),
        ("MPI_Send", Traffic::message_sent(8)),
        ("MPI_Wait", Traffic::message_received(8)),
    ];
    assert_eq!(moved(trace), inside.map(|(call, traffic)| (call.to_owned(), traffic)));
    let whole: BTreeMap<_, _> = moved(&trace.replace("ats_measured", "phase")).into_iter().collect();
    let Traffic { messages_sent, bytes_sent, .. } = whole["MPI_Send"];
    assert_eq!((messages_sent, bytes_sent), (2, 1008));
    let Traffic { messages_received, bytes_received, .. } = whole["MPI_Recv"];
    assert_eq!((messages_received, bytes_received), (2, 1016));
}
