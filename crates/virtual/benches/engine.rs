//! Operations a second of the virtual engine: a send, a receive, a rank's part of a collective, or a thread's part of a
//! construct. The pieces of work between them are done, but not counted.

use ats_mpi::{Communicator, Datatype, Source, Tag};
use ats_omp::{Team, Thread};
use ats_virtual::{Simulation, VirtualTeam};
use ats_work::{do_work, region};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

const REPETITIONS: usize = 200;

/// Pairs of ranks exchange a synchronous message, then all meet at a barrier.
fn program(c: &dyn Communicator) {
    let _region = region("program");
    let buf = c.alloc_mpi_buf(Datatype::Int, 1);
    for _ in 0..REPETITIONS {
        do_work(0.001 * (c.rank() % 7) as f64);
        let _region = region("exchange");
        let partner = c.rank() ^ 1;
        if c.rank().is_multiple_of(2) {
            c.ssend(partner, 0, &buf);
        } else {
            c.recv(Source::Rank(partner), Tag::Is(0), &buf);
        }
        c.barrier();
    }
}

/// Threads of each rank, with a barrier of their own in every region.
const THREADS: usize = 4;

fn regions(c: &dyn Communicator, team: &VirtualTeam) {
    let _region = region("regions");
    for _ in 0..REPETITIONS {
        team.parallel(THREADS, |t| {
            do_work(0.001 * ((c.rank() + t.number()) % 7) as f64);
            t.barrier();
        });
    }
}

fn engine(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("engine");
    group.sample_size(10);
    for ranks in [64, 1024, 16_384] {
        // A send or receive, and a barrier per rank and repetition.
        group.throughput(Throughput::Elements((ranks * REPETITIONS * 2) as u64));
        group.bench_function(BenchmarkId::new("bare", ranks), |bencher| {
            bencher.iter(|| Simulation::new(ranks).without_accounts().run(program).expect("no deadlock"));
        });
        group.bench_function(BenchmarkId::new("call paths and truth", ranks), |bencher| {
            bencher.iter(|| Simulation::new(ranks).run(program).expect("no deadlock"));
        });
    }
    for ranks in [1, 256] {
        // A barrier and the region's end per thread and repetition.
        group.throughput(Throughput::Elements((ranks * THREADS * REPETITIONS * 2) as u64));
        group.bench_function(BenchmarkId::new("teams", ranks), |bencher| {
            let simulate = || Simulation::new(ranks).threads(THREADS).run_with_team(regions);
            bencher.iter(|| simulate().expect("no deadlock"));
        });
    }
    group.finish();
}

criterion_group!(benches, engine);
criterion_main!(benches);
