//! Programs with habits that a recorder has to survive: timers, children, shells, and files that are closed under it.

use std::process::Output;

use ats_model::WaitState;

use super::{Foreign, assert_as_measured, numbers, seconds};

/// Fails unless the trace has two ranks with five barriers each, and the waits there that the program prints.
#[track_caller]
fn assert_is_whole(foreign: &Foreign, output: &Output) {
    let waits = numbers(&String::from_utf8_lossy(&output.stdout))[0];
    assert!(waits > 0.045, "{waits} s");
    let analysis = foreign.analysis();
    assert_eq!(analysis.warnings, [""; 0]);
    assert_eq!((analysis.locations, analysis.counts["MPI_Barrier"]), (2, 10));
    assert_as_measured(seconds(&analysis, WaitState::WaitAtBarrier), waits);
}

/// Records the program on two ranks, each started by a script that ends with this line.
fn run_by(foreign: &Foreign, line: &str) -> Output {
    foreign.write_script(&format!("ulimit -v 3000000\n{line}"));
    let launch = ["mpirun.openmpi", "--timeout", "60", "-np", "2", "env", "A=1", "nice", "./run.sh"];
    let output = foreign.try_record(&launch);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

#[test]
fn timers_children_shells_folders_environments_and_closed_files_lose_nothing() {
    let foreign = Foreign::compiled("habits.c");
    let output = run_by(&foreign, "./program");
    assert_is_whole(&foreign, &output);
}

#[test]
fn a_call_after_mpi_finalize_ends_the_program_and_leaves_its_trace() {
    let foreign = Foreign::compiled("habits.c");
    // The launcher takes its time if a process fails.
    let output = run_by(&foreign, "! ./program after");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("after MPI_FINALIZE was invoked"), "{said}");
    assert_is_whole(&foreign, &output);
}
