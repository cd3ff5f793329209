//! Times in which recording was off: messages and operations are paired where nothing can be missing, and never wrongly.

use std::collections::BTreeMap;

use ats_analyzer::Options;
use ats_model::{
    Event, WaitState,
    event::MeasurementMode::{Off, On},
    source::InMemory,
};
use proptest::{prelude::*, sample::Index};

use crate::{
    check_damaged,
    in_parts::{InParts, check_in_parts, with_waits},
    random::{self, RANKS},
};

const OFF: &str = "recording was off on rank 1 from 11 s to 19 s: ";
const FITS: &str = "what is recorded on both sides of that fits together";

/// Checks a trace between `MPI_Init` and `MPI_Finalize`, read at once and in parts.
#[track_caller]
fn check_between(of_0: &str, of_1: &str, findings: &str, warning: &str) {
    let trace = format!(
        "comm box 0 1
         0: 0..1 MPI_Init; {of_0}; 90..91 MPI_Finalize
         1: 0..1 MPI_Init; {of_1}; 90..91 MPI_Finalize"
    );
    check_in_parts(&trace, findings, warning);
}

#[test]
fn a_receive_that_was_not_recorded_shifts_no_other() {
    // The message sent at 12 was received while recording was off.
    check_between(
        "12..13 MPI_Send send 1; 30..31 MPI_Send send 1",
        "11 off; 19 on; 20..32 MPI_Recv recv 0",
        "late_sender MPI_Recv 1:10",
        &format!("{OFF}1 send may have lost the other end, and no wait is counted for that"),
    );
    // Another channel has lost nothing.
    check_between(
        "12..13 MPI_Send send 1; 30..31 MPI_Send send 1; 40..41 MPI_Send send 1 tag 1; 50..51 MPI_Send send 1 tag 1",
        "11 off; 19 on; 20..32 MPI_Recv recv 0; 35..41 MPI_Recv recv 0 tag 1; 45..51 MPI_Recv recv 0 tag 1",
        "late_sender MPI_Recv 1:20",
        &format!("{OFF}1 send may have lost the other end, and no wait is counted for that"),
    );
}

#[test]
fn a_send_that_was_not_recorded_shifts_no_other() {
    check_between(
        "5..16 MPI_Recv recv 1; 20..32 MPI_Recv recv 1",
        "11 off; 19 on; 30..31 MPI_Send send 0",
        "late_sender MPI_Recv 0:10",
        &format!("{OFF}1 receive may have lost the other end, and no wait is counted for that"),
    );
}

#[test]
fn messages_are_paired_from_both_ends_of_a_gap() {
    check_between(
        "6..7 MPI_Send send 1; 12..13 MPI_Send send 1; 13..14 MPI_Send send 1; 30..31 MPI_Send send 1; 40..41 MPI_Send send 1",
        "2..7 MPI_Recv recv 0; 11 off; 19 on; 20..31 MPI_Recv recv 0; 38..41 MPI_Recv recv 0",
        "late_sender MPI_Recv 1:16",
        &format!("{OFF}2 sends may have lost the other end, and no wait is counted for that"),
    );
}

#[test]
fn messages_between_two_gaps_are_doubtful_unless_none_is_missing() {
    let of_1 = "11 off; 19 on; 20..31 MPI_Recv recv 0; 35 off; 38 on; 39..41 MPI_Recv recv 0";
    let gaps = "recording was off on rank 1 from 11 s to 19 s, on rank 1 from 35 s to 38 s: ";
    check_between(
        "30..31 MPI_Send send 1; 40..41 MPI_Send send 1",
        of_1,
        "late_sender MPI_Recv 1:11",
        &format!("{gaps}{FITS}"),
    );
    check_between(
        "12..13 MPI_Send send 1; 30..31 MPI_Send send 1; 40..41 MPI_Send send 1",
        of_1,
        "late_sender MPI_Recv 1:1",
        &format!("{gaps}2 sends, 1 receive may have lost the other end, and no wait is counted for that"),
    );
}

