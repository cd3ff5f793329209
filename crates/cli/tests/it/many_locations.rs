//! Traces of many locations are profiled and kept in little memory: so much for each call path of each location.
//!
//! `ATS_LOCATIONS=65536` makes one of so many locations, which has to fit into 1 GiB.

#![cfg(target_os = "linux")]

use std::path::Path;

use ats_model::definitions::{Communicator, LocationDefinition, Members, Paradigm, Region, RegionRole};
use ats_model::event::{CollectiveOperation, CommunicatorRef, RegionRef};
use ats_model::{Definitions, Event};
use ats_trace::{ArchiveProperties, ArchiveWriter};
use tempfile::TempDir;

use crate::common::peak;

/// `main`, its phases, and the calls in each: a hundred call paths.
const PHASES: u32 = 9;
const CALLS: u32 = 10;
const PATHS: u32 = 1 + PHASES + PHASES * CALLS;

/// So many bytes there may be of a call path of a location: somewhat more in a small trace than in a large one, in which what
/// is free again is a part of less.
const OF_EACH: u64 = 210;

/// The phases whose last call is one of MPI.
const REDUCES: u32 = 0;
const SHIFTS: u32 = 1;

const WORLD: CommunicatorRef = CommunicatorRef(0);

fn last_call_of(phase: u32) -> RegionRef {
    RegionRef(PHASES + (phase + 1) * CALLS)
}

fn definitions(ranks: u32) -> Definitions {
    let region = |number: u32| {
        let (name, paradigm, role) = match number {
            0 => ("main".to_owned(), Paradigm::User, RegionRole::Function),
            _ if number == last_call_of(REDUCES).0 => {
                ("MPI_Allreduce".to_owned(), Paradigm::Mpi, RegionRole::CollAllToAll)
            }
            _ if number == last_call_of(SHIFTS).0 => {
                ("MPI_Sendrecv".to_owned(), Paradigm::Mpi, RegionRole::PointToPoint)
            }
            _ => (format!("function_{number}"), Paradigm::User, RegionRole::Function),
        };
        Region { name, paradigm, role, ..Region::default() }
    };
    let location = |rank: u32| LocationDefinition {
        id: u64::from(rank),
        name: "Master thread".into(),
        rank,
        thread: 0,
        events: 0,
    };
    Definitions {
        regions: (0..PATHS).map(region).collect(),
        communicators: vec![Communicator {
            name: "MPI_COMM_WORLD".into(),
            members: Members::Ranks((0..ranks).collect()),
        }],
        locations: (0..ranks).map(location).collect(),
        ..Definitions::default()
    }
}

/// Every rank is in each call twice, with times of its own; from the reduction on all go on together.
fn write(dir: &Path, ranks: u32) {
    let mut writer = ArchiveWriter::create(dir).unwrap().common_clock();
    for rank in 0..ranks {
        let location = writer.add_location(u64::from(rank));
        let mut event = |time: u64, event| writer.event(location, time, &event).unwrap();
        event(0, Event::Enter { region: RegionRef(0) });
        for phase in 0..PHASES {
            let begin = u64::from(phase) * 1_000_000;
            event(begin, Event::Enter { region: RegionRef(1 + phase) });
            for call in 0..2 * CALLS {
                let region = RegionRef(1 + PHASES + phase * CALLS + call % CALLS);
                let from = begin + u64::from(call) * 1000;
                let to = from + 100 + u64::from((rank * 7919 + call * 104_729 + phase) % 800);
                event(from, Event::Enter { region });
                let end = if region != last_call_of(phase) || phase > SHIFTS {
                    to
                } else if phase == REDUCES {
                    event(from, Event::MpiCollectiveBegin);
                    let (operation, communicator) = (CollectiveOperation::Allreduce, WORLD);
                    let end =
                        Event::MpiCollectiveEnd { operation, communicator, root: None, sent: 8, received: 8 };
                    event(from + 900, end);
                    from + 900
                } else {
                    let (communicator, tag, bytes) = (WORLD, 0, 8);
                    event(from, Event::MpiSend { receiver: (rank + 1) % ranks, communicator, tag, bytes });
                    let sender = (rank + ranks - 1) % ranks;
                    event(from + 900, Event::MpiRecv { sender, communicator, tag, bytes });
                    from + 900
                };
                event(end, Event::Leave { region });
            }
            event(begin + 500_000, Event::Leave { region: RegionRef(1 + phase) });
        }
        event(10_000_000, Event::Leave { region: RegionRef(0) });
    }
    writer.finish(&definitions(ranks), &ArchiveProperties::default()).unwrap();
}

/// The peaks of what is done with a trace of so many ranks.
fn peaks(ranks: u32) -> Vec<(&'static str, u64)> {
    let dir = TempDir::new().unwrap();
    write(&dir.path().join("trace"), ranks);
    let add = ["experiment", "add", "repo", "trace", "--application", "wide"];
    let one = format!("wide.Ranks{ranks}.threads1.r1");
    let all = [
        ("profiled", vec!["profile", "trace"]),
        ("kept", add.to_vec()),
        ("listed", vec!["experiment", "list", "repo"]),
        ("shown", vec!["experiment", "show", "repo", &one]),
    ];
    let peaks = all.map(|(what, words)| (what, peak(dir.path(), &words)));
    for (what, peak) in peaks {
        eprintln!("{ranks} locations are {what} in {} MB", peak >> 20);
    }
    peaks.to_vec()
}

#[test]
fn profiles_of_many_locations_take_little_memory() {
    let most = 1 << 30;
    if let Ok(ranks) = std::env::var("ATS_LOCATIONS") {
        for (what, peak) in peaks(ranks.parse().unwrap()) {
            assert!(peak < most, "{what}: {peak}");
        }
        return;
    }
    // So many that what a process keeps free for its threads, which differs from run to run by some MB, is little of it.
    let (few, many) = (2048, 8192);
    for ((what, of_few), (_, of_many)) in peaks(few).into_iter().zip(peaks(many)) {
        let grown = of_many.saturating_sub(of_few);
        assert!(grown < u64::from(many - few) * u64::from(PATHS) * OF_EACH, "{what}: {of_few}, {of_many}");
    }
}
