//! Programs and files that are not the suite's, from public bug reports of other tools: recorded, analyzed, and held to what
//! is right for them. The programs lie in `tests/programs/foreign`; each says at its top what it does and what is right.

mod basis;
mod call_sites;
mod codes;
mod constructs;
mod counted;
mod endings;
mod habits;
mod interrupted;
mod languages;
mod launching;
mod machine;
mod not_analyzed;
mod processes;
mod threads;
mod whole_run;

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, MutexGuard, PoisonError};

use ats_documents::{Analysis, Profile};
use ats_model::WaitState;
use tempfile::TempDir;

use crate::common::{answer, ats_in};

/// The program on two ranks.
pub(crate) const TWO_RANKS: [&str; 6] = ["mpirun.openmpi", "--timeout", "60", "-np", "2", "./program"];

/// A folder with a compiled program, in which one run at a time is recorded.
pub(crate) struct Foreign {
    pub(crate) dir: TempDir,
    _one: MutexGuard<'static, ()>,
}

impl Foreign {
    /// Compiles `tests/programs/foreign/SOURCE`: C and C++ with Open MPI's compilers on clang, so that OpenMP tells tools of its
    /// threads; Fortran with gfortran.
    #[track_caller]
    pub(crate) fn compiled(source: &str) -> Self {
        let foreign = Foreign::empty();
        foreign.compile(source, "program");
        foreign
    }

    /// An empty folder.
    pub(crate) fn empty() -> Self {
        static ONE: Mutex<()> = Mutex::new(());
        let one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
        ats_testing::before_others(ats_testing::Priority::OfOneRun);
        Foreign { dir: TempDir::new().unwrap(), _one: one }
    }

    /// Compiles another program beside the first.
    #[track_caller]
    pub(crate) fn compile(&self, source: &str, program: &str) {
        self.compile_with(source, program, &[]);
    }

