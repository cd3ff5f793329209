//! Programs that switch recording off and on.

use crate::mpi::{Mpi, Trace, source, stderr, succeeded};

/// The events of rank 1 of `control.c`, up to its `MPI_Finalize`.
const EVENTS: &str = "\
MPI_Init
  begin
  CreateHandle sent 0 received 0 on WORLD
MPI_Comm_rank
before
  MPI_Irecv
    start 1: receive
  MPI_Isend
    start 2: send to 0 tag 1 bytes 4 on WORLD
  MeasurementOnOff { mode: Off }
MeasurementOnOff { mode: On }
MPI_Waitall
  complete 3: receive from 0 tag 2 bytes 4 on WORLD
  complete 4: sent
MPI_Barrier
  begin
  Barrier sent 0 received 0 on made
MeasurementOnOff { mode: Off }
MeasurementOnOff { mode: On }
MPI_Irecv
  start 5: receive
MPI_Isend
  start 6: send to 0 tag 3 bytes 4 on WORLD
MPI_Waitall
  complete 5: receive from 0 tag 3 bytes 4 on WORLD
  complete 6: sent
";

const FINALIZE: &str = "MPI_Finalize\n  begin\n  DestroyHandle sent 0 received 0 on WORLD\n";

#[test]
fn calls_are_not_recorded_while_recording_is_off_and_right_after_it() {
    for mpi in Mpi::tested() {
        let folder = tempfile::tempdir().expect("a folder");
        let program = mpi.compile(&source("control.c"), folder.path());
        for (arguments, end) in [(&[][..], FINALIZE), (&["off"], "MeasurementOnOff { mode: Off }\n")] {
            let output = mpi.record(2, folder.path(), &program, arguments);
            succeeded(&output);
            assert_eq!(stderr(&output), "");
            let trace = Trace::read(folder.path());
            trace.is_sound();
            assert_eq!(trace.listing(1), format!("{EVENTS}{end}"), "{mpi:?}");
        }
    }
}
