//! The corpus: programs as others write them, each with a planted problem. `tests/programs/corpus.toml` says what is right
//! for each and what does not hold today, `docs/corpus.md` how to add one. Each program is recorded once, and every command that
//! takes a trace or a run gets that trace.

mod calibration;
mod claims;
mod commands;
mod kept;
mod landing;
mod variants;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use ats_model::CauseKind;
use serde::Deserialize;
use tempfile::TempDir;

use crate::common::{answer, ats_in};
use commands::Said;

/// Defines a test of each of these programs.
macro_rules! programs {
    ($($name:ident)*) => {
        /// The programs that have a test.
        const TESTED: &[&str] = &[$(stringify!($name)),*];

        $(
            #[test]
            fn $name() {
                check(stringify!($name));
            }
        )*
    };
}

programs! {
    balanced
    barrier_before_allreduce
    blocked_chain
    busy_master
    calls_inside_finalize
    cancelled_and_forgotten
    cancelled_receives
    chain_without_its_cause
    collectives_in_callbacks
    completions_in_fortran
    critical_section
    detached_buffer
    early_at_reduce
    fork_between_regions
    freed_communicators
    generalized_request
    gradient_at_barrier
    halo_waitall
    halo_waitall_eager
    halo_waitall_rendezvous
    halo_waitall_with_changes
    hybrid_serial_part
    jump_out_of_a_call
    large_alltoall
    late_at_fence
    late_at_ibarrier
    late_receiver
    lock_convoy
    lock_held_outside_regions
    locks_across_regions
    many_regions
    messages_to_oneself
    more_data_at_one_rank
    no_progress_during_overlap
    one_kernel_two_callers
    one_problem_in_24_phases
    output_at_rank_0
    pipeline_fill_and_drain
    ports
    random_late_rank
    ranks_backwards
    recursive_tasks
    serial_allocation
    serial_part_before_bcast
    single_and_master
    slow_from_step_12
    slow_rank_at_allreduce
    small_messages
    small_stack
    split_intercommunicator
    tasks_too_big
    tasks_too_small
    triangular_loop
    two_causes
    two_causes_with_changes
    two_iterations_for_four_threads
    two_late_senders
    wrong_order_of_receives
}

/// The table of the corpus.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    program: Vec<Program>,
}

/// A program, and what is right for it.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Program {
    /// The folder of its file.
    #[serde(skip, default = "folder")]
    folder: PathBuf,
    /// The file in this folder.
    file: String,
    /// Further options of the compiler.
    #[serde(skip)]
    options: Vec<String>,
    /// The resources that it runs on.
    #[serde(default)]
    on: On,
    /// The number of ranks.
    ranks: Option<u32>,
    /// The arguments of the program.
    #[serde(default)]
    arguments: Vec<String>,
    /// The problem and the change that helps, in words.
    problem: String,
    /// The waits that show it.
    #[serde(default)]
    waits: Vec<Wait>,
    /// The problems without single waits.
    #[serde(default)]
    explained: Vec<Explained>,
    /// The functions that are said to be not analyzed.
    #[serde(default)]
    not_analyzed: Vec<String>,
    /// The claims that do not hold today.
    #[serde(default)]
    known_faults: BTreeSet<String>,
    /// Statements that hold on an idle machine alone, and are not claimed.
    #[serde(default)]
    load_dependent: Vec<String>,
}

/// The resources that a program runs on.
#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum On {
    /// Four ranks, unless their number is given.
    #[default]
    Ranks,
    /// A process with four threads.
    Threads,
    /// Two ranks with four threads each.
    Hybrid,
    /// Four ranks of Python.
    Python,
}

/// Waits that show a planted problem.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wait {
    /// The call or construct that waits, or the name of a wait state that has no call.
    call: String,
    /// Its line.
    line: Option<u32>,
    /// The planted seconds, over all locations; none if they depend on the machine.
    seconds: Option<f64>,
    /// The ranks that are waited for; of threads alone, the threads.
    #[serde(default)]
    culprits: BTreeSet<u32>,
    /// The cause.
    cause: Option<CauseKind>,
    /// Words for the code that is late.
    code: Option<String>,
    /// Advice that does not help.
    not_advised: Option<String>,
    /// Whether one problem has all of it.
    #[serde(default)]
    is_one: bool,
}

/// A problem that is explained.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Explained {
    /// The cause.
    cause: CauseKind,
    /// The planted seconds, over all locations; none if they depend on the machine.
    seconds: Option<f64>,
    /// Advice that does not help, of any problem.
    not_advised: String,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/corpus")
}

fn table() -> Vec<Program> {
    let Table { program } = toml::from_str(include_str!("../programs/corpus.toml")).unwrap();
    program
}

impl Program {
    fn name(&self) -> &str {
        self.file.split('.').next().unwrap()
    }

    /// Compiles and records it; returns the folder, in which `trace` is. `None` if a tool is missing.
    fn recorded(&self) -> Option<TempDir> {
        let dir = TempDir::new().unwrap();
        self.record(dir.path()).then_some(dir)
    }

