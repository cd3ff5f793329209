//! Waits for a message before the call that completes its receive: in probes, and in tests.

use ats_analyzer::{Options, analyze, notation::parse};
use ats_documents::Analysis;

fn analysis(text: &str) -> Analysis {
    analyze(&parse(text).unwrap(), "test", &Options::default()).unwrap()
}

/// Every finding, with its seconds.
fn found(analysis: &Analysis) -> Vec<(&str, f64)> {
    let mut found: Vec<_> =
        analysis.findings.iter().map(|finding| (finding.id.as_str(), finding.waiting_time)).collect();
    found.sort_by(|a, b| a.partial_cmp(b).unwrap());
    found
}

/// Checks the findings of a trace without damage, in which all is analyzed.
fn check(text: &str, expected: &[(&str, f64)]) {
    let analysis = analysis(text);
    assert_eq!(found(&analysis), expected, "{text}");
    assert_eq!(analysis.warnings, [""; 0], "{text}");
    assert!(analysis.not_analyzed.is_empty(), "{text}: {:?}", analysis.not_analyzed);
}

/// Rank 1 sends its message at this time.
fn sent_at(time: u64) -> String {
    format!("\n1: 0..{time} work; {time}..{} MPI_Bsend send 0", time + 1)
}

const IN_TEST: &str = "late_sender_in_test@MPI_Test";
const IN_PROBE: &str = "late_sender_in_probe@MPI_Probe";

#[test]
fn tests_wait_from_the_first_in_vain_to_the_send() {
    let polling = |sent| {
        "0: 0..1 MPI_Irecv post 7; 2..3 MPI_Test test 7; 4..5 MPI_Test; 9..12 MPI_Test irecv 1 request 7"
            .to_owned()
            + &sent_at(sent)
    };
    check(&polling(8), &[(IN_TEST, 6.0)]);
    // The call that completes the receive did not wait longer than it lasted.
    check(&polling(12), &[(IN_TEST, 10.0)]);
    check(&polling(1), &[]);
    check(&polling(2), &[]);
}

#[test]
fn work_between_tests_is_no_waiting_and_the_loop_is() {
    let polling = |sent| {
        "0: 0..1 MPI_Irecv post 7; 1 enter poll; 2..3 MPI_Test test 7; 4..6 work; 6..7 MPI_Test; \
            7 enter progress; 8..9 MPI_Test; 10 leave progress; 11 leave poll; 12..20 solve; \
            20..21 MPI_Test irecv 1 request 7"
            .to_owned()
            + &sent_at(sent)
    };
    let in_poll = "late_sender_in_test@poll/MPI_Test";
    // Not from 4 to 6, nor in `progress` beside the test in it, nor from 12 on.
    check(&polling(20), &[(in_poll, 6.0)]);
    check(&polling(5), &[(in_poll, 2.0)]);
    check(&polling(9), &[(in_poll, 4.0)]);
    check(&polling(10), &[(in_poll, 4.0)]);
}

#[test]
fn a_completion_after_tests_waits_from_its_enter() {
    let text = |sent| {
        "0: 0..1 MPI_Irecv post 7; 2..3 MPI_Test test 7; 3..5 work; 6..10 MPI_Wait irecv 1 request 7"
            .to_owned()
            + &sent_at(sent)
    };
    check(&text(9), &[("late_sender@MPI_Wait", 3.0), (IN_TEST, 2.0)]);
    check(&text(4), &[(IN_TEST, 1.0)]);
}

#[test]
fn other_calls_between_tests_have_waits_of_their_own() {
    let text = "0: 0..1 MPI_Irecv post 7; 2..3 MPI_Test test 7; 4..8 MPI_Recv recv 1 tag 5; \
                   9..10 MPI_Test irecv 1 request 7
                1: 0..7 work; 7..7 MPI_Send send 0 tag 5; 7..9 work; 9..9 MPI_Send send 0";
    check(text, &[("late_sender@MPI_Recv", 3.0), (IN_TEST, 3.0)]);
}

