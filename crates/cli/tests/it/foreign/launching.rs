//! Ways to start a program: prefixes of the launcher, and scripts that start the launcher themselves.

use std::fs;

use ats_model::WaitState;

use super::{Foreign, TWO_RANKS, assert_as_measured, numbers, seconds};

/// The program, and a script that starts it.
fn with_script(text: &str) -> Foreign {
    let foreign = Foreign::compiled("late.c");
    foreign.write_script(text);
    foreign
}

/// Fails unless the trace of `late.c` has the late sender that the program has printed.
#[track_caller]
fn assert_late(foreign: &Foreign, printed: &[f64]) {
    let [late] = printed else { panic!("{printed:?}") };
    assert_as_measured(seconds(&foreign.analysis(), WaitState::LateSender), *late);
}

#[test]
fn the_launcher_may_come_after_env_nice_and_timeout() {
    let foreign = Foreign::compiled("late.c");
    let prefix = ["env", "A=1", "nice", "-n", "1", "timeout", "-s", "KILL", "100"];
    let command = [&prefix[..], &["mpirun.openmpi", "-np", "2", "./program"]].concat();
    assert_late(&foreign, &foreign.measured(&command));
}

#[test]
fn a_script_may_become_the_launcher() {
    let foreign = with_script("exec mpirun.openmpi -np 2 ./program");
    assert_late(&foreign, &foreign.measured(&["timeout", "100", "./run.sh"]));
}

#[test]
fn a_script_may_start_the_launcher_among_others_and_has_an_exit_code() {
    let foreign = with_script(
        "mpirun.openmpi --version >version.txt
         mpirun.openmpi -np 2 echo here >here.txt
         mpirun.openmpi -np 2 ./program 'an argument'
         exit 7",
    );
    let output = foreign.try_record(&["./run.sh"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(7), "{errors}");
    assert!(errors.contains("recorded into "), "{errors}");
    assert_late(&foreign, &numbers(&String::from_utf8_lossy(&output.stdout)));
    let read = |name: &str| fs::read_to_string(foreign.dir.path().join(name)).unwrap();
    assert!(read("version.txt").contains("open-mpi.org"), "{}", read("version.txt"));
    assert_eq!(read("here.txt"), "here\nhere\n");
    assert!(!foreign.dir.path().join("trace/.ats-launchers").exists());
}

#[test]
fn the_second_run_of_a_script_is_refused() {
    let foreign = with_script(
        "mpirun.openmpi -np 2 ./program
         mpirun.openmpi -np 1 ./program again
         echo $? >code.txt",
    );
    let output = foreign.try_record(&["./run.sh"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    let refused = "`mpirun.openmpi -np 1 ./program again` was not started: a recording is of one MPI run";
    assert!(errors.contains(refused), "{errors}");
    assert_eq!(fs::read_to_string(foreign.dir.path().join("code.txt")).unwrap(), "1\n");
    assert_eq!(foreign.analysis().locations, 2, "the first run is recorded");
}

#[test]
fn a_program_that_reaches_mpi_past_the_recorder_is_said_to_have_no_trace() {
    let foreign = Foreign::compiled("dlsym.c");
    let output = foreign.try_record(&TWO_RANKS);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("there is no trace in "), "{errors}");
}
