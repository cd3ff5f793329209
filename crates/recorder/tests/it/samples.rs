//! Programs whose threads are sampled.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Output};

use ats_model::Event;
use ats_model::event::CallingContextRef;

use crate::mpi::{Mpi, Trace, compile, source, stderr, succeeded};

/// Samples per second of a thread's processor time. Kernels whose clocks tick more slowly take fewer.
const HZ: &str = "200";

/// Runs a program without MPI, sampled, into `folder`.
fn sample(mpi: Mpi, folder: &Path, program: &Path) -> Output {
    let mut command = Command::new("timeout");
    command.args(["--kill-after=10", "60"]).arg(program);
    command.env("LD_PRELOAD", mpi.recorder()).env("ATS_RECORDER_DIR", folder);
    command.env("ATS_RECORDER_SAMPLE", HZ).output().expect("timeout runs")
}

/// The functions that samples were taken in, from the innermost on, of all threads.
fn sampled(trace: &Trace) -> Vec<Vec<&str>> {
    let contexts = &trace.definitions.calling_contexts;
    let functions = |CallingContextRef(context)| {
        let chain = std::iter::successors(Some(context), |&context: &u32| contexts[context as usize].parent);
        let function = |context: u32| contexts[context as usize].function.0 as usize;
        chain.map(|context| trace.definitions.regions[function(context)].name.as_str()).collect()
    };
    let events = trace.events.iter().flatten();
    let samples = events.filter_map(|(_, event)| match event {
        Event::CallingContextSample { context, .. } => Some(*context),
        _ => None,
    });
    samples.map(functions).collect()
}

/// The half width of the interval that holds a share of so many samples in 99 of 100 cases.
fn half_width(share: f64, samples: f64) -> f64 {
    2.576 * (share * (1.0 - share) / samples).sqrt()
}

/// The shares of `shares.c` that are outside of their intervals, in words.
fn outside(printed: &str, trace: &Trace) -> Vec<String> {
    let mut counts: BTreeMap<&str, f64> = BTreeMap::new();
    for stack in sampled(trace) {
        let is_work = |name: &&&str| ["relax", "norm", "swap"].iter().any(|of| name.starts_with(of));
        if let Some(function) = stack.iter().find(is_work) {
            *counts.entry(function).or_default() += 1.0;
        }
    }
    let mut outside = Vec::new();
    for line in printed.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let [size, seconds, shares @ ..] = words.as_slice() else { panic!("{line}") };
        let names = ["relax", "norm", "swap"].map(|name| format!("{name}_{size}"));
        let count = |name: &String| counts.get(name.as_str()).copied().unwrap_or_default();
        let all: f64 = names.iter().map(count).sum();
        let seconds: f64 = seconds.parse().expect("seconds");
        assert!(all > 25.0 * seconds, "{all} samples in {seconds} s of {size} threads");
        for (name, share) in names.iter().zip(shares) {
            let (share, found): (f64, f64) = (share.parse().expect("a share"), count(name) / all);
            let half = half_width(share, all);
            if (found - share).abs() > half {
                outside.push(format!("{name}: {found:.3} of {all}, not {share:.3} ± {half:.3}"));
            }
        }
    }
    outside
}

#[test]
fn samples_divide_the_time_of_teams_by_function() {
    let Some(mpi) = Mpi::tested().next() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let options = ["-O2", "-fomit-frame-pointer", "-fopenmp"];
    let program = compile(Command::new("clang"), &source("shares.c"), folder.path(), &options);
    // One of nine shares is outside by chance in nearly every tenth run, but not in one after the other.
    let runs = (0..3).map(|run| {
        let folder = folder.path().join(run.to_string());
        let output = sample(mpi, &folder, &program);
        succeeded(&output);
        let trace = Trace::read(&folder);
        trace.is_sound();
        let printed = String::from_utf8_lossy(&output.stdout);
        assert_eq!(printed.lines().count(), 3);
        outside(&printed, &trace)
    });
    let mut failed = Vec::new();
    for outside in runs {
        if outside.is_empty() {
            return;
        }
        failed.push(outside);
    }
    panic!("{failed:#?}");
}

#[test]
fn a_program_goes_on_as_without_samples() {
    for mpi in Mpi::tested() {
        let folder = tempfile::tempdir().expect("a folder");
        let compiler = mpi.compiler().replace("mpicc", "mpicxx");
        let of = |compiler: &str| {
            let mut command = Command::new(compiler);
            command.envs([("OMPI_CXX", "clang++"), ("MPICH_CXX", "clang++")]);
            command
        };
        let library_folder = folder.path().join("library");
        std::fs::create_dir(&library_folder).expect("it can be made");
        let options = ["-shared", "-fPIC", "-DLIBRARY"];
        let library = compile(of("clang++"), &source("samples.cpp"), &library_folder, &options);
        let program = compile(of(&compiler), &source("samples.cpp"), folder.path(), &["-fopenmp"]);
        let variables = [
            ("LD_PRELOAD", mpi.recorder().as_os_str()),
            ("ATS_RECORDER_DIR", folder.path().as_os_str()),
            ("ATS_RECORDER_STACKS", OsStr::new("full")),
            ("ATS_RECORDER_SAMPLE", OsStr::new("1000")),
        ];
        let output = mpi.run(2, &variables, &program, &[library.to_str().expect("a path")]);
        succeeded(&output);
        assert!(!stderr(&output).contains("ats-recorder"), "{}", stderr(&output));
        let trace = Trace::read(folder.path());
        trace.is_sound();
        let outermost = |stack: &Vec<&str>| (*stack.last().expect("a function")).to_owned();
        let mut all: Vec<String> = sampled(&trace).iter().map(outermost).collect();
        all.sort();
        all.dedup();
        assert!(all.contains(&"main".to_owned()), "{all:?}");
    }
}

#[test]
fn sampling_leaves_its_signal_to_a_program_that_handles_it() {
    let Some(mpi) = Mpi::tested().next() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let program = compile(Command::new("clang"), &source("handles.c"), folder.path(), &["-fopenmp"]);
    let output = sample(mpi, folder.path(), &program);
    succeeded(&output);
    assert!(stderr(&output).contains("nothing is sampled from here on"), "{}", stderr(&output));
    let trace = Trace::read(folder.path());
    trace.is_sound();
    let samples = sampled(&trace);
    assert!(!samples.is_empty() && samples.iter().all(|stack| stack[0] != "count"));
}
