//! Reading and writing, in events per second on one core.
//!
//! The regular trace is 50 µs of work, then a send or a receive, again and again; the random one has random regions,
//! times and messages, so that no branch can be foretold.
#![allow(missing_docs, reason = "criterion's macros make public items")]

mod shapes;

use std::hint::black_box;

use ats_model::event::RegionRef;
use ats_model::{Event, EventSource};
use ats_trace::{
    Archive, ArchiveProperties, ArchiveWriter, ChunkSize, ClockOffset, LocationWriter, write_definitions,
};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use shapes::{REGIONS, definitions, receive, regular, send, write_location};

const EVENTS: usize = 2_000_000;

fn random() -> Vec<(u64, Event)> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut time = 1_000_000_000;
    let events = (0..EVENTS).map(|_| {
        let bits = random.next_u64();
        time += bits & 0xffff;
        let (small, large) = ((bits >> 50) as u32 & 1023, bits >> 44);
        let region = RegionRef((bits >> 20) as u32 % REGIONS);
        let event = match (bits >> 40) % 10 {
            0..4 => Event::Enter { region },
            4..8 => Event::Leave { region },
            8 => send(small, region.0, large),
            _ => receive(small, region.0, large),
        };
        (time, event)
    });
    events.collect()
}

fn reading(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("read");
    group.throughput(Throughput::Elements(EVENTS as u64)).sample_size(20);
    let measured = |time, offset| ClockOffset { time, offset, standard_deviation: 0.0 };
    let offsets = [measured(1_000_000_000, 5_000), measured(100_000_000_000, -5_000)];
    for (name, events, offsets) in [
        ("regular", regular(EVENTS), &[][..]),
        ("regular, clock corrected", regular(EVENTS), &offsets),
        ("random", random(), &[]),
    ] {
        let dir = tempfile::tempdir().unwrap();
        write_location(dir.path(), 0, &events, offsets);
        write_definitions(dir.path(), &definitions(1), &ArchiveProperties::default()).unwrap();
        let archive = Archive::open(&dir.path().join("traces.otf2")).unwrap();
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let (mut in_region, mut bytes_sent) = (0u64, 0u64);
                let visit = |time: u64, event: Event| match event {
                    Event::Enter { .. } => in_region = in_region.wrapping_sub(time),
                    Event::Leave { .. } => in_region = in_region.wrapping_add(time),
                    Event::MpiSend { bytes, .. } | Event::MpiRecv { bytes, .. } => bytes_sent += bytes,
                    _ => {}
                };
                archive.read_location(0, visit).unwrap();
                black_box((in_region, bytes_sent))
            });
        });
    }
}

/// Encoding alone, as it costs a recorder; to the files; and to many locations in turn, as the virtual engine does.
fn writing(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("write");
    group.sample_size(20);
    for (name, events) in [("regular", regular(EVENTS)), ("random", random())] {
        let few = &events[..100_000];
        group.throughput(Throughput::Elements(few.len() as u64));
        group.bench_function(format!("{name}, to memory"), |bencher| {
            bencher.iter_batched_ref(
                || {
                    let dir = tempfile::tempdir().unwrap();
                    let writer = LocationWriter::create(dir.path(), 0, ChunkSize::MAX).unwrap();
                    (dir, writer)
                },
                |(_, writer)| few.iter().for_each(|(time, event)| writer.event(*time, event).unwrap()),
                BatchSize::PerIteration,
            );
        });
        group.throughput(Throughput::Elements(EVENTS as u64));
        group.bench_function(format!("{name}, to a file"), |bencher| {
            bencher.iter_batched(
                || tempfile::tempdir().unwrap(),
                |dir| {
                    write_location(dir.path(), 0, &events, &[]);
                    dir
                },
                BatchSize::PerIteration,
            );
        });
        group.bench_function(format!("{name}, to 1024 locations in turn"), |bencher| {
            bencher.iter_batched_ref(
                || {
                    let dir = tempfile::tempdir().unwrap();
                    let mut writer = ArchiveWriter::create(dir.path()).unwrap();
                    (0..1024).for_each(|id| _ = writer.add_location(id));
                    (dir, writer)
                },
                |(_, writer)| {
                    for (number, (time, event)) in events.iter().enumerate() {
                        writer.event(number & 1023, *time, event).unwrap();
                    }
                },
                BatchSize::PerIteration,
            );
        });
    }
}

criterion_group!(benches, reading, writing);
criterion_main!(benches);