#[test]
fn all_processes_may_stop_recording_together() {
    check_between(
        "15..16 MPI_Send send 1; 21 off; 29 on; 38..39 MPI_Send send 1; 40..42 MPI_Barrier barrier; 50..60 MPI_Barrier barrier",
        "12..16 MPI_Recv recv 0; 20 off; 28 on; 30..39 MPI_Recv recv 0; 41..42 MPI_Barrier barrier; 52..60 MPI_Barrier barrier",
        "late_sender MPI_Recv 1:11
         wait_at_barrier MPI_Barrier 0:3",
        &format!("recording was off on rank 0 from 21 s to 29 s, on rank 1 from 20 s to 28 s: {FITS}"),
    );
    // One of them has lost a message more than the other.
    check_between(
        "15..16 MPI_Send send 1; 21 off; 29 on; 30..31 MPI_Send send 1; 38..39 MPI_Send send 1",
        "12..16 MPI_Recv recv 0; 20 off; 32 on; 33..39 MPI_Recv recv 0",
        "late_sender MPI_Recv 1:8",
        "recording was off on rank 0 from 21 s to 29 s, on rank 1 from 20 s to 32 s: \
         1 send may have lost the other end, and no wait is counted for that",
    );
    // The one has lost the second message at its end, the other at its begin.
    check_between(
        "15..16 MPI_Send send 1; 21 off; 29 on",
        "11 off; 18 on; 19..21 MPI_Recv recv 0",
        "",
        "recording was off on rank 0 from 21 s to 29 s, on rank 1 from 11 s to 18 s: \
         1 send, 1 receive may have lost the other end, and no wait is counted for that",
    );
}

#[test]
fn a_process_that_did_not_come_to_its_end_has_none_to_count_from() {
    check_damaged(
        "0: 0..1 MPI_Init; 12..13 MPI_Send send 1; 30..31 MPI_Send send 1; 90..91 MPI_Finalize
         1: 0..1 MPI_Init; 11 off; 19 on; 20..32 MPI_Recv recv 0",
        "",
        &format!(
            "{OFF}2 sends, 1 receive may have lost the other end, and no wait is counted for that
             processes without MPI_Finalize, though others have it: 1; the first on rank 1, thread 0, at 90 s"
        ),
    );
}

#[test]
fn operations_of_all_are_paired_as_messages_are() {
    // Rank 1 has not recorded the second of three barriers.
    check_between(
        "10..11 MPI_Barrier barrier; 12..16 MPI_Barrier barrier; 20..32 MPI_Barrier barrier",
        "10..11 MPI_Barrier barrier; 11 off; 19 on; 30..32 MPI_Barrier barrier",
        "wait_at_barrier MPI_Barrier 0:10",
        &format!("{OFF}1 collective operation may have lost the other end, and no wait is counted for that"),
    );
    // Nothing is missing on another communicator.
    check_between(
        "12..16 MPI_Barrier barrier; 20..32 MPI_Barrier barrier on box; 40..42 MPI_Barrier barrier on box",
        "11 off; 19 on; 30..32 MPI_Barrier barrier on box; 33 off; 34 on; 41..42 MPI_Barrier barrier on box",
        "wait_at_barrier MPI_Barrier 0:11",
        "recording was off on rank 1 from 11 s to 19 s, on rank 1 from 33 s to 34 s: \
         1 collective operation may have lost the other end, and no wait is counted for that",
    );
    // Those with requests count, too: the one started before the gap was completed in it.
    check_between(
        "10..10 MPI_Ibarrier start 1; 13..14 MPI_Wait ibarrier request 1; 20..32 MPI_Barrier barrier",
        "10..10 MPI_Ibarrier start 1; 11 off; 19 on; 30..32 MPI_Barrier barrier",
        "wait_at_barrier MPI_Barrier 0:10",
        &format!(
            "{OFF}1 collective operation may have lost the other end, and no wait is counted for that
             requests that were started and not completed: 1; the first on rank 1, thread 0, at 10 s"
        ),
    );
}

#[test]
fn receives_whose_post_or_completion_was_not_recorded_have_no_place() {
    // The receive that was posted before the gap is complete in it: its message is the first of the channel.
    check_between(
        "12..13 MPI_Send send 1; 30..31 MPI_Send send 1",
        "10..10 MPI_Irecv post 1; 11 off; 19 on; 20..32 MPI_Recv recv 0",
        "late_sender MPI_Recv 1:10",
        &format!(
            "{OFF}1 send may have lost the other end, and no wait is counted for that
             requests that were started and not completed: 1; the first on rank 1, thread 0, at 10 s"
        ),
    );
    // The same on a channel with a receive behind it, before the gap: which of them is first is not known.
    check_between(
        "10..11 MPI_Send send 1; 14..15 MPI_Send send 1; 30..31 MPI_Send send 1",
        "6..6 MPI_Irecv post 1; 7..11 MPI_Recv recv 0; 11 off; 19 on; 20..32 MPI_Recv recv 0",
        "late_sender MPI_Recv 1:10",
        &format!(
            "{OFF}2 sends, 1 receive may have lost the other end, and no wait is counted for that
             requests that were started and not completed: 1; the first on rank 1, thread 0, at 6 s"
        ),
    );
    // A receive that was posted in the gap is complete after another one that was posted later.
    check_between(
        "25..26 MPI_Send send 1; 30..31 MPI_Send send 1",
        "11 off; 19 on; 20..32 MPI_Recv recv 0; 33..34 MPI_Wait irecv 0 request 1",
        "late_sender MPI_Recv 1:10",
        &format!(
            "{OFF}1 send may have lost the other end, and no wait is counted for that
             completions of a request that was not started: 1; the first on rank 1, thread 0, at 34 s"
        ),
    );
}

