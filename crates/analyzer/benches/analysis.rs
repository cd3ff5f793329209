//! The whole analysis, in events per second.
//!
//! The regular traces are of 8 locations that do unequal work, a shift and a barrier, again and again, 8 million events
//! in all. Once they come out of thin air, which measures the analysis alone, and once from an archive on disk. The
//! last trace repeats Score-P's recordings of seven properties on 4 ranks, 3 million events in all: Scalasca takes 7 to
//! 10 s for as many. *And profile* and *and causes* show the additional cost of the profile and of root causes, in the
//! same round.
#![allow(missing_docs, reason = "criterion's macros make public items")]

use std::{convert::Infallible, path::Path};

use ats_analyzer::{Options, analyze, analyze_and_profile, notation::parse};
use ats_model::{Definitions, Event, EventSource, delay::Extent, event::RegionRef, source::InMemory};
use ats_trace::{Archive, ArchiveProperties, ClockOffset, LocationWriter, write_definitions};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rayon::ThreadPoolBuilder;

const LOCATIONS: u64 = 8;
const REPETITIONS: u64 = 100_000;
const PERIOD: u64 = 100;
const SCORE_P_EVENTS: u64 = 3_000_000;

/// A short trace that is repeated.
struct Repeated {
    trace: InMemory,
    repetitions: u64,
    /// Ticks from one repetition to the next.
    period: u64,
}

impl Repeated {
    /// `body` has the calls of each rank in one period, after its work.
    fn new(body: impl Fn(u64) -> String) -> Self {
        let line = |rank| format!("{rank}: 0..{} do_work; {}\n", 10 + rank, body(rank));
        let trace = parse(&(0..LOCATIONS).map(line).collect::<String>()).unwrap();
        Repeated { trace, repetitions: REPETITIONS, period: PERIOD }
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

    /// The time between `MPI_Init` and `MPI_Finalize` in a trace of Score-P.
    fn recorded() -> Self {
        let archive = Archive::open(&ats_testing::peer("scorep-7props-4ranks/traces.otf2")).unwrap();
        let definitions = archive.definitions().clone();
        let is = |region: RegionRef, name: &str| definitions.regions[region.0 as usize].name == name;
        let body = |location: usize| {
            let mut events = Vec::new();
            archive.read_location(location, |time, event| events.push((time, event))).unwrap();
            let begin = |&(_, event): &(u64, Event)| matches!(event, Event::Leave { region } if is(region, "MPI_Init"));
            let end = |&(_, event): &(u64, Event)| matches!(event, Event::Enter { region } if is(region, "MPI_Finalize"));
            let (begin, end) = (events.iter().position(begin).unwrap(), events.iter().position(end).unwrap());
            events[begin + 1..end].to_vec()
        };
        let events: Vec<Vec<(u64, Event)>> = (0..definitions.locations.len()).map(body).collect();
        let times = || events.iter().flatten().map(|(time, _)| *time);
        let period = times().max().unwrap() - times().min().unwrap() + 1;
        let repetitions = SCORE_P_EVENTS / events.iter().map(Vec::len).sum::<usize>() as u64;
        Repeated { trace: InMemory { definitions, events }, repetitions, period }
    }

    fn events(&self) -> u64 {
        self.repetitions * self.trace.events.iter().map(Vec::len).sum::<usize>() as u64
    }

    fn write(&self, dir: &Path) -> Archive {
        let mut definitions = self.trace.definitions.clone();
        for (index, location) in definitions.locations.iter().enumerate() {
            let mut writer = LocationWriter::create(dir, location.id, Default::default()).unwrap();
            self.read_location(index, |time, event| writer.event(time, &event).unwrap()).unwrap();
            writer.clock_offsets(&[ClockOffset { time: 0, offset: 0, standard_deviation: 0.0 }]);
            writer.finish().unwrap();
        }
        definitions.clock.length = self.repetitions * self.period;
        write_definitions(dir, &definitions, &ArchiveProperties::default()).unwrap();
        Archive::open(&dir.join("traces.otf2")).unwrap()
    }
}

impl EventSource for Repeated {
    type Error = Infallible;

    fn definitions(&self) -> &Definitions {
        &self.trace.definitions
    }

    fn read_location(&self, index: usize, mut visit: impl FnMut(u64, Event)) -> Result<(), Infallible> {
        for repetition in 0..self.repetitions {
            for &(time, event) in &self.trace.events[index] {
                visit(repetition * self.period + time, event);
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
        group.bench_function(format!("{threads} threads, and profile"), |bencher| {
            let options = Options::default();
            bencher.iter(|| pool.install(|| analyze_and_profile(source, "regular", &options).unwrap()));
        });
        group.bench_function(format!("{threads} threads, and causes"), |bencher| {
            let options = Options { causes: Some(Extent::Scalasca), ..Options::default() };
            bencher.iter(|| pool.install(|| analyze(source, "regular", &options).unwrap()));
        });
    }
}

fn analysis(criterion: &mut Criterion) {
    for (name, trace) in [("blocking", Repeated::blocking()), ("immediate", Repeated::immediate())] {
        bench(criterion, &format!("{name}, in memory"), trace.events(), &trace);
        let dir = tempfile::tempdir().unwrap();
        bench(criterion, &format!("{name}, on disk"), trace.events(), &trace.write(dir.path()));
    }
    let recorded = Repeated::recorded();
    let dir = tempfile::tempdir().unwrap();
    bench(criterion, "Score-P's, on disk", recorded.events(), &recorded.write(dir.path()));
}

criterion_group!(benches, analysis);
criterion_main!(benches);
