//! Generated programs, built once, and how they are run.
#![allow(dead_code, reason = "no test uses all of it")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;

use ats_generator::{Generated, Mpi, Options, SuiteSource, generate_set, share_crates, turn};
use ats_model::Witness;
use ats_model::witness::{Construct, Span};
use ats_props::{Catalogue, Entry, Program, Property};
use tempfile::TempDir;

/// The folder in which the command builds for this library, too.
pub(crate) fn target() -> PathBuf {
    let suite =
        Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the crate lies in the suite");
    suite.join("target/openmpi")
}

/// All programs, built once; the folder stays for the next time.
pub(crate) fn programs() -> &'static Generated {
    static PROGRAMS: OnceLock<Generated> = OnceLock::new();
    PROGRAMS.get_or_init(|| {
        let dir = target().join("ats-programs");
        let options = Options { force: true, together: true, ..Options::new(SuiteSource::find().unwrap()) };
        let catalogue = Catalogue::builtin()
            .filter(Entry::has_program)
            .with(&lazy::PROPERTY)
            .with(&lazy::clumsy_team::PROPERTY)
            .with(&lazy::open_ended::PROPERTY);
        let _turn = turn(&dir).unwrap();
        let programs = generate_set(catalogue.properties(), &dir, &options).unwrap();
        for (_, mut command) in programs.build_commands(&openmpi()) {
            share_crates(&mut command, &target());
            let build = command.output().unwrap();
            assert!(build.status.success(), "{}", String::from_utf8_lossy(&build.stderr));
        }
        programs.link(&openmpi()).unwrap();
        programs
    })
}

pub(crate) fn openmpi() -> Mpi {
    Mpi { compiler: "mpicc.openmpi".to_owned() }
}

pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// The number of programs that run side by side: they mostly wait.
const SIDE_BY_SIDE: usize = 3;

