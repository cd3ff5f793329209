//! The analysis of a trace of references, from its text to the document, in references per second.
//!
//! A third of the references go to lines at random, the others along an array, eight to a line; a million lines are in no
//! cache. *Sampled* keeps 8,192 lines.
#![allow(missing_docs, reason = "criterion's macros make public items")]

use std::fmt::Write;

use ats_documents::memory::Cache;
use ats_prediction::memory::{Options, analyze};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

const REFERENCES: u64 = 2_000_000;

fn trace(lines: u64) -> String {
    let mut random = SplitMix64::seed_from_u64(1);
    let mut text = String::new();
    for at in 0..REFERENCES {
        let line = if at % 3 == 0 { random.next_u64() % lines } else { at / 12 % lines };
        writeln!(text, " L {:08x},8", 0x100_0000 + 64 * line + 8 * (at % 8)).expect("it is a string");
    }
    text
}

fn misses(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("memory");
    group.throughput(Throughput::Elements(REFERENCES)).sample_size(10);
    let caches = vec![Cache { bytes: 32 << 10, ways: 8, sets: 64 }];
    let sampled = Options { memory: 8_192 * 128, ..Options::default() };
    for (name, lines, options) in [
        ("lines/1000", 1_000, Options::default()),
        ("lines/100000", 100_000, Options::default()),
        ("lines/1000000", 1_000_000, Options::default()),
        ("sampled/1000000", 1_000_000, sampled),
        ("with a simulated cache/100000", 100_000, Options { caches, ..Options::default() }),
    ] {
        let text = trace(lines);
        group.bench_function(name, |bencher| {
            bencher.iter(|| analyze("trace", text.as_bytes(), &options, None).expect("there are references"));
        });
    }
    group.finish();
}

criterion_group!(benches, misses);
criterion_main!(benches);