    /// The same in a folder; returns whether all tools are there.
    fn record(&self, dir: &Path) -> bool {
        ats_testing::before_others(ats_testing::Priority::OfRunsWithLongWaits);
        let source = self.folder.join(&self.file);
        let compile: &[&str] = match (self.on, self.file.ends_with(".f90")) {
            (On::Ranks, true) => &["mpif90.openmpi", "-g", "-O1", "-cpp"],
            (On::Ranks, false) => &["mpicc.openmpi", "-g", "-O1", "-w", "-rdynamic"],
            (On::Threads, _) => &["clang", "-g", "-O1", "-w", "-fopenmp"],
            (On::Hybrid, _) => &["mpicc.openmpi", "-g", "-O1", "-w", "-fopenmp"],
            (On::Python, _) => &[],
        };
        let tools = [compile.first().copied(), (self.on == On::Hybrid).then_some("clang")];
        let python = (self.on == On::Python).then_some("/usr/bin/python3");
        let mpirun = (self.on != On::Threads).then_some("mpirun.openmpi");
        if tools.into_iter().chain([python, mpirun]).flatten().any(|tool| !ats_testing::required(tool)) {
            return false;
        }
        if let Some((compiler, options)) = compile.split_first() {
            let mut command = Command::new(compiler);
            command
                .args(options)
                .args(&self.options)
                .arg("-I")
                .arg(folder().with_file_name("foreign"))
                .args(["-pthread", "-o", "program"])
                .arg(&source)
                .arg("-ldl")
                .current_dir(dir);
            let output = command.env("OMPI_CC", if self.on == On::Hybrid { "clang" } else { "gcc" }).output();
            let output = output.expect("the compiler runs");
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
        let source = source.to_str().unwrap();
        let program: Vec<&str> = match self.on {
            On::Python => vec!["/usr/bin/python3", source],
            _ => vec!["./program"],
        };
        let ranks = self.ranks.unwrap_or(if self.on == On::Hybrid { 2 } else { 4 }).to_string();
        let launcher = ["mpirun.openmpi", "--timeout", "60", "-np", &ranks];
        let launcher = if self.on == On::Threads { &[][..] } else { &launcher };
        let arguments: Vec<&str> = self.arguments.iter().map(String::as_str).collect();
        answer(dir, &[&["record", "-o", "trace", "--"], launcher, &program, &arguments].concat());
        true
    }

    /// The difference between the claims that do not hold and the known faults, in words.
    fn difference(&self, said: &Said) -> Option<String> {
        let faults: BTreeSet<String> = claims::faults(self, said);
        let new: Vec<_> = faults.difference(&self.known_faults).collect();
        let gone: Vec<_> = self.known_faults.difference(&faults).collect();
        (!new.is_empty() || !gone.is_empty()).then(|| {
            let (name, problem) = (self.name(), &self.problem);
            format!(
                "{name} ({problem}): does not hold: {new:?}; holds now, remove it from known_faults: {gone:?}\n{said}"
            )
        })
    }
}

/// Records a program, gives its trace to all commands, and holds what they say of it to the table.
fn check(name: &str) {
    let table = table();
    let program = table.iter().find(|program| program.name() == name).unwrap();
    let Some(dir) = program.recorded() else { return };
    let said = commands::run_all(dir.path());
    if let Some(difference) = program.difference(&said) {
        panic!("{difference}");
    }
}

#[test]
fn each_file_has_an_entry_and_a_test() {
    let table = table();
    let entries: Vec<&str> = table.iter().map(Program::name).collect();
    assert_eq!(entries.iter().collect::<BTreeSet<_>>().len(), entries.len(), "an entry for each");
    let files: BTreeSet<String> = fs::read_dir(folder())
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    let known = table.iter().map(|program| program.file.clone()).chain(["k.h".to_owned()]);
    assert_eq!(files, known.collect());
    let tested = TESTED.iter().chain(landing::TESTED).copied();
    assert_eq!(tested.collect::<BTreeSet<_>>(), entries.into_iter().collect());
}

/// Every known fault is of a claim that the table makes; all are printed.
#[test]
fn known_faults_are_claims_that_are_made() {
    for program in table() {
        let claims = claims::names(&program);
        for fault in &program.known_faults {
            assert!(claims.contains(fault), "{}: nobody claims {fault}: {claims:?}", program.file);
            println!("{}: {fault}", program.file);
        }
        let is_claimed = !claims.is_empty() || !program.load_dependent.is_empty();
        assert!(is_claimed, "{}: it claims nothing, and does not say why", program.file);
    }
}

#[test]
fn a_chain_differs_from_the_one_without_its_cause_by_its_waits() {
    let table = table();
    let recorded = |name: &str| table.iter().find(|program| program.name() == name).unwrap().recorded();
    let (Some(without), Some(with)) = (recorded("chain_without_its_cause"), recorded("blocked_chain")) else {
        return;
    };
    let [without, with] = [&without, &with].map(|dir| dir.path().join("trace").display().to_string());
    let document = answer(Path::new("."), &["compare", &without, &with, "--format", "json"]);
    let document: serde_json::Value = serde_json::from_str(&document).unwrap();
    let number = |value: &serde_json::Value, name: &str| value[name].as_f64().unwrap();
    let change = |of: &serde_json::Value| number(of, "b") - number(of, "a");
    let terms: Vec<_> = document["terms"].as_array().unwrap().iter().collect();
    let planted = table.iter().find(|program| program.name() == "blocked_chain").unwrap();
    let planted = planted.waits.iter().filter_map(|wait| wait.seconds);
    for (term, seconds) in ["waiting_for_messages", "waiting_in_collectives"].into_iter().zip(planted) {
        let of = terms.iter().find(|of| of["term"] == term);
        let found = of.map_or(0.0, |of| change(of));
        assert!(found >= claims::SEEN * seconds, "{term}: {found} s\n{document:#}");
    }
    let all: f64 = terms.iter().map(|of| change(of)).sum();
    assert!((all - change(&document["whole"])).abs() < 1e-9, "{document:#}");
}
