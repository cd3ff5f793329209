//! Calls of MPI that do not return.

use ats_model::Event;

use crate::mpi::{Mpi, Trace, source, stderr, succeeded};

/// The calls of `left.cpp`, from its first error handler on.
const LEFT: &str = "\
MPI_Bcast
  MPI_Error_string
MPI_Barrier
  begin
  Barrier sent 0 received 0 on SELF
MPI_Send
  MPI_Error_string
MPI_Bcast
  MPI_Error_string
  MPI_Bcast
    MPI_Error_string
MPI_Bcast
  MPI_Error_string
  marked
MPI_Bcast
  MPI_Error_string
MPI_Barrier
  begin
  Barrier sent 0 received 0 on SELF
MPI_Bcast
  MPI_Error_string
MPI_Barrier
  begin
  Barrier sent 0 received 0 on SELF
MPI_Bcast
  MPI_Error_string
  MPI_Error_class
MPI_Barrier
  begin
  Barrier sent 0 received 0 on SELF
MPI_Isend
  start 1: send to 0 tag 2 bytes 4 on SELF
MPI_Mprobe
  with ATS::PROBED_SOURCE 0
  with ATS::PROBED_TAG 2
  with ATS::PROBED_COMMUNICATOR SELF
MPI_Mrecv
  MPI_Error_string
MPI_Mrecv
  receive from 0 tag 2 bytes 4 on SELF
MPI_Wait
  complete 1: sent
MPI_Comm_dup
  begin
  CreateHandle sent 0 received 0 on SELF
MPI_Comm_set_name
MPI_Comm_create_keyval
MPI_Comm_set_attr
MPI_Comm_free
  MPI_Error_string
MPI_Barrier
  begin
  Barrier sent 0 received 0 on copy
MPI_Comm_free
  begin
  DestroyHandle sent 0 received 0 on copy
MPI_Finalize
  begin
  DestroyHandle sent 0 received 0 on WORLD
";

/// The milliseconds that the program sleeps after a call that an exception has left, and after one that a jump has left.
const SLEEPS: u64 = 20;

#[test]
fn calls_end_where_exceptions_jumps_and_ends_of_threads_leave_them() {
    for mpi in Mpi::tested() {
        let compiler = mpi.compiler().replace("mpicc", "mpicxx");
        if !ats_testing::required(&compiler) {
            continue;
        }
        let folder = tempfile::tempdir().expect("a folder");
        // It makes another function of `longjmp`.
        let options = ["-D_FORTIFY_SOURCE=2"];
        let program = mpi.compile_with_options(&compiler, &options, &source("left.cpp"), folder.path());
        // MPICH keeps a lock in calls that do not return.
        let threads: &[&str] = if mpi == Mpi::Open { &["threads"] } else { &[] };
        let output = mpi.record(1, folder.path(), &program, threads);
        succeeded(&output);
        assert_eq!(stderr(&output), "", "{mpi:?}");
        let trace = Trace::read(folder.path());
        trace.is_sound();
        let listing = trace.listing(0);
        let (_, calls) = listing.split_at(listing.find("MPI_Bcast\n").expect("it is there"));
        assert_eq!(calls, LEFT, "{mpi:?}");
        let sleeps = trace.events[0].windows(2).filter(|events| {
            let [(left, Event::Leave { .. }), (entered, Event::Enter { .. })] = events else { return false };
            (entered - left) / 1_000_000 >= SLEEPS
        });
        assert!(sleeps.count() >= 2, "{mpi:?}: {listing}");
        if mpi == Mpi::Open {
            assert_eq!(trace.listing(1), "MPI_Bcast\n  MPI_Error_string\n");
        }
    }
}
