//! Damaged and incomplete traces: a warning for each kind of damage, and every wait that can still be known.

use std::fmt;

use ats_analyzer::{AnalysisError, Options, analyze, analyze_and_profile, notation::parse};
use ats_model::{
    Definitions, Event, EventSource,
    definitions::Members,
    event::{CommunicatorRef, RegionRef},
    source::InMemory,
};

use crate::{check_damaged, table};

#[test]
fn unmatched_messages_are_counted_and_the_others_analyzed() {
    check_damaged(
        "0: 4..5 MPI_Send send 1; 6..7 MPI_Send send 1; 8..9 MPI_Send send 1 tag 3
         1: 1..5 MPI_Recv recv 0; 9..10 MPI_Recv recv 0 tag 9; 10..11 MPI_Recv recv 0 tag 9",
        "late_sender MPI_Recv 1:3",
        "messages that were sent and not received: 2; the first on rank 0, thread 0, at 6 s
         messages that were received and not sent: 2; the first on rank 1, thread 0, at 9 s",
    );
}

#[test]
fn a_peer_outside_the_communicator_is_no_peer() {
    check_damaged(
        "0: 4..5 MPI_Send send 7; 5..8 MPI_Recv recv 1 on self; 9..12 MPI_Recv recv 1
         1: 11..12 MPI_Send send 0",
        "late_sender MPI_Recv 0:2",
        "messages whose communicator or peer is not defined (ignored): 2; the first on rank 0, thread 0, at 4 s",
    );
}

#[test]
fn a_process_that_is_not_in_the_trace_sends_nothing() {
    check_damaged(
        "comm all 0 1 2
         0: 4..5 MPI_Recv recv 2 on all; 5..8 MPI_Barrier barrier on all
         1: 7..8 MPI_Barrier barrier on all",
        "wait_at_barrier MPI_Barrier 0:2",
        "messages that were received and not sent: 1; the first on rank 0, thread 0, at 4 s
         collective operations that a member of the communicator did not take part in (the others are analyzed): 1; \
         the first on rank 0, thread 0, at 5 s",
    );
}

#[test]
fn a_call_that_was_still_waiting_when_the_program_was_ended_is_no_wait_state() {
    check_damaged(
        "0: 4..5 MPI_Send send 1; 8 enter MPI_Recv; 12 leave MPI_Recv
         1: 1..5 MPI_Recv recv 0; 6 enter MPI_Barrier; 6 begin; 12 leave MPI_Barrier",
        "late_sender MPI_Recv 1:3",
        "collective operations without an end (ignored): 1; the first on rank 1, thread 0, at 6 s",
    );
}

#[test]
fn a_missing_leave_at_the_end_is_closed_by_the_last_event() {
    check_damaged(
        "0: 9..10 MPI_Send send 1
         1: 0 enter main; 2 enter MPI_Recv; 12 recv 0",
        "late_sender main/MPI_Recv 1:7",
        "regions that were entered and not left (closed with the region around them): 2; \
         the first on rank 1, thread 0, at 0 s",
    );
}

#[test]
fn a_missing_leave_is_closed_by_that_of_the_region_around_it() {
    check_damaged(
        "0: 29..30 MPI_Send send 1
         1: 0 enter main; 1 enter a; 2 enter MPI_Recv; 20 recv 0; 25 leave main; 25 enter main; 26 leave main",
        "late_sender main/a/MPI_Recv 1:23",
        "the clocks of the processes contradict each other, and waits between them may be wrong: 1 of 1 messages and \
         collective operations are over too early, by up to 4.000000000 s
         regions that were entered and not left (closed with the region around them): 2; \
         the first on rank 1, thread 0, at 1 s",
    );
}

#[test]
fn a_leave_without_enter_is_ignored() {
    let mut trace =
        parse("0: 9..10 MPI_Send send 1 \n 1: 1 enter main; 2..10 MPI_Recv recv 0; 11 leave").unwrap();
    trace.events[1].insert(1, (1, Event::Leave { region: RegionRef(0) }));
    let analysis = analyze(&trace, "test", &Options::default()).unwrap();
    assert_eq!(table(&analysis), "late_sender main/MPI_Recv 1:7");
    assert_eq!(
        analysis.warnings,
        ["leaves of a region that was not entered (ignored): 1; the first on rank 1, thread 0, at 1 s"]
    );
}

#[test]
fn a_record_outside_every_call_still_matches() {
    check_damaged(
        "0: 9 send 1; 15 barrier; 20 send 1
         1: 2..10 MPI_Recv recv 0; 21 recv 0",
        "late_sender MPI_Recv 1:7",
        "MPI records outside every MPI call (no wait is counted for them): 4; the first on rank 0, thread 0, at 9 s",
    );
}