#[test]
fn requests_that_are_tested_together_wait_once() {
    let waitsome = "0: 0..1 MPI_Irecv post 1, post 2; 2..3 MPI_Testsome test 1, test 2; \
                       6..7 MPI_Testsome irecv 1 request 1; 7..8 MPI_Testsome test 2; \
                       10..11 MPI_Testsome irecv 1 tag 1 request 2
                    1: 0..5 work; 5..5 MPI_Send send 0; 5..9 work; 9..9 MPI_Send send 0 tag 1";
    check(waitsome, &[("late_sender_in_test@MPI_Testsome", 7.0)]);
    let testall = "0: 0..1 MPI_Irecv post 1, post 2; 2..3 MPI_Testall test 1, test 2; \
                       10..11 MPI_Testall irecv 1 request 1, irecv 1 tag 1 request 2
                    1: 0..5 work; 5..5 MPI_Send send 0; 5..9 work; 9..9 MPI_Send send 0 tag 1";
    check(testall, &[("late_sender_in_test@MPI_Testall", 7.0)]);
    let nested = "0: 0..1 MPI_Irecv post 1, post 2; 1..2 MPI_Test test 1; 3..4 MPI_Test test 2; \
                     6..7 MPI_Test irecv 1 request 2; 19..20 MPI_Test irecv 1 tag 1 request 1
                  1: 0..5 work; 5..5 MPI_Send send 0; 5..18 work; 18..18 MPI_Send send 0 tag 1";
    check(nested, &[(IN_TEST, 17.0)]);
}

#[test]
fn without_records_a_test_tells_of_the_only_request() {
    let text = |more: &str| {
        format!("0: 0..1 MPI_Irecv post 7{more}; 2..3 MPI_Test; 9..10 MPI_Test irecv 1 request 7")
            + &sent_at(8)
    };
    check(&text(""), &[(IN_TEST, 6.0)]);
    // Who counts tests notes those in vain.
    check(&format!("attribute ATS::FAILED_TESTS\n{}", text("")), &[]);
    let two = analysis(&text(", post 8"));
    assert_eq!(found(&two), []);
    assert_eq!(
        two.warnings,
        ["requests that were started and not completed: 1; the first on rank 0, thread 0, at 0 s"]
    );
}

#[test]
fn a_probe_waits_for_the_message_that_is_received_next() {
    let text =
        |sent| "0: 2..6 MPI_Probe; 6..7 MPI_Get_count; 7..8 MPI_Recv recv 1".to_owned() + &sent_at(sent);
    check(&text(5), &[(IN_PROBE, 3.0)]);
    check(&text(7), &[(IN_PROBE, 4.0)]);
    check(&text(1), &[]);
    let posted = "0: 2..6 MPI_Probe; 6..7 MPI_Irecv post 3; 8..9 MPI_Wait irecv 1 request 3";
    check(&(posted.to_owned() + &sent_at(5)), &[(IN_PROBE, 3.0)]);
    let matched = "0: 2..6 MPI_Mprobe; 6..7 MPI_Mrecv recv 1";
    check(&(matched.to_owned() + &sent_at(5)), &[("late_sender_in_probe@MPI_Mprobe", 3.0)]);
    let posted = "0: 2..6 MPI_Mprobe; 6..7 MPI_Imrecv post 3; 8..9 MPI_Wait irecv 1 request 3";
    check(&(posted.to_owned() + &sent_at(5)), &[("late_sender_in_probe@MPI_Mprobe", 3.0)]);
}

fn is_not_analyzed(analysis: &Analysis, function: &str) -> bool {
    analysis.not_analyzed.iter().any(|it| it.function == function)
}

#[test]
fn a_probe_before_another_call_tells_nothing() {
    for between in ["MPI_Bsend send 1", "MPI_Barrier", "MPI_Iprobe", "MPI_Recv"] {
        let text = format!("0: 2..6 MPI_Probe; 6..7 {between}; 7..8 MPI_Recv recv 1")
            + &sent_at(5)
            + if between.starts_with("MPI_Bsend") { "; 7..8 MPI_Recv recv 0" } else { "" };
        let analysis = analysis(&text);
        assert_eq!(found(&analysis), [], "{between}");
        assert!(is_not_analyzed(&analysis, "MPI_Probe"), "{between}: {:?}", analysis.not_analyzed);
    }
}

