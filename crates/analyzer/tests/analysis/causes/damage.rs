//! Damaged traces have causes that are sound, if any.

use ats_analyzer::notation::parse;
use ats_documents::Analysis;
use ats_model::{Event, delay::Extent, event::RegionRef, source::InMemory};

use super::{analysis, random::assert_sound};

fn checked(trace: &InMemory) -> Analysis {
    let [at_once, late] = [4_000_000, 0].map(|records| {
        let analysis = analysis(trace, Extent::Scalasca, records);
        assert_sound(&analysis);
        analysis
    });
    assert_eq!(at_once, late);
    at_once
}

/// Of each finding the seconds that it waits, those that are charged to somebody, and those that are not.
fn sums(analysis: &Analysis) -> Vec<(&str, f64, f64, f64)> {
    let causes = analysis.causes.as_ref().unwrap();
    let of_finding = |caused: &ats_documents::causes::CausedFinding| {
        let finding = analysis.findings.iter().find(|finding| finding.id == caused.finding).unwrap();
        let charged = caused.causes.iter().map(|cause| cause.seconds()).sum::<f64>() + 0.0;
        (finding.id.as_str(), finding.waiting_time, charged, caused.unattributed)
    };
    causes.findings.iter().map(of_finding).collect()
}

fn analyze(trace: &str) -> Analysis {
    checked(&parse(trace).unwrap())
}

#[test]
fn a_message_that_arrives_before_it_is_sent_has_a_cause() {
    // w = 14 − 2, to the leave. d: work 30. s = 12/30. Rank 1 has left the receive when rank 0 comes to the send.
    let analysis = analyze("0: 0..30 work; 30..35 MPI_Ssend send 1 \n 1: 2..14 MPI_Recv recv 0");
    assert_eq!(sums(&analysis), [("late_sender@MPI_Recv", 12.0, 12.0, 0.0)]);
}

#[test]
fn messages_both_ways_that_arrive_before_they_are_sent_have_no_cycle() {
    // w = 3 each. Since the receive, each sender has spent 2 outside of all regions: d = 2, s = 3/2, at most 1. Each
    // wait lies before the cause of the other one: the one that comes first has no cause.
    let analysis = analyze(
        "0: 0..3 MPI_Recv recv 1; 5..6 MPI_Send send 1
         1: 0..3 MPI_Recv recv 0; 5..6 MPI_Send send 0",
    );
    assert_eq!(sums(&analysis), [("late_sender@MPI_Recv", 6.0, 2.0, 4.0)]);
    let is_of_cycle =
        |warning: &String| warning.ends_with("since the times of the locations contradict each other");
    assert!(analysis.warnings.iter().any(is_of_cycle), "{:?}", analysis.warnings);
}

#[test]
fn a_lost_message_has_no_cause() {
    let analysis = analyze(
        "0: 4..5 MPI_Send send 1 tag 1; 6..7 MPI_Send send 1 tag 2; 7..9 MPI_Recv recv 1 tag 4
         1: 1..5 MPI_Recv recv 0 tag 1; 8..9 MPI_Recv recv 0 tag 3",
    );
    // The one that arrives: w = 3. Rank 0 has done nothing before.
    assert_eq!(sums(&analysis), [("late_sender@MPI_Recv", 3.0, 0.0, 3.0)]);
}

#[test]
fn a_call_that_nobody_left_is_left_at_the_end() {
    // w = 9 − 2. d: work 9. s = 7/9.
    let analysis =
        analyze("0: 0..9 work; 9..10 MPI_Send send 1 \n 1: 0 enter main; 2 enter MPI_Recv; 12 recv 0");
    assert_eq!(sums(&analysis), [("late_sender@main/MPI_Recv", 7.0, 7.0, 0.0)]);
}

#[test]
fn a_leave_without_an_enter_is_ignored() {
    let mut trace =
        parse("0: 0..9 work; 9..10 MPI_Send send 1 \n 1: 1 enter main; 2..10 MPI_Recv recv 0; 11 leave")
            .unwrap();
    trace.events[1].insert(1, (1, Event::Leave { region: RegionRef(0) }));
    // w = 7. d: work 9. s = 7/9.
    assert_eq!(sums(&checked(&trace)), [("late_sender@main/MPI_Recv", 7.0, 7.0, 0.0)]);
}

#[test]
fn a_wait_outside_every_call_of_mpi_has_no_cause() {
    let analysis = analyze(
        "0: 0 enter main; 1..2 MPI_Init; 4..9 lost barrier; 12..20 MPI_Finalize; 20 leave
         1: 0 enter main; 1..2 MPI_Init; 8..9 MPI_Barrier barrier; 12..20 MPI_Finalize; 20 leave",
    );
    assert_eq!(sums(&analysis), [("wait_at_barrier@main/lost", 4.0, 0.0, 4.0)]);
}

#[test]
fn a_causer_outside_every_call_of_mpi_is_not_charged() {
    let analysis = analyze("0: 0..4 work; 4..9 MPI_Barrier barrier \n 1: 0..8 work; 8..9 lost barrier");
    assert_eq!(sums(&analysis), [("wait_at_barrier@MPI_Barrier", 4.0, 0.0, 4.0)]);
}

