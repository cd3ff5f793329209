//! Side by side with libotf2, whose readers `libotf2.c` runs: events per second of processor time on one core, and the
//! ratio of ours to theirs. Skipped without libotf2 and its headers (Debian: libotf2-trace-dev), or without a C
//! compiler.
//!
//! The regular trace is that of the other benchmark; the other repeats one that Score-P has recorded, with its ids and its
//! clock offsets.
#![allow(missing_docs, reason = "a benchmark has no documentation of its own")]

mod shapes;

use std::{
    hint::black_box,
    path::{Path, PathBuf},
    process::Command,
    sync::LazyLock,
    time::Instant,
};

use ats_model::{Definitions, Event, EventSource};
use ats_trace::{Archive, ArchiveProperties, ClockOffset, write_definitions};

const EVENTS: usize = 4_000_000;
const PASSES: usize = 5;

/// Sums over all that a reader has seen: ticks in regions, bytes of messages; wrapping.
type Sums = (u64, u64);

/// The events of a location with their times.
type Events = Vec<(u64, Event)>;

/// A trace that Score-P has recorded, again and again: each location's events and clock offsets.
fn repeated(recorded: &Archive) -> (Vec<Events>, Vec<Vec<ClockOffset>>) {
    let locations = recorded.definitions().locations.len();
    let read = |location: usize| {
        let mut events = Vec::new();
        recorded.read_location(location, |time, event| events.push((time, event))).unwrap();
        events
    };
    let once: Vec<Events> = (0..locations).map(read).collect();
    let times = || once.iter().flatten().map(|(time, _)| *time);
    let period = times().max().unwrap() - times().min().unwrap() + 1;
    let repetitions = (EVENTS / once.iter().map(Vec::len).sum::<usize>()) as u64;
    let again = |events: &Events| {
        let at =
            |repetition: u64| events.iter().map(move |&(time, event)| (time + repetition * period, event));
        (0..repetitions).flat_map(at).collect()
    };
    let offsets = (0..locations).map(|location| recorded.clock_offsets(location).unwrap()).collect();
    (once.iter().map(again).collect(), offsets)
}

fn write(
    dir: &Path,
    definitions: &Definitions,
    locations: &[Events],
    offsets: &[Vec<ClockOffset>],
) -> PathBuf {
    for ((location, events), offsets) in definitions.locations.iter().zip(locations).zip(offsets) {
        shapes::write_location(dir, location.id, events, offsets);
    }
    write_definitions(dir, definitions, &ArchiveProperties::default()).unwrap();
    dir.join("traces.otf2")
}

/// The processor time of this thread, in seconds; the time that has passed, if Linux does not have it.
fn processor_time() -> f64 {
    static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|told| told.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| BEGIN.elapsed().as_secs_f64(), |nanoseconds| nanoseconds * 1e-9)
}

/// The time of the fastest pass, in seconds of processor time, over all locations on this core.
fn ours(anchor: &Path) -> (f64, Sums) {
    let archive = Archive::open(anchor).unwrap();
    let pass = |_| {
        let begin = processor_time();
        let (mut in_region, mut moved) = (0u64, 0u64);
        for location in 0..archive.definitions().locations.len() {
            let visit = |time: u64, event: Event| match event {
                Event::Enter { .. } => in_region = in_region.wrapping_sub(time),
                Event::Leave { .. } => in_region = in_region.wrapping_add(time),
                Event::MpiSend { bytes, .. }
                | Event::MpiRecv { bytes, .. }
                | Event::MpiIsend { bytes, .. }
                | Event::MpiIrecv { bytes, .. } => moved = moved.wrapping_add(bytes),
                _ => {}
            };
            archive.read_location(location, visit).unwrap();
        }
        (processor_time() - begin, black_box((in_region, moved)))
    };
    (0..PASSES).map(pass).min_by(|a, b| a.0.total_cmp(&b.0)).unwrap()
}

/// The program that reads with libotf2; `None` if it cannot be built.
fn compiled(dir: &Path) -> Option<PathBuf> {
    let program = dir.join("libotf2");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/libotf2.c");
    let status = Command::new("cc").arg("-O2").arg(source).arg("-o").arg(&program).arg("-lotf2").status();
    status.is_ok_and(|status| status.success()).then_some(program)
}

fn theirs(program: &Path, anchor: &Path, reader: &str) -> (f64, Sums) {
    let output = Command::new(program).arg(anchor).args([reader, &PASSES.to_string()]).output().unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    let mut words = told.split_whitespace();
    let seconds = words.next().expect("a time").parse().unwrap();
    let mut sum = || words.next().expect("a sum").parse().unwrap();
    (seconds, (sum(), sum()))
}

fn compare(program: &Path, name: &str, events: usize, anchor: &Path) {
    let (own, seen) = ours(anchor);
    let rate = |seconds: f64| events as f64 / seconds / 1e6;
    println!("{name}: ours {:.0} M events/s", rate(own));
    for reader in ["local", "global"] {
        let (seconds, theirs) = theirs(program, anchor, reader);
        assert_eq!(theirs, seen, "{reader} has seen something else");
        println!(
            "{name}: libotf2, {reader} {:.0} M events/s, ours {:.1} times as many",
            rate(seconds),
            seconds / own
        );
    }
}

fn main() {
    let dir = tempfile::tempdir().unwrap();
    let Some(program) = compiled(dir.path()) else {
        println!("skipped: libotf2's headers or a C compiler are missing (Debian: libotf2-trace-dev, gcc)");
        return;
    };
    let events = vec![shapes::regular(EVENTS)];
    let regular = write(&dir.path().join("regular"), &shapes::definitions(1), &events, &[Vec::new()]);
    compare(&program, "regular", events[0].len(), &regular);
    let recorded = Archive::open(&ats_testing::peer("scorep-patterns-4ranks/traces.otf2")).unwrap();
    let (locations, offsets) = repeated(&recorded);
    let count = locations.iter().map(Vec::len).sum();
    let repeated = write(&dir.path().join("score-p"), recorded.definitions(), &locations, &offsets);
    compare(&program, "Score-P's", count, &repeated);
}
