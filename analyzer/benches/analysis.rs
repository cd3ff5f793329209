//! The whole analysis, in events per second.
//!
//! The trace is regular: on 8 locations unequal work, a shift and a barrier, again and again, 8 million events in all.
//! Once it comes out of thin air, which measures the analysis alone, and once from an archive on disk.
#![allow(missing_docs, reason = "criterion's macros make public items")]

use std::{convert::Infallible, path::Path};

use ats_analyzer::{Options, analyze, notation::parse};
use ats_model::{Definitions, Event, EventSource, source::InMemory};
use ats_trace::{Archive, ArchiveProperties, ClockOffset, LocationWriter, write_definitions};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rayon::ThreadPoolBuilder;

const LOCATIONS: u64 = 8;
const REPETITIONS: u64 = 100_000;
const PERIOD: u64 = 100;

/// A short trace that is repeated.
struct Repeated(InMemory);

impl Repeated {
    /// `body` is what each rank does in one period, after its work.
    fn new(body: impl Fn(u64) -> String) -> Self {
        let line = |rank| format!("{rank}: 0..{} do_work; {}\n", 10 + rank, body(rank));
        Repeated(parse(&(0..LOCATIONS).map(line).collect::<String>()).unwrap())
    }

    fn blocking() -> Self {
        Self::new(|rank| {
            let (next, last) = ((rank + 1) % LOCATIONS, (rank + LOCATIONS - 1) % LOCATIONS);
            format!(
                "{}..30 MPI_Sendrecv send {next}, recv {last}; {}..50 MPI_Barrier barrier",
                10 + rank,
                30 + rank
            )
        })
    }

    fn immediate() -> Self {
        Self::new(|rank| {
            let (next, last) = ((rank + 1) % LOCATIONS, (rank + LOCATIONS - 1) % LOCATIONS);
            let calls =
                format!("20..20 MPI_Irecv post 1; 20..{} MPI_Isend isend {next} request 2", 21 + rank);
            format!("{calls}; {}..50 MPI_Waitall irecv {last} request 1, sent 2", 30 + rank)
        })
    }

    fn events(&self) -> u64 {
        REPETITIONS * self.0.events.iter().map(Vec::len).sum::<usize>() as u64
    }

    fn write(&self, dir: &Path) -> Archive {
        for location in 0..LOCATIONS as usize {
            let mut writer = LocationWriter::create(dir, location as u64, Default::default()).unwrap();
            self.read_location(location, |time, event| writer.event(time, &event).unwrap()).unwrap();
            writer.clock_offsets(&[ClockOffset { time: 0, offset: 0, standard_deviation: 0.0 }]);
            writer.finish().unwrap();
        }
        let mut definitions = self.0.definitions.clone();
        definitions.clock.length = REPETITIONS * PERIOD;
        write_definitions(dir, &definitions, &ArchiveProperties::default()).unwrap();
        Archive::open(&dir.join("traces.otf2")).unwrap()
    }
}

impl EventSource for Repeated {
    type Error = Infallible;

    fn definitions(&self) -> &Definitions {
        &self.0.definitions
    }

    fn read_location(&self, index: usize, mut visit: impl FnMut(u64, Event)) -> Result<(), Infallible> {
        for repetition in 0..REPETITIONS {
            for &(time, event) in &self.0.events[index] {
                visit(repetition * PERIOD + time, event);
            }
        }
        Ok(())
    }
}

fn bench<S: EventSource>(criterion: &mut Criterion, name: &str, events: u64, source: &S) {
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(events)).sample_size(10);
    for threads in [1, 2] {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        group.bench_function(format!("{threads} threads"), |bencher| {
            bencher.iter(|| pool.install(|| analyze(source, "regular", &Options::default()).unwrap()));
        });
    }
}

fn analysis(criterion: &mut Criterion) {
    for (name, trace) in [("blocking", Repeated::blocking()), ("immediate", Repeated::immediate())] {
        bench(criterion, &format!("{name}, in memory"), trace.events(), &trace);
        let dir = tempfile::tempdir().unwrap();
        bench(criterion, &format!("{name}, on disk"), trace.events(), &trace.write(dir.path()));
    }
}

criterion_group!(benches, analysis);
criterion_main!(benches);
