//! Clocks that were not measured: brought together if they can be, and durations if they cannot.

use ats_analyzer::{Clocks, Options, analyze, notation::parse};
use ats_documents::Analysis;
use ats_model::{
    clock_correction::{ClockEvidence, ClockMethod, ProcessClock},
    definitions::{SystemNode, SystemTree},
    source::Unmeasured,
};

use crate::{analysis, table, trimmed};

fn unmeasured(trace: &str) -> Analysis {
    analyze(&Unmeasured(parse(trace).unwrap()), "test", &Options::default()).unwrap()
}

/// The trace gives these findings when its clocks are corrected, by these seconds: `RANK:OFFSET`.
#[track_caller]
fn check_corrected(trace: &str, findings: &str, seconds: &str) {
    let analysis = unmeasured(trace);
    assert_eq!(table(&analysis), trimmed(findings));
    assert_eq!(offsets(&analysis), seconds);
}

/// The corrections that were derived, as `RANK:OFFSET`.
fn offsets(analysis: &Analysis) -> String {
    let clocks = analysis.clock_correction.as_ref().unwrap();
    assert_eq!(clocks.method, ClockMethod::Derived);
    let told = |clock: &ProcessClock| {
        let mark = match clock.evidence {
            ClockEvidence::Reference => "=",
            ClockEvidence::BothSides => ":",
            ClockEvidence::OneSide => ">",
        };
        format!("{}{mark}{}", clock.rank, clock.offset)
    };
    clocks.processes.iter().map(told).collect::<Vec<_>>().join(" ")
}

#[test]
fn clocks_that_were_measured_are_left_alone() {
    let right = "0: 0..5 MPI_Barrier barrier \n 1: 3..5 MPI_Barrier barrier";
    assert_eq!(analysis(right).clock_correction, None);
    // By these, rank 1 leaves 97 s before rank 0 comes: told, and believed.
    let wrong = "0: 100..105 MPI_Barrier barrier \n 1: 1..3 MPI_Barrier barrier";
    let clocks = analysis(wrong).clock_correction.unwrap();
    assert_eq!((clocks.method, clocks.processes), (ClockMethod::Recorded, vec![]));
    assert_eq!(
        table(&analysis(wrong)),
        trimmed("barrier_completion MPI_Barrier 0:5 \n wait_at_barrier MPI_Barrier 1:2")
    );
}

#[test]
fn clocks_that_were_not_measured_and_agree_are_found_to() {
    let trace = "0: 0..5 MPI_Barrier barrier \n 1: 3..5 MPI_Barrier barrier";
    check_corrected(trace, "wait_at_barrier MPI_Barrier 0:3", "0=0 1:0");
    let analysis = unmeasured(trace);
    let told = &analysis.warnings[0];
    assert!(told.contains("none of 2 messages and collective operations is over too early"), "{told}");
}

#[test]
fn exact_times_stay_exact() {
    // The bounds on rank 1 are −4 and 2; in the middle of them, rank 0 would wait 1 less.
    let messages = "
        0: 10..11 MPI_Send send 1; 13..17 MPI_Recv recv 1
        1: 12..14 MPI_Recv recv 0; 15..16 MPI_Send send 0";
    // Ends of one operation differ, one way and the other.
    let barriers = "
        0: 0..1 MPI_Init; 1..8 MPI_Barrier barrier; 12..16 MPI_Barrier barrier; 16..30 MPI_Barrier barrier
        1: 0..1 MPI_Init; 7..9 MPI_Barrier barrier; 10..14 MPI_Barrier barrier; 29..31 MPI_Barrier barrier";
    for trace in [messages, barriers] {
        let (exact, derived) = (analysis(trace), unmeasured(trace));
        assert_eq!(derived.findings, exact.findings);
        assert_eq!(offsets(&derived), "0=0 1:0");
        let [warning] = &derived.warnings[..] else { panic!("{:?}", derived.warnings) };
        assert!(warning.ends_with("nothing shows that they do; they were left as they are"), "{warning}");
    }
}