#[test]
fn a_function_without_its_call_has_no_waits() {
    check_damaged(
        "0: 0 enter main; 9..10 MPI_Send send 1; 12..15 MPI_Barrier barrier; 15 leave
         1: 0 enter main; 10 recv 0; 14 barrier; 15 leave",
        "wait_at_barrier main/MPI_Barrier 0:2\nbarrier_completion main/MPI_Barrier 0:1",
        "MPI records outside every MPI call (no wait is counted for them): 1; the first on rank 1, thread 0, at 10 s
         collective operations without a begin (the enter of their call is taken, outside every call their end): 1; \
         the first on rank 1, thread 0, at 14 s",
    );
}

#[test]
fn a_stray_time_stamp_makes_nobody_wait_longer_than_the_basis_lasts() {
    let analysis = crate::analysis(
        "0: 1000..1001 MPI_Init; 0..1003 MPI_Recv recv 1; 1004..1005 MPI_Finalize
         1: 1000..1001 MPI_Init; 1002..1003 MPI_Send send 0; 1004..1005 MPI_Finalize",
    );
    assert_eq!(table(&analysis), "late_sender MPI_Recv 0:3");
    assert_eq!((analysis.basis.wall_time, analysis.findings[0].severity), (3.0, 0.5));
    let warning = "time stamps that lie before their predecessor's (no wait is longer than the basis): 1; \
                   the first on rank 0, thread 0, at 0 s";
    assert_eq!(analysis.warnings, [warning]);
}

#[test]
fn unknown_and_open_requests() {
    check_damaged(
        "0: 1..2 MPI_Wait sent 5; 3..4 MPI_Isend isend 1 request 1; 5..6 MPI_Isend isend 1 request 1
         1: 0..1 MPI_Irecv post 3; 1..9 MPI_Wait irecv 0 request 4; 12..13 MPI_Recv recv 0",
        "late_sender MPI_Wait 1:2",
        "completions of a request that was not started: 2; the first on rank 0, thread 0, at 2 s
         requests that were started and not completed: 3; the first on rank 1, thread 0, at 0 s",
    );
}

#[test]
fn a_request_may_be_completed_by_another_thread() {
    let analysis = crate::analysis(
        "0: 0..1 MPI_Irecv post 1; 1..2 MPI_Isend isend 1 request 2; 10..11 MPI_Wait
         0.1: 2..9 MPI_Wait irecv 1 request 1; 9..10 MPI_Wait sent 2
         1: 7..8 MPI_Send send 0; 8..9 MPI_Recv recv 0",
    );
    assert_eq!(table(&analysis), "late_sender MPI_Wait 0.1:5\nlate_progress MPI_Recv 1:1");
    assert_eq!(analysis.warnings, [""; 0]);
}

#[test]
fn a_member_that_is_missing_does_not_spoil_the_others() {
    check_damaged(
        "0: 0..5 MPI_Barrier barrier; 10..19 MPI_Barrier barrier
         1: 4..5 MPI_Barrier barrier; 18..19 MPI_Barrier barrier
         2: 2..5 MPI_Barrier barrier",
        "wait_at_barrier MPI_Barrier 0:12 2:2",
        "collective operations that a member of the communicator did not take part in (the others are analyzed): 1; \
         the first on rank 0, thread 0, at 10 s",
    );
}

#[test]
fn operations_that_differ_are_left_out() {
    check_damaged(
        "0: 0..5 MPI_Barrier barrier; 10..19 MPI_Bcast bcast root 1; 20..30 MPI_Bcast bcast root 0
         1: 4..5 MPI_Allreduce allreduce; 18..19 MPI_Bcast bcast root 1; 25..30 MPI_Bcast bcast root 1",
        "late_broadcast MPI_Bcast 0:8",
        "collective operations that differ between members, or have different roots (ignored): 2; \
         the first on rank 0, thread 0, at 0 s",
    );
}

#[test]
fn a_root_that_nobody_knows() {
    check_damaged(
        "0: 0..5 MPI_Bcast bcast; 10..19 MPI_Reduce reduce root 2
         1: 4..5 MPI_Bcast bcast; 18..19 MPI_Reduce reduce root 2",
        "",
        "rooted collective operations whose root is not known (ignored): 2; the first on rank 0, thread 0, at 0 s",
    );
}

#[test]
fn a_missing_root_makes_nobody_wait() {
    check_damaged(
        "0: 0..5 MPI_Bcast bcast root 2
         1: 4..5 MPI_Bcast bcast root 2
         2: 0..1 work",
        "",
        "collective operations that a member of the communicator did not take part in (the others are analyzed): 1; \
         the first on rank 0, thread 0, at 0 s",
    );
}

