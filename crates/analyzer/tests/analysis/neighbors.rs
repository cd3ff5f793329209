//! Operations between neighbours: each process waits for those that it receives from, and for no other.

use ats_documents::analysis::NotAnalyzed;

use crate::{analysis, check, check_damaged};

/// Rank 0 receives from ranks 1 and 2, rank 1 from rank 3, rank 2 from none and rank 3 from rank 0.
const ASYMMETRIC: &str = "attribute ATS::NEIGHBORHOOD
    comm graph 0 1 2 3
    neighbors graph 0 1,2;3
    neighbors graph 1 3;0
    neighbors graph 2 ;0
    neighbors graph 3 0;1
";

fn with_graph(trace: &str) -> String {
    format!("{ASYMMETRIC}{trace}")
}

#[test]
fn a_process_waits_for_the_last_that_it_receives_from() {
    check(
        &with_graph(
            "0: 0..6 MPI_Neighbor_alltoall with ATS::NEIGHBORHOOD 2
             1: 4..9 MPI_Neighbor_alltoall with ATS::NEIGHBORHOOD 2
             2: 6..7 MPI_Neighbor_alltoall with ATS::NEIGHBORHOOD 2
             3: 9..9 MPI_Neighbor_alltoall with ATS::NEIGHBORHOOD 2",
        ),
        "wait_at_neighbors MPI_Neighbor_alltoall 0:6 1:5",
    );
}

#[test]
fn each_function_has_the_same_rule() {
    for call in [
        "MPI_Neighbor_allgather",
        "mpi_neighbor_allgatherv_",
        "MPI_Neighbor_alltoallv",
        "MPI_Neighbor_alltoallw",
    ] {
        check(
            &with_graph(&format!(
                "0: 0..6 {call} with ATS::NEIGHBORHOOD 2
                 1: 5..8 {call} with ATS::NEIGHBORHOOD 2
                 2: 3..4 {call} with ATS::NEIGHBORHOOD 2
                 3: 7..8 {call} with ATS::NEIGHBORHOOD 2"
            )),
            &format!("wait_at_neighbors {call} 0:5 1:2"),
        );
    }
}

#[test]
fn a_wait_ends_with_the_call() {
    check(
        &with_graph(
            "0: 0..2 MPI_Neighbor_alltoall with ATS::NEIGHBORHOOD 2
             1: 4..5 MPI_Neighbor_alltoall with ATS::NEIGHBORHOOD 2
             2: 1..1 MPI_Neighbor_alltoall with ATS::NEIGHBORHOOD 2
             3: 4..4 MPI_Neighbor_alltoall with ATS::NEIGHBORHOOD 2",
        ),
        "wait_at_neighbors MPI_Neighbor_alltoall 0:2",
    );
}

#[test]
fn a_completion_waits_from_its_enter() {
    check(
        &with_graph(
            "0: 1..1 MPI_Ineighbor_alltoall with ATS::NEIGHBORHOOD 2, start 1; 2..6 MPI_Wait ialltoall on graph sent 0 received 0 request 1
             1: 4..4 MPI_Ineighbor_alltoall with ATS::NEIGHBORHOOD 2, start 1; 5..9 MPI_Wait ialltoall on graph sent 0 received 0 request 1
             2: 6..6 MPI_Ineighbor_alltoall with ATS::NEIGHBORHOOD 2, start 1; 6..7 MPI_Wait ialltoall on graph sent 0 received 0 request 1
             3: 9..9 MPI_Ineighbor_alltoall with ATS::NEIGHBORHOOD 2, start 1; 9..9 MPI_Wait ialltoall on graph sent 0 received 0 request 1",
        ),
        "wait_at_neighbors MPI_Wait 0:4 1:4",
    );
}

#[test]
fn a_persistent_one_is_noted_where_it_is_started() {
    check(
        &with_graph(
            "0: 0 enter MPI_Start; 0 with ATS::NEIGHBORHOOD 2; 0 start 1; 0 leave; 1..5 MPI_Waitall ialltoall on graph request 1
             1: 4 enter MPI_Start; 4 with ATS::NEIGHBORHOOD 2; 4 start 1; 4 leave; 4..5 MPI_Waitall ialltoall on graph request 1
             2: 0 enter MPI_Start; 0 with ATS::NEIGHBORHOOD 2; 0 start 1; 0 leave; 0..5 MPI_Waitall ialltoall on graph request 1
             3: 1 enter MPI_Start; 1 with ATS::NEIGHBORHOOD 2; 1 start 1; 1 leave; 1..5 MPI_Waitall ialltoall on graph request 1",
        ),
        "wait_at_neighbors MPI_Waitall 0:3",
    );
}

#[test]
fn another_thread_may_complete_it() {
    check(
        "attribute ATS::NEIGHBORHOOD
         neighbors world 0 1;1
         neighbors world 1 0;0
         0: 0..0 MPI_Ineighbor_alltoall with ATS::NEIGHBORHOOD 0, start 1; 0..9 work
         0.1: 0..2 work; 2..8 MPI_Wait ialltoall request 1
         1: 0..7 work; 7..7 MPI_Ineighbor_alltoall with ATS::NEIGHBORHOOD 0, start 1; 7..8 MPI_Wait ialltoall request 1",
        "wait_at_neighbors MPI_Wait 0.1:5",
    );
}

