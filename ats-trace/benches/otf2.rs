//! Reading and writing, in events per second on one core.
//!
//! The regular trace is 50 µs of work, then a send or a receive, again and again; the random one has random regions,
//! times and messages, so that no branch can be foretold.
#![allow(missing_docs, reason = "criterion's macros make public items")]

use std::hint::black_box;
use std::path::Path;

use ats_model::definitions::{Communicator, LocationDefinition, Members, Region};
use ats_model::event::{CommunicatorRef, RegionRef};
use ats_model::{Definitions, Event, EventSource};
use ats_trace::{
    Archive, ArchiveProperties, ArchiveWriter, ChunkSize, ClockOffset, LocationWriter, write_definitions,
};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

const EVENTS: usize = 2_000_000;
const REGIONS: u32 = 600;

fn definitions(locations: u32) -> Definitions {
    let location = |rank| LocationDefinition {
        id: u64::from(rank),
        name: "Master thread".into(),
        rank,
        thread: 0,
        events: 0,
    };
    Definitions {
        regions: (0..REGIONS)
            .map(|id| Region { name: format!("region {id}"), ..Region::default() })
            .collect(),
        communicators: vec![Communicator {
            name: "MPI_COMM_WORLD".into(),
            members: Members::Ranks((0..locations).collect()),
        }],
        locations: (0..locations).map(location).collect(),
        ..Definitions::default()
    }
}

fn send(receiver: u32, tag: u32, bytes: u64) -> Event {
    Event::MpiSend { receiver, communicator: CommunicatorRef(0), tag, bytes }
}

fn receive(sender: u32, tag: u32, bytes: u64) -> Event {
    Event::MpiRecv { sender, communicator: CommunicatorRef(0), tag, bytes }
}

fn regular() -> Vec<(u64, Event)> {
    let region = |id| RegionRef(id);
    let mut time = 1_000_000_000;
    let mut events = Vec::with_capacity(EVENTS);
    while events.len() < EVENTS {
        let message = if events.len() % 2 == 0 { send(1, 17, 4096) } else { receive(1, 17, 4096) };
        for (step, event) in [
            (1_000, Event::Enter { region: region(0) }),
            (50_000, Event::Leave { region: region(0) }),
            (30, Event::Enter { region: region(1) }),
            (20, message),
            (400, Event::Leave { region: region(1) }),
        ] {
            time += step;
            events.push((time, event));
        }
    }
    events
}

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

fn write_location(dir: &Path, events: &[(u64, Event)], offsets: &[ClockOffset]) {
    let mut writer = LocationWriter::create(dir, 0, ChunkSize::default()).unwrap();
    for (time, event) in events {
        writer.event(*time, event).unwrap();
    }
    writer.clock_offsets(offsets);
    writer.finish().unwrap();
}

fn reading(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("read");
    group.throughput(Throughput::Elements(EVENTS as u64)).sample_size(20);
    let measured = |time, offset| ClockOffset { time, offset, standard_deviation: 0.0 };
    let offsets = [measured(1_000_000_000, 5_000), measured(100_000_000_000, -5_000)];
    for (name, events, offsets) in [
        ("regular", regular(), &[][..]),
        ("regular, clock corrected", regular(), &offsets),
        ("random", random(), &[]),
    ] {
        let dir = tempfile::tempdir().unwrap();
        write_location(dir.path(), &events, offsets);
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
    for (name, events) in [("regular", regular()), ("random", random())] {
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
                    write_location(dir.path(), &events, &[]);
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
