//! Programs that end inside a parallel region: what they did before is in the trace.

use ats_model::WaitState;

use super::{Foreign, assert_waits};

/// Records the program with this ending on two ranks. Its code and what was said, and the warnings of the analysis.
#[track_caller]
fn ended(foreign: &Foreign, ending: &str) -> (Option<i32>, String, Vec<String>) {
    let launch = ["mpirun.openmpi", "--timeout", "60", "-np", "2", "./program", ending];
    let output = foreign.try_record(&launch);
    let said = String::from_utf8(output.stderr).unwrap();
    let analysis = foreign.analysis();
    assert_waits(&analysis, WaitState::WaitAtBarrier, 0.1);
    (output.status.code(), said, analysis.warnings)
}

#[test]
fn an_exit_inside_a_parallel_region_leaves_the_trace() {
    let foreign = Foreign::compiled("endings.c");
    let (code, said, warnings) = ended(&foreign, "after");
    assert_eq!((code, &warnings[..]), (Some(0), &[][..]), "{said}");
    let (code, said, warnings) = ended(&foreign, "before");
    assert_eq!(code, Some(3), "{said}");
    assert!(warnings[0].starts_with("the recording is incomplete: rank"), "{warnings:?}");
}
