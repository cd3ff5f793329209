//! The cost of the preloaded recorder: the same calls ten functions deep by themselves, and recorded with each kind of
//! stacks, in one run, in processor time of the thread. At its end it prints the cost of an event: the difference,
//! fastest against fastest.
//!
//! `ATS_BENCH_BESIDE=FILE` measures another `libats_recorder.so` beside this one.
#![allow(missing_docs, reason = "a benchmark has no documentation of its own")]

#[path = "../tests/it/mpi/mod.rs"]
mod mpi;

use std::path::{Path, PathBuf};
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use mpi::Mpi;

/// Kinds of calls of `calls.c`, and the events that each is recorded with.
const KINDS: [(&str, u64); 8] = [
    ("MPI_Comm_rank", 2),
    ("MPI_Sendrecv", 4),
    ("MPI_Isend-Irecv-Waitall", 10),
    ("MPI_Ibarrier-Wait", 6),
    ("MPI_Test-in-vain", 2),
    ("critical", 3),
    ("parallel-region", 4),
    ("critical-in-a-team", 3),
];

/// Calls that are one iteration: a program is started for each sample, and is to do something in it.
const CALLS: u64 = 1000;

/// A recorder, and the stacks that it takes.
#[derive(Clone)]
struct How {
    name: &'static str,
    recorder: PathBuf,
    stacks: &'static str,
}

impl How {
    fn recorders() -> Vec<How> {
        let of = |name, recorder: &Path, stacks| How { name, recorder: recorder.to_owned(), stacks };
        let own = Mpi::Open.recorder();
        let mut all = vec![
            of("recorded", own, "off"),
            of("with call sites", own, "sites"),
            of("with stacks", own, "full"),
        ];
        all.extend(std::env::var_os("ATS_BENCH_BESIDE").map(|file| of("beside", Path::new(&file), "off")));
        all
    }
}

/// So many iterations of calls of a kind take so long.
fn time(program: &Path, kind: &str, iterations: u64, how: Option<&How>) -> Duration {
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    let arguments = [kind, &(iterations * CALLS).to_string()];
    let output = match how {
        None => Mpi::Open.run(1, &[("OMP_NUM_THREADS", "2".as_ref())], program, &arguments),
        Some(How { recorder, stacks, .. }) => {
            Mpi::Open.record_by(recorder, stacks, 1, folder.path(), program, &arguments)
        }
    };
    mpi::succeeded(&output);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    Duration::from_nanos(said.trim().parse().unwrap_or_else(|_| panic!("{kind}: {said}")))
}

fn preloaded(criterion: &mut Criterion) {
    if let Some(missing) = ["mpicc.openmpi", "clang"].iter().find(|tool| ats_testing::find(tool).is_none()) {
        println!("skipped: {missing} is not installed");
        return;
    }
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/calls.c");
    let program = Mpi::Open.compile_with_clang(&source, folder.path());
    let mut group = criterion.benchmark_group("recorder");
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    group.warm_up_time(Duration::from_millis(1)).measurement_time(Duration::from_millis(200));
    for (kind, events) in KINDS {
        group.throughput(Throughput::Elements(events * CALLS));
        let mut fastest = |how: Option<&How>| {
            let mut fastest = f64::INFINITY;
            let name = how.map_or("by itself", |how| how.name);
            group.bench_function(BenchmarkId::new(kind, name), |bencher| {
                bencher.iter_custom(|iterations| {
                    let time = time(&program, kind, iterations, how);
                    fastest = fastest.min(time.as_nanos() as f64 / (iterations * CALLS) as f64);
                    time
                });
            });
            fastest
        };
        let without = fastest(None);
        for how in How::recorders() {
            let time = (fastest(Some(&how)) - without) / events as f64;
            // Nothing was measured of a kind that nobody asked for.
            if time.is_finite() {
                println!("{kind}, {}: {time:.1} ns of an event are the recorder's", how.name);
            }
        }
    }
}

criterion_group!(benches, preloaded);
criterion_main!(benches);