#[test]
fn clocks_that_violate_nothing_may_hide_a_wait() {
    // Each receiver's clock is 48 s ahead: it is in the call when the sender is, but by far too late.
    check_corrected(
        "0: 60..60 MPI_Bcast bcast root 0; 120..120 MPI_Bcast bcast root 0
         1: 58..108 MPI_Bcast bcast root 0; 118..168 MPI_Bcast bcast root 0
         2: 60..108 MPI_Bcast bcast root 0; 168..168 MPI_Bcast bcast root 0",
        "late_broadcast MPI_Bcast 1:100 2:48",
        "0=0 1>-48 2>-48",
    );
    check_corrected(
        "0: 60..60 MPI_Send send 1; 120..120 MPI_Send send 1
         1: 58..108 MPI_Recv recv 0; 118..168 MPI_Recv recv 0",
        "late_sender MPI_Recv 1:100",
        "0=0 1>-48",
    );
    check_corrected(
        "0: 10..60 MPI_Ssend send 1
         1: 108..108 MPI_Recv recv 0",
        "late_receiver MPI_Ssend 0:50",
        "0=0 1:-48",
    );
}

#[test]
fn clocks_are_left_alone_on_request() {
    let trace = "0: 60..60 MPI_Send send 1; 120..120 MPI_Send send 1
                 1: 58..108 MPI_Recv recv 0; 118..168 MPI_Recv recv 0";
    for records_in_memory in [0, 500_000] {
        let options = Options { clocks: Clocks::Recorded, records_in_memory, ..Options::default() };
        let analysis = analyze(&Unmeasured(parse(trace).unwrap()), "test", &options).unwrap();
        assert_eq!(table(&analysis), trimmed("late_sender MPI_Recv 1:4"));
        let clocks = analysis.clock_correction.unwrap();
        assert_eq!((clocks.method, clocks.processes), (ClockMethod::Recorded, vec![]));
        // Nothing was left alone where nothing would have been corrected.
        let measured = analyze(&parse(trace).unwrap(), "test", &options).unwrap();
        assert_eq!((measured.findings, measured.clock_correction), (analysis.findings, None));
    }
}

#[test]
fn a_root_waits_for_the_last_sender_also_if_its_clock_violates_nothing() {
    check_corrected(
        "0: 10..60 MPI_Gather gather root 0; 61..100 MPI_Gather gather root 0
         1: 12..12 MPI_Gather gather root 0; 52..52 MPI_Gather gather root 0
         2: 20..20 MPI_Gather gather root 0; 90..90 MPI_Gather gather root 0",
        "early_reduce MPI_Gather 0:89",
        "0=0 1>48 2>10",
    );
}

#[test]
fn the_soonest_came_at_once_if_waits_are_short() {
    // No receive takes ten times as long as its send, so nothing says when they end together but that the first did.
    check_corrected(
        "0: 100..103 MPI_Send send 1; 120..123 MPI_Send send 1
         1: 12..17 MPI_Recv recv 0; 30..33 MPI_Recv recv 0",
        "late_sender MPI_Recv 1:4",
        "0=0 1>87",
    );
}

#[test]
fn an_early_rank_is_moved_by_later_ones() {
    // All that rank 0 says of rank 1 is that it is not 9 s ahead; rank 2, whose clock rank 0 knows, says that it is 20 s behind.
    check_corrected(
        "0: 10..11 MPI_Send send 1; 20..21 MPI_Send send 2
         1: 19..19 MPI_Recv recv 0; 20..30 MPI_Recv recv 2
         2: 11..20 MPI_Recv recv 0; 50..50 MPI_Send send 1",
        "late_sender MPI_Recv 1:10 2:9",
        "0=0 1>20 2:0",
    );
}

#[test]
fn a_wait_is_never_longer_than_its_call_whatever_the_clock() {
    // Eager sends that are received late: the receives take no time, and the clock of rank 1 cannot be known.
    let trace = "0: 0..1 MPI_Send send 1; 10..11 MPI_Send send 1
                 1: 5..5 MPI_Recv recv 0; 15..15 MPI_Recv recv 0";
    assert_eq!(unmeasured(trace).findings, []);
}

#[test]
fn ranks_leave_a_barrier_at_one_time() {
    check_corrected(
        "0: 0..5 MPI_Barrier barrier; 9..10 MPI_Barrier barrier
         1: 103..105 MPI_Barrier barrier; 105..110 MPI_Barrier barrier",
        "wait_at_barrier MPI_Barrier 0:3 1:4",
        "0=0 1:-100",
    );
}

