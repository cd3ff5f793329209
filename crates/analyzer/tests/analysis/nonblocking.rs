//! Collective operations with requests: their completion waits for those that start them late.

use ats_analyzer::{Options, analyze, notation::parse};
use ats_documents::Analysis;

fn analysis(text: &str) -> Analysis {
    analyze(&parse(text).unwrap(), "test", &Options::default()).unwrap()
}

/// Every finding, with the seconds of each rank that waits.
fn found(analysis: &Analysis) -> Vec<(&str, Vec<(u32, f64)>)> {
    let seconds = |finding: &ats_documents::Finding| {
        let mut seconds: Vec<_> = finding.locations.iter().map(|at| (at.rank, at.waiting_time)).collect();
        seconds.sort_by(|a, b| a.partial_cmp(b).unwrap());
        seconds
    };
    let mut found: Vec<_> =
        analysis.findings.iter().map(|finding| (finding.id.as_str(), seconds(finding))).collect();
    found.sort_by(|a, b| a.0.cmp(b.0));
    found
}

#[test]
fn a_completion_waits_from_its_enter_to_the_last_start() {
    let of = |operation: &str| {
        format!(
            "0: 0..1 MPI_Ibarrier start 1; 1..3 work; 3..10 MPI_Wait i{operation} request 1
             1: 0..5 work; 5..6 MPI_Ibarrier start 1; 6..10 MPI_Wait i{operation} request 1
             2: 0..9 work; 9..10 MPI_Ibarrier start 1; 10..10 MPI_Wait i{operation} request 1"
        )
    };
    for (operation, id, seconds) in [
        ("barrier sent 0 received 0", "wait_at_nonblocking_barrier", &[(0, 6.0), (1, 3.0)][..]),
        ("allreduce", "wait_at_nonblocking_nxn", &[(0, 6.0), (1, 3.0)]),
        ("alltoallv", "wait_at_irregular_nxn", &[(0, 6.0), (1, 3.0)]),
        ("bcast root 2", "late_nonblocking_broadcast", &[(0, 6.0), (1, 3.0)]),
        ("gather root 0", "early_nonblocking_reduce", &[(0, 6.0)]),
        ("reduce root 2", "wait_for_root", &[(0, 6.0), (1, 3.0)]),
    ] {
        let analysis = analysis(&of(operation));
        let id = format!("{id}@MPI_Wait");
        let all: Vec<_> = found(&analysis).into_iter().filter(|(found, _)| *found == id).collect();
        assert_eq!(all, [(id.as_str(), seconds.to_vec())], "{operation}");
        assert_eq!(analysis.findings.len(), if operation.starts_with("gather") { 1 } else { all.len() });
        assert_eq!(analysis.warnings, [""; 0], "{operation}");
        assert!(analysis.not_analyzed.is_empty());
    }
    let scan = analysis(
        "0: 0..9 work; 9..10 MPI_Iscan start 1; 10..10 MPI_Wait iscan request 1
         1: 0..1 MPI_Iscan start 1; 1..10 MPI_Wait iscan request 1",
    );
    assert_eq!(found(&scan), [("early_nonblocking_scan@MPI_Wait", vec![(1, 8.0)])]);
}

#[test]
fn operations_of_a_communicator_match_in_the_order_of_their_starts() {
    let overlapping = analysis(
        "0: 0..1 MPI_Ibcast start 7; 1..2 MPI_Iallreduce start 8; 2..9 MPI_Wait iallreduce request 8; \
            9..9 MPI_Wait ibcast root 1 request 7
         1: 0..4 work; 4..5 MPI_Ibcast start 1; 5..8 work; 8..9 MPI_Iallreduce start 2; \
            9..9 MPI_Waitall ibcast root 1 request 1, iallreduce request 2",
    );
    assert_eq!(overlapping.warnings, [""; 0]);
    assert_eq!(found(&overlapping), [("wait_at_nonblocking_nxn@MPI_Wait", vec![(0, 6.0)])]);
    let with_blocking = analysis(
        "0: 0..1 MPI_Ibarrier start 7; 1..5 MPI_Barrier barrier; 5..9 MPI_Wait ibarrier request 7
         1: 0..2 work; 2..3 MPI_Ibarrier start 7; 3..4 work; 4..5 MPI_Barrier barrier; \
            5..9 MPI_Wait ibarrier request 7",
    );
    assert_eq!(found(&with_blocking), [("wait_at_barrier@MPI_Barrier", vec![(0, 3.0)])]);
}

