//! Archives of unusual but legal kinds: the same two ranks, with other clocks and other numbers of locations.

use ats_analyzer::{Options, analyze, notation::parse};
use ats_documents::Analysis;
use ats_model::WaitState;
use ats_model::source::InMemory;
use ats_trace::{Archive, ArchiveProperties, ArchiveWriter};

/// Rank 1 waits 100 ms for a message of rank 0; in milliseconds.
const PLAIN: &str = "0: 0..10 MPI_Init; 120..121 MPI_Send send 1; 200..210 MPI_Finalize
                     1: 0..10 MPI_Init; 20..122 MPI_Recv recv 0; 200..210 MPI_Finalize";

/// A clock of an archive.
#[derive(Clone, Copy)]
struct Clock {
    /// Ticks per second.
    resolution: u64,
    /// The first time stamp, in ticks.
    base: u64,
    /// The first time stamp according to the definitions, in ticks.
    offset: u64,
}

const NANOSECONDS: Clock = Clock { resolution: 1_000_000_000, base: 1_000_000_000, offset: 1_000_000_000 };

/// The analysis of a trace that was written as an archive with this clock, and read again.
fn archived(trace: &InMemory, clock: Clock, ids: [u64; 2]) -> Analysis {
    let mut definitions = trace.definitions.clone();
    let at = |milliseconds: u64| clock.base + milliseconds * clock.resolution / 1_000;
    definitions.clock.resolution = clock.resolution;
    definitions.clock.offset = clock.offset;
    definitions.clock.length = at(210) - clock.offset;
    let dir = tempfile::tempdir().unwrap();
    let mut writer = ArchiveWriter::create(dir.path()).unwrap().common_clock();
    for (number, id) in ids.into_iter().enumerate() {
        definitions.locations[number].id = id;
        writer.add_location(id);
        for (time, event) in &trace.events[number] {
            writer.event(number, at(*time), event).unwrap();
        }
    }
    writer.finish(&definitions, &ArchiveProperties::default()).unwrap();
    let archive = Archive::open(&dir.path().join("traces.otf2")).unwrap();
    analyze(&archive, "odd", &Options::default()).unwrap()
}

/// Seconds of late senders, and of all other waits, each to the millisecond.
fn waits(analysis: &Analysis) -> (f64, f64) {
    let seconds = |is_late: bool| {
        let found = analysis.findings.iter();
        let found = found.filter(|finding| (finding.property == Some(WaitState::LateSender)) == is_late);
        (found.map(|finding| finding.waiting_time).sum::<f64>() * 1e3).round() / 1e3
    };
    (seconds(true), seconds(false))
}

#[test]
fn clocks_and_numbers_of_locations_change_nothing() {
    let trace = parse(PLAIN).unwrap();
    let plain = archived(&trace, NANOSECONDS, [0, 1]);
    assert_eq!(waits(&plain), (0.1, 0.0), "{:?}", plain.findings);
    let near_the_end = 18_446_744_000_000_000_000;
    let days = 50_000_000_000_000_000;
    for (kind, clock, ids) in [
        ("huge", Clock { base: near_the_end, offset: near_the_end, ..NANOSECONDS }, [0, 1]),
        ("uptime", Clock { resolution: 2_893_202_000, base: days, offset: days }, [0, 1]),
        ("coarse", Clock { resolution: 1_000, ..NANOSECONDS }, [0, 1]),
        ("sparse", NANOSECONDS, [5, 0x8000_0000_0000_0001]),
        ("offset0", Clock { offset: 0, ..NANOSECONDS }, [0, 1]),
    ] {
        let odd = archived(&trace, clock, ids);
        assert_eq!(waits(&odd), waits(&plain), "{kind}: {:?}", odd.findings);
        let of_basis = |analysis: &Analysis| (analysis.basis.wall_time, analysis.basis.location_seconds);
        let ((wall, all), (plain_wall, plain_all)) = (of_basis(&odd), of_basis(&plain));
        assert!(
            (wall - plain_wall).abs() < 1e-3 && (all - plain_all).abs() < 2e-3,
            "{kind}: {:?}",
            odd.basis
        );
    }
}

#[test]
fn locations_without_events_are_no_obstacle() {
    let mut trace = parse(PLAIN).unwrap();
    trace.events[1].clear();
    let only_one = archived(&trace, NANOSECONDS, [0, 1]);
    assert_eq!(waits(&only_one), (0.0, 0.0));
    assert!(only_one.warnings.iter().any(|warning| warning.contains("sent and not received: 1")));
    trace.events[0].clear();
    let empty = archived(&trace, NANOSECONDS, [0, 1]);
    assert_eq!((empty.findings.len(), empty.events), (0, 0));
}