#[test]
fn a_message_in_the_same_call_counts_first() {
    check(
        &with_graph(
            "0: 0..0 MPI_Irecv post 7; 0..0 MPI_Ineighbor_alltoall with ATS::NEIGHBORHOOD 2, start 1; \
                0..9 MPI_Waitall irecv 1 request 7, ialltoall on graph request 1
             1: 3..3 MPI_Send send 0; 8..8 MPI_Ineighbor_alltoall with ATS::NEIGHBORHOOD 2, start 1; 8..9 MPI_Wait ialltoall on graph request 1
             2: 0..0 MPI_Ineighbor_alltoall with ATS::NEIGHBORHOOD 2, start 1; 0..9 MPI_Wait ialltoall on graph request 1
             3: 0..0 MPI_Ineighbor_alltoall with ATS::NEIGHBORHOOD 2, start 1; 0..9 MPI_Wait ialltoall on graph request 1",
        ),
        "wait_at_neighbors MPI_Waitall 0:5
         late_sender MPI_Waitall 0:3",
    );
}

#[test]
fn they_count_with_the_other_operations_of_the_communicator() {
    check(
        &with_graph(
            "0: 0..2 MPI_Neighbor_alltoall with ATS::NEIGHBORHOOD 2; 2..8 MPI_Barrier barrier on graph; 8..9 MPI_Neighbor_alltoall with ATS::NEIGHBORHOOD 2
             1: 2..2 MPI_Neighbor_alltoall with ATS::NEIGHBORHOOD 2; 3..8 MPI_Barrier barrier on graph; 9..9 MPI_Neighbor_alltoall with ATS::NEIGHBORHOOD 2
             2: 0..0 MPI_Neighbor_alltoall with ATS::NEIGHBORHOOD 2; 8..8 MPI_Barrier barrier on graph; 8..8 MPI_Neighbor_alltoall with ATS::NEIGHBORHOOD 2
             3: 1..2 MPI_Neighbor_alltoall with ATS::NEIGHBORHOOD 2; 6..8 MPI_Barrier barrier on graph; 8..8 MPI_Neighbor_alltoall with ATS::NEIGHBORHOOD 2",
        ),
        "wait_at_barrier MPI_Barrier 0:6 1:5 3:2
         wait_at_neighbors MPI_Neighbor_alltoall 0:3",
    );
}

fn not_analyzed(trace: &str) -> Vec<String> {
    let analysis = analysis(trace);
    assert_eq!((analysis.findings.len(), &analysis.warnings[..]), (0, &[][..]));
    analysis.not_analyzed.iter().map(NotAnalyzed::to_string).collect()
}

#[test]
fn without_the_neighbors_it_is_not_analyzed() {
    let blocking = "attribute ATS::NEIGHBORHOOD
         0: 0..6 MPI_Neighbor_alltoall with ATS::NEIGHBORHOOD 0
         1: 4..6 MPI_Neighbor_alltoall with ATS::NEIGHBORHOOD 0";
    let unknown = "2 calls of MPI_Neighbor_alltoall, 8.000000 s (neighborhood collective operations)";
    assert_eq!(not_analyzed(blocking), [unknown]);
    let not_noted = "0: 0..6 MPI_Neighbor_alltoall
         1: 4..6 MPI_Neighbor_alltoall";
    assert_eq!(not_analyzed(not_noted), [unknown]);
    let not_said_to_be_one = "0: 0..1 MPI_Ineighbor_alltoall start 1; 1..6 MPI_Wait ialltoall request 1
         1: 4..5 MPI_Ineighbor_alltoall start 1; 5..6 MPI_Wait ialltoall request 1";
    let unknown = "2 calls of MPI_Wait, 6.000000 s (completion of requests other than messages)";
    assert_eq!(not_analyzed(not_said_to_be_one), [unknown]);
}

#[test]
fn one_whose_neighbors_are_known_waits_though_others_are_not_known() {
    let analysis = analysis(
        "attribute ATS::NEIGHBORHOOD
         neighbors world 0 1;1
         0: 0..6 MPI_Neighbor_alltoall with ATS::NEIGHBORHOOD 0
         1: 4..6 MPI_Neighbor_alltoall with ATS::NEIGHBORHOOD 0",
    );
    assert_eq!((analysis.findings.len(), analysis.findings[0].waiting_time), (1, 4.0));
    assert_eq!(analysis.not_analyzed[0].calls, 1);
}

#[test]
fn neighbors_that_are_no_members_are_passed_over() {
    check(
        "attribute ATS::NEIGHBORHOOD
         neighbors world 0 1,7;1
         neighbors world 1 0;0
         0: 0..6 MPI_Neighbor_alltoall with ATS::NEIGHBORHOOD 0
         1: 4..6 MPI_Neighbor_alltoall with ATS::NEIGHBORHOOD 0",
        "wait_at_neighbors MPI_Neighbor_alltoall 0:4",
    );
}

#[test]
fn an_operation_between_all_is_another() {
    check_damaged(
        "attribute ATS::NEIGHBORHOOD
         neighbors world 0 1;1
         0: 0..6 MPI_Neighbor_alltoall with ATS::NEIGHBORHOOD 0
         1: 4..6 MPI_Alltoall alltoall",
        "",
        "collective operations that differ between members, or have different roots (ignored): 1; \
         the first on rank 0, thread 0, at 0 s",
    );
}