/// The attributes of the message that a probe finds.
const ATTRIBUTES: &str =
    "attribute ATS::PROBED_SOURCE\nattribute ATS::PROBED_TAG\nattribute ATS::PROBED_COMMUNICATOR\n";

fn noted(source: u32, tag: u32) -> String {
    format!("with ATS::PROBED_SOURCE {source}, with ATS::PROBED_TAG {tag}, with ATS::PROBED_COMMUNICATOR 0")
}

#[test]
fn a_noted_message_is_known_among_others() {
    let text = format!(
        "{ATTRIBUTES}0: 1..6 MPI_Probe {}; 6..7 MPI_Recv recv 1 tag 9; 7..8 MPI_Recv recv 2; 8..9 MPI_Recv recv 1
         1: 0..1 MPI_Send send 0 tag 9; 1..5 work; 5..6 MPI_Send send 0
         2: 0..1 MPI_Send send 0",
        noted(1, 0)
    );
    check(&text, &[(IN_PROBE, 4.0)]);
}

#[test]
fn a_receive_posted_before_the_probe_is_not_that_of_its_message() {
    let text = format!(
        "{ATTRIBUTES}0: 0..1 MPI_Irecv post 3; 1..6 MPI_Probe {}; 6..7 MPI_Wait irecv 1 request 3; \
            7..8 MPI_Recv recv 1
         1: 0..2 work; 2..3 MPI_Send send 0; 3..5 work; 5..6 MPI_Send send 0",
        noted(1, 0)
    );
    check(&text, &[(IN_PROBE, 4.0)]);
}

#[test]
fn a_message_that_is_probed_again_is_waited_for_once() {
    let text = format!(
        "{ATTRIBUTES}0: 1..4 MPI_Probe {0}; 4..5 MPI_Probe {0}; 5..6 MPI_Mprobe {0}; 6..7 MPI_Mprobe {0}; \
            7..7 MPI_Mrecv recv 1; 7..8 MPI_Mrecv recv 1
         1: 0..3 work; 3..4 MPI_Bsend send 0; 4..6 work; 6..7 MPI_Bsend send 0",
        noted(1, 0)
    );
    check(&text, &[(IN_PROBE, 2.0)]);
}

#[test]
fn a_matched_probe_is_not_that_of_another_receive() {
    let text = format!(
        "{ATTRIBUTES}0: 1..4 MPI_Mprobe {}; 4..8 MPI_Recv recv 1 tag 1; 8..9 MPI_Mrecv recv 1
         1: 0..3 work; 3..4 MPI_Send send 0; 4..7 work; 7..8 MPI_Send send 0 tag 1",
        noted(1, 0)
    );
    let late = "late_sender_wrong_order_same_source@MPI_Recv";
    check(&text, &[("late_sender_in_probe@MPI_Mprobe", 2.0), (late, 3.0)]);
}

#[test]
fn mistakes_end_in_a_warning() {
    for (damaged, warning) in [
        ("0: 0..1 MPI_Irecv post 1; 1..9 MPI_Test test 1\n1: 0..9 work", "not completed: 1"),
        ("0: 0..1 MPI_Irecv post 1; 1..2 MPI_Test test 1; 2..3 MPI_Test sent 1", "was not started: 1"),
        (
            "0: 0..1 MPI_Irecv post 1; 1..2 MPI_Test test 1; 2..9 MPI_Test irecv 1 request 1\n1: 0..9 work",
            "1",
        ),
        ("0: 0..9 MPI_Probe; 9..9 MPI_Recv recv 1\n1: 0..9 work", "1"),
        ("0: 0..1 MPI_Irecv post 1; 1..2 MPI_Test test 1; 2..3 MPI_Irecv post 1", "not completed: 2"),
    ] {
        let analysis = analysis(damaged);
        assert_eq!(found(&analysis), [], "{damaged}");
        let warnings = &analysis.warnings;
        assert!(warnings.iter().any(|it| it.contains(warning)), "{damaged}: {warnings:?}");
    }
    let unfinished = analysis("0: 0..9 MPI_Probe\n1: 0..9 work");
    assert_eq!(found(&unfinished), []);
    assert!(is_not_analyzed(&unfinished, "MPI_Probe"));
}
