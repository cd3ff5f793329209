//! The library, installed, and programs compiled against it, with Open MPI.

#![allow(dead_code, reason = "each test file uses its part")]

#[path = "../../../../recorder/tests/it/mpi/mod.rs"]
mod mpi;
pub(crate) mod plan;
pub(crate) mod visits;

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::AtomicBool;
use std::sync::{OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::Duration;

use ats_documents::Analysis;
use ats_launch::build::{self, Watch};
use ats_launch::installation::library_folder;
use ats_launch::launch::{self, Ending, Job, Limits};
use ats_launch::ready::choose_launcher;
use ats_launch::recording;
use ats_trace::Archive;
use mpi::Mpi;
pub(crate) use mpi::{stderr, succeeded};
use tempfile::TempDir;

const MPI: Mpi = Mpi::Open;
const OPEN_MPI: ats_launch::mpi::Mpi = ats_launch::mpi::Mpi::OpenMpi;

/// The folder of the library, installed as users have it.
pub(crate) fn prefix() -> &'static Path {
    static PREFIX: OnceLock<PathBuf> = OnceLock::new();
    PREFIX.get_or_init(|| installed(Some(OPEN_MPI)))
}

/// The same of the library for programs of threads alone.
pub(crate) fn prefix_without_mpi() -> &'static Path {
    static PREFIX: OnceLock<PathBuf> = OnceLock::new();
    PREFIX.get_or_init(|| installed(None))
}

fn installed(mpi: Option<ats_launch::mpi::Mpi>) -> PathBuf {
    let _turn = turn();
    let cancelled = AtomicBool::new(false);
    let mut watch = Watch { logs: None, progress: &mut (), time: build::TIME, cancelled: &cancelled };
    build::libats(mpi, &mut watch).unwrap_or_else(|error| panic!("{error}"))
}

/// The folder of the shared and the static one.
pub(crate) fn library() -> PathBuf {
    library_folder(prefix(), OPEN_MPI)
}

/// The recorder, built for the library's MPI.
pub(crate) fn recorder() -> &'static Path {
    static RECORDER: OnceLock<&Path> = OnceLock::new();
    RECORDER.get_or_init(|| {
        let _turn = turn();
        MPI.recorder()
    })
}

/// A program of `tests/programs`.
pub(crate) fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(name)
}

/// Runs a command that has to succeed, and returns its output.
#[track_caller]
pub(crate) fn succeed(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{command:?}: {said}{}", stderr(&output));
    said
}

/// The answer of pkg-config about the library.
pub(crate) fn pkg_config(options: &[&str]) -> Vec<String> {
    let said = succeed(
        Command::new("pkg-config")
            .args(options)
            .arg("ats")
            .env("PKG_CONFIG_PATH", prefix().join("lib/pkgconfig")),
    );
    said.split_whitespace().map(str::to_owned).collect()
}

/// Compiles sources against the shared library, as pkg-config says.
pub(crate) fn compile(compiler: &str, options: &[&str], sources: &[PathBuf], folder: &Path) -> PathBuf {
    let program = folder.join("program");
    let flags = pkg_config(&["--cflags", "--libs"]);
    let _turn = turn();
    succeed(
        Command::new(compiler)
            .current_dir(folder)
            .args(["-O1", "-Wall", "-Wextra", "-Werror"])
            .args(options)
            .args(sources)
            .arg("-o")
            .arg(&program)
            .args(flags),
    );
    program
}

/// A program in C, and the folder that it is in.
pub(crate) fn c_program(name: &str, options: &[&str]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let program = compile(MPI.compiler(), options, &[source(name)], folder.path());
    (folder, program)
}

/// Runs a program that finds the shared library.
pub(crate) fn run(ranks: u32, program: &Path, variables: &[(&str, &str)], arguments: &[&str]) -> Output {
    let library = library();
    let mut all = vec![("LD_LIBRARY_PATH", library.as_os_str())];
    all.extend(variables.iter().map(|(name, value)| (*name, OsStr::new(*value))));
    let _turn = turn();
    MPI.run(ranks, &all, program, arguments)
}

/// Programs and builds take turns, since the machine has few cores, and anything that runs beside a program disturbs
/// it. A holder of the turn must not ask for the library or the recorder, which are built when first asked for.
static TURN: RwLock<()> = RwLock::new(());

/// The turn of whoever wants the machine alone.
pub(crate) fn turn() -> RwLockWriteGuard<'static, ()> {
    TURN.write().unwrap_or_else(PoisonError::into_inner)
}

/// The turn of a run that detects disturbances itself, so that others like it may run beside.
pub(crate) fn turn_beside_others() -> RwLockReadGuard<'static, ()> {
    TURN.read().unwrap_or_else(PoisonError::into_inner)
}

/// Records a program and analyzes its trace; returns its output, too.
pub(crate) fn record(ranks: usize, program: &Path) -> (String, Analysis) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut environment = recording(recorder(), folder.path());
    environment.push(("LD_LIBRARY_PATH".to_owned(), library().into()));
    let _turn = turn();
    ats_testing::before_others(ats_testing::Priority::OfOneRun);
    let (launcher, _) = choose_launcher(Some(&"mpirun.openmpi".into())).expect("a launcher");
    let job = Job { ranks, environment, program, arguments: Vec::new() };
    let command = launcher.command(&job);
    let limits =
        Limits { time: Duration::from_secs(120), output: 1 << 20, cancelled: &AtomicBool::new(false) };
    let ended = launch::run(command, folder.path(), limits).expect("mpirun runs");
    assert_eq!(ended.ending, Ending::Success, "{}", ended.message());
    let printed = fs::read_to_string(ended.stdout).expect("it printed something");
    let archive = Archive::open(&folder.path().join("traces.otf2")).expect("the archive opens");
    let analysis = ats_analyzer::analyze(&archive, "program", &ats_analyzer::Options::default());
    (printed, analysis.expect("the trace is analyzed"))
}
