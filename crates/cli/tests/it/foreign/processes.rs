//! Processes and threads that are none of the run are not in the trace.

use ats_model::{Event, EventSource, WaitState};
use ats_trace::Archive;

use super::{Foreign, TWO_RANKS, assert_waits, seconds};

/// Number of locations in the trace.
fn locations(foreign: &Foreign) -> usize {
    let archive = Archive::open(&foreign.dir.path().join("trace/traces.otf2")).unwrap();
    archive.definitions().locations.len()
}

#[test]
fn processes_that_are_spawned_leave_the_trace_of_their_parents_whole() {
    for source in ["spawn.c", "spawnlate.c"] {
        let foreign = Foreign::compiled(source);
        let output = foreign.try_record(&TWO_RANKS);
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{source}: {text}");
        let said = "ats-recorder: processes started by MPI_Comm_spawn are not recorded; the trace has the processes that \
                    started them";
        assert_eq!(text.matches(said).count(), 1, "{source}: {text}");
        assert_eq!(locations(&foreign), 2, "{source}");
        assert_waits(&foreign.analysis(), WaitState::WaitAtBarrier, 0.1);
    }
}

#[test]
fn threads_that_the_openmp_runtime_has_for_itself_are_left_out() {
    let foreign = Foreign::compiled("kmphidden.c");
    let analysis = foreign.record(&["./program"]).analysis();
    assert_eq!(locations(&foreign), 2);
    let waiting = seconds(&analysis, WaitState::WaitAtImplicitOmpBarrier);
    assert!(waiting < 0.05, "{waiting} s: {:?}", analysis.findings);
}

#[test]
fn a_child_that_is_forked_writes_nothing_to_the_trace_of_its_parent() {
    let foreign = Foreign::compiled("forked.c");
    // With so little memory, events are written all the time.
    foreign.record(&["env", "ATS_RECORDER_BUFFER=1", "./program"]);
    let archive = Archive::open(&foreign.dir.path().join("trace/traces.otf2")).unwrap();
    let mut forks = 0;
    archive
        .read_location(0, |_, event| forks += u32::from(matches!(event, Event::ThreadFork { .. })))
        .unwrap();
    assert_eq!((forks, locations(&foreign)), (2, 2));
}
