//! Programs that count something themselves.

use ats_model::metric::ValueProperty;

use crate::mpi::{Mpi, Trace, source, stderr, succeeded};

/// Sums stand before the event that enters or leaves something next, behind the value before of each.
const EVENTS_OF_RANK_1: &str = "\
outer
  faces 0
  cells 0
  faces 40
  cells 2000
  inner
    MPI_Barrier
      begin
      Barrier sent 0 received 0 on WORLD
    cells 1099511629779
  MeasurementOnOff { mode: Off }
  MeasurementOnOff { mode: On }
  faces 41
";

#[test]
fn sums_of_what_a_program_counts_are_metrics_of_its_regions() {
    for mpi in Mpi::tested() {
        let folder = tempfile::tempdir().expect("a folder");
        let program = mpi.compile(&source("counts.c"), folder.path());
        let output = mpi.record(2, folder.path(), &program, &[]);
        succeeded(&output);
        assert_eq!(stderr(&output), "");
        let trace = Trace::read(folder.path());
        trace.is_sound();
        let listing = trace.listing(1);
        let events = &listing[listing.find("outer").expect("it is entered")..];
        assert!(events.starts_with(EVENTS_OF_RANK_1), "{mpi:?}: {events}");
        let counters = trace.definitions.metrics.iter().filter(|metric| !metric.name.starts_with("ATS::"));
        let counters: Vec<_> =
            counters.map(|metric| (metric.name.as_str(), metric.unit.as_str(), metric.property)).collect();
        let accumulated = ValueProperty::Accumulated;
        assert_eq!(counters, [("cells", "occ", accumulated), ("faces", "occ", accumulated)], "{mpi:?}");
    }
}