/// Starts a program by these words of a command line, on few cores and as the user who runs the tests; some side by
/// side, and with a time limit.
pub(crate) fn start(
    launcher: &[&str],
    program: &str,
    arguments: &[&str],
    environment: &[(&str, &str)],
) -> Ended {
    static TURNS: [Mutex<()>; SIDE_BY_SIDE] = [const { Mutex::new(()) }; SIDE_BY_SIDE];
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let executable = programs().executable(program, &openmpi());
    let turn = NEXT.fetch_add(1, Ordering::Relaxed) % TURNS.len();
    let _turn = TURNS[turn].lock().unwrap_or_else(PoisonError::into_inner);
    let mut command = Command::new("timeout");
    command.arg("60").args(launcher).arg(executable).args(arguments);
    let _session = ats_testing::ready_for_open_mpi(&mut command);
    for name in ["ATS_WITNESS", "ATS_EXPECTED_RANKS", "OMP_NUM_THREADS", "OMP_THREAD_LIMIT"] {
        command.env_remove(name);
    }
    let Output { status, stdout, stderr } = command.envs(environment.iter().copied()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ended { code: status.code(), stdout: text(stdout), stderr: text(stderr) }
}

pub(crate) fn mpirun(ranks: usize, program: &str, arguments: &[&str]) -> Ended {
    let ranks = ranks.to_string();
    start(&["mpirun.openmpi", "--bind-to", "none", "-n", &ranks], program, arguments, &[])
}

/// The run's witnesses, by rank.
fn witnesses(dir: &Path, ranks: usize) -> Vec<Witness> {
    let read = |rank| fs::read_to_string(dir.join(Witness::file_name(rank))).unwrap();
    (0..ranks).map(|rank| serde_json::from_str(&read(rank as u32)).unwrap()).collect()
}

/// Runs with witness and no error, and gives the summary line and the witnesses; `ranks` is none for a program by itself.
pub(crate) fn run(ranks: Option<usize>, program: &str, arguments: &[&str]) -> (String, Vec<Witness>) {
    let dir = TempDir::new().unwrap();
    let arguments = [arguments, &["--witness", dir.path().to_str().unwrap()]].concat();
    let ended = match ranks {
        Some(ranks) => mpirun(ranks, program, &arguments),
        None => start(&[], program, &arguments, &[]),
    };
    assert_eq!(ended.code, Some(0), "{program}: {}{}", ended.stdout, ended.stderr);
    let lines: Vec<_> = ended.stdout.lines().filter(|line| line.starts_with("ATS ")).collect();
    assert_eq!(lines.len(), 1, "{}", ended.stdout);
    (lines[0].to_owned(), witnesses(dir.path(), ranks.unwrap_or(1)))
}

/// The checksum in a summary.
pub(crate) fn checksum(summary: &str) -> String {
    summary.split_once(" checksum=").unwrap().1.to_owned()
}

/// Whether all stamps of a process fit together.
pub(crate) fn assert_consistent(witness: &Witness) {
    assert!(witness.measured.enter_ns <= witness.measured.leave_ns);
    let within = |span: &Span| is_within(span, &witness.measured);
    let threads = witness.threads.iter().map(|thread| (&thread.constructs, &thread.work, &thread.choices));
    for (constructs, work, choices) in
        std::iter::once((&witness.constructs, &witness.work, &witness.choices)).chain(threads)
    {
        assert!(constructs.iter().all(|construct| within(&construct.span)), "{witness:?}");
        assert!(work.iter().all(|work| within(&work.span)), "{witness:?}");
        assert!(work.windows(2).all(|pair| pair[0].span.leave_ns <= pair[1].span.enter_ns));
        assert!(choices.iter().all(|choice| choice.construct < constructs.len()));
        assert_nested(constructs);
    }
    let (start, end) = (witness.clock.start, witness.clock.end);
    assert!(start.at_ns <= witness.measured.enter_ns && witness.measured.leave_ns <= end.at_ns);
    assert_eq!((start.offset_ns, end.offset_ns), (0, 0), "ranks of one machine have one clock");
}

pub(crate) fn is_within(inner: &Span, outer: &Span) -> bool {
    outer.enter_ns <= inner.enter_ns && inner.enter_ns <= inner.leave_ns && inner.leave_ns <= outer.leave_ns
}

/// Constructs stand in the order of entry, and each is inside or after those before it.
fn assert_nested(constructs: &[Construct]) {
    let mut open: Vec<&Construct> = Vec::new();
    for construct in constructs {
        while open.last().is_some_and(|outer| outer.span.leave_ns <= construct.span.enter_ns) {
            open.pop();
        }
        if let Some(outer) = open.last() {
            assert!(is_within(&construct.span, &outer.span), "{construct:?} in {outer:?}");
        }
        open.push(construct);
    }
}

/// Does something for each, some side by side.
pub(crate) fn for_each<T: Send>(all: impl IntoIterator<Item = T, IntoIter: Send>, what: impl Fn(T) + Sync) {
    let rest = Mutex::new(all.into_iter());
    let next = || rest.lock().unwrap_or_else(PoisonError::into_inner).next();
    thread::scope(|scope| {
        for _ in 0..SIDE_BY_SIDE {
            scope.spawn(|| {
                while let Some(one) = next() {
                    what(one);
                }
            });
        }
    });
}

/// Whether this machine has what a property needs besides cores. Elsewhere its programs end, and say so.
pub(crate) fn runs_here(property: &Property) -> bool {
    property.name != "numa_first_touch" || ats_work::memory_nodes() > 1
}

/// Short work and few repetitions, for the parameters that the property has.
pub(crate) fn short(property: &Property) -> Vec<String> {
    let value = |kind| match kind {
        "seconds" => Some("1ms"),
        "distribution" => Some("block2:0.001:0.002"),
        _ => None,
    };
    let parameters = property.parameters.iter();
    let valued = parameters.filter_map(|p| Some(format!("{}={}", p.name, value(p.kind.name)?)));
    valued.chain(property.repeated("3").map(|(name, times)| format!("{name}={times}"))).collect()
}

/// Short arguments of a program, with its number of threads.
pub(crate) fn arguments(program: &Program, threads: usize) -> Vec<String> {
    let mut arguments = short(program.property);
    arguments.push(format!("--threads={threads}"));
    if program.balanced {
        arguments.push("--balanced".to_owned());
    }
    arguments
}
