//! Requests: the collective operations that they stand for, and the calls that test them in vain. Neighbours.

use ats_model::Event;
use ats_model::definitions::Communicator;
use ats_model::event::CommunicatorRef;

use crate::mpi::{Mpi, Trace, source, succeeded};

/// The regions of rank 1 of `started.c`.
const STARTED_OF_RANK_1: &str = "\
MPI_Init
  begin
  CreateHandle sent 0 received 0 on WORLD
MPI_Comm_rank
MPI_Comm_size
MPI_Ibarrier
  start 1: collective
MPI_Wait
  complete 1: Barrier sent 0 received 0 on WORLD
MPI_Ibcast
  start 2: collective
MPI_Wait
  complete 2: Bcast root 1 sent 16 received 4 on WORLD
MPI_Igather
  start 3: collective
MPI_Wait
  complete 3: Gather root 1 sent 4 received 16 on WORLD
MPI_Igatherv
  start 4: collective
MPI_Wait
  complete 4: Gatherv root 1 sent 8 received 40 on WORLD
MPI_Iscatter
  start 5: collective
MPI_Wait
  complete 5: Scatter root 1 sent 16 received 4 on WORLD
MPI_Iscatterv
  start 6: collective
MPI_Wait
  complete 6: Scatterv root 1 sent 40 received 8 on WORLD
MPI_Iallgather
  start 7: collective
MPI_Wait
  complete 7: Allgather sent 12 received 12 on WORLD
MPI_Iallgatherv
  start 8: collective
MPI_Wait
  complete 8: Allgatherv sent 32 received 40 on WORLD
MPI_Ialltoall
  start 9: collective
MPI_Wait
  complete 9: Alltoall sent 32 received 32 on WORLD
MPI_Ireduce
  start 10: collective
MPI_Wait
  complete 10: Reduce root 1 sent 4 received 16 on WORLD
MPI_Iallreduce
  start 11: collective
MPI_Wait
  complete 11: Allreduce sent 12 received 12 on WORLD
MPI_Ireduce_scatter
  start 12: collective
MPI_Wait
  complete 12: ReduceScatter sent 40 received 32 on WORLD
MPI_Ireduce_scatter_block
  start 13: collective
MPI_Wait
  complete 13: ReduceScatterBlock sent 16 received 16 on WORLD
MPI_Iscan
  start 14: collective
MPI_Wait
  complete 14: Scan sent 12 received 8 on WORLD
MPI_Iexscan
  start 15: collective
MPI_Wait
  complete 15: Exscan sent 8 received 4 on WORLD
MPI_Ibarrier
  start 16: collective
MPI_Iallreduce
  start 17: collective
MPI_Irecv
  start 18: receive
MPI_Send
  send to 2 tag 1 bytes 4 on WORLD
MPI_Waitall
  complete 16: Barrier sent 0 received 0 on WORLD
  complete 17: Allreduce sent 16 received 16 on WORLD
  complete 18: receive from 0 tag 1 bytes 4 on WORLD
MPI_Ibarrier
  start 19: collective
MPI_Waitany
  complete 19: Barrier sent 0 received 0 on WORLD
MPI_Ibarrier
  start 20: collective
MPI_Waitsome
  complete 20: Barrier sent 0 received 0 on WORLD
MPI_Ibarrier
  start 21: collective
MPI_Ibarrier
  complete 21: Barrier sent 0 received 0 on SELF
  start 22: collective
MPI_Waitall
  complete 22: Barrier sent 0 received 0 on SELF
MPI_Barrier_init
MPI_Allreduce_init
MPI_Startall
  start 23: collective
  start 24: collective
MPI_Waitall
  complete 23: Barrier sent 0 received 0 on WORLD
  complete 24: Allreduce sent 16 received 16 on WORLD
MPI_Startall
  start 25: collective
  start 26: collective
MPI_Waitall
  complete 25: Barrier sent 0 received 0 on WORLD
  complete 26: Allreduce sent 16 received 16 on WORLD
MPI_Start
  start 27: collective
MPI_Wait
  complete 27: Barrier sent 0 received 0 on WORLD
MPI_Request_free
MPI_Request_free
MPI_Gatherv_init
MPI_Request_free
MPI_Comm_idup
  start 28: collective
MPI_Comm_idup
  start 29: collective
MPI_Waitall
  complete 28: CreateHandle sent 0 received 0 on WORLD
  complete 29: CreateHandle sent 0 received 0 on WORLD
MPI_Comm_set_name
MPI_Ibarrier
  start 30: collective
MPI_Wait
  complete 30: Barrier sent 0 received 0 on second