#[test]
fn a_call_with_the_records_of_others_waits_once() {
    // The leave of the first MPI_Waitall and the enter of the second are lost: waits of 2 and 8 in one call.
    let mut trace = parse(
        "0: 0..2 MPI_Irecv post 1; 2..3 MPI_Waitall irecv 1 request 1; 3..4 MPI_Irecv post 2; 4..7 MPI_Recv recv 2
         0: 7..10 MPI_Waitall irecv 1 request 2
         1: 0..4 work; 4..5 MPI_Isend isend 0 request 1; 5..10 work; 10..11 MPI_Isend isend 0 request 2
         2: 4..5 MPI_Send send 0",
    )
    .unwrap();
    let waitall = RegionRef(1);
    let of_first = |&(time, event): &(u64, Event)| time == 3 && event == Event::Leave { region: waitall };
    let of_second = |&(time, event): &(u64, Event)| time == 7 && event == Event::Enter { region: waitall };
    trace.events[0].retain(|event| !of_first(event) && !of_second(event));
    // The longer one counts: d: work 10 − 2, less 4 in the calls that are inside it now. The message of rank 2, which came
    // in one of them, was sent earlier.
    let wait = ("late_sender_wrong_order_different_sources@MPI_Waitall", 4.0, 4.0, 0.0);
    assert_eq!(sums(&checked(&trace)), [wait]);
}

#[test]
fn time_that_runs_backwards_costs_no_less_than_nothing() {
    for trace in [
        "0: 9..3 MPI_Send send 1; 2..1 MPI_Barrier barrier \n 1: 8..2 MPI_Recv recv 0; 5..4 MPI_Barrier barrier",
        "0: 0..1 MPI_Init; 9..3 work; 2..8 MPI_Recv recv 1; 4..1 MPI_Finalize
         1: 5..1 MPI_Init; 7..2 work; 6..9 MPI_Send send 0; 3..2 MPI_Finalize",
        "team t 0 0.1
         0: 9 fork; 3 begin t; 2 enter $parallel; 8..1 $barrier; 0 leave; 5 end t; 4 join; 7..3 work
         0.1: 6 begin t; 5 enter $parallel; 9..2 $barrier; 1 leave; 0 end t",
    ] {
        analyze(trace);
    }
}

#[test]
fn a_location_without_events_and_a_trace_without_any_have_no_causes() {
    let mut trace = parse(
        "0: 0..2 work; 2..6 MPI_Barrier barrier \n 1: 0..5 work; 5..6 MPI_Barrier barrier \n 2: 0..1 work",
    )
    .unwrap();
    trace.events[2].clear();
    // w = 3. d: work 5 − 2.
    assert_eq!(sums(&checked(&trace)), [("wait_at_barrier@MPI_Barrier", 3.0, 3.0, 0.0)]);
    trace.events.iter_mut().for_each(Vec::clear);
    let causes = checked(&trace).causes.unwrap();
    assert!(causes.findings.is_empty() && causes.metrics.is_empty(), "{causes:?}");
    assert_eq!((causes.critical_path.seconds, causes.critical_path.stretches), (0.0, Vec::new()));
}

#[test]
fn huge_times_are_finite() {
    let end = u64::MAX;
    let mut trace = parse(&format!(
        "0: 0..{end} MPI_Barrier barrier; 0..{end} MPI_Barrier barrier
         1: 0..{end} work; {end}..{end} MPI_Barrier barrier; {end}..{end} MPI_Barrier barrier"
    ))
    .unwrap();
    trace.definitions.clock.resolution = 0;
    assert_sound(&analysis(&trace, Extent::Scalasca, 0));
}

#[test]
fn causes_are_cut_as_waits_are_where_time_runs_backwards() {
    // Rank 0 comes to the barrier at 3, by its clock; the time stamp of rank 1 is wrong. The wait of 900 − 3 is cut to the
    // basis.
    let analysis = analyze(
        "0: 0..1 MPI_Init; 1..3 work; 3..901 MPI_Barrier barrier; 20..21 MPI_Finalize
         1: 0..1 MPI_Init; 1..900 work; 900..901 MPI_Barrier barrier; 20..21 MPI_Finalize",
    );
    let basis = analysis.basis.wall_time;
    assert_eq!(sums(&analysis)[0], ("wait_at_barrier@MPI_Barrier", basis, basis, 0.0));
    let causes = analysis.causes.unwrap();
    let charged: f64 = causes.metrics["delay_barrier"].iter().map(|(.., seconds)| seconds).sum();
    assert_eq!(charged, basis);
}

#[test]
fn an_operation_without_a_member_is_waited_for_as_long_as_it_is_explained() {
    // Rank 2 is missing: it may have left before rank 1 came. Rank 1 sends nothing, so nobody is known to wait for it.
    let trace = "comm three 0 1 2
         0: 0..2 work; 2..10 MPI_Allreduce allreduce on three; 10..11 work
         1: 0..8 work; 8..10 MPI_Allreduce allreduce sent 0 on three; 10..11 work
         2: 0..1 work";
    assert_eq!(sums(&analyze(trace)), []);
    let sends = trace.replace(
        "0..2 work; 2..10 MPI_Allreduce allreduce on",
        "0..2 work; 2..10 MPI_Allreduce allreduce received 1 on",
    );
    assert_eq!(sums(&analyze(&sends.replace("sent 0 ", ""))), [("wait_at_nxn@MPI_Allreduce", 6.0, 6.0, 0.0)]);
}