#[test]
fn a_receiver_that_has_waited_leaves_with_its_sender() {
    check_corrected(
        "0: 120..120 MPI_Send send 1; 140..140 MPI_Send send 1
         1: 3..20 MPI_Recv recv 0; 25..40 MPI_Recv recv 0",
        "late_sender MPI_Recv 1:32",
        "0=0 1>100",
    );
}

#[test]
fn a_synchronous_sender_leaves_with_its_receiver() {
    check_corrected(
        "0: 103..120 MPI_Ssend send 1; 125..140 MPI_Ssend send 1
         1: 20..20 MPI_Recv recv 0; 40..40 MPI_Recv recv 0",
        "late_receiver MPI_Ssend 0:32",
        "0=0 1:100",
    );
}

#[test]
fn ranks_that_wait_for_the_root_leave_with_it() {
    check_corrected(
        "0: 120..120 MPI_Bcast bcast root 0; 140..140 MPI_Bcast bcast root 0
         1: 3..20 MPI_Bcast bcast root 0; 25..40 MPI_Bcast bcast root 0
         2: 300..320 MPI_Bcast bcast root 0; 339..340 MPI_Bcast bcast root 0",
        "late_broadcast MPI_Bcast 1:32 2:21",
        "0=0 1>100 2>-200",
    );
}

#[test]
fn a_root_waits_for_the_last_sender() {
    check_corrected(
        "0: 0..10 MPI_Reduce reduce root 0; 11..12 MPI_Reduce reduce root 0
         1: 109..109 MPI_Reduce reduce root 0; 111..111 MPI_Reduce reduce root 0",
        "early_reduce MPI_Reduce 0:11",
        "0=0 1>-99",
    );
}

#[test]
fn one_clock_is_known_by_way_of_another() {
    check_corrected(
        "comm left 0 1
         comm right 1 2
         0: 0..5 MPI_Barrier barrier on left
         1: 15..15 MPI_Barrier barrier on left; 16..25 MPI_Barrier barrier on right
         2: 4..4 MPI_Barrier barrier on right",
        "wait_at_barrier MPI_Barrier 0:5 1:9",
        "0=0 1:-10 2:11",
    );
}

#[test]
fn an_unconnected_rank_keeps_its_clock() {
    check_corrected(
        "comm left 0 1
         0: 0..5 MPI_Barrier barrier on left
         1: 15..15 MPI_Barrier barrier on left
         2: 900..901 work",
        "wait_at_barrier MPI_Barrier 0:5",
        "0=0 1:-10 2=0",
    );
}

#[test]
fn a_clock_that_would_have_to_be_negative_moves_the_others() {
    check_corrected(
        "0: 0..5 MPI_Barrier barrier
         1: 0..2 work; 105..105 MPI_Barrier barrier
         2: 1..2 work; 1001..1005 MPI_Barrier barrier",
        "wait_at_barrier MPI_Barrier 0:5 2:4",
        "0=0 1:-100 2:-1000",
    );
}

#[test]
fn contradicting_clocks_leave_durations() {
    // The clock of rank 1 jumps by 50 s between the two barriers.
    let trace = "0: 0..5 MPI_Barrier barrier; 9..10 MPI_Barrier barrier; 11..11 MPI_Send send 1; 12..20 MPI_Ssend send 1
                 0: 20..24 MPI_Finalize
                 1: 103..105 MPI_Barrier barrier; 155..160 MPI_Barrier barrier; 160..167 MPI_Recv recv 0
                 1: 168..170 MPI_Recv recv 0; 173..174 MPI_Finalize";
    let analysis = unmeasured(trace);
    assert_eq!(
        table(&analysis),
        trimmed(
            "late_sender MPI_Recv 1:7
             wait_at_barrier MPI_Barrier 0:3 1:4
             late_receiver MPI_Ssend 0:6
             wait_at_finalize MPI_Finalize 0:3"
        )
    );
    let clocks = analysis.clock_correction.unwrap();
    assert_eq!((clocks.method, clocks.processes), (ClockMethod::Durations, vec![]));
    assert!(clocks.after.total > 0.0);
    assert!(analysis.warnings[0].contains("estimated from durations"), "{:?}", analysis.warnings);
}