#[test]
fn a_stranger_in_a_communicator() {
    check_damaged(
        "comm pair 0 1
         0: 0..5 MPI_Barrier barrier on pair
         1: 3..5 MPI_Barrier barrier on pair
         2: 1..5 MPI_Barrier barrier on pair",
        "wait_at_barrier MPI_Barrier 0:3",
        "collective operations on a communicator that is not defined or does not hold the process (ignored): 1; \
         the first on rank 2, thread 0, at 1 s",
    );
}

#[test]
fn half_a_collective() {
    check_damaged(
        "0: 0 enter MPI_Barrier; 5 end barrier; 5 leave; 6 enter MPI_Barrier; 6 begin; 7 leave
         1: 3..5 MPI_Barrier barrier; 6 begin; 8..9 MPI_Allreduce allreduce",
        "wait_at_barrier MPI_Barrier 0:3",
        "collective operations without a begin (the enter of their call is taken, outside every call their end): 1; \
         the first on rank 0, thread 0, at 5 s
         collective operations without an end (ignored): 2; the first on rank 0, thread 0, at 6 s
         collective operations that a member of the communicator did not take part in (the others are analyzed): 1; \
         the first on rank 1, thread 0, at 8 s",
    );
}

#[test]
fn processes_that_never_finalize() {
    check_damaged(
        "0: 0..5 MPI_Init; 10..19 MPI_Finalize
         1: 0..6 MPI_Init; 15..19 MPI_Finalize
         2: 0..1 work",
        "wait_at_finalize MPI_Finalize 0:5
         init_completion MPI_Init 1:1",
        "processes without MPI_Init, though others have it: 1; the first on rank 2, thread 0, at 5 s
         processes without MPI_Finalize, though others have it: 1; the first on rank 2, thread 0, at 15 s",
    );
}

#[test]
fn time_that_runs_backwards_gives_no_negative_wait() {
    check_damaged(
        "0: 9..3 MPI_Send send 1; 2..1 MPI_Barrier barrier
         1: 8..2 MPI_Recv recv 0; 5..4 MPI_Barrier barrier",
        "",
        "the clocks of the processes contradict each other, and waits between them may be wrong: 1 of 1 messages and \
         collective operations are over too early, by up to 7.000000000 s
         time stamps that lie before their predecessor's (no wait is longer than the basis): 5; the first on rank 0, thread 0, at 1 s
         collective operations that differ between members, or have different roots (ignored): 1; the first on rank 0, \
         thread 0, at 2 s",
    );
}

#[test]
fn references_that_are_not_defined() {
    let mut trace = parse("0: 3..5 MPI_Barrier barrier \n 1: 0..5 MPI_Barrier barrier").unwrap();
    let missing = CommunicatorRef(99);
    for event in trace.events.iter_mut().flatten() {
        match &mut event.1 {
            Event::MpiCollectiveEnd { communicator, .. } if event.0 == 5 => *communicator = missing,
            Event::Enter { region } | Event::Leave { region } => *region = RegionRef(77),
            _ => {}
        }
    }
    trace.events[0].push((9, Event::MpiSend { receiver: 0, communicator: missing, tag: 0, bytes: 0 }));
    let analysis = analyze(&trace, "test", &Options::default()).unwrap();
    assert!(analysis.findings.is_empty());
    assert_eq!(analysis.warnings.len(), 3, "{:?}", analysis.warnings);
    trace.events[0].truncate(2);
    trace.definitions.communicators[0].members = Members::Ranks(vec![5, 6]);
    assert!(analyze(&trace, "test", &Options::default()).is_ok());
}

#[test]
fn a_clock_without_resolution_and_huge_times() {
    let end = u64::MAX;
    let mut trace = parse(&format!(
        "0: 0..{end} MPI_Barrier barrier; 0..{end} MPI_Barrier barrier
         1: {end}..{end} MPI_Barrier barrier; {end}..{end} MPI_Barrier barrier"
    ))
    .unwrap();
    trace.definitions.clock.resolution = 0;
    let analysis = analyze(&trace, "test", &Options::default()).unwrap();
    assert!(analysis.findings[0].waiting_time.is_finite());
}

#[test]
fn huge_times_beside_each_other_in_one_region_are_as_much_as_there_can_be() {
    let end = 1_u64 << 63;
    let trace = format!(
        "team t 0 0.1
         0: 0 enter main; 0 fork; 0 begin t; 0..{end} left; {end} end t; {end} join
         0: 0 fork; 0 begin t; 0..{end} right; {end} end t; {end} join; {end} leave
         0.1: 0 begin t; {end}..{end} $parallel; {end} end t; 0 begin t; {end}..{end} $parallel; {end} end t"
    );
    let (_, profile) = analyze_and_profile(&parse(&trace).unwrap(), "test", &Options::default()).unwrap();
    let largest = |name: &str| profile.values[name].iter().map(|(_, _, time)| time).fold(0.0, f64::max);
    assert_eq!(largest("omp_fork"), u64::MAX as f64);
    let main = profile.values_of("time").next().unwrap();
    assert_eq!(main, (0, 0, 0.0));
}