MPI_Comm_free
  begin
  DestroyHandle sent 0 received 0 on [0, 1, 2, 3]
MPI_Comm_free
  begin
  DestroyHandle sent 0 received 0 on second
MPI_Finalize
  begin
  DestroyHandle sent 0 received 0 on WORLD
";

/// The regions of rank 1 of `polls.c`.
const POLLS_OF_RANK_1: &str = "\
MPI_Init
  begin
  CreateHandle sent 0 received 0 on WORLD
MPI_Comm_rank
MPI_Irecv
  start 1: receive
MPI_Test
  in vain 1
MPI_Test
MPI_Test
MPI_Send
  send to 0 tag 9 bytes 4 on WORLD
MPI_Wait
  with ATS::FAILED_TESTS 3
  complete 1: receive from 0 tag 1 bytes 4 on WORLD
MPI_Irecv
  start 2: receive
MPI_Irecv
  start 3: receive
MPI_Testall
  in vain 2
  in vain 3
MPI_Testany
MPI_Testsome
MPI_Isend
MPI_Testsome
MPI_Send
  send to 0 tag 9 bytes 4 on WORLD
MPI_Waitall
  with ATS::FAILED_TESTS 3
  complete 2: receive from 0 tag 1 bytes 4 on WORLD
  with ATS::FAILED_TESTS 4
  complete 3: receive from 0 tag 1 bytes 4 on WORLD
MPI_Ibarrier
  start 4: collective
MPI_Test
  in vain 4
MPI_Test
MPI_Send
  send to 0 tag 9 bytes 4 on WORLD
MPI_Wait
  with ATS::FAILED_TESTS 2
  complete 4: Barrier sent 0 received 0 on WORLD
MPI_Irecv
";

/// The regions of rank 1 of `neighbors.c`.
const NEIGHBORS_OF_RANK_1: &str = "\
MPI_Init
  begin
  CreateHandle sent 0 received 0 on WORLD
MPI_Comm_rank
MPI_Comm_size
MPI_Cart_create
  begin
  CreateHandle sent 0 received 0 on WORLD
MPI_Comm_set_name
MPI_Neighbor_allgather
  with ATS::NEIGHBORHOOD line
MPI_Neighbor_alltoallv
  with ATS::NEIGHBORHOOD line
MPI_Comm_idup
  start 1: collective
MPI_Wait
  complete 1: CreateHandle sent 0 received 0 on line
MPI_Comm_set_name
MPI_Dist_graph_create_adjacent
  begin
  CreateHandle sent 0 received 0 on WORLD
MPI_Comm_set_name
MPI_Ineighbor_allgather
  with ATS::NEIGHBORHOOD ring
  start 2: collective
MPI_Wait
  complete 2: Allgather sent 0 received 0 on ring
MPI_Neighbor_alltoall_init
MPI_Start
  with ATS::NEIGHBORHOOD ring
  start 3: collective
MPI_Wait
  complete 3: Alltoall sent 0 received 0 on ring
MPI_Request_free
MPI_Graph_create
  begin
  CreateHandle sent 0 received 0 on WORLD
MPI_Comm_set_name
MPI_Cart_create
  begin
  CreateHandle sent 0 received 0 on WORLD
MPI_Comm_set_name
MPI_Finalize
  begin
  DestroyHandle sent 0 received 0 on WORLD
";

/// The regions of rank 1 of `large.c`.
const LARGE_OF_RANK_1: &str = "\
MPI_Init
  begin
  CreateHandle sent 0 received 0 on WORLD
MPI_Comm_rank
MPI_Comm_size
MPI_Sendrecv_c
  send to 2 tag 1 bytes 8 on WORLD
  receive from 0 tag 1 bytes 8 on WORLD
MPI_Irecv_c
  start 1: receive
MPI_Isend_c
  start 2: send to 2 tag 2 bytes 12 on WORLD
MPI_Waitall
  complete 1: receive from 0 tag 2 bytes 12 on WORLD
  complete 2: sent
MPI_Send_c
  send to 2 tag 3 bytes 4 on WORLD
MPI_Mprobe
  with ATS::PROBED_SOURCE 0
  with ATS::PROBED_TAG 3
  with ATS::PROBED_COMMUNICATOR WORLD
MPI_Mrecv_c
  receive from 0 tag 3 bytes 4 on WORLD
MPI_Bcast_c
  begin
  Bcast root 1 sent 32 received 8 on WORLD
MPI_Gatherv_c
  begin
  Gatherv root 1 sent 8 received 40 on WORLD
MPI_Iallreduce_c
  start 3: collective
MPI_Wait
  complete 3: Allreduce sent 16 received 16 on WORLD