    /// As [`Foreign::compile`], with more options of the compiler.
    #[track_caller]
    pub(crate) fn compile_with(&self, source: &str, program: &str, options: &[&str]) {
        let (wrapper, compiler) = match source.rsplit_once('.') {
            Some((_, "c")) => ("mpicc.openmpi", "clang"),
            Some((_, "cpp")) => ("mpicxx.openmpi", "clang++"),
            _ => ("mpif90.openmpi", "gfortran"),
        };
        assert!(ats_testing::required(wrapper) && ats_testing::required(compiler), "they are installed");
        let output = Command::new(wrapper)
            .envs([("OMPI_CC", "clang"), ("OMPI_CXX", "clang++"), ("OMPI_FC", "gfortran")])
            .args(["-g", "-O1", "-w", "-fopenmp", "-pthread", "-o", program])
            .args(options)
            .arg(source_of(source))
            .arg("-ldl")
            .current_dir(self.dir.path())
            .output()
            .expect("the compiler runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    /// Writes the shell script `run.sh`.
    pub(crate) fn write_script(&self, text: &str) {
        let script = self.dir.path().join("run.sh");
        fs::write(&script, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(script, Permissions::from_mode(0o755)).unwrap();
    }

    /// Records a command into the folder `trace`.
    pub(crate) fn try_record(&self, command: &[&str]) -> Output {
        ats_in(self.dir.path(), &[&["record", "-o", "trace", "--"], command].concat())
    }

    /// Records a command that ends well into the folder `trace`.
    #[track_caller]
    pub(crate) fn record(&self, command: &[&str]) -> &Self {
        self.printed(command);
        self
    }

    /// As [`Foreign::record`]; returns the numbers that the program prints, which it has measured itself.
    #[track_caller]
    pub(crate) fn measured(&self, command: &[&str]) -> Vec<f64> {
        numbers(&self.printed(command))
    }

    /// As [`Foreign::record`]; returns standard output.
    #[track_caller]
    fn printed(&self, command: &[&str]) -> String {
        let output = self.try_record(command);
        assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Records the program on so many ranks.
    #[track_caller]
    pub(crate) fn on_ranks(&self, ranks: u32) -> &Self {
        self.record(&["mpirun.openmpi", "--timeout", "60", "-np", &ranks.to_string(), "./program"])
    }

    /// Standard output of the command in the folder.
    #[track_caller]
    pub(crate) fn answer(&self, arguments: &[&str]) -> String {
        answer(self.dir.path(), arguments)
    }

    /// The analysis of the trace, whose profile has the whole run.
    #[track_caller]
    pub(crate) fn analysis(&self) -> Analysis {
        assert_processes_are_whole(&self.profile());
        serde_json::from_str(&self.answer(&["analyze", "trace", "--format", "json"])).unwrap()
    }

    #[track_caller]
    pub(crate) fn profile(&self) -> Profile {
        serde_json::from_str(&self.answer(&["profile", "trace", "--format", "json"])).unwrap()
    }
}

/// The numbers in a program's output.
#[track_caller]
pub(crate) fn numbers(printed: &str) -> Vec<f64> {
    printed.split_whitespace().map(|number| number.parse().unwrap()).collect()
}

/// Fails unless each location has all the time of its program, within 1 %; returns the wall times of the processes.
#[track_caller]
pub(crate) fn assert_is_whole(profile: &Profile) -> BTreeMap<u32, f64> {
    let wall = wall_times(profile);
    for unit in &profile.units {
        let (total, wall) = (seconds_of(profile, unit.rank, unit.thread), wall[&unit.rank]);
        assert!((total - wall).abs() <= 0.01 * wall, "{unit:?}: {total} s of {wall} s");
    }
    wall
}

/// As [`assert_is_whole`], of the first threads. The others may be threads that the program makes itself, which are there for
/// a part of the run only.
#[track_caller]
fn assert_processes_are_whole(profile: &Profile) {
    let wall = wall_times(profile);
    for unit in &profile.units {
        let total = seconds_of(profile, unit.rank, unit.thread);
        // A process that was killed has left nothing.
        let wall = wall.get(&unit.rank).copied().unwrap_or_default();
        let least = if unit.thread == 0 { 0.99 * wall } else { 0.0 };
        assert!((least..=1.01 * wall).contains(&total), "{unit:?}: {total} s of {wall} s");
    }
}

/// Seconds of the program of each rank.
fn wall_times(profile: &Profile) -> BTreeMap<u32, f64> {
    let visits = &profile.values[Profile::MAX_TIME];
    let of_programs = visits.iter().filter(|(path, ..)| profile.call_tree[*path as usize].parent.is_none());
    of_programs.map(|(_, unit, seconds)| (profile.units[unit as usize].rank, seconds)).collect()
}

/// Seconds of a location, idle ones too.
fn seconds_of(profile: &Profile, rank: u32, thread: u32) -> f64 {
    profile.total(|unit| (unit.rank, unit.thread) == (rank, thread))
}

fn source_of(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/foreign").join(name)
}

/// Seconds of a wait state in all of an analysis.
pub(crate) fn seconds(analysis: &Analysis, wait_state: WaitState) -> f64 {
    let of_it = analysis.findings.iter().filter(|finding| finding.property == Some(wait_state));
    of_it.map(|finding| finding.waiting_time).sum()
}

/// Seconds of a wait state in the calls of a function.
pub(crate) fn seconds_in(analysis: &Analysis, wait_state: WaitState, function: &str) -> f64 {
    let is_in = |call_path: &[String]| call_path.last().is_some_and(|call| call == function);
    let of_it = analysis.findings.iter().filter(|finding| finding.property == Some(wait_state));
    of_it.filter(|finding| is_in(&finding.call_path)).map(|finding| finding.waiting_time).sum()
}

/// Fails unless so many seconds are about as many as the program has measured itself.
#[track_caller]
pub(crate) fn assert_as_measured(found: f64, measured: f64) {
    assert!((found - measured).abs() < 0.01, "{found} s, measured {measured} s");
}

/// Fails unless a wait of so many seconds was found, as exactly as a sleeping program shows it on a busy machine.
#[track_caller]
pub(crate) fn assert_waits(analysis: &Analysis, wait_state: WaitState, right: f64) {
    let found = seconds(analysis, wait_state);
    // Sleeping takes longer than asked for, never less.
    assert!(
        (0.9 * right..=1.5 * right + 0.01).contains(&found),
        "{wait_state:?}: {found} s, right {right} s"
    );
}

#[test]
fn a_receive_from_a_late_sender_on_two_ranks_is_found() {
    let foreign = Foreign::compiled("late.c");
    let late = foreign.measured(&TWO_RANKS);
    let analysis = foreign.analysis();
    assert_as_measured(seconds(&analysis, WaitState::LateSender), late[0]);
    assert!(fs::exists(foreign.dir.path().join("trace/traces.otf2")).unwrap());
    assert_is_whole(&foreign.profile());
}