#[test]
fn a_trace_of_nothing() {
    for text in ["", "0: 0..1 work"] {
        let mut trace = parse(text).unwrap();
        trace.events.iter_mut().for_each(Vec::clear);
        let analysis = analyze(&trace, "test", &Options::default()).unwrap();
        assert_eq!(analysis.warnings, ["the trace has no events"]);
        assert_eq!(analysis.basis.wall_time, 0.0);
    }
}

/// A source whose locations break off after some events.
struct BreaksOff {
    trace: InMemory,
    after: Vec<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Torn;

impl fmt::Display for Torn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the file is torn")
    }
}

impl std::error::Error for Torn {}

impl EventSource for BreaksOff {
    type Error = Torn;

    fn definitions(&self) -> &Definitions {
        self.trace.definitions()
    }

    fn read_location(&self, index: usize, mut visit: impl FnMut(u64, Event)) -> Result<(), Torn> {
        let events = &self.trace.events[index];
        events.iter().take(self.after[index]).for_each(|&(time, event)| visit(time, event));
        if self.after[index] < events.len() { Err(Torn) } else { Ok(()) }
    }
}

#[test]
fn a_location_that_breaks_off_keeps_what_came_before() {
    let trace = parse("0: 9..10 MPI_Send send 1; 11..12 work \n 1: 1..10 MPI_Recv recv 0").unwrap();
    let analysis = analyze(&BreaksOff { trace, after: vec![4, 3] }, "test", &Options::default()).unwrap();
    assert_eq!(table(&analysis), "late_sender MPI_Recv 1:8");
    assert_eq!(
        analysis.warnings,
        [
            "rank 0, thread 0 could only be read in part, its first 4 events are analyzed: the file is torn",
            "regions that were entered and not left (closed with the region around them): 1; the first on rank 0, thread 0, at 11 s",
        ]
    );
}

#[test]
fn a_trace_of_which_nothing_can_be_read_is_an_error() {
    let trace = parse("0: 9..10 work \n 1: 1..10 work").unwrap();
    let error = analyze(&BreaksOff { trace, after: vec![0, 0] }, "test", &Options::default()).unwrap_err();
    assert_eq!(error, AnalysisError::Unreadable { location: 0, rank: 0, source: Torn });
    assert_eq!(
        error.to_string(),
        "no event of the trace could be read; location 0 (rank 0): the file is torn"
    );
}

#[test]
fn completion_needs_the_last_member() {
    check_damaged(
        "comm all 0 1 2
         0: 4..9 MPI_Barrier barrier on all
         1: 5..7 MPI_Barrier barrier on all",
        "wait_at_barrier MPI_Barrier 0:1",
        "collective operations that a member of the communicator did not take part in (the others are analyzed): 1; \
         the first on rank 0, thread 0, at 4 s",
    );
}

#[test]
fn no_wait_for_the_successor_of_a_lost_message() {
    check_damaged(
        "0: 21..22 MPI_Send send 1; 41..42 MPI_Send send 1
         1: 1..3 MPI_Recv recv 0; 20..22 MPI_Recv recv 0; 40..42 MPI_Recv recv 0",
        "",
        "sends and receives with one before them that was not recorded (no wait is counted for them): 5; the first on \
         rank 1, thread 0, at 1 s",
    );
    // The last one is missing: the others are in their places.
    check_damaged(
        "0: 2..3 MPI_Send send 1; 21..22 MPI_Send send 1
         1: 1..3 MPI_Recv recv 0; 20..22 MPI_Recv recv 0; 40..42 MPI_Recv recv 0",
        "late_sender MPI_Recv 1:2",
        "messages that were received and not sent: 1; the first on rank 1, thread 0, at 40 s",
    );
}

#[test]
fn no_wait_for_the_successor_of_a_lost_operation() {
    check_damaged(
        "comm all 0 1 2
         0: 21..22 MPI_Barrier barrier on all; 41..42 MPI_Barrier barrier on all
         1: 1..3 MPI_Barrier barrier on all; 20..22 MPI_Barrier barrier on all; 40..42 MPI_Barrier barrier on all
         2: 2..3 MPI_Barrier barrier on all; 20..22 MPI_Barrier barrier on all; 41..42 MPI_Barrier barrier on all",
        "wait_at_barrier MPI_Barrier 1:2",
        "collective operations of a process with one before them that was not recorded (ignored there): 2; the first on \
         rank 0, thread 0, at 21 s
         collective operations that a member of the communicator did not take part in (the others are analyzed): 3; \
         the first on rank 1, thread 0, at 1 s",
    );
}
