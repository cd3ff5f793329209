//! Events of a trace that are replayed in a second, on one core: `cargo bench -p ats-whatif`.

use std::hint::black_box;

use ats_model::source::InMemory;
use ats_props::Catalogue;
use ats_truth::{GivenSize, Planned, TruthOptions, ideal_trace};
use ats_whatif::{Changes, Network, Program};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// The ideal trace of a program with 64 ranks or threads.
fn trace(program: &str, parameters: &[&str], size: (usize, usize)) -> InMemory {
    let parameters: Vec<String> = parameters.iter().map(|&word| word.to_owned()).collect();
    let size = GivenSize { ranks: Some(size.0), threads: Some(size.1) };
    let planned = Planned::named(program, &parameters, size, &Catalogue::builtin()).unwrap();
    ideal_trace::in_memory(&planned.subject, planned.size, &TruthOptions::default()).unwrap()
}

fn replays(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("replay");
    for (program, parameters, size) in [
        ("late_sender", ["r=1000"], (64, 1)),
        ("imbalance_at_mpi_barrier", ["r=1000"], (64, 1)),
        ("imbalance_in_omp_loop", ["r=1000"], (1, 64)),
    ] {
        let trace = trace(program, &parameters, size);
        let events: usize = trace.events.iter().map(Vec::len).sum();
        let program_again = Program::new(&trace, &[], Network::default()).unwrap();
        group.throughput(Throughput::Elements(events as u64));
        group.bench_function(program, |bencher| {
            bencher.iter(|| black_box(program_again.run(&Changes::default(), &mut ()).unwrap()));
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10);
    targets = replays
}
criterion_main!(benches);