#[test]
fn a_call_counts_its_message_and_the_rest_of_its_longest_operation() {
    let waitall = |sent: u64, started: u64| {
        let text = format!(
            "0: 0 enter main; 0..1 MPI_Irecv post 1; 1..2 MPI_Ibarrier start 2; \
                2..9 MPI_Waitall irecv 1 request 1, ibarrier request 2; 9 leave
             1: 0..{sent} work; {sent}..{sent} MPI_Send send 0; {sent}..{started} work; \
                {started}..{started} MPI_Ibarrier start 1; {started}..9 MPI_Wait ibarrier request 1"
        );
        let analysis = analysis(&text);
        let of =
            |id: &str| found(&analysis).iter().find(|it| it.0.starts_with(id)).map_or(0.0, |it| it.1[0].1);
        (of("late_sender"), of("wait_at_nonblocking_barrier"))
    };
    assert_eq!(waitall(5, 8), (3.0, 3.0));
    assert_eq!(waitall(5, 5), (3.0, 0.0));
    assert_eq!(waitall(1, 7), (0.0, 5.0));
}

#[test]
fn a_persistent_operation_counts_each_time() {
    let text = "0: 0..1 MPI_Start start 1; 1..4 MPI_Waitany iallreduce request 1; \
                   4..5 MPI_Start start 2; 5..9 MPI_Waitany iallreduce request 2
                1: 0..3 work; 3..4 MPI_Start start 1; 4..4 MPI_Wait iallreduce request 1; 4..8 work; \
                   8..9 MPI_Start start 2; 9..9 MPI_Wait iallreduce request 2";
    assert_eq!(found(&analysis(text)), [("wait_at_nonblocking_nxn@MPI_Waitany", vec![(0, 5.0)])]);
    assert_eq!(analysis(text).findings[0].instances, 2);
}

#[test]
fn a_test_never_waits() {
    let text =
        "0: 0..1 MPI_Ibarrier start 1; 1..2 MPI_Test test 1; 2..4 work; 4..6 MPI_Test ibarrier request 1
                1: 0..5 work; 5..6 MPI_Ibarrier start 1; 6..6 MPI_Wait ibarrier request 1";
    let analysis = analysis(text);
    assert_eq!(found(&analysis), []);
    assert!(analysis.not_analyzed.is_empty(), "{:?}", analysis.not_analyzed);
}

#[test]
fn another_thread_may_complete_it() {
    let text = "0: 0..1 MPI_Ibarrier start 1; 1..9 work
                0.1: 0..2 work; 2..8 MPI_Wait ibarrier request 1
                1: 0..7 work; 7..8 MPI_Ibarrier start 1; 8..8 MPI_Wait ibarrier request 1";
    let analysis = analysis(text);
    assert_eq!(analysis.warnings, [""; 0]);
    assert_eq!(found(&analysis), [("wait_at_nonblocking_barrier@MPI_Wait", vec![(0, 5.0)])]);
}

#[test]
fn mistakes_end_in_a_warning() {
    for (damaged, warning) in [
        (
            "0: 0..1 MPI_Ibarrier start 1; 1..9 work
             1: 0..1 MPI_Ibarrier start 1; 1..9 MPI_Wait ibarrier request 1",
            "requests that were started and not completed: 1",
        ),
        (
            "0: 0..1 work; 1..9 MPI_Wait ibarrier request 1
             1: 0..1 MPI_Ibarrier start 1; 1..9 MPI_Wait ibarrier request 1",
            "completions of a request that was not started: 1",
        ),
        (
            "0: 0..9 MPI_Barrier barrier
             1: 0..1 MPI_Ibarrier start 1; 1..9 MPI_Wait ibarrier request 1",
            "collective operations that differ between members",
        ),
        (
            "0: 0..1 MPI_Ibarrier start 1; 1..9 MPI_Wait sent 1
             1: 0..1 MPI_Ibarrier start 1; 1..9 MPI_Wait ibarrier request 1",
            "completions of a request that was not started: 1",
        ),
        (
            "0: 0..1 MPI_Irecv post 1; 1..9 MPI_Wait ibarrier request 1
             1: 0..1 MPI_Ibarrier start 1; 1..9 MPI_Wait ibarrier request 1",
            "completions of a request that was not started: 1",
        ),
    ] {
        let warnings = analysis(damaged).warnings;
        assert!(warnings.iter().any(|it| it.contains(warning)), "{damaged}: {warnings:?}");
    }
}