#[test]
fn durations_know_roots_n_to_n_operations_and_prefixes() {
    let trace = "0: 0..9 MPI_Barrier barrier; 10..12 MPI_Bcast bcast root 0; 12..19 MPI_Reduce reduce root 0
                 0: 20..21 MPI_Allreduce allreduce; 22..23 MPI_Scan scan; 24..25 MPI_Test recv 1; 30..39 MPI_Barrier barrier
                 1: 503..512 MPI_Barrier barrier; 512..519 MPI_Bcast bcast root 0; 520..521 MPI_Reduce reduce root 0
                 1: 522..527 MPI_Allreduce allreduce; 527..531 MPI_Scan scan; 532..533 MPI_Send send 0
                 1: 803..812 MPI_Barrier barrier";
    let analysis = unmeasured(trace);
    assert_eq!(analysis.clock_correction.as_ref().unwrap().method, ClockMethod::Durations);
    assert_eq!(
        table(&analysis),
        trimmed(
            "early_reduce MPI_Reduce 0:6
             late_broadcast MPI_Bcast 1:5
             wait_at_nxn MPI_Allreduce 1:4
             early_scan MPI_Scan 1:3"
        )
    );
}

#[test]
fn a_message_to_oneself_says_nothing_of_clocks() {
    let analysis = unmeasured("0: 0..1 MPI_Send send 0; 2..5 MPI_Recv recv 0 \n 1: 0..1 work");
    assert_eq!(analysis.clock_correction, None);
    assert_eq!(analysis.findings, []);
}

/// The analysis of a trace whose ranks run on these nodes.
fn on_nodes(trace: &str, nodes: &[u32]) -> Analysis {
    let mut trace = parse(trace).unwrap();
    let node = |class: &str, parent| SystemNode { name: class.into(), class: class.into(), parent };
    trace.definitions.system_tree = SystemTree {
        nodes: vec![
            node("machine", None),
            node("node", Some(0)),
            node("node", Some(0)),
            node("socket", Some(2)),
        ],
        processes: (0..).zip(nodes.iter().copied()).collect(),
    };
    analyze(&Unmeasured(trace), "test", &Options::default()).unwrap()
}

#[test]
fn the_clock_of_one_node_is_left_alone() {
    let trace = "0: 32..33 MPI_Send send 1 \n 1: 2..34 MPI_Recv recv 0";
    for nodes in [[1, 1], [2, 3], [3, 3]] {
        let analysis = on_nodes(trace, &nodes);
        assert_eq!(table(&analysis), trimmed("late_sender MPI_Recv 1:30"));
        assert_eq!((&analysis.clock_correction, &analysis.warnings[..]), (&None, &[][..]));
    }
    // Two nodes, and a machine that may have many.
    for nodes in [[1, 2], [0, 0]] {
        let analysis = on_nodes(trace, &nodes);
        assert_eq!(table(&analysis), trimmed("late_sender MPI_Recv 1:31"));
        assert_eq!(offsets(&analysis), "0=0 1>-1");
    }
}

#[test]
fn the_clock_of_one_node_is_derived_where_its_processes_contradict_each_other() {
    let trace = "0: 100..105 MPI_Barrier barrier \n 1: 1..3 MPI_Barrier barrier";
    let analysis = on_nodes(trace, &[1, 1]);
    assert_eq!(offsets(&analysis), "0=0 1:102");
    assert_eq!(analysis.clock_correction, unmeasured(trace).clock_correction);
}

#[test]
fn the_clock_of_a_node_is_corrected_as_one() {
    // Ranks 1 and 2 run on a node whose clock is 50 s ahead; only rank 1 has to do with rank 0. Rank 2 waits 10 s for rank 1.
    let trace = "comm pair 0 1
         0: 0..5 MPI_Barrier barrier on pair
         1: 53..55 MPI_Barrier barrier on pair; 70..71 MPI_Send send 2
         2: 60..73 MPI_Recv recv 1";
    let analysis = on_nodes(trace, &[1, 2, 2]);
    assert_eq!(table(&analysis), trimmed("late_sender MPI_Recv 2:10 \n wait_at_barrier MPI_Barrier 0:3"));
    assert_eq!(offsets(&analysis), "0=0 1:-50 2:-50");
    let apart = on_nodes(trace, &[0, 0, 0]);
    assert_eq!(offsets(&apart), "0=0 1:-50 2>-53");
}
