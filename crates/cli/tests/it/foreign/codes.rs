//! Calls that return errors, and requests: what they have done is in the trace, and nothing else.

use ats_documents::Analysis;
use ats_model::WaitState;

use super::{Foreign, TWO_RANKS, assert_as_measured, assert_waits, seconds, seconds_in};

/// The analysis of a program on two ranks. Nothing is wrong with its trace.
#[track_caller]
fn analysis_of(source: &str) -> Analysis {
    sound(Foreign::compiled(source).on_ranks(2))
}

/// The analysis of a sound trace.
#[track_caller]
fn sound(foreign: &Foreign) -> Analysis {
    let analysis = foreign.analysis();
    assert_eq!(analysis.warnings, [""; 0]);
    analysis
}

fn messages(analysis: &Analysis) -> [u64; 2] {
    let traffic = || analysis.traffic.values();
    [traffic().map(|calls| calls.messages_sent).sum(), traffic().map(|calls| calls.messages_received).sum()]
}

#[test]
fn sends_that_failed_are_no_messages() {
    let analysis = analysis_of("failsend.c");
    assert_eq!(messages(&analysis), [3, 3]);
    assert_waits(&analysis, WaitState::LateSender, 0.3);
}

#[test]
fn a_message_that_was_cut_off_is_received() {
    let foreign = Foreign::compiled("cutoff.c");
    // A rank may come later than it wants to, if others compute meanwhile.
    let late = foreign.measured(&TWO_RANKS);
    let analysis = sound(&foreign);
    assert_eq!(messages(&analysis), [7, 7]);
    assert!(late[0] >= 0.1, "{late:?}");
    assert_as_measured(seconds(&analysis, WaitState::LateSender), late[0]);
}

#[test]
fn each_request_of_a_failed_wait_is_what_its_status_says() {
    let foreign = Foreign::compiled("cutwait.c");
    let late = foreign.measured(&TWO_RANKS);
    let analysis = sound(&foreign);
    assert_eq!(messages(&analysis), [6, 6]);
    assert_as_measured(seconds(&analysis, WaitState::LateSender), late[0]);
}

#[test]
fn a_collective_that_failed_has_no_part_in_any() {
    let analysis = analysis_of("failroot.c");
    assert_waits(&analysis, WaitState::WaitAtBarrier, 0.1);
    assert_waits(&analysis, WaitState::LateBroadcast, 0.1);
}

#[test]
fn a_communicator_that_a_non_blocking_call_made_is_followed() {
    let foreign = Foreign::compiled("idup.c");
    let late = foreign.measured(&TWO_RANKS);
    let analysis = sound(&foreign);
    assert_eq!(messages(&analysis), [3, 3]);
    assert_as_measured(seconds(&analysis, WaitState::LateSender), late[0]);
    assert!(seconds(&analysis, WaitState::WaitAtBarrier) < 0.1);
}

#[test]
fn messages_of_derived_types_have_the_bytes_of_their_data() {
    let analysis = analysis_of("types.c");
    let sends = &analysis.traffic["MPI_Send"];
    assert_eq!((sends.messages_sent, sends.bytes_sent), (7, 76));
    let receives = &analysis.traffic["MPI_Recv"];
    assert_eq!((receives.messages_received, receives.bytes_received), (7, 76));
}

#[test]
fn requests_that_are_tested_wait_for_nobody() {
    let analysis = analysis_of("testing.c");
    assert_eq!(messages(&analysis), [4, 4]);
    assert!(seconds(&analysis, WaitState::LateSender) < 0.02);
}

#[test]
fn persistent_requests_wait_each_time_they_are_started() {
    let analysis = analysis_of("persistent.c");
    let [sent, received] = messages(&analysis);
    // The last message is of a request that the program has freed: its receive may complete only in MPI_Finalize, which is
    // outside the basis.
    assert!(sent == 4 && [3, 4].contains(&received), "{sent} sent, {received} received");
    assert_waits(&analysis, WaitState::LateSender, 0.15);
}

#[test]
fn probes_wait_for_messages_that_receives_then_find() {
    let foreign = Foreign::compiled("probes.c");
    let measured = foreign.measured(&TWO_RANKS);
    let analysis = foreign.analysis();
    for (function, measured) in ["MPI_Mprobe", "MPI_Probe"].into_iter().zip(measured) {
        assert_as_measured(seconds_in(&analysis, WaitState::LateSenderInProbe, function), measured);
    }
    assert!(analysis.not_analyzed.is_empty(), "{:?}", analysis.not_analyzed);
    assert!(seconds(&analysis, WaitState::LateSender) < 0.1, "the receives find their messages");
}
