//! Programs that begin and end MPI elsewhere than in `main`, and what they do in `MPI_Finalize`.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::mpi::{Mpi, Trace, compile, source, stderr, succeeded};

/// The program `ends.c` with its library, in `folder`.
fn with_library(mpi: Mpi, folder: &Path) -> PathBuf {
    let compiler = || {
        let mut compiler = Command::new(mpi.compiler());
        compiler.envs([("OMPI_CC", "clang"), ("MPICH_CC", "clang")]);
        compiler
    };
    let library = compile(compiler(), &source("ends_library.c"), folder, &["-fopenmp", "-shared", "-fPIC"]);
    compile(compiler(), &source("ends.c"), folder, &[library.to_str().expect("a name")])
}

/// The calls of rank 1 of 2 of `ends.c`.
fn expected(begin: &str, end: &str) -> String {
    let init = |depth| {
        let lines = ["MPI_Init", "  begin", "  CreateHandle sent 0 received 0 on WORLD"];
        lines.map(|line| format!("{depth}{line}\n")).concat()
    };
    let in_library = format!("load\n  MPI_Initialized\n{}MPI_Initialized\n", init("  "));
    let in_main = format!("{}MPI_Initialized\n", init(""));
    let bcast = "MPI_Bcast\n  begin\n  Bcast root 0 sent 0 received 4 on WORLD\n";
    let barrier = "MPI_Barrier\n  begin\n  Barrier sent 0 received 0 on WORLD\n";
    let finalize = "MPI_Finalize\n  begin\n  DestroyHandle sent 0 received 0 on WORLD\n";
    [
        if begin == "library" { in_library.as_str() } else { in_main.as_str() },
        bcast,
        if end == "library" { barrier } else { "" },
        if end == "never" { "" } else { finalize },
    ]
    .concat()
}

#[test]
fn mpi_is_recorded_from_its_beginning_to_its_end_wherever_they_are() {
    for mpi in Mpi::tested() {
        let folder = tempfile::tempdir().expect("a folder");
        let program = with_library(mpi, folder.path());
        let everywhere =
            [("library", "main"), ("main", "library"), ("library", "exit"), ("library", "never")];
        for (begin, end) in everywhere {
            let folder = folder.path().join(format!("{begin}-{end}"));
            // Launchers end the others when one has not finalized MPI.
            let ranks = if end == "never" { 1 } else { 2 };
            let output = mpi.record(ranks, &folder, &program, &[begin, end]);
            let said = stderr(&output);
            let mut calls = expected(begin, end);
            if end == "never" {
                calls = calls.replace("sent 0 received 4", "sent 4 received 4");
                assert!(said.contains("rank 0: the program ended without MPI_Finalize"), "{begin}: {said}");
                assert!(ats_trace::parts::join(&folder).expect("the parts fit"), "{begin}");
            } else {
                succeeded(&output);
                assert_eq!(said, "", "{begin} to {end}");
            }
            let trace = Trace::read(&folder);
            trace.is_sound();
            let last = trace.events.len() - 1;
            assert_eq!(trace.listing(last), calls, "{begin} to {end} with {mpi:?}");
        }
    }
}

#[test]
fn threads_are_recorded_before_main_and_after_it() {
    for mpi in Mpi::tested() {
        let folder = tempfile::tempdir().expect("a folder");
        let program = with_library(mpi, folder.path());
        for (begin, end) in [("main", "main"), ("library", "library")] {
            let folder = folder.path().join(format!("{begin}-{end}"));
            succeeded(&mpi.record(2, &folder, &program, &[begin, end, "threads"]));
            let trace = Trace::read(&folder);
            trace.is_sound();
            assert_eq!(trace.events.len(), 4, "{begin} to {end}: two threads in each rank");
            let listing = trace.listing(1);
            let regions = listing.matches("!$omp parallel @ends_library.c:11\n").count();
            // From MPI_Finalize on, threads are not recorded.
            assert_eq!(regions, if end == "library" { 2 } else { 1 }, "{begin} to {end}: {listing}");
        }
        let folder = folder.path().join("alone");
        let variables = [("LD_PRELOAD", mpi.recorder()), ("ATS_RECORDER_DIR", &folder)];
        let arguments = ["never", "never", "threads"];
        let output = Command::new(&program).args(arguments).envs(variables).output().expect("it runs");
        succeeded(&output);
        let trace = Trace::read(&folder);
        trace.is_sound();
        assert!(trace.listing(0).contains("!$omp parallel @ends_library.c:11\n"), "{}", trace.listing(0));
    }
}

/// The calls of rank 1 in `MPI_Finalize` of `callbacks.c`.
const IN_FINALIZE: &str = "\
MPI_Finalize
  MPI_Finalized
  MPI_Allreduce
    begin
    Allreduce sent 8 received 8 on second
  MPI_Recv
    receive from 0 tag 7 bytes 4 on second
  MPI_Comm_free
    begin
    DestroyHandle sent 0 received 0 on second
  MPI_Finalized
  MPI_Allreduce
    begin
    Allreduce sent 8 received 8 on first
  MPI_Recv
    receive from 0 tag 7 bytes 4 on first
  MPI_Comm_free
    begin
    DestroyHandle sent 0 received 0 on first
  begin
  DestroyHandle sent 0 received 0 on WORLD
";

#[test]
fn calls_of_callbacks_in_finalize_are_recorded_before_its_own_part() {
    for mpi in Mpi::tested() {
        let folder = tempfile::tempdir().expect("a folder");
        let program = mpi.compile(&source("callbacks.c"), folder.path());
        let output = mpi.record(2, folder.path(), &program, &[]);
        succeeded(&output);
        assert_eq!(stderr(&output), "");
        let trace = Trace::read(folder.path());
        trace.is_sound();
        let listing = trace.listing(1);
        let (_, finalize) = listing.split_at(listing.find("MPI_Finalize\n").expect("it is there"));
        assert_eq!(finalize, IN_FINALIZE, "{mpi:?}");
    }
}