MPI_Finalize
  begin
  DestroyHandle sent 0 received 0 on WORLD
";

/// The regions of rank 1 of `partitions.c`. A partition that does not exist is not ready; a message counts as sent in the call
/// that says so of its last partition.
const PARTITIONS_OF_RANK_1: &str = "\
MPI_Init
  begin
  CreateHandle sent 0 received 0 on WORLD
MPI_Comm_rank
MPI_Comm_size
MPI_Comm_set_errhandler
MPI_Precv_init
MPI_Psend_init
MPI_Startall
  start 1: receive
MPI_Pready
MPI_Pready
MPI_Test
  in vain 2
MPI_Pready_list
MPI_Pready
  start 2: send to 2 tag 1 bytes 32 on WORLD
MPI_Waitall
  complete 1: receive from 0 tag 1 bytes 32 on WORLD
  with ATS::FAILED_TESTS 1
  complete 2: sent
MPI_Start
MPI_Pready_range
MPI_Pready
  start 3: send to 2 tag 1 bytes 32 on WORLD
MPI_Start
  start 4: receive
MPI_Wait
  complete 4: receive from 0 tag 1 bytes 32 on WORLD
MPI_Parrived
MPI_Wait
  complete 3: sent
MPI_Request_free
MPI_Request_free
MPI_Finalize
  begin
  DestroyHandle sent 0 received 0 on WORLD
";

fn recorded(mpi: Mpi, program: &str, arguments: &[&str]) -> Trace {
    let folder = tempfile::tempdir().expect("a folder");
    let program = mpi.compile(&source(program), folder.path());
    succeeded(&mpi.record(4, folder.path(), &program, arguments));
    let trace = Trace::read(folder.path());
    trace.is_sound();
    trace
}

#[test]
fn collectives_are_recorded_from_their_start_to_the_call_that_completes_them() {
    for mpi in Mpi::tested() {
        assert_eq!(recorded(mpi, "started.c", &[]).listing(1), STARTED_OF_RANK_1, "{mpi:?}");
    }
}

#[test]
fn the_first_test_in_vain_is_recorded_and_the_others_are_counted() {
    for mpi in Mpi::tested() {
        let trace = recorded(mpi, "polls.c", &["many"]);
        let events = |trace: &Trace| trace.count(1, |event| matches!(event, Event::MpiRequestTest { .. }));
        assert_eq!(events(&trace), 5, "{mpi:?}");
        let listing = trace.listing(1);
        assert!(listing.matches("MPI_Test\n").count() > 10_000, "{mpi:?}: all visits are there");
        assert!(listing.contains("with ATS::FAILED_TESTS 10000"), "{mpi:?}");
        let few = listing.split("  start 5").next().unwrap_or_default();
        assert_eq!(few, POLLS_OF_RANK_1, "{mpi:?}");
    }
}

#[test]
fn neighbors_are_defined_and_collectives_among_them_are_noted() {
    for mpi in Mpi::tested() {
        let trace = recorded(mpi, "neighbors.c", &[]);
        assert_eq!(trace.listing(1), NEIGHBORS_OF_RANK_1, "{mpi:?}");
        let of = |name: &str, rank: u32| {
            let is_it = |communicator: &Communicator| communicator.name == name;
            let at = trace.definitions.communicators.iter().position(is_it).expect("it is named");
            trace.definitions.neighbors[&(rank, CommunicatorRef(at as u32))].to_string()
        };
        for (name, of_rank_0, of_rank_1) in [
            ("line", "1;1", "0,2;0,2"),
            ("copy", "1;1", "0,2;0,2"),
            ("ring", "3;1", "0;2"),
            ("graph", "1;1", "2;2"),
            ("grid", "2,1,1;2,1,1", "3,0,0;3,0,0"),
        ] {
            assert_eq!((of(name, 0), of(name, 1)), (of_rank_0.into(), of_rank_1.into()), "{mpi:?}: {name}");
        }
    }
}

/// Of the libraries that are tried, MPICH has them.
#[test]
fn calls_with_large_counts_are_recorded_as_the_others() {
    for mpi in Mpi::tested().filter(|mpi| *mpi == Mpi::Mpich) {
        assert_eq!(recorded(mpi, "large.c", &[]).listing(1), LARGE_OF_RANK_1);
    }
}

/// Of the libraries that are tried, MPICH has them.
#[test]
fn a_message_in_partitions_is_sent_when_the_last_of_them_is_ready() {
    for mpi in Mpi::tested().filter(|mpi| *mpi == Mpi::Mpich) {
        assert_eq!(recorded(mpi, "partitions.c", &[]).listing(1), PARTITIONS_OF_RANK_1);
    }
}
