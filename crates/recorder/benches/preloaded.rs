//! The cost of the preloaded recorder: the same calls by themselves, recorded, and recorded with call sites, in one
//! run, in processor time of the thread. At its end it prints the cost of an event: the difference, fastest against
//! fastest.
#![allow(missing_docs, reason = "a benchmark has no documentation of its own")]

#[path = "../tests/it/mpi/mod.rs"]
mod mpi;

use std::path::Path;
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

#[derive(Clone, Copy)]
enum How {
    ByItself,
    Recorded,
    WithCallSites,
}

/// So many iterations of calls of a kind take so long.
fn time(program: &Path, kind: &str, iterations: u64, how: How) -> Duration {
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    let arguments = [kind, &(iterations * CALLS).to_string()];
    let output = match how {
        How::ByItself => Mpi::Open.run(1, &[("OMP_NUM_THREADS", "2".as_ref())], program, &arguments),
        How::Recorded => Mpi::Open.record(1, folder.path(), program, &arguments),
        How::WithCallSites => Mpi::Open.record_with_stacks(1, folder.path(), program, &arguments),
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
        let ways = [
            ("by itself", How::ByItself),
            ("recorded", How::Recorded),
            ("with call sites", How::WithCallSites),
        ];
        let fastest = ways.map(|(name, how)| {
            let mut fastest = f64::INFINITY;
            group.bench_function(BenchmarkId::new(kind, name), |bencher| {
                bencher.iter_custom(|iterations| {
                    let time = time(&program, kind, iterations, how);
                    fastest = fastest.min(time.as_nanos() as f64 / (iterations * CALLS) as f64);
                    time
                });
            });
            fastest
        });
        let [without, with, with_sites] = fastest;
        // Nothing was measured of a kind that nobody asked for.
        if with_sites.is_finite() {
            let [plain, sites] = [with, with_sites].map(|with| (with - without) / events as f64);
            println!("{kind}: {plain:.1} ns of an event are the recorder's, {sites:.1} ns with call sites");
        }
    }
}

criterion_group!(benches, preloaded);
criterion_main!(benches);
