//! Writes a small sound archive in the form that `otf2_reader` takes, to begin fuzzing with.

use std::path::PathBuf;

use ats_model::attribute::{AttributeDefinition, AttributeType, AttributeValue};
use ats_model::definitions::{Communicator, LocationDefinition, Members, Region, Team};
use ats_model::event::{
    AttributeRef, CollectiveOperation, CommunicatorRef, MetricRef, RegionRef, TaskId, TeamRef,
};
use ats_model::metric::{Base, MetricDefinition, MetricValue, ValueProperty, ValueType};
use ats_model::{Definitions, Event};
use ats_trace::parts::Maps;
use ats_trace::{ArchiveProperties, ChunkSize, ClockOffset, LocationWriter, write_definitions};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args_os().nth(1).ok_or("name the folder for the seed")?);
    let dir = std::env::temp_dir().join(format!("ats-fuzz-seed-{}", std::process::id()));
    let communicator = CommunicatorRef(0);
    let team = TeamRef(0);
    let task = TaskId { creator: 0, generation: 1 };
    let attribute = |attribute, of, bits| Event::Attribute {
        attribute: AttributeRef(attribute),
        value: AttributeValue { of, bits },
    };
    let counted =
        |metric, of, bits| Event::Metric { metric: MetricRef(metric), value: MetricValue { of, bits } };
    let mut writer = LocationWriter::create(&dir, 0, ChunkSize::MIN)?;
    for (time, event) in [
        (10, Event::Enter { region: RegionRef(0) }),
        (20, Event::MpiSend { receiver: 0, communicator, tag: 1, bytes: 1 << 20 }),
        (20, Event::MpiIrecvRequest { request: 7 }),
        (30, Event::MpiIrecv { sender: 0, communicator, tag: 1, bytes: 4, request: 7 }),
        (40, Event::MpiCollectiveBegin),
        (
            50,
            Event::MpiCollectiveEnd {
                operation: CollectiveOperation::Bcast,
                communicator,
                root: Some(0),
                sent: 8,
                received: 8,
            },
        ),
        (51, Event::NonBlockingCollectiveRequest { request: 8 }),
        (52, Event::MpiRequestTest { request: 8 }),
        (
            53,
            Event::NonBlockingCollectiveComplete {
                operation: CollectiveOperation::Allreduce,
                communicator,
                root: None.into(),
                sent: 8.into(),
                received: 8.into(),
                request: 8,
            },
        ),
        (60, Event::Leave { region: RegionRef(0) }),
        (60, Event::ThreadFork { requested: 1 }),
        (61, Event::ThreadTeamBegin { team }),
        (62, Event::ThreadAcquireLock { lock: 3, order: 1 }),
        (63, Event::ThreadReleaseLock { lock: 3, order: 1 }),
        (64, Event::ThreadTaskCreate { team, task }),
        (65, Event::ThreadTaskSwitch { team, task }),
        (66, Event::ThreadTaskComplete { team, task }),
        (67, Event::ThreadTeamEnd { team }),
        (68, Event::ThreadJoin),
        (69, counted(1, ValueType::Double, 3)),
        (69, counted(0, ValueType::Uint64, 5)),
        // It falls, though it accumulates.
        (69, counted(0, ValueType::Uint64, 2)),
        (70, attribute(0, AttributeType::Uint64, 1 << 40)),
        (70, attribute(1, AttributeType::Region, 1)),
        (70, attribute(2, AttributeType::String, 0)),
        (70, attribute(3, AttributeType::Uint16, 500)),
        (70, Event::ThreadJoin),
    ] {
        writer.event(time, &event)?;
    }
    let measured = |time, offset| ClockOffset { time, offset, standard_deviation: 0.0 };
    writer.clock_offsets(&[measured(0, 5), measured(100, -5)]);
    writer.maps(&Maps {
        regions: vec![1, 0],
        communicators: vec![0],
        metrics: vec![1, 0],
        teams: vec![0],
        all_communicators: 1,
        ..Maps::default()
    });
    let events = writer.finish()?;
    let region = |name: &str| Region { name: name.into(), ..Region::default() };
    let name = "MPI_COMM_WORLD".into();
    let definitions = Definitions {
        regions: vec![region("main"), region("MPI_Send")],
        communicators: vec![Communicator { name, members: Members::Ranks(vec![0]) }],
        teams: vec![Team { name: "team".into(), members: vec![0] }],
        locations: vec![LocationDefinition { id: 0, name: "Master".into(), rank: 0, thread: 0, events }],
        metrics: vec![
            MetricDefinition {
                name: "joules".into(),
                unit: "J".into(),
                property: ValueProperty::Absolute,
                value_type: ValueType::Double,
                base: Base::Decimal,
                exponent: -3,
            },
            MetricDefinition { name: "cells".into(), ..MetricDefinition::default() },
        ],
        attributes: vec![AttributeDefinition::default(); 4],
        strings: ["kernel"].into_iter().collect(),
        ..Definitions::default()
    };
    write_definitions(&dir, &definitions, &ArchiveProperties::default())?;
    let mut seed = Vec::new();
    for file in ["traces.otf2", "traces.def", "traces/0.evt", "traces/0.def"] {
        let bytes = std::fs::read(dir.join(file))?;
        seed.extend((bytes.len() as u16).to_le_bytes());
        seed.extend(bytes);
    }
    std::fs::remove_dir_all(&dir)?;
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join("sound-archive"), seed)?;
    Ok(())
}
