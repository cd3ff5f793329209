//! Ways to start a program: prefixes of the launcher, and scripts that start the launcher themselves.

use std::fs;
use std::process::Command;

use ats_model::WaitState;

use super::{Foreign, TWO_RANKS, assert_as_measured, numbers, seconds, source_of};

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
    assert!(errors.contains("echo used neither MPI nor OpenMP"), "{errors}");
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
    let refused = "`mpirun.openmpi -np 1 ./program again` was not started: a recording is of one run";
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

/// A program of threads, one of MPI and threads, and a library with both.
fn regions() -> Foreign {
    let foreign = Foreign::empty();
    foreign.compile("region.c", "program");
    foreign.compile_with("region.c", "ranks", &["-DWITH_MPI"]);
    foreign.compile_with("region.c", "library.so", &["-shared", "-fPIC"]);
    foreign
}

/// Seconds that threads wait at the end of parallel regions.
fn late_threads(foreign: &Foreign) -> f64 {
    seconds(&foreign.analysis(), WaitState::WaitAtImplicitOmpBarrier)
}

/// A Python program that has two regions of a library that it loads.
const INTERPRETED: &str = "import ctypes
region = ctypes.CDLL('./library.so').region
region.restype = ctypes.c_double
print(region(40) + region(30))";

#[test]
fn scripts_and_interpreters_are_recorded_without_a_launcher() {
    let foreign = regions();
    let scripts = [
        "export OMP_NUM_THREADS=2
         ls >files.txt
         ./program 40 30",
        "exec env A=1 taskset -c 0-1 ./program 40 30",
        "sh -c 'cd trace; exec ../program 40 30'",
        "./ranks 40 30",
        // The launcher is none that the PATH has.
        "$(command -p -v mpirun.openmpi) --allow-run-as-root -np 1 ./ranks 40 30",
        "PATH=/usr/bin:/bin mpirun.openmpi --allow-run-as-root -np 1 ./ranks 40 30",
    ];
    for script in scripts {
        foreign.write_script(script);
        let waited = foreign.measured(&["env", "A=1", "nice", "./run.sh"]);
        assert_as_measured(late_threads(&foreign), waited[0]);
    }
    let waited = foreign.measured(&["/usr/bin/python3", "-c", INTERPRETED]);
    assert_as_measured(late_threads(&foreign), waited[0]);
}

#[test]
fn of_several_programs_of_a_script_the_first_is_recorded() {
    let foreign = regions();
    for script in [
        "./program 60
         ./program 20",
        "./program 60
         ./ranks 20",
        "./ranks 60
         mpirun.openmpi -np 1 ./ranks 20 || echo 0",
    ] {
        foreign.write_script(script);
        let output = foreign.try_record(&["./run.sh"]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{script}: {said}");
        assert!(
            said.contains("a recording is of one run, and the command starts several"),
            "{script}: {said}"
        );
        let measured = numbers(&String::from_utf8_lossy(&output.stdout));
        assert_eq!(measured.len(), 2, "{script}: both have run");
        assert_as_measured(late_threads(&foreign), measured[0]);
    }
}

#[test]
fn a_command_without_anything_to_record_says_so_and_keeps_its_exit_code() {
    let foreign = Foreign::empty();
    for (script, code) in [("echo 1", 2), ("exit 7", 7), ("exec /usr/bin/python3 -c 'exit(7)'", 7)] {
        foreign.write_script(script);
        let output = foreign.try_record(&["./run.sh"]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{script}: {said}");
        assert!(said.contains("nothing of ./run.sh was recorded"), "{script}: {said}");
    }
}

#[test]
fn libraries_that_are_preloaded_anyway_stay_so_and_may_be_the_runtime() {
    let foreign = regions();
    let output = Command::new("gcc")
        .args(["-w", "-fopenmp", "-o", "program"])
        .arg(source_of("region.c"))
        .current_dir(foreign.dir.path())
        .status();
    assert!(output.is_ok_and(|status| status.success()));
    let refused = foreign.try_record(&["./program", "40"]);
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!((refused.status.code(), &refused.stdout[..]), (Some(2), &[][..]), "{said}");
    assert!(said.contains("uses GNU's OpenMP runtime, which has no interface for tools"), "{said}");
    let runtime = ats_launch::openmp::installed().expect("LLVM's runtime is installed");
    let preloaded = format!("LD_PRELOAD={}", runtime.display());
    foreign.write_script(&format!("export {preloaded}:$LD_PRELOAD; exec ./program 40 30"));
    for command in [&["env", &preloaded, "./program", "40", "30"][..], &["./run.sh"]] {
        let waited = foreign.measured(command);
        assert_as_measured(late_threads(&foreign), waited[0]);
    }
}