#[test]
fn starts_in_one_tick_have_an_order() {
    check_between(
        "5..10 MPI_Barrier barrier; 10..10 MPI_Ibarrier start 1; 13..14 MPI_Wait ibarrier request 1; \
         20..32 MPI_Barrier barrier",
        "10..10 MPI_Barrier barrier; 10..10 MPI_Ibarrier start 1; 11 off; 19 on; 30..32 MPI_Barrier barrier",
        "wait_at_barrier MPI_Barrier 0:15",
        &format!(
            "{OFF}1 collective operation may have lost the other end, and no wait is counted for that
             requests that were started and not completed: 1; the first on rank 1, thread 0, at 10 s"
        ),
    );
    check_between(
        "7..8 MPI_Send send 1; 8..9 MPI_Send send 1; 30..31 MPI_Send send 1",
        "5..5 MPI_Irecv post 1; 5..5 MPI_Irecv post 2; 5..8 MPI_Wait irecv 0 request 1; 11 off; 19 on; \
         20..32 MPI_Recv recv 0",
        "late_sender MPI_Recv 1:10
         late_sender MPI_Wait 1:2",
        &format!(
            "{OFF}1 send may have lost the other end, and no wait is counted for that
             requests that were started and not completed: 1; the first on rank 1, thread 0, at 5 s"
        ),
    );
}

#[test]
fn a_request_that_is_complete_in_a_gap_may_give_its_name_to_another() {
    let reused = "requests that were started and not completed: 1; the first on rank 1, thread 0, at 20 s";
    check_between(
        "5..5 MPI_Ibarrier start 1; 7..8 MPI_Barrier barrier; 14..15 MPI_Wait ibarrier request 1; \
         21..21 MPI_Ibarrier start 1; 22..23 MPI_Wait ibarrier request 1; 24..32 MPI_Barrier barrier",
        "5..5 MPI_Ibarrier start 1; 6..8 MPI_Barrier barrier; 11 off; 19 on; \
         20..20 MPI_Ibarrier start 1; 22..23 MPI_Wait ibarrier request 1; 30..32 MPI_Barrier barrier",
        "wait_at_barrier MPI_Barrier 0:6",
        &format!(
            "{OFF}2 collective operations may have lost the other end, and no wait is counted for that\n{reused}"
        ),
    );
    check_between(
        "6..7 MPI_Send send 1; 8..9 MPI_Send send 1; 21..22 MPI_Send send 1; 30..31 MPI_Send send 1",
        "5..5 MPI_Irecv post 1; 6..9 MPI_Recv recv 0; 11 off; 19 on; 20..20 MPI_Irecv post 1; \
         20..22 MPI_Wait irecv 0 request 1; 25..31 MPI_Recv recv 0",
        "late_sender MPI_Recv 1:5
         late_sender MPI_Wait 1:1",
        &format!(
            "{OFF}2 sends, 1 receive may have lost the other end, and no wait is counted for that\n{reused}"
        ),
    );
    // Before recording was off, one that is never complete holds up nothing.
    check_between(
        "7..8 MPI_Send send 1; 30..31 MPI_Send send 1",
        "2..2 MPI_Irecv post 1; 3..3 MPI_Irecv post 1; 4..8 MPI_Wait irecv 0 request 1; 11 off; 19 on; \
         20..31 MPI_Recv recv 0",
        "late_sender MPI_Recv 1:10
         late_sender MPI_Wait 1:3",
        &format!(
            "{OFF}{FITS}
             requests that were started and not completed: 1; the first on rank 1, thread 0, at 3 s"
        ),
    );
}

#[test]
fn recording_may_be_off_at_the_begin_and_at_the_end() {
    let trace = |of_1: &str| {
        format!(
            "0: 0..1 MPI_Init; 12..13 MPI_Send send 1; 30..31 MPI_Send send 1; 90..91 MPI_Finalize
             1: {of_1}; 90..91 MPI_Finalize"
        )
    };
    let doubtful = "1 send may have lost the other end, and no wait is counted for that";
    let not_initialized =
        "processes without MPI_Init, though others have it: 1; the first on rank 1, thread 0, at 1 s";
    check_in_parts(
        &trace("19 on; 20..32 MPI_Recv recv 0"),
        "late_sender MPI_Recv 1:10",
        &format!("recording was off on rank 1 from the begin to 19 s: {doubtful}\n{not_initialized}"),
    );
    // Some recorders say that they begin.
    check_in_parts(
        &trace("0 on; 0..1 MPI_Init; 11..14 MPI_Recv recv 0; 20..32 MPI_Recv recv 0"),
        "late_sender MPI_Recv 1:11",
        "",
    );
    check_damaged(
        &trace("0..1 MPI_Init; 11..14 MPI_Recv recv 0; 15 off")
            .replace("; 90..91 MPI_Finalize\n             1", "\n 1"),
        "late_sender MPI_Recv 1:1",
        &format!(
            "recording was off on rank 1 from 15 s to the end: {doubtful}
             processes without MPI_Finalize, though others have it: 1; the first on rank 0, thread 0, at 90 s"
        ),
    );
}

