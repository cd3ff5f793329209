//! Runs that are ended before their end: what was recorded until then is a trace, which says that it is incomplete.

use std::fs;
use std::os::unix::process::CommandExt;
use std::process::{Child, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use ats_documents::Analysis;
use ats_model::WaitState;
use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use super::{Foreign, assert_as_measured, numbers, seconds};
use crate::common::ats_command;

/// A recording that goes on until it is ended.
struct Running<'a> {
    foreign: &'a Foreign,
    child: Child,
}

impl<'a> Running<'a> {
    /// Records a command into the folder `trace`, in a process group of its own, until the program says that it is
    /// endless.
    #[track_caller]
    fn start(foreign: &'a Foreign, command: &[&str]) -> Self {
        let said = foreign.dir.path().join("said.txt");
        let child = ats_command(foreign.dir.path())
            .args(["record", "-o", "trace", "--"])
            .args(command)
            .stdout(fs::File::create(&said).unwrap())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .unwrap();
        let begin = Instant::now();
        while !fs::read_to_string(&said).unwrap().contains("endless") {
            assert!(begin.elapsed() < Duration::from_secs(60), "it does not begin");
            sleep(Duration::from_millis(10));
        }
        Running { foreign, child }
    }

    fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// The launcher, or the program without one.
    fn recorded(&self) -> Pid {
        first_child(self.pid())
    }

    fn ended(self) -> Ended {
        Ended::new(self.foreign, self.child.wait_with_output().unwrap())
    }
}

/// The remains of a recording.
struct Ended {
    code: Option<i32>,
    said: String,
    analysis: Option<Analysis>,
    /// The seconds of the wait, as the program has measured them.
    measured: f64,
}

impl Ended {
    fn new(foreign: &Foreign, output: Output) -> Self {
        let has_trace = foreign.dir.path().join("trace/traces.otf2").exists();
        Ended {
            code: output.status.code(),
            said: String::from_utf8(output.stderr).unwrap(),
            analysis: has_trace.then(|| foreign.analysis()),
            measured: fs::read_to_string(foreign.dir.path().join("measured"))
                .map_or(0.0, |text| numbers(&text)[0]),
        }
    }

    /// Fails unless the trace has the wait that was over before the end, and both say what is missing.
    #[track_caller]
    fn has(&self, wait_state: WaitState, missing: &str) {
        assert!(self.said.contains("trace/traces.otf2; incomplete: "), "{}", self.said);
        assert!(self.said.contains(missing), "{}", self.said);
        let analysis = self.analysis.as_ref().unwrap_or_else(|| panic!("no trace: {}", self.said));
        let warning = format!("the recording is incomplete: {missing}");
        assert_eq!(analysis.warnings[0], warning);
        let found = analysis.findings.iter().filter(|found| {
            found.property == Some(wait_state)
                && found.call_path.last().is_some_and(|call| !call.contains("Sendrecv"))
        });
        let analysis = Analysis { findings: found.cloned().collect(), ..analysis.clone() };
        assert!(self.measured > 0.1, "the wait is planned to be 0.3 s long");
        assert_as_measured(seconds(&analysis, wait_state), self.measured);
    }
}

const LAUNCH: [&str; 4] = ["mpirun.openmpi", "-np", "3", "./program"];

/// The process that another one has started first.
fn first_child(parent: Pid) -> Pid {
    let parent = parent.as_raw_nonzero();
    let children = fs::read_to_string(format!("/proc/{parent}/task/{parent}/children")).unwrap();
    Pid::from_raw(children.split_whitespace().next().unwrap().parse().unwrap()).unwrap()
}

#[test]
fn events_before_a_signal_to_the_launcher_are_a_trace() {
    let foreign = Foreign::compiled("endless.c");
    let running = Running::start(&foreign, &LAUNCH);
    kill_process(running.recorded(), Signal::TERM).unwrap();
    let ended = running.ended();
    assert_ne!(ended.code, Some(0));
    ended.has(WaitState::LateSender, "ranks 0-2: ended by signal SIGTERM");
}

#[test]
fn events_before_ctrl_c_are_a_trace_although_ranks_wait_in_finalize() {
    let foreign = Foreign::compiled("endless.c");
    for ending in ["", "finalize"] {
        let running = Running::start(&foreign, &[&LAUNCH[..], &[ending]].concat());
        kill_process_group(running.pid(), Signal::INT).unwrap();
        let ended = running.ended();
        assert_ne!(ended.code, Some(0));
        ended.has(WaitState::LateSender, "ranks 0-2: ended by signal SIGTERM");
    }
}

#[test]
fn events_before_a_time_limit_are_a_trace() {
    let foreign = Foreign::compiled("endless.c");
    let output = foreign.try_record(&[&["timeout", "1.5"], &LAUNCH[..]].concat());
    let ended = Ended::new(&foreign, output);
    assert_eq!(ended.code, Some(124), "as timeout ends: {}", ended.said);
    ended.has(WaitState::LateSender, "ranks 0-2: ended by signal SIGTERM");
}

#[test]
fn the_ranks_of_a_run_in_which_one_dies_leave_a_trace() {
    let foreign = Foreign::compiled("endless.c");
    for (ending, code, of_it) in
        [("abort", 134, "ended by signal SIGABRT"), ("kill", 137, "it did not end; was it killed?")]
    {
        let ended = Ended::new(&foreign, foreign.try_record(&[&LAUNCH[..], &[ending]].concat()));
        assert_eq!(ended.code, Some(code), "{}", ended.said);
        let missing = format!("ranks 0,1: ended by signal SIGTERM; rank 2: {of_it}");
        ended.has(WaitState::LateSender, &missing);
    }
}

#[test]
fn events_of_threads_before_a_signal_are_a_trace() {
    let foreign = Foreign::compiled("endless_omp.c");
    let running = Running::start(&foreign, &["./program"]);
    kill_process(running.recorded(), Signal::USR1).unwrap();
    let ended = running.ended();
    assert_eq!(ended.code, Some(128 + 10), "{}", ended.said);
    ended.has(WaitState::WaitAtExplicitOmpBarrier, "rank 0: ended by signal SIGUSR1");
}

#[test]
fn a_program_keeps_its_own_handler() {
    let foreign = Foreign::compiled("endless.c");
    let running = Running::start(&foreign, &[&LAUNCH[..], &["handler"]].concat());
    // One rank, not the launcher: as soon as the first of several has ended, Open MPI kills the others.
    kill_process(first_child(running.recorded()), Signal::TERM).unwrap();
    let ended = running.ended();
    let is_there = |rank| foreign.dir.path().join(format!("handled{rank}")).exists();
    assert!((0..3).any(is_there), "{}", ended.said);
}
