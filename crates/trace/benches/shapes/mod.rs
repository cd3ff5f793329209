//! The traces that readers and writers are measured with.

use std::path::Path;

use ats_model::{
    Definitions, Event,
    definitions::{Communicator, LocationDefinition, Members, Region},
    event::{CommunicatorRef, RegionRef},
};
use ats_trace::{ChunkSize, ClockOffset, LocationWriter};

pub(crate) const REGIONS: u32 = 600;

pub(crate) fn definitions(locations: u32) -> Definitions {
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

pub(crate) fn send(receiver: u32, tag: u32, bytes: u64) -> Event {
    Event::MpiSend { receiver, communicator: CommunicatorRef(0), tag, bytes }
}

pub(crate) fn receive(sender: u32, tag: u32, bytes: u64) -> Event {
    Event::MpiRecv { sender, communicator: CommunicatorRef(0), tag, bytes }
}

/// 50 µs of work, then a send or a receive, again and again.
pub(crate) fn regular(count: usize) -> Vec<(u64, Event)> {
    let region = |id| RegionRef(id);
    let mut time = 1_000_000_000;
    let mut events = Vec::with_capacity(count);
    while events.len() < count {
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

/// A location whose clock differs by these offsets from the others'.
pub(crate) fn write_location(dir: &Path, id: u64, events: &[(u64, Event)], offsets: &[ClockOffset]) {
    let mut writer = LocationWriter::create(dir, id, ChunkSize::default()).unwrap();
    for (time, event) in events {
        writer.event(*time, event).unwrap();
    }
    writer.clock_offsets(offsets);
    writer.finish().unwrap();
}