#[test]
fn no_thread_is_idle_while_recording_is_off() {
    check_damaged(
        "team t 0 0.1
         0: 0..2 work; 2 fork; 2 begin t; 2..4 $parallel; 4 end t; 4 join; 5..6 work; 7 off; 17 on; 18..19 work
         0.1: 2 begin t; 2..4 $parallel; 4 end t",
        "idle_threads work 0.1:4
         idle_threads  0.1:3",
        &format!("recording was off on rank 0 from 7 s to 17 s: {FITS}"),
    );
}

#[test]
fn only_the_first_times_are_listed() {
    check_damaged(
        "0: 1 off; 2 on; 3 off; 4 on; 5 off; 6 on; 7 off; 8 on; 9 off; 10 on; 11..12 work",
        "",
        &format!(
            "recording was off on rank 0 from 1 s to 2 s, on rank 0 from 3 s to 4 s, on rank 0 from 5 s to 6 s \
             and 2 more times: {FITS}"
        ),
    );
}

/// Switches recording off on a rank for some of its calls, after those of `MPI_Init` and before `MPI_Finalize`.
fn switch_off(trace: &mut InMemory, rank: usize, span: [Index; 2]) {
    let events = &mut trace.events[rank];
    // Every call is entered and left at the outermost level.
    let enters = events.iter().zip(0..).filter(|((_, event), _)| matches!(event, Event::Enter { .. }));
    let enters: Vec<usize> = enters.map(|(_, index)| index).skip(1).collect();
    let [mut first, mut last] = span.map(|index| enters[index.index(enters.len())]);
    if first > last {
        (first, last) = (last, first);
    }
    let (begin, end) = (events[first - 1].0, events[last].0);
    if begin < end {
        let switch = |time, mode| (time, Event::MeasurementOnOff { mode });
        events.splice(first..last, [switch(begin, Off), switch(end, On)]);
    }
}

/// The waits of each call for messages and in operations that block, which no other wait can hide.
fn waits(trace: &InParts, options: &Options) -> BTreeMap<(usize, u64), u64> {
    let (analysis, waits) = with_waits(trace, options);
    let is_compared = |state: WaitState| {
        let name = state.name();
        name.starts_with("late_sender_") || name == "late_sender" || {
            let is_blocking = !name.contains("nonblocking") && state != WaitState::WaitForRoot;
            let is_of_messages = matches!(state, WaitState::LateReceiver | WaitState::LateProgress);
            is_blocking && !is_of_messages && state != WaitState::WaitAtIrregularNxN
        }
    };
    let mut found: BTreeMap<(usize, u64), u64> = BTreeMap::new();
    for wait in waits {
        let state = analysis.findings[wait.finding].property.unwrap();
        if is_compared(state) && state != WaitState::LateSenderInTest {
            *found.entry((wait.location, wait.begin)).or_default() += wait.end - wait.begin;
        }
    }
    found
}

proptest! {
    #[test]
    fn a_trace_with_gaps_has_no_wait_that_the_whole_one_has_not(
        steps in random::steps(),
        gaps in proptest::collection::vec((0..RANKS, any::<[Index; 2]>()), 1..4),
        part in 1..40usize,
        records in 0..30usize,
    ) {
        let trace = random::trace(&steps);
        let in_parts = |trace| InParts { trace, part: usize::MAX, has_common_clock: true };
        let whole = waits(&in_parts(trace.clone()), &Options::default());
        let mut gapped = trace;
        gaps.into_iter().for_each(|(rank, span)| switch_off(&mut gapped, rank, span));
        let mut gapped = in_parts(gapped);
        let at_once = with_waits(&gapped, &Options::default());
        for (call, wait) in waits(&gapped, &Options::default()) {
            let most = whole.get(&call).copied().unwrap_or(0);
            prop_assert!(wait <= most, "{wait} of {most} ticks in the call at {call:?}");
        }
        gapped.part = part;
        let options = Options { records_in_memory: records, ..Options::default() };
        prop_assert_eq!(with_waits(&gapped, &options), at_once);
    }
}
