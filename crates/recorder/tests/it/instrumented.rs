//! Programs whose functions the compiler has instrumented.

use ats_model::definitions::{Paradigm, Region, RegionRole};
use ats_model::event::RegionRef;

use crate::mpi::{Mpi, Trace, source, stderr, succeeded};

/// The functions of rank 0 of `instrumented.c`, up to the short ones.
const OF_MAIN: &str = "\
main
  MPI_Init_thread
    begin
    CreateHandle sent 0 received 0 on WORLD
  descend
    descend
      descend
        MPI_Barrier
          begin
          Barrier sent 0 received 0 on SELF
  left
    jump
  descend
    MPI_Barrier
      begin
      Barrier sent 0 received 0 on SELF
  seen
";

const OF_THREAD: &str = "\
on_thread
  descend
    descend
      MPI_Barrier
        begin
        Barrier sent 0 received 0 on SELF
";

/// Calls of `norm` and `exchange` by each rank.
const CALLS: u64 = 1_000_000;
const EXCHANGES: usize = 20_000;

/// The region of this name.
fn region<'t>(trace: &'t Trace, name: &str) -> (RegionRef, &'t Region) {
    let mut all = (0..).map(RegionRef).zip(&trace.definitions.regions);
    all.find(|(_, region)| region.name == name).expect("it is recorded")
}

#[test]
fn functions_are_regions_until_they_turn_out_to_be_short() {
    for mpi in Mpi::tested() {
        let folder = tempfile::tempdir().expect("a folder");
        let options = ["-finstrument-functions", "-pthread"];
        let program =
            mpi.compile_with_options(mpi.compiler(), &options, &source("instrumented.c"), folder.path());
        let output = mpi.record(2, folder.path(), &program, &[]);
        succeeded(&output);
        let trace = Trace::read(folder.path());
        trace.is_sound();
        let listing = trace.listing(0);
        let (begin, rest) = listing.split_at(listing.find("  norm\n").expect("it is there"));
        assert!(begin.starts_with(OF_MAIN), "{mpi:?}: {begin}");
        assert!(!begin.contains("unseen"), "{mpi:?}: it was called while recording was off");
        assert_eq!(trace.listing(2), OF_THREAD, "{mpi:?}");

        let exchanges: Vec<&str> = rest.split("  exchange\n").skip(1).collect();
        let meetings = exchanges.iter().filter(|exchange| exchange.starts_with("    MPI_Barrier\n"));
        assert_eq!((exchanges.len(), meetings.count()), (EXCHANGES, EXCHANGES / 5000), "{mpi:?}");

        let (norm, region) = region(&trace, "norm");
        let line = include_str!("../programs/instrumented.c").lines().position(|line| line.contains("norm("));
        assert_eq!((region.paradigm, region.role), (Paradigm::Compiler, RegionRole::Function));
        assert_eq!(region.line, line.expect("it is there") as u32 + 1);
        assert!(region.file.ends_with("/instrumented.c"), "{region:?}");
        let recorded = rest.matches("  norm\n").count() as u64;
        assert!(recorded.is_power_of_two() && recorded <= CALLS / 4, "{mpi:?}: {recorded}");
        assert_eq!(trace.definitions.left_out[&(0, norm)], CALLS - recorded, "{mpi:?}");
        let told = format!("ats-recorder: {}\n", trace.definitions.functions_left_out().expect("one is"));
        assert_eq!(stderr(&output), told, "{mpi:?}");
        assert!(told.contains(": norm (1,"), "{told}");
    }
}

#[test]
fn handlers_of_signals_may_interrupt_functions_and_the_recorder() {
    let Some(mpi) = Mpi::tested().next() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let options = ["-finstrument-functions", "-pthread"];
    let program =
        mpi.compile_with_options(mpi.compiler(), &options, &source("instrumented.c"), folder.path());
    let output = mpi.record(2, folder.path(), &program, &["signals"]);
    succeeded(&output);
    let trace = Trace::read(folder.path());
    trace.is_sound();
    assert!(trace.listing(0).contains("    on_signal\n"), "some interrupt the program");
}
